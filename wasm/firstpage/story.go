// Package firstpage is the first page's experiments: two learners with one seed, and a lag that the visitor drags. The
// learner without a correction falls, and a correction may make it recover. The package decides the time and the words
// of each event. It knows neither browser nor picture, so its tests run natively. Read Story first.
package firstpage

import (
	"strconv"
	"time"

	"impalab/learner/collapse"
	"impalab/wasm/run"
	"impalab/web/wire"
)

// Phase is a part of the story.
type Phase uint8

// Both learn until the right one falls. Then both are held. The visitor gives the right one the left one's correction,
// or changes the lag, and both continue. If the visitor does nothing, the page gives it the correction. After the right
// one has recovered, both wait.
const (
	Learning Phase = iota
	Held
	Unaided // after its fall, without a correction, at the lag that the visitor chose
	Mended
	Over
)

// String returns the phase's data-phase.
func (p Phase) String() string {
	return [...]string{"learning", "held", "unaided", "mended", "over"}[p]
}

// Patience is how many seconds the page waits for a visitor who has touched nothing, before it gives the correction.
const Patience = 6

// Story is the state of the page. It is for one goroutine: the browser has only one thread.
type Story struct {
	Runs  func() [2]*run.Run // left with a correction, right without
	Send  func(*run.Run, wire.Message, error)
	Say   func(string) // to a screen reader
	After func(time.Duration, func())

	of      *experiment
	Phase   Phase
	Touched bool // by the visitor, who then leads the story

	Cursor uint64 // the step at which the chart is held; 0: none

	Moved   bool   // the page has changed the lag
	turned  uint64 // step of the newest change of the lag
	fellAt  uint64 // step of the newest fall of the right run; 0: none
	roseAt  uint64 // step at which it stood again after that; 0: not yet
	seconds int    // until the page continues
	free    bool   // the visitor continued after the end
	came    bool   // the page has heard everything from before it was opened
	still   bool   // both pause
	waiting *run.Run

	pole      collapse.Pole // of the right run
	late      bool          // the right run has old data, at its newest event
	corrected bool          // it has a correction
	low       bool          // the mean of a hundred has been low since its fall
	stood     bool          // its curve has been high since it was helped
	sides     [2]side
}

// side is the page's state of one of the two runs.
type side struct {
	id     string
	newest uint64 // event when the page joined the run
	heard  uint64 // event
	step   uint64
}

// Begin starts the experiment of a link from the beginning.
func (s *Story) Begin(fragment string) {
	*s = Story{of: experimentOf(fragment), Runs: s.Runs, Send: s.Send, Say: s.Say, After: s.After}
	s.forget()
}

// Heard takes a message that a run has applied.
func (s *Story) Heard(r *run.Run, message wire.Message) {
	runs := s.Runs()
	i := 0
	if r == runs[1] {
		i = 1
	} else if r != runs[0] {
		return
	}
	of := &s.sides[i]
	switch m := message.(type) {
	case *wire.Welcome:
		if m.Fresh || m.Run != of.id {
			*of = side{id: m.Run}
			if i == 1 {
				s.forget()
			}
			s.came = false
		}
		of.newest = max(of.newest, m.Event)
		of.heard = max(of.heard, 1)
	case *wire.Point:
		of.step, of.heard = m.Step, max(of.heard, m.Event)
		if i == 1 {
			s.observe(m)
		}
	case *wire.Changed:
		of.heard = max(of.heard, m.Event)
		switch {
		case i == 1 && m.Key == "lag":
			s.turned, s.late = m.Step, m.To != "0"
		case i == 1 && m.Key == "correction":
			s.corrected = m.To != "none"
		}
	case wire.Event:
		of.heard = max(of.heard, *m.EventNumber())
	}
	s.advance()
}

func (s *Story) forget() {
	s.pole, s.Phase = collapse.Pole{Levels: s.of.levels}, Learning
	s.turned, s.fellAt, s.roseAt = 0, 0, 0
	s.late, s.corrected, s.low, s.stood = false, false, false, false
}

// observe reads a point of the right run. That run can fall while it has old data and no correction, and again after it
// has recovered.
func (s *Story) observe(p *wire.Point) {
	fallen := s.pole.See(float64(p.Return), float64(p.Recent))
	hundred := float64(p.Return)
	drawn := s.of.levels.Mean(hundred, float64(p.Recent))
	s.stood = s.stood || s.helpedAt() > 0 && p.Step > s.helpedAt() && drawn > s.of.levels.Risen
	switch {
	case s.down():
		s.low = s.low || hundred < s.of.levels.Risen
		if s.low && hundred > s.of.levels.Risen {
			s.roseAt = p.Step
		}
	case fallen && s.late && !s.corrected && p.Step > s.turned:
		s.fellAt, s.roseAt, s.low, s.stood = p.Step, 0, false, false
	}
}

func (s *Story) advance() {
	if !s.caught() {
		return
	}
	runs := s.Runs()
	if !s.came {
		s.came = true
		s.still = runs[0].State == wire.StatePaused && runs[1].State == wire.StatePaused
		if !s.still && (runs[0].State == wire.StatePaused || runs[1].State == wire.StatePaused) {
			s.pause(false) // one had waited for the other
		}
		s.free = !s.still && s.finished(s.step()) // the visitor had continued after the end
	}
	step := s.step()
	switch {
	case s.Phase == Learning && s.mended():
		s.Phase = s.helped(Mended) // after a reload, or by a link that gives it the correction at its step
	case s.Phase == Learning && s.changedSince() && !s.free:
		s.Phase = s.helped(Unaided) // after a reload, or by a link that changes the lag after the fall
	case s.Phase == Held && s.changedSince():
		s.Phase = Unaided
		s.pause(false)
		s.Say("Both continue. The right one has no correction.")
	case (s.Phase == Learning || s.Phase == Unaided) && s.down() && step >= s.fellAt && !s.changedSince() &&
		!s.planned("lag"): // the chart shows both up to the fall
		s.pauseAtFall()
	case s.Phase == Unaided && s.free && !s.down():
		s.Phase = Learning
	case s.Phase == Learning && !s.Touched && !s.Moved && s.turned == 0 && step >= s.of.dragAt && !s.still &&
		!s.planned("lag"):
		s.Moved = true
		s.set("lag", strconv.Itoa(s.of.dragTo), runs[:]...)
	case s.Phase == Learning && s.turned > 0 && step >= s.turned+s.of.hopeless && s.lag() >= s.of.dragTo && !s.free:
		s.end("This time it did not " + s.of.fall + ".")
	case s.Phase == Mended && s.fellAt == 0 && !s.free && s.risen(step):
		s.end("It did not " + s.of.fall + ". Both wait.")
	case (s.Phase == Mended || s.Phase == Unaided) && !s.free && s.risen(step):
		s.end("It " + s.of.stands + " again. Both wait.")
	case (s.Phase == Mended || s.Phase == Unaided) && !s.free && s.outOfTime(step):
		s.end("It did not recover this time. Both wait.")
	}
	s.together()
}

// caught reports whether the page has heard everything from before it was opened.
func (s *Story) caught() bool {
	for i := range s.sides {
		if of := &s.sides[i]; of.heard == 0 || of.heard < of.newest {
			return false
		}
	}
	return true
}
