//go:build !slow

package main

const slow = false
