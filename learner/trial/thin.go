package trial

import (
	"fmt"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/telemetry"
)

// Some studies ask whether the effective sample of a batch's ratios becomes small before the return falls.

// thin is the effective sample, as a share of the batch, below which a batch is thin.
const thin = 0.1

// Thin is what a run's effective sample did, and its return.
type Thin struct {
	First Number `json:"first"` // first update of a thin batch; null: none
	Fall  Number `json:"fall"`  // last update whose return was above half of the best; null: it never rose. Heights are
	// above the return of a uniform policy.
}

// record follows a run in a world.
func (t *Thin) record(world *envs.Spec, hooks learner.Hooks) learner.Hooks {
	due, update := hooks.Due, hooks.Update
	hooks.Due = func() bool { return due() || !t.First.known() } // a trial always has one
	hooks.Update = func(u *telemetry.Update) {
		if !t.First.known() && u.Metrics[telemetry.EffectiveSample] < thin {
			t.First = Number(u.Update)
		}
		update(u)
	}
	best := 0.0
	return first(hooks, func(l *learner.Learner) error {
		height := l.Return100() - float64(world.Random)
		if height > best { // not max: before the first episode the return is not a number
			best = height
		}
		if height > best/2 {
			t.Fall = Number(l.Updates())
		}
		return nil
	})
}

// thinned returns of the runs that ended at chance, or of the others, how many had a thin batch, and of these by how
// many updates it came before the fall.
func (r *StudyRow) thinned(fell bool) (words string, before []float64) {
	n, of := 0, 0
	for i, at := range r.endedAtChance() {
		t := r.Runs[i].Thin
		if at != fell {
			continue
		}
		of++
		if t.First.known() {
			n++
			if t.Fall.known() && t.First < t.Fall {
				before = append(before, float64(t.Fall-t.First))
			}
		}
	}
	return fmt.Sprintf("%d of %d", n, of), before
}

var columnsThin = []Column{
	{"return at the end", func(r *StudyRow) string { return r.Summary.Final.Words() }},
	{"fell", func(r *StudyRow) string { return r.share(r.atChance()) }},
	{"thin, of those that fell", func(r *StudyRow) string { words, _ := r.thinned(true); return words }},
	{"before the fall", func(r *StudyRow) string { _, before := r.thinned(true); return fmt.Sprint(len(before)) }},
	{"updates before", func(r *StudyRow) string { _, before := r.thinned(true); return NewEstimate(before).Words() }},
	{"thin, of the others", func(r *StudyRow) string { words, _ := r.thinned(false); return words }},
}
