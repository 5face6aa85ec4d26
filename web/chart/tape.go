package chart

import "strings"

// Tape is the data of the strip at the bottom.
type Tape struct {
	Steps  uint64 // newest step of the run
	From   uint64 // step at which it forked from another run
	Forked bool
	Cursor uint64
	Dips   []Dip
}

// DrawTape draws the strip: a diamond at every change, a hollow cross at every dip, the fork, and the cursor.
func DrawTape(t *Time, tape *Tape, w, h float64) string {
	var s svg
	x, y := t.across(w), h/2
	to := max(x.from, x.at(float64(min(tape.Steps, t.Steps))))
	s.line("strip", x.from, y, to, y)
	var notches pen // one path, because the page redraws it ten times a second
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
	for _, d := range tape.Dips {
		if d.Step >= t.From && d.Step <= t.Steps {
			s.hollow(x.at(float64(d.Step)), y, 5, strings.Join(d.Words, ", "))
		}
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
