//go:build !unix

package trial

// cpuSeconds is not known on this system.
func cpuSeconds() (seconds float64, ok bool) { return 0, false }
