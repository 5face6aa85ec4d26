package hyper

import (
	"math"

	"impalab/learner/correct"
)

// Warnings says in sentences what guarantee the settings give up. Unlike what Validate refuses, such a run makes sense:
// it shows what the guarantee is for.
func (c *Config) Warnings() []string {
	correction, err := correct.LookupCorrection(c.Correction)
	if err != nil || correction.NStep || c.Algo == "a2c" {
		return nil // no ratio is in its targets
	}
	clip := correct.InForce(correction, correct.Truncation[float64]{
		RhoBar: c.RhoBar, CBar: c.CBar, RhoBarPG: c.PGRhoBar(), Lambda: c.Lambda, LeakRho: c.LeakRho, LeakC: c.CLeak(),
	})
	warnings := clip.Unsound()
	if c.Replayed() == c.BatchSize && c.Algo != "vmpo" && !math.IsInf(c.RhoBar, 1) &&
		(!c.masks(correction) || math.IsInf(c.TrustKL, 1)) {
		warnings = append(warnings, "mix = 1 learns from old data alone: V-trace's gradient may then point to the wrong "+
			"action (LASER proposition 2); a share of fresh data keeps it right (proposition 3)")
	}
	return warnings
}
