package trial

import (
	"math"
	"slices"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/collapse"
	"impalab/learner/hyper"
)

// Settings may change during a run, at planned steps or when the run has fallen.

// Script changes the settings of each run of a trial, and records its return.
type Script struct {
	Turns   []hyper.PlannedChange // in the order of their steps
	Mend    []hyper.Change        // made once, as soon as the run is down after the first turn
	Moments []uint64              // steps at which the return is recorded
}

// Turned is the outcome of a run with a script. Steps count from the first turn. Rose counts from the last turn, or
// from the change of Script.Mend.
type Turned struct {
	At     []Number `json:"at"`     // mean return of the last hundred episodes at the moments
	Fell   Number   `json:"fell"`   // until that was below Levels.Fallen; null: not within Levels.FallWithin
	Down   Number   `json:"down"`   // until the run was down, when Mend is made; null: never
	Rose   Number   `json:"rose"`   // until it was above Levels.Risen again; null: not within Levels.RiseWithin
	Mended bool     `json:"mended"` // by Mend

	low bool // it has been below Levels.Risen since
}

// newTurned returns an outcome without any event.
func newTurned() *Turned { return &Turned{Fell: None, Down: None, Rose: None} }

// levelsOf returns the levels of a world: of one whose agent writes, or CartPole's.
func levelsOf(world string) collapse.Levels {
	if w, err := envs.New(world); err == nil {
		if _, writes := envs.WritingOf(w); writes {
			return collapse.Written
		}
	}
	return collapse.Upright
}

// record adds the turns of a script to hooks, and the recording of their outcome.
func (s *Script) record(t *Turned, world string, hooks learner.Hooks) learner.Hooks {
	turns, pole := slices.Clone(s.Turns), collapse.Pole{Levels: levelsOf(world)}
	var begun, last uint64
	return first(hooks, func(l *learner.Learner) error {
		t.reach(s, l)
		now, hundred := l.Steps(), l.Return100()
		down := pole.See(hundred, l.Return10())
		if begun > 0 {
			note(&t.Fell, hundred < pole.Fallen, now-begun, pole.FallWithin)
			t.low = t.low || hundred < pole.Risen && (t.Fell.known() || t.Down.known())
			note(&t.Rose, t.low && hundred > pole.Risen, now-last, pole.RiseWithin)
			if note(&t.Down, down, now-begun, math.MaxUint64) && len(s.Mend) > 0 {
				last, t.Mended = now, true
				for _, change := range s.Mend {
					if _, err := l.Apply(change); err != nil {
						return err
					}
				}
			}
		}
		for len(turns) > 0 && turns[0].Step <= now {
			if _, err := l.Apply(turns[0].Change); err != nil {
				return err
			}
			if turns, last = turns[1:], now; begun == 0 {
				begun = now
			}
		}
		return nil
	})
}

// note records the steps until an event happened first, if they are at most most, and reports whether it did.
func note(kept *Number, so bool, steps, most uint64) bool {
	if !so || kept.known() || steps > most {
		return false
	}
	*kept = Number(steps)
	return true
}

// reach fills the moments up to the run's step.
func (t *Turned) reach(s *Script, l *learner.Learner) {
	for len(t.At) < len(s.Moments) && l.Steps() >= s.Moments[len(t.At)] {
		t.At = append(t.At, Number(l.Return100()))
	}
}

// TurnedSummary combines the seeds of one script.
type TurnedSummary struct {
	At     []Estimate `json:"at"`
	Fell   int        `json:"fell"`
	Rose   int        `json:"rose"`
	ToFall Middle     `json:"median_steps_to_fall"` // over all seeds; a seed that did not fall has infinite time
	ToDown Middle     `json:"median_steps_to_down"`
	ToRise Middle     `json:"median_steps_to_rise"`
}

// SummariseTurned combines the runs of one script.
func SummariseTurned(runs []Report) TurnedSummary {
	var s TurnedSummary
	for i := range runs[0].Turned.At {
		at, _ := estimate(runs, func(r *Report) Number {
			if i < len(r.Turned.At) {
				return r.Turned.At[i]
			}
			return None
		})
		s.At = append(s.At, at)
	}
	s.ToFall, s.Fell = middle(runs, func(r *Report) Number { return r.Turned.Fell })
	s.ToRise, s.Rose = middle(runs, func(r *Report) Number { return r.Turned.Rose })
	s.ToDown, _ = middle(runs, func(r *Report) Number { return r.Turned.Down })
	return s
}
