package trial

// StartCPU begins to measure processor time. The returned function reads the seconds since; nil where the system has no
// such clock.
func StartCPU() func() *float64 {
	before, ok := cpuSeconds()
	return func() *float64 {
		if !ok {
			return nil
		}
		now, _ := cpuSeconds()
		used := now - before
		return &used
	}
}
