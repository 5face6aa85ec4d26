//go:build slow

package lab

// slow runs belong to make check, which has the time.
const slow = true
