//go:build slow

package main

// slow tests are those of make check, which has the time.
const slow = true
