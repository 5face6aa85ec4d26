//go:build slow

package main

// slow tests run in make check.
const slow = true
