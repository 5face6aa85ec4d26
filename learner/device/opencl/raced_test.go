//go:build race

package opencl

// raced: the race detector makes pools forget what they hold, and purego's calls come out of one.
const raced = true
