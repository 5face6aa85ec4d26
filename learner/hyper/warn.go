package hyper

import "math"

// Warnings says in sentences which guarantees the settings give up. Such a run makes sense, unlike one that Validate
// refuses: it shows the purpose of the guarantee.
func (c *Config) Warnings() []string {
	algorithm := c.Algorithm()
	if c.correction().NStep || algorithm.OnPolicy {
		return nil // no ratio is in its targets
	}
	warnings := InForce[float64](c).Unsound()
	if c.Replayed() == c.BatchSize && !algorithm.Imitates && !math.IsInf(c.RhoBar, 1) &&
		(!c.masks() || math.IsInf(c.TrustKL, 1)) {
		warnings = append(warnings, "mix = 1 learns from old data alone: V-trace's gradient may then point to the wrong "+
			"action (LASER proposition 2); a share of fresh data keeps it right (proposition 3)")
	}
	return warnings
}
