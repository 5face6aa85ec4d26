package model

import (
	"strings"

	"impalab/learner/correct"
	"impalab/learner/hyper"
)

// A setting may be of no consequence while another has its value: α without the leaky correction. The page says so,
// or a person turns it, sees nothing happen, and doubts the page.

// ownedBy are the settings of one algorithm, or of a family whose names begin alike.
var ownedBy = map[string]string{
	"tune": "stac", "meta-lr": "stac", "meta-init": "stac", "outer-kl": "stac", "heads": "stacx",
	"eps-eta": "vmpo", "eps-alpha": "vmpo", "top": "vmpo", "target-every": "vmpo", "psi": "vmpo", "kl": "vmpo", "eta-mean": "vmpo", "dual-lr": "vmpo",
	"sampling": "laser", "priority": "laser", "priority-beta": "laser", "priority-uniform": "laser",
}

// Used tells whether a setting changes anything, given the others that are in force.
func (m *Model) Used(row *hyper.Row) bool {
	if owner, owned := ownedBy[row.Key]; owned {
		return strings.HasPrefix(m.force.Algo, owner)
	}
	now, err := correct.LookupCorrection(m.force.Correction)
	if err != nil { // of a newer server
		return true
	}
	byRho, byC := m.clips()
	if strings.HasPrefix(m.force.Algo, "stac") { // its inner loss is leaky whatever the outer one's correction
		now.NStep, now.Leak, byRho, byC = false, correct.LeakSetting, true, true
	}
	if m.force.Algo == "a2c" { // plain returns, weights of 1
		switch row.Key {
		case "correction", "rho", "c", "rho-pg", "alpha", "alpha-c", "lambda", "trust", "relevance", "advantage":
			return false
		}
	}
	switch row.Key {
	case "rho":
		return byRho
	case "c", "rho-pg":
		return byC // both belong to V-trace and what is made of it
	case "alpha", "alpha-c":
		return now.Leak == correct.LeakSetting
	case "lambda":
		return !now.NStep
	case "trust", "relevance":
		return now.TrustRegion
	case "sharers":
		return m.force.Mix > 0
	case "sharing":
		return m.force.Mix > 0 && m.force.Sharers > 0
	case "opt-decay", "opt-start", "momentum":
		return m.force.Optimiser == "rmsprop"
	case "beta1", "beta2":
		return m.force.Optimiser == "adam"
	case "actors":
		return m.force.Mode == "live" || m.force.Collect == "trajectory"
	case "inference":
		return m.force.Mode == "live"
	case "collect":
		return m.force.Mode == "reference"
	}
	return true
}
