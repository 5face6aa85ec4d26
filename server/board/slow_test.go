//go:build slow

package board

const slow = true
