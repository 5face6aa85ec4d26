//go:build slow

package lab

// slow runs are those of make check, which has the time.
const slow = true
