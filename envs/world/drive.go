package world

// The common parts of worlds with real-valued controls.

// Setting is the value of the controls for a named action.
func (s *Spec) Setting(action int) []float32 {
	if uint(action) >= uint(len(s.Settings)) {
		panic("envs: no action of this world has that number")
	}
	return s.Settings[action]
}

// Clip brings a number into the control's range.
func (c *Control) Clip(x float32) float64 {
	if x != x {
		panic("envs: a control is NaN")
	}
	return float64(min(max(x, c.Low), c.High))
}
