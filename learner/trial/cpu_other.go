//go:build !unix

package trial

// cpuSeconds is unknown on systems that do not tell.
func cpuSeconds() (seconds float64, ok bool) { return 0, false }
