package run

import (
	"slices"
	"testing"

	"impalab/learner/correct"
	"impalab/learner/hyper"
)

// besideNone are the settings without effect where values use no ratio and ρ̄ cuts nothing, but for the settings of the
// weights of 2025 and later.
var besideNone = []string{"rho", "c", "alpha", "rho-pg", "alpha-c", "lambda", "trust", "relevance", "beta1",
	"beta2", "policy", "torso", "replay-size", "recall", "burn-in", "actors", "sharers", "sharing", "inference"}

// numbersOf are the settings of the weights of 2025 and later that a correction uses, but for the lift.
var numbersOf = map[correct.Method][]string{
	correct.MethodOneStep: {"ratio"}, correct.MethodClip: {"ratio", "clip-low", "clip-high"},
	correct.MethodBand: {"ratio", "floor", "ceiling"}, correct.MethodTaper: {"ratio", "taper", "taper-low", "taper-high"},
	correct.MethodMoment: {"moment", "moment-of"}, correct.MethodShift: {"shift"}, correct.MethodCentred: {"centre"},
}

func TestASettingWithoutEffectIsMarked(t *testing.T) {
	for _, c := range []struct {
		link   string
		unused []string // in the order of the table
	}{
		{"", []string{"alpha", "alpha-c", "trust", "relevance", "beta1", "beta2", "policy", "torso", "replay-size", "recall",
			"burn-in", "actors", "sharers", "sharing", "inference"}},
		{"#correction=none&optimiser=adam&mode=live", []string{"rho", "c", "alpha", "rho-pg", "alpha-c", "lambda", "trust",
			"relevance", "opt-decay", "opt-start", "momentum", "policy", "torso", "replay-size", "recall", "burn-in", "sharers",
			"sharing", "collect"}},
		{"#correction=one-step", []string{"c", "alpha", "rho-pg", "alpha-c", "lambda", "trust", "relevance", "beta1", "beta2",
			"policy", "torso", "replay-size", "recall", "burn-in", "actors", "sharers", "sharing", "inference"}},
		{"#correction=leaky", []string{"trust", "relevance", "beta1", "beta2", "policy", "torso", "replay-size", "recall",
			"burn-in", "actors", "sharers", "sharing", "inference"}},
		{"#p=t-maze&mix=0.5&mode=live", []string{"alpha", "alpha-c", "trust", "relevance", "opt-decay", "opt-start",
			"momentum", "policy", "torso", "burn-in", "sharing", "collect"}},
		{"#p=t-maze&lstm=0&trxl=32", []string{"alpha", "alpha-c", "trust", "relevance", "opt-decay", "opt-start", "momentum",
			"policy", "torso", "replay-size", "recall", "burn-in", "actors", "sharers", "sharing", "inference"}},
		{"#p=breakout&pixel-control=0.01&optimiser=rmsprop", []string{"alpha", "alpha-c", "trust", "relevance", "beta1",
			"beta2", "policy", "replay-size", "recall", "burn-in", "actors", "sharers", "sharing", "inference"}},
		{"#p=breakout&mix=0.5&optimiser=rmsprop", []string{"alpha", "alpha-c", "trust", "relevance", "beta1", "beta2",
			"policy", "recall", "burn-in", "actors", "sharing", "inference"}},
		{"#p=vmpo&psi=uniform", []string{"alpha", "alpha-c", "trust", "relevance", "opt-decay", "opt-start", "momentum",
			"policy", "torso", "replay-size", "recall", "burn-in", "actors", "eps-eta", "eps-mean", "eps-sigma", "eta-mean",
			"sharers", "sharing", "inference"}},
		{"#p=vmpo-pendulum&kl=off", []string{"alpha", "alpha-c", "trust", "relevance", "opt-decay", "opt-start", "momentum",
			"torso", "replay-size", "recall", "burn-in", "actors", "eps-alpha", "eps-mean", "eps-sigma", "sharers", "sharing",
			"inference"}},
		{"#p=stac&tune=none", []string{"trust", "relevance", "beta1", "beta2", "policy", "torso", "replay-size", "recall",
			"burn-in", "actors", "meta-lr", "meta-init", "outer-kl", "sharers", "sharing", "inference"}},
		{"#p=laser", []string{"alpha", "alpha-c", "beta1", "beta2", "policy", "torso", "recall", "burn-in", "actors",
			"priority", "priority-beta", "priority-uniform", "sharing", "inference"}},
		{"#correction=trust-region", []string{"alpha", "alpha-c", "beta1", "beta2", "policy", "torso", "replay-size",
			"recall", "burn-in", "actors", "sharers", "sharing", "inference"}},
		{"#correction=is", []string{"rho", "c", "alpha", "rho-pg", "alpha-c", "trust", "relevance", "beta1", "beta2",
			"policy", "torso", "replay-size", "recall", "burn-in", "actors", "sharers", "sharing", "inference"}},
		{"#correction=clip", besideNone},
		{"#correction=band", besideNone},
		{"#correction=taper", besideNone},
		{"#correction=moment", besideNone},
		{"#correction=shift", besideNone},
		{"#correction=centred", besideNone},
	} {
		m := open(c.link)
		greet(m)
		c.unused = slices.Clone(c.unused)
		for _, key := range hyper.KeysOf(hyper.Forms) {
			if key != "lift" && !slices.Contains(numbersOf[m.force.Correction], key) {
				c.unused = append(c.unused, key)
			}
		}
		if a := m.force.Algorithm(); a.Imitates || a.TunesItself {
			c.unused = append(c.unused, "lift")
		}
		var unused []string
		for i := range hyper.Table {
			if hyper.Table[i].Of(m.force.Algo) && !hyper.Table[i].InForce(&m.force) {
				unused = append(unused, hyper.Table[i].Key)
			}
		}
		if m.force.TrXL == 0 {
			c.unused = append(c.unused, "core-heads", "core-memory")
		}
		if !m.force.HasCore() {
			c.unused = append(c.unused, "core-layers", "memory")
		}
		if spec, err := m.force.Network(); err != nil || spec.Cells() == 0 {
			c.unused = append(c.unused, "pixel-cell")
		}
		if m.force.World != "breakout" { // an image
			c.unused = append(c.unused, "pixel-control")
		}
		if m.force.Mix == 0 {
			c.unused = append(c.unused, "replay-by")
		}
		slices.Sort(unused)
		slices.Sort(c.unused)
		if !slices.Equal(unused, c.unused) {
			t.Errorf("%s: without effect are %q, want %q", c.link, unused, c.unused)
		}
	}
}

func TestAnAlgorithmsOwnSettingsCountOnlyThere(t *testing.T) {
	for _, c := range []struct{ algo, used, unused string }{
		{"impala", "lambda", "meta-lr"}, {"impala", "lr", "top"},
		{"stac", "meta-lr", "heads"}, {"stac", "alpha", "top"}, {"stacx", "heads", "kl"},
		{"vmpo", "top", "tune"}, {"a2c", "gamma", "correction"}, {"a2c", "entropy", "lambda"},
	} {
		m := open("#algo=" + c.algo)
		greet(m)
		if !m.Control(c.used).Row.InForce(&m.force) || m.Control(c.unused).Row.InForce(&m.force) || c.algo != "a2c" &&
			m.Control(c.unused).Row.Of(m.force.Algo) {
			t.Errorf("%s: %s counts %v, %s counts %v", c.algo, c.used, m.Control(c.used).Row.InForce(&m.force), c.unused,
				m.Control(c.unused).Row.InForce(&m.force))
		}
	}
}
