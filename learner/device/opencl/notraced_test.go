//go:build !race

package opencl

const raced = false
