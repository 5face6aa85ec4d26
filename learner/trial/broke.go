package trial

import (
	"math"

	"impalab/learner"
	"impalab/learner/fall"
)

// The Lab has a run pause where it fell, and where it solved its world, by rules that are followed update by update.
// Here that is held against the rules as they are said, which are looked for in the whole run when it is over.

// Broke is when a run fell, when it solved its world, and when the Lab has it pause for either, in updates; null:
// never.
type Broke struct {
	Fell         Number `json:"fell"`
	Paused       Number `json:"paused"`
	Solved       Number `json:"solved"`
	PausedSolved Number `json:"paused_solved"`

	returns []returns // after every update that has some
}

// returns are the means of the last hundred and of the last ten episodes.
type returns struct {
	update, episodes uint64
	hundred, ten     float64
}

// record follows a run as the Lab does.
func (b *Broke) record(hooks learner.Hooks) learner.Hooks {
	*b = Broke{Fell: None, Paused: None, Solved: None, PausedSolved: None}
	before, watch := hooks.Between, fall.Watch{Rule: fall.Broken}
	hooks.Between = func(l *learner.Learner) error {
		now := returns{l.Updates(), l.Episodes(), l.Return100(), l.Return10()}
		note(&b.Paused, watch.See(now.hundred, now.ten, now.episodes), now.update, math.MaxUint64)
		note(&b.PausedSolved, l.Solved() > 0, now.update, math.MaxUint64)
		if !math.IsNaN(now.hundred) && !math.IsNaN(now.ten) {
			b.returns = append(b.returns, now)
		}
		if before != nil {
			return before(l)
		}
		return nil
	}
	return hooks
}

// look finds the first update after which the mean of a hundred whole episodes was goal, and the fall: the end of the
// first stretch of twenty episodes in which the mean of ten was all the while below half of the best mean of a hundred
// so far, and that above 60.
func (b *Broke) look(goal float64) {
	for _, r := range b.returns {
		if r.episodes >= 100 && r.hundred >= goal {
			b.Solved = Number(r.update)
			break
		}
	}
	best := make([]float64, len(b.returns))
	for i, r := range b.returns {
		if best[i] = r.hundred; i > 0 {
			best[i] = max(best[i-1], r.hundred)
		}
	}
	for to := range b.returns {
		for from := to; from >= 0 && best[from] > 60 && b.returns[from].ten < best[from]/2; from-- {
			if b.returns[to].episodes >= b.returns[from].episodes+20 {
				b.Fell = Number(b.returns[to].update)
				return
			}
		}
	}
}

// BrokeSummary is what many seeds of one configuration say together.
type BrokeSummary struct {
	Fell      int    `json:"fell"`
	Paused    int    `json:"paused"`    // of those that fell, within 40 updates of it
	Unfounded int    `json:"unfounded"` // pauses of runs that never fell
	Latest    Number `json:"latest"`    // updates between a fall and its pause, at most; null: none fell

	Solved         int `json:"solved"`
	PausedSolved   int `json:"paused_solved"`   // of those that solved their world, within 40 updates of it
	UnfoundedSolve int `json:"unfounded_solve"` // pauses of runs that never did
}

// SummariseBroke takes the runs of one configuration together.
func SummariseBroke(runs []Report) BrokeSummary {
	s := BrokeSummary{Latest: None}
	for _, r := range runs {
		fell, paused := r.Broke.Fell.known(), r.Broke.Paused.known()
		switch {
		case fell && paused:
			s.Fell++
			apart := apart(r.Broke.Paused, r.Broke.Fell)
			if apart <= 40 {
				s.Paused++
			}
			if math.IsNaN(float64(s.Latest)) || apart > s.Latest {
				s.Latest = apart
			}
		case fell:
			s.Fell++
		case paused:
			s.Unfounded++
		}
		switch solved, paused := r.Broke.Solved.known(), r.Broke.PausedSolved.known(); {
		case solved:
			s.Solved++
			if paused && apart(r.Broke.PausedSolved, r.Broke.Solved) <= 40 {
				s.PausedSolved++
			}
		case paused:
			s.UnfoundedSolve++
		}
	}
	return s
}

// apart is how many updates lie between two.
func apart(a, b Number) Number { return Number(math.Abs(float64(a - b))) }
