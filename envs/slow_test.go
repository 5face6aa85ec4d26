//go:build slow

package envs_test

// slow tests run in make check.
const slow = true
