// Package fall tells when a learner that had come far has fallen, from the means of its returns alone: no setting that
// the learner has, and nothing that it says of itself, can hide a fall. Look at Rule first.
package fall

import "math"

// Rule is what counts as a fall: once the mean return of the last hundred episodes has passed Above, that of the last
// ten stays below a line for a number of episodes on end. The line is Below or, where that is 0, Share of the best mean
// of a hundred so far. Returns are those of a world whose worst is about 0.
type Rule struct {
	Above    float64
	Below    float64
	Share    float64 // in (0, 1)
	Episodes uint64  // 0: one look below the line is enough
}

// Broken is what a run pauses itself for. It was made for CartPole, whose policy of chance has a return of about 20: 60
// is more than luck, and the return of a healthy run flutters, but not below half of its best for twenty episodes.
var Broken = Rule{Above: 60, Share: 0.5, Episodes: 20}

// Said is what a run says of itself where it is Broken.
const Said = "it fell: the mean return of ten episodes has stayed below half of the best for twenty episodes"

// SaidSolved is what a run says of itself where it first comes to what counts as solved in its world.
const SaidSolved = "it is solved: the mean return of a hundred episodes has come to what counts as solved in its world"

// Down is what the first experiment holds for: a pole that falls over as if nobody held it.
var Down = Rule{Above: 60, Below: 30}

// Watch follows one run. Its zero value with a Rule is at the start.
type Watch struct {
	Rule

	best  float64 // mean of a hundred
	since uint64  // episodes when the newest mean of ten went below the line
	below bool
	down  bool
}

// See takes the means of the last hundred and of the last ten episodes after so many episodes, in their order; what is
// not finite says nothing. It reports whether the run has fallen, which it has until it stands again: above the line.
func (w *Watch) See(hundred, ten float64, episodes uint64) (fallen bool) {
	if math.IsNaN(hundred) || math.IsNaN(ten) {
		return w.down
	}
	w.best = max(w.best, hundred)
	switch low := ten < w.Line(); {
	case w.best <= w.Above:
	case !low:
		w.below, w.down = false, false
	case !w.below:
		w.below, w.since, w.down = true, episodes, w.Episodes == 0
	case episodes >= w.since+w.Episodes:
		w.down = true
	}
	return w.down
}

// Line is what the mean of the last ten must not stay below.
func (w *Watch) Line() float64 {
	if w.Below > 0 {
		return w.Below
	}
	return w.Share * w.best
}

// Risen reports whether the run has come far enough to fall.
func (w *Watch) Risen() bool { return w.best > w.Above }
