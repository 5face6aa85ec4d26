//go:build unix

package trial

import "syscall"

// cpuSeconds returns the processor time of this process so far, on all cores.
func cpuSeconds() (seconds float64, ok bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, true
}
