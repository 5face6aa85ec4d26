package model

import (
	"strings"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/hyper"
)

// A setting may have no effect while another has its value: α without the leaky correction. The page says so; otherwise
// a person turns it, sees nothing happen, and doubts the page.

// Has reports whether the algorithm in force has the setting at all; the page shows no others.
func (m *Model) Has(row *hyper.Row) bool { return row.Of(m.force.Algo) }

// Used reports whether a setting changes anything, given the others that are in force.
func (m *Model) Used(row *hyper.Row) bool {
	f := &m.force
	if !m.Has(row) {
		return false
	}
	switch row.Key {
	case "correction", "rho", "c", "rho-pg", "alpha", "alpha-c", "lambda", "trust", "relevance", "advantage":
		return m.corrects(row.Key)
	case "sharers", "replay-size", "sampling":
		return f.Mix > 0
	case "sharing":
		return f.Mix > 0 && f.Sharers > 0
	case "recall":
		return f.Mix > 0 && f.LSTM > 0
	case "burn-in":
		return f.Mix > 0 && f.LSTM > 0 && f.Recall == "burn-in"
	case "priority", "priority-beta", "priority-uniform":
		return f.Mix > 0 && f.Sampling == "prioritised"
	case "opt-decay", "opt-start", "momentum":
		return f.Optimiser == "rmsprop"
	case "beta1", "beta2":
		return f.Optimiser == "adam"
	case "activation":
		return f.Hidden != "none" || f.HeadHidden != "none" || f.Torso == "shallow"
	case "torso", "policy":
		return m.suits(row.Key)
	case "actors":
		return f.Mode == "live" || f.Collect == "trajectory"
	case "inference":
		return f.Mode == "live"
	case "collect":
		return f.Mode == "reference"
	case "meta-lr", "meta-init", "outer-kl":
		return f.Tune != "none"
	case "eps-eta", "eta-mean":
		return f.Psi == "exp"
	case "eps-alpha":
		return f.KLBound == "on" && f.Policy == "softmax"
	case "eps-mean", "eps-sigma":
		return f.KLBound == "on" && f.Policy != "softmax"
	case "dual-lr":
		return f.Psi == "exp" || f.KLBound == "on"
	}
	return true
}

// corrects reports whether the correction in force has a use for a setting of its kind.
func (m *Model) corrects(key string) bool {
	algo := m.force.Algo
	if algo == "a2c" { // plain returns, weights of 1
		return false
	}
	now, err := correct.LookupCorrection(m.force.Correction)
	if err != nil { // of a newer server
		return true
	}
	byRho, byC := m.clips()
	if strings.HasPrefix(algo, "stac") { // its inner loss is leaky whatever the outer one's correction
		now.NStep, now.Leak, byRho, byC = false, correct.LeakSetting, true, true
	}
	switch key {
	case "rho":
		return byRho || algo == "laser" && m.force.Relevance == "implied"
	case "c", "rho-pg":
		return byC // both belong to V-trace and what is made of it
	case "alpha", "alpha-c":
		return now.Leak == correct.LeakSetting
	case "lambda":
		return !now.NStep
	case "trust", "relevance":
		return now.TrustRegion || algo == "laser" // which has its mask under any correction
	}
	return true
}

// suits reports whether the world leaves a choice: real numbers need controls, convolutions an image.
func (m *Model) suits(key string) bool {
	world, err := envs.Lookup(m.force.World)
	if err != nil {
		return true
	}
	if key == "policy" {
		return len(world.Spec.Controls) > 0
	}
	return len(world.Spec.Obs) > 1
}
