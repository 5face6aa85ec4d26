package chart

import "math"

// Level is an interquartile mean over seeds with its interval.
type Level struct{ Mean, Low, High float64 }

// LevelLine is one line of levels, one for each place of the horizontal axis. A level that is NaN is left out.
type LevelLine struct {
	Name, Tone string
	At         []Level
}

// levelTones are the tones of the lines, in order.
var levelTones = [...]string{"corrected", "cut", "mu", "age", "pi", "meta", "ink", "truth"}

// LevelTone returns the tone of line i.
func LevelTone(i int) string { return levelTones[i%len(levelTones)] }

const (
	levelNames = 22.0 // height of the row of names above the lines
	levelsFoot = 40.0 // height of the places and the axis' name below them
	levelDodge = 5.0  // between the dots of two lines at one place
	levelDot   = 3.2
)

// DrawLevels draws lines over named places, each level as a dot with its interval. axis names the places.
func DrawLevels(places []string, axis string, lines []LevelLine, w, h float64) string {
	var s svg
	y := scale{math.Inf(1), math.Inf(-1), h - levelsFoot, levelNames + 6}
	for _, l := range lines {
		for _, v := range l.At {
			if !math.IsNaN(v.Mean) {
				y.lo, y.hi = min(y.lo, v.Low), max(y.hi, v.High)
			}
		}
	}
	y.lo, y.hi = room(y.lo, y.hi)
	at, labels := Ticks(y.lo, y.hi, 4)
	for i, v := range at {
		s.line("tick", 0, y.at(v), w, y.at(v))
		s.text("label outside", end, -8, y.at(v)+4, labels[i])
		s.text("label inside halo", start, 2, y.at(v)-3, labels[i])
	}
	each := w / float64(max(len(places), 1))
	for k, place := range places {
		s.text("label", middle, (float64(k)+0.5)*each, h-levelsFoot+18, place)
	}
	s.text("label", middle, w/2, h-4, axis)
	from := 0.0
	for i := range lines {
		l := &lines[i]
		from = s.name(l.Name, l.Tone, from)
		s.levelLine(l, float64(i)-float64(len(lines)-1)/2, each, y)
	}
	return s.String()
}

// name draws a name with a dot of its tone into the row above the lines, and returns where the next name begins.
func (s *svg) name(name, tone string, from float64) (next float64) {
	s.circle(tone, from+levelDot, levelNames/2-4, levelDot)
	s.text("label "+tone, start, from+12, levelNames/2, name)
	return from + wide(name) + 30
}

// levelLine draws one line. aside is how many dots' places it stands beside the middle of each place.
func (s *svg) levelLine(l *LevelLine, aside, each float64, y scale) {
	var along pen
	step := min(levelDodge, each/12)
	for k, v := range l.At {
		if math.IsNaN(v.Mean) {
			along.down = false
			continue
		}
		x := (float64(k)+0.5)*each + aside*step
		s.line("line recent "+l.Tone, x, y.at(v.Low), x, y.at(v.High))
		s.circle(l.Tone, x, y.at(v.Mean), levelDot)
		along.to(x, y.at(v.Mean))
	}
	s.path("line seed "+l.Tone, along.String())
}
