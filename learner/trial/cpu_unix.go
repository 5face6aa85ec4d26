//go:build unix

package trial

import "syscall"

// StartCPU begins to measure processor time. The returned function returns the seconds since, on all cores; nil if the
// system has no such clock.
func StartCPU() func() *float64 {
	before := cpuSeconds()
	return func() *float64 {
		now := cpuSeconds()
		if before == nil || now == nil {
			return nil
		}
		*now -= *before
		return now
	}
}

func cpuSeconds() *float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return nil
	}
	seconds := float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	return &seconds
}
