package firstpage

import (
	"strconv"
	"time"

	"impalab/wasm/run"
	"impalab/web/wire"
)

// The acts of the visitor and of the page.

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
		s.Say("Both hold: give it " + s.of.cure + " or turn the slider, and they continue.")
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

func (s *Story) pauseAtFall() {
	s.Phase = Held
	s.pause(true)
	s.Say("The right one " + s.of.fell + ". Both hold. The button gives it " + s.of.cure +
		", the slider changes the age of the data.")
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

func (s *Story) mend() {
	s.Phase = Mended
	if !s.mended() && !s.planned("correction") {
		s.set("correction", s.cure(), s.Runs()[1])
	}
	s.pause(false)
	s.Say("The right one has " + s.of.cure + " now. Both continue.")
}

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
