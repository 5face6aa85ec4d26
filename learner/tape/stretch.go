package tape

import "impalab/learner"

// A run may go on in another process, which computes with another arithmetic: on another machine, or because somebody
// chose it. From the snapshot that it went on from its parameters are others, and so are all that come of them. A
// stretch of the tape is what one line of who went on leads to; the first is what the header does.

// stretch is what was learned between two such lines.
type stretch struct {
	since      uint64 // update at which its parameters begin to be its own
	arithmetic string
	way        int // number of the first stretch whose parameters are the same function of the tape
}

// stretches are the tape's, in its order.
func (t *Tape) stretches() []stretch {
	list := []stretch{{arithmetic: t.Arithmetic}}
	for _, e := range t.Events {
		if e.Kind != Continued {
			continue
		}
		way := wayOf(list, e.Since, e.Arithmetic)
		if way < 0 {
			way = len(list)
		}
		list = append(list, stretch{e.Since, e.Arithmetic, way})
	}
	return list
}

// wayOf is the way of a learner that begins at an update, from the newest snapshot there was of it, and goes on with an
// arithmetic; −1: nothing of the tape was made like that.
func wayOf(list []stretch, from uint64, arithmetic string) int {
	at := list[0]
	for _, s := range list[1:] {
		if s.since < from || s.since == from && at.arithmetic != arithmetic && s.arithmetic == arithmetic {
			at = s
		}
	}
	if at.arithmetic != arithmetic {
		return -1
	}
	return at.way
}

// beginning is the way of a learner where it begins, and its arithmetic. One whose snapshot has seen two arithmetics is
// not on the first way, although the tape does not say so: builds before this one wrote no such lines.
func beginning(l *learner.Learner, list []stretch) (way int, arithmetic string) {
	arithmetic = l.Computes()
	if way = wayOf(list, l.Updates(), arithmetic); way == 0 && l.Arithmetic() == learner.Mixed {
		return -1, learner.Mixed
	}
	return way, arithmetic
}

// Continue is the line that says who goes on with a run that stands at an update and a step: l, in a program of this
// build. False says that nothing is other than on the tape so far, which then needs none.
func (t *Tape) Continue(l *learner.Learner, build string, update, step uint64) (Event, bool) {
	list, newest := t.stretches(), t.Build
	for _, e := range t.Events {
		if e.Kind == Continued {
			newest = e.Build
		}
	}
	way, arithmetic := beginning(l, list)
	if way == list[len(list)-1].way && newest == build {
		return Event{}, false
	}
	return Event{Kind: Continued, Update: update, Step: step, Since: l.Updates(), Arithmetic: arithmetic,
		Build: build}, true
}
