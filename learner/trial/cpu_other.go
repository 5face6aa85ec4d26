//go:build !unix

package trial

// cpuSeconds has no clock on this system.
func cpuSeconds() (seconds float64, ok bool) { return 0, false }
