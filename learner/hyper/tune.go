package hyper

import (
	"fmt"
	"slices"
	"strings"

	"impalab/learner/loss"
)

// metaNames are STAC's metaparameters as the setting "tune" spells them, in the order of loss.Meta.
var metaNames = [loss.Metas]string{"gamma", "lambda", "alpha", "alphac", "value", "policy", "entropy"}

// Tuning says which hyperparameters tune themselves.
type Tuning struct {
	On      [loss.Metas]bool
	OneLeak bool // α_ρ = α_c, tuned as one: STAC's default (§3.1)
}

// ParseTune reads "gamma-lambda" as what tunes itself; "all" is the paper's six, "none" nothing. alpha alone is one
// leak for both weights; alphac tunes the trace's separately (STAC fig. 5b).
func ParseTune(s string) (t Tuning, err error) {
	names := strings.Split(s, "-")
	switch s {
	case "none":
		return t, nil
	case "all":
		names = []string{"gamma", "lambda", "alpha", "value", "policy", "entropy"}
	}
	for _, name := range names {
		k := slices.Index(metaNames[:], name)
		if k < 0 || t.On[k] {
			return Tuning{}, fmt.Errorf("tune=%.64q: must be all, none, or names of %s, each once, joined by hyphens", s,
				strings.Join(metaNames[:], ", "))
		}
		t.On[k] = true
	}
	if t.On[loss.MetaLeakRho] && !t.On[loss.MetaLeakC] {
		t.On[loss.MetaLeakC], t.OneLeak = true, true
	}
	return t, nil
}
