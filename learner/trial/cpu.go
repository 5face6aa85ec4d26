package trial

// StartCPU begins to measure processor time; what it gives back reads it: nil where the system does not tell.
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
