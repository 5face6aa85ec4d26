//go:build !slow

package lab

const slow = false
