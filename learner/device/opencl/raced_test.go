//go:build race

package opencl

// raced: the race detector empties pools, and purego takes its calls from one.
const raced = true
