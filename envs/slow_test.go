//go:build slow

package envs_test

// slow tests are those of make check, which has the time.
const slow = true
