// Package firstpage is the first experiment: two learners with one seed, and a lag that the visitor drags. The learner
// without a correction falls, and V-trace makes it recover. The package decides the time and the words of each event.
// It knows neither browser nor picture, so its tests run natively. Read Story first.
package firstpage

import (
	"strconv"
	"time"

	"impalab/learner/collapse"
	"impalab/learner/correct"
	"impalab/wasm/run"
	"impalab/web/wire"
)

// Phase is a part of the story.
type Phase uint8

// Both learn until the right one falls. Then both are held. The visitor gives the right one V-trace or changes the lag,
// and both continue. If the visitor does nothing, the page gives it V-trace. After the right one has recovered, both
// wait.
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

// Patience is how many seconds the page waits for a visitor who has touched nothing, before it gives V-trace.
const Patience = 6

// Story is the state of the page. It is for one goroutine: the browser has only one thread.
type Story struct {
	Runs  func() [2]*run.Run // left with V-trace, right without
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
	corrected bool          // it has V-trace
	low       bool          // the mean of a hundred has been low since its fall
	stood     bool          // the mean of ten has been high since it was helped
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
			s.look(m)
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
	s.pole, s.Phase = collapse.Pole{}, Learning
	s.turned, s.fellAt, s.roseAt = 0, 0, 0
	s.late, s.corrected, s.low, s.stood = false, false, false, false
}

// look watches the right one. It can fall while it has old data and no correction, and again after it has recovered.
func (s *Story) look(p *wire.Point) {
	fallen := s.pole.See(float64(p.Return), float64(p.Recent))
	s.stood = s.stood || s.helpedAt() > 0 && p.Step > s.helpedAt() && p.Recent > s.of.standing
	switch {
	case s.down():
		s.low = s.low || p.Return < s.of.standing
		if s.low && p.Return > s.of.standing {
			s.roseAt = p.Step
		}
	case fallen && s.late && !s.corrected && p.Step > s.turned:
		s.fellAt, s.roseAt, s.low, s.stood = p.Step, 0, false, false
	}
}

// down reports whether the right one has fallen and not recovered.
func (s *Story) down() bool { return s.fellAt > 0 && s.roseAt == 0 }

// turnedSince reports whether the lag has changed after the right one fell.
func (s *Story) turnedSince() bool { return s.fellAt > 0 && s.turned >= s.fellAt }

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
	}
	step := s.step()
	switch {
	case s.Phase == Learning && s.mended():
		s.Phase = Mended // after a reload, or by a link that gives it V-trace at its step
		if s.still && s.risen(step) {
			s.Phase = Over
		}
	case s.Phase == Learning && s.turnedSince() && !s.free:
		s.Phase = Unaided // after a reload, or by a link that changes the lag after the fall
		if s.still && s.risen(step) {
			s.Phase = Over
		}
	case s.Phase == Held && s.turnedSince():
		s.Phase = Unaided
		s.pause(false)
		s.Say("Both continue. The right one has no correction.")
	case (s.Phase == Learning || s.Phase == Unaided) && s.down() && step >= s.fellAt && !s.turnedSince() &&
		!s.planned("lag"): // the chart shows both up to the fall
		s.hold()
	case s.Phase == Unaided && s.free && !s.down():
		s.Phase = Learning
	case s.Phase == Learning && !s.Touched && !s.Moved && s.turned == 0 && step >= s.of.dragAt && !s.still &&
		!s.planned("lag"):
		s.Moved = true
		s.set("lag", strconv.Itoa(s.of.dragTo), runs[:]...)
	case s.Phase == Learning && s.turned > 0 && step >= s.turned+s.of.hopeless && s.lag() >= s.of.dragTo && !s.free:
		s.end("This time it did not fall.")
	case (s.Phase == Mended || s.Phase == Unaided) && !s.free && s.risen(step):
		s.end("It stands again. Both wait.")
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

func (s *Story) hold() {
	s.Phase = Held
	s.pause(true)
	s.Say("The right one fell. Both hold. The button gives it V-trace, the slider changes the age of the data.")
	if !s.Touched {
		s.seconds = Patience
		s.count()
	}
}

// count presses the button after some seconds, unless the visitor does something.
func (s *Story) count() {
	s.After(time.Second, func() {
		if s.Phase != Held || s.Touched || s.seconds == 0 {
			return
		}
		if s.seconds--; s.seconds == 0 {
			s.mend()
			return
		}
		s.count()
	})
}

// Press is the visitor's button. It reports whether another story with another seed should start.
func (s *Story) Press() (again bool) {
	s.touch()
	switch {
	case s.Phase == Held || s.Phase == Unaided:
		s.mend()
		return false
	case s.ripe() || s.young():
		s.Drag(strconv.Itoa(s.of.dragTo))
		return false
	}
	return s.Phase == Over || s.free
}

// ripe reports whether the next act is to make the data old.
func (s *Story) ripe() bool { return s.Phase == Learning && !s.free && s.lag() == 0 && s.fellAt == 0 }

// young reports whether the data have waited too short to break anything for a while.
func (s *Story) young() bool {
	return s.Phase == Learning && !s.free && !s.mended() && s.fellAt == 0 && s.lag() > 0 && s.lag() < s.of.dragTo &&
		s.step() >= s.turned+s.of.doubtful
}

func (s *Story) mend() {
	s.Phase = Mended
	if !s.mended() && !s.planned("correction") {
		s.set("correction", "vtrace", s.Runs()[1])
	}
	s.pause(false)
	s.Say("The right one has V-trace now. Both continue.")
}

// Drag is the visitor's slider. Both continue if they were held or waited.
func (s *Story) Drag(lag string) {
	s.touch()
	runs := s.Runs()
	s.set("lag", lag, runs[:]...)
	if s.Phase == Over {
		s.Toggle()
	}
}

// Toggle pauses or continues both. After the fall only the button and the slider continue them.
func (s *Story) Toggle() {
	s.touch()
	switch {
	case s.Phase == Held:
		s.Say("Both hold: give it V-trace or turn the slider, and they continue.")
		return
	case s.Phase == Over:
		s.Phase, s.free = Learning, true
		if s.mended() {
			s.Phase = Mended
		}
	}
	s.pause(!s.still)
}

func (s *Story) touch() { s.Touched, s.seconds = true, 0 }

// Still reports whether both pause.
func (s *Story) Still() bool { return s.still }

func (s *Story) end(words string) {
	s.Phase = Over
	s.pause(true)
	s.Say(words)
}

func (s *Story) pause(still bool) {
	s.still, s.waiting = still, nil
	verb := wire.VerbPlay
	if still {
		verb = wire.VerbPause
	}
	for _, r := range s.Runs() {
		s.Send(r, r.Do(verb), nil)
	}
}

func (s *Story) set(key, value string, runs ...*run.Run) {
	for _, r := range runs {
		m, err := r.Set(key, value)
		s.Send(r, m, err)
	}
}

// together keeps both runs at equal steps: on a busy server the faster run waits for the other.
func (s *Story) together() {
	if s.still {
		return
	}
	runs := s.Runs()
	pace := min(runs[0].Config().Speed, 1e6)
	lead := float64(s.sides[0].step) - float64(s.sides[1].step)
	ahead := runs[0]
	if lead < 0 {
		lead, ahead = -lead, runs[1]
	}
	switch {
	case s.waiting == nil && lead > pace/2:
		s.waiting = ahead
		s.Send(ahead, ahead.Do(wire.VerbPause), nil)
	case s.waiting != nil && (lead < pace/10 || ahead != s.waiting):
		waited := s.waiting
		s.waiting = nil
		s.Send(waited, waited.Do(wire.VerbPlay), nil)
	}
}

func (s *Story) lag() int { return s.Runs()[1].Config().Lag }

// step returns the last step that both runs have reached.
func (s *Story) step() uint64 { return min(s.sides[0].step, s.sides[1].step) }

func (s *Story) mended() bool { return s.Runs()[1].Config().Correction != correct.MethodNone }

// Whole reports whether the right run counts every step in full.
func (s *Story) Whole() bool { return !s.mended() }

// mendedAt returns the step at which the right run got V-trace, or 0.
func (s *Story) mendedAt() (step uint64) {
	for _, m := range s.Runs()[1].Marks {
		if m.Key == "correction" {
			step = m.Step
		}
	}
	return step
}

// helpedAt returns the step at which the right one got V-trace or, after its fall, another lag; 0: neither.
func (s *Story) helpedAt() uint64 {
	switch {
	case s.mended():
		return s.mendedAt()
	case s.turnedSince():
		return s.turned
	}
	return 0
}

// risen reports whether the right run has stood for a while after its fall.
func (s *Story) risen(step uint64) bool {
	helped := s.helpedAt()
	if helped == 0 || step < helped+s.of.after {
		return false
	}
	hundred := &s.Runs()[1].Return
	return hundred.At(step) > s.of.standing && hundred.At(step-s.of.after/2) > s.of.standing
}

// outOfTime reports whether the right run has had its time to recover. A run that is on its way up has twice that time.
func (s *Story) outOfTime(step uint64) bool {
	helped, longest := s.helpedAt(), s.of.longest
	if float32(s.Score(true)) > s.of.standing/3 {
		longest *= 2
	}
	return helped > 0 && step >= helped+longest
}

// planned reports whether the link changes a setting of the right one later.
func (s *Story) planned(key string) bool {
	for _, t := range s.Runs()[1].Link.Turns() {
		if t.Change.Key() == key && t.Step > s.sides[1].step {
			return true
		}
	}
	return false
}

// Score returns the mean return of a learner's last ten episodes, at the step that both have reached; NaN before the
// first.
func (s *Story) Score(right bool) float64 {
	r := s.Runs()[0]
	if right {
		r = s.Runs()[1]
	}
	return float64(r.Recent.At(s.step()))
}
