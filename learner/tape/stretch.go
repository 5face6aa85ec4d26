package tape

import "impalab/learner"

// A run may continue in another process with another arithmetic: on another machine, or by choice. All parameters after
// that snapshot then differ. A stretch is the part of the tape from one continuation to the next; the first begins with
// the header.

// stretch is one such part.
type stretch struct {
	since      uint64 // the first update with parameters of its own
	arithmetic string
	way        int // number of the first stretch whose parameters are the same function of the tape
}

// stretches returns the tape's stretches, in order.
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

// wayOf returns the way of a learner that continues with an arithmetic from the newest snapshot at an update; −1: no
// part of the tape has it.
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

// beginning returns the way and the arithmetic of a learner where it begins. A snapshot of mixed arithmetic is never on
// the first way, even if the tape has no continuation.
func beginning(l *learner.Learner, list []stretch) (way int, arithmetic string) {
	arithmetic = l.Computes()
	if way = wayOf(list, l.Updates(), arithmetic); way == 0 && l.Arithmetic() == learner.Mixed {
		return -1, learner.Mixed
	}
	return way, arithmetic
}

// Continue returns the line for a program of this build that continues a run with l at an update and a step. It returns
// false if nothing changes, which needs no line.
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
