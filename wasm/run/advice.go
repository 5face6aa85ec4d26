package run

import (
	"math"
	"strings"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/number"
	"impalab/web/wire"
)

// The page gives advice without being asked: which guarantee the settings in force give up, and the next step for a run
// that will not recover by itself. It never blocks anything.

func (m *Run) warnings() string {
	var lines []string
	for _, w := range m.force.Warnings() {
		lines = append(lines, Sentence(w))
	}
	return strings.Join(lines, "\n")
}

// A policy has collapsed if it has been almost certain for a while and earns far less than before, or no more than
// chance.
const (
	certain      = 0.01 // nats of entropy
	certainSteps = 5000 // environment steps
	fewEpisodes  = 20   // too few for a record
	far          = 0.2  // of the greatest return; a smaller difference is noise
)

// noteCertainty records since when the policy has been certain. A page that came late counts from its first x-ray.
func (h *history) noteCertainty(x *wire.XRay) {
	if h.XRay == nil || !(h.XRay.Figures[telemetry.Entropy] < certain) {
		h.undecided = x.Step
	}
}

// hint returns advice about a collapsed policy, or "". The entropy of real numbers has no lower bound, and a run on
// old data alone does not know it.
func (m *Run) hint() string {
	if m.XRay == nil || m.rated.Empty() || m.force.Policy != hyper.Softmax || m.force.Mix == 1 ||
		m.XRay.Step-m.undecided < certainSteps {
		return ""
	}
	low, high, last := float64(m.rated.Low), float64(m.rated.High), float64(m.rated.Last)
	world, err := envs.Lookup(m.force.World)
	earns := ""
	switch {
	case last < (low+high)/2 && high-last > far*max(math.Abs(low), math.Abs(high)):
		earns = "far less than its best, " + number.Score(high)
	case err == nil && last <= float64(world.Spec.Random):
		earns = "no more than chance would"
	default:
		return ""
	}
	return "The policy has collapsed: it is all but certain of every action and earns " + earns +
		". A saturated policy gives next to no gradient, so turning the correction back on will not help. “Same seed” " +
		"begins the run again."
}

// remedy names the setting to lower after a run has diverged.
func (m *Run) remedy() string {
	c := &m.force
	old := c.Lag > 0 || c.Mix > 0
	key, why := "lr", ""
	switch {
	case correct.Corrections[c.Correction].Leak == correct.LeakFull && old:
		return "Next: choose a correction that clips the ratios, then “Same seed”."
	case old && c.RhoBar > 10 && m.Control("rho").Row.InForce(c):
		key, why = "rho", ": ratios that nothing clips have no bound"
	case c.Clip > 100 && c.Reduce == hyper.Mean || math.IsInf(c.Clip, 1):
		key, why = "clip", ", so that no one batch decides"
	}
	row := m.Control(key).Row
	name := ShortName(row)
	if row.Symbol == "" {
		name = "the " + name
	}
	return "Next: lower " + name + ", " + m.Pretty(row, c.Get(key)) + " now" + why + "; then “Same seed”."
}
