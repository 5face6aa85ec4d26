package chart

// Tape is what the strip at the bottom shows: how far the run has come, the changes on the way and where it left
// another.
type Tape struct {
	Steps  uint64 // how far the run has come
	From   uint64 // the step at which it left another run
	Forked bool
	Cursor uint64
}

// DrawTape is the foot of the cursor: the strip, a diamond at every change, a siding where the run left another, and
// the playhead.
func DrawTape(t *Time, tape *Tape, w, h float64) string {
	var s svg
	x, y := t.across(w), h/2
	to := x.at(float64(min(tape.Steps, t.Steps)))
	s.line("strip", x.from, y, to, y)
	var notches pen // one element: the page makes them all anew ten times a second
	for at := x.from + 10; at < to; at += 12 {
		notches.down = false
		notches.to(at, y-2)
		notches.WriteString("v4")
	}
	s.path("notch", notches.String())
	if tape.Forked {
		at := x.at(float64(min(tape.From, t.Steps)))
		s.line("strip before", x.from, y, at, y)
		s.circle("fork", at, y, 4)
	}
	for _, m := range t.changes(x) {
		s.diamond("mark "+m.tone, m.x, y, 8)
	}
	s.circle("playhead", x.at(float64(min(tape.Cursor, t.Steps))), y, 7)
	return s.String()
}

func (s *svg) diamond(class string, x, y, r float64) {
	var d pen
	d.to(x, y-r)
	d.to(x+0.6*r, y)
	d.to(x, y+r)
	d.to(x-0.6*r, y)
	d.WriteByte('Z')
	s.path(class, d.String())
}
