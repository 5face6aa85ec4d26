//go:build !slow

package job

const slow = false
