//go:build !slow

package envs_test

const slow = false
