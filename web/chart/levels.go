package chart

import (
	"math"
	"strings"
)

// Level is an interquartile mean over seeds with its interval.
type Level struct{ Mean, Low, High float64 }

// LevelLine is one line of levels, one for each place of the horizontal axis. A level that is NaN is left out.
type LevelLine struct {
	Name, Tone string
	At         []Level
}

// Levels is lines of levels over named places.
type Levels struct {
	Axis   string // name of the horizontal axis
	Places []string
	Apart  bool // the places have no order: no line joins them
	Lines  []LevelLine
}

// levelTones are the tones of the lines, in order.
var levelTones = [...]string{"corrected", "cut", "mu", "age", "pi", "meta", "ink", "truth"}

// dashed makes another tone of a tone.
const dashed = " dashed"

// LevelTone returns the tone of line i. When all tones are in use, the next lines have them again, dashed.
func LevelTone(i int) string {
	tone := levelTones[i%len(levelTones)]
	if i >= len(levelTones) {
		tone += dashed
	}
	return tone
}

const (
	levelNames = 22.0 // height of a row of names above the lines
	levelsFoot = 40.0 // height of the places and the axis' name below them
	levelDodge = 5.0  // between the dots of two lines at one place
	levelDot   = 3.2
)

// DrawLevels draws each level as a dot with its interval.
func DrawLevels(l *Levels, w, h float64) string {
	var s svg
	names := s.names(l.Lines, w)
	y := scale{math.Inf(1), math.Inf(-1), h - levelsFoot, names + 6}
	for i := range l.Lines {
		for _, v := range l.Lines[i].At {
			if !math.IsNaN(v.Mean) {
				y.lo, y.hi = min(y.lo, v.Low), max(y.hi, v.High)
			}
		}
	}
	y.lo, y.hi = padRange(y.lo, y.hi)
	at, labels := Ticks(y.lo, y.hi, 4)
	for i, v := range at {
		s.line("tick", 0, y.at(v), w, y.at(v))
		s.text("label outside", end, -8, y.at(v)+4, labels[i])
		s.text("label inside halo", start, 2, y.at(v)-3, labels[i])
	}
	each := w / float64(max(len(l.Places), 1))
	for k, place := range l.Places {
		s.text("label", middle, (float64(k)+0.5)*each, h-levelsFoot+18, place)
	}
	s.text("label", middle, w/2, h-4, l.Axis)
	for i := range l.Lines {
		line := &l.Lines[i]
		along := s.dots(line, float64(i)-float64(len(l.Lines)-1)/2, each, y)
		if !l.Apart {
			s.path("line seed "+line.Tone, along)
		}
	}
	return s.String()
}

// names draws the names of lines above them, each with a dot of its tone, in as many rows as they need. It returns the
// height of the rows.
func (s *svg) names(lines []LevelLine, w float64) (high float64) {
	const dot, gap = 12.0, 18.0 // from a dot to its name, and from a name to the next dot
	x, y := 0.0, levelNames/2
	for i := range lines {
		name := dot + wide(lines[i].Name)
		if x > 0 && x+name > w {
			x, y = 0, y+levelNames
		}
		s.dot(lines[i].Tone, x+levelDot, y-4)
		s.text("label "+lines[i].Tone, start, x+dot, y, lines[i].Name)
		x += name + gap
	}
	return y + levelNames/2
}

// dots draws the levels of a line, and returns the path from dot to dot. aside is how many dots' places they stand
// beside the middle of each place.
func (s *svg) dots(l *LevelLine, aside, each float64, y scale) (path string) {
	var along pen
	step := min(levelDodge, each/12)
	for k, v := range l.At {
		if math.IsNaN(v.Mean) {
			along.down = false
			continue
		}
		x := (float64(k)+0.5)*each + aside*step
		s.line("line recent "+l.Tone, x, y.at(v.Low), x, y.at(v.High))
		s.dot(l.Tone, x, y.at(v.Mean))
		along.to(x, y.at(v.Mean))
	}
	return along.String()
}

// dot draws a dot of a tone: hollow if lines of the tone are dashed.
func (s *svg) dot(tone string, x, y float64) {
	s.circle(tone, x, y, levelDot)
	if tone == "truth" || strings.HasSuffix(tone, dashed) {
		s.circle("hole", x, y, levelDot-1.4)
	}
}
