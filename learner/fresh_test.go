package learner

import (
	"testing"

	"impalab/internal/kit"
	"impalab/learner/correct"
)

// On fresh data every ratio is exactly 1. Bounds of at least 1 do not cut it, so with λ = 1 the corrections learn the
// same parameters as no correction, to the bit. The ε-correction is left out: its ε changes the loss of fresh data too.
func TestOnFreshDataEveryCorrectionLearnsTheSameBytes(t *testing.T) {
	for _, c := range []struct{ preset, changes string }{
		{"cartpole", "steps=4000"},
		{"lag-cliff", "steps=4000"},
		{"catch", "steps=3000"},
		{"four-rooms", "steps=3000 collect=trajectory actors=4"},
		{"t-maze", "steps=3000"},
		{"trxl", "steps=2000"},
		{"breakout", "steps=1500 hidden=16"},
		{"impala-pendulum", "steps=3000"},
		{"tiny", "hidden=8 steps=3000"},
		{"stac", "steps=3000"},
	} {
		t.Run(c.preset, func(t *testing.T) {
			t.Parallel()
			want := ""
			for method := range correct.Corrections {
				row := &correct.Corrections[method]
				cfg := kit.Config(t, c.preset, c.changes+" lag=0 mix=0 rho=1 c=1 lambda=1")
				if row.LogEpsilon > 0 || cfg.Set("correction", row.Name) != nil || cfg.Validate() != nil {
					continue
				}
				switch got := train(t, cfg, Hooks{}).ParamsSHA256; {
				case want == "":
					want = got
				case got != want:
					t.Errorf("%s: %.12s, want %.12s as with none", row.Name, got, want)
				}
			}
		})
	}
}
