package trial

import (
	"math"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/telemetry"
)

// watch is what a trial records of one run, from its first update to its report.
type watch struct {
	trial  *Trial
	curve  Curve
	traces lastTraces
	spread *spreads
	turned *Turned // nil: no script
	falls  *Falls  // nil: not wanted
	thin   *Thin   // nil: not wanted
	world  *envs.Spec
}

// watch returns the watch of a run that has its learner.
func (t *Trial) watch(l *learner.Learner) *watch {
	cfg := l.Config()
	w := &watch{trial: t, curve: Curve{Budget: cfg.Steps, looks: t.Poses}, spread: newSpreads(t.Quantities)}
	w.curve.reach(l, math.NaN())
	if t.Script != nil {
		w.turned = newTurned()
	}
	w.world, _, _ = envs.Describe(cfg.World) // no error: the learner has made the world
	if t.Falls {
		w.falls = &Falls{Fell: None, Onset: None}
	}
	if t.Thin {
		w.thin = &Thin{First: None, Fall: None}
	}
	return w
}

// listen adds the recording to hooks.
func (w *watch) listen(hooks learner.Hooks) learner.Hooks {
	hooks = w.curve.record(w.traces.listen(hooks))
	if w.turned != nil {
		hooks = w.trial.Script.record(w.turned, w.trial.Config.World, hooks)
	}
	if w.falls != nil {
		hooks = w.falls.record(w.world, hooks)
	}
	if w.thin != nil {
		hooks = w.thin.record(w.world, hooks)
	}
	if len(w.trial.Quantities) > 0 {
		hooks = w.spread.listen(hooks)
	}
	return hooks
}

// end records the last update.
func (w *watch) end(l *learner.Learner) {
	w.curve.reach(l, l.Return100())
	if l.Diverged() != "" {
		w.curve.repeatLast(l.Return100())
	}
	w.curve.samplePoses(l)
	if w.turned != nil {
		w.turned.reach(w.trial.Script, l)
	}
	if w.falls != nil {
		w.falls.Judged = judge(&w.curve, float64(w.world.Random), float64(w.world.Solved))
	}
}

// fill writes into the run's report.
func (w *watch) fill(report *Report) {
	report.Curve, report.Turned, report.Falls, report.Spreads = w.curve, w.turned, w.falls, w.spread.list()
	report.Thin = w.thin
	report.Traces = newTraces(w.traces.newest.List())
}

// lastTraces stores the algorithm's newest traces. A run that ends early has the traces of the last
// hundredth update.
type lastTraces struct {
	newest  telemetry.AlgoValues
	updates int
}

func (t *lastTraces) listen(to learner.Hooks) learner.Hooks {
	due, update := to.Due, to.Update
	to.Due = func() bool {
		t.updates++
		return t.updates%100 == 1 || due != nil && due()
	}
	to.Update = func(u *telemetry.Update) {
		t.newest = u.AlgoValues
		if update != nil {
			update(u)
		}
	}
	return to
}
