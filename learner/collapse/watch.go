// Package collapse finds where a learner lost its skill, from its learning curve alone: the mean return of its last
// hundred episodes. Settings and the learner's own reports do not matter. Look at Watch first.
package collapse

import "math"

// The rule. The height of a mean return is its place in the world's range: 0 is the return of a uniform policy, 1 the
// return at which the world counts as solved. A suite's mean is a score, whose range is 0 to 1. The crest is the
// greatest height so far of a mean of a hundred episodes.
//
// A run fell if its crest is at least Risen, and every mean since has been below Low times the crest. This must last
// for 2000 episodes or 50 000 steps, and at least for a hundred episodes. A run has recovered above Stands times the
// crest. A run below Stands times its crest that did not fall wavers.
//
// On CartPole under V-trace, healthy runs go below Low for up to 1741 episodes and 40 000 steps, and return; on T-maze
// for up to 854 episodes and 24 000 steps. The seeds that chose these numbers are 9001 to 9032 and 9301 to 9364.
const (
	Risen  = 1. / 3
	Low    = 1. / 4
	Stands = 1. / 2

	window       = 100 // episodes in a mean
	longEpisodes = 2000
	longSteps    = 50_000

	noise = 1. / 10 // a run with a lower crest has made no progress, and does not waver
)

// Point is a point of a learning curve.
type Point struct {
	Step, Update, Episodes uint64
	Mean                   float64 // return of the last hundred episodes; NaN: not known
}

// Fall is one fall of a run.
type Fall struct {
	Crest Point // the best mean until then
	Onset Point // the first point below Low
	Told  Point // the first point at which the run had been below Low for long enough
}

// State says how a run's curve stands to its crest.
type State uint8

const (
	Standing State = iota // at least half as high as its crest, or it never rose
	Wavering              // lower, and not fallen
	Fallen
)

// Watch follows the curve of one run. Random and Solved are the ends of its world's range; where they are equal, no
// range is known and nothing falls.
type Watch struct {
	Random, Solved float64
	State          State
	Falls          []Fall
	Dips           []Dip // the last may not be over

	crest Point
	under Dip   // the stretch below Stands times the crest in which the run is, however short
	dips  bool  // it is the last of Dips
	low   Point // the onset of the stretch below Low in which the run is; Episodes is 0 where it is in none
}

// See takes the next point of the curve. It reports whether the run fell there.
func (w *Watch) See(p Point) (fell bool) {
	if math.IsNaN(p.Mean) || p.Episodes < window || w.Solved <= w.Random {
		return false
	}
	if w.crest.Episodes == 0 || p.Mean > w.crest.Mean {
		w.crest = p
	}
	height, crest := w.height(p), w.height(w.crest)
	switch {
	case height >= Stands*crest || crest < noise:
		w.State = Standing
	case w.State == Standing:
		w.State = Wavering
	}
	w.noteDip(p, crest)
	if crest < Risen || height >= Low*crest {
		w.low = Point{}
		return false
	}
	if w.low.Episodes == 0 {
		w.low = p
	}
	if w.State == Fallen || !w.long(p) {
		return false
	}
	w.State = Fallen
	w.fell()
	w.Falls = append(w.Falls, Fall{Crest: w.crest, Onset: w.low, Told: p})
	return true
}

// height is where a mean return lies in the world's range.
func (w *Watch) height(p Point) float64 { return (p.Mean - w.Random) / (w.Solved - w.Random) }

// long reports whether the stretch below Low has been long enough for a fall.
func (w *Watch) long(p Point) bool {
	episodes := p.Episodes - w.low.Episodes
	return episodes >= longEpisodes || episodes >= window && p.Step-w.low.Step >= longSteps
}
