package chart

import (
	"math"
	"sort"
	"strings"

	"impalab/wasm/number"
)

// Story is what the chart of the first experiment shows: the same two curves all the time, on one axis.
type Story struct {
	Steps    uint64 // where the axis ends
	High     float64
	Title    string
	Foot     string    // below the beginning of the axis
	Learners []Learner // from back to front
	Turns    []Turn
	Fall     *Fall // nil: there was none
}

// Learner is one of the two: the mean of its last ten episodes, and that of the last hundred, which is thin.
type Learner struct {
	Ten, Hundred *Curve
	Class, Name  string
}

// Turn is something that was changed, with its words over the chart.
type Turn struct {
	Step  uint64
	Words string
	Class string
}

// Fall is where a curve was lost.
type Fall struct {
	Step  uint64
	Value float64
	Words []string // on a wide chart one behind the other, on a narrow one below each other
}

// Sizes, in pixels.
const (
	storyNarrow = 600
	storyNames  = 140 // beside the curves, where there is room
	storyTop    = 46  // title, and the words of turns
	storyLine   = 18
)

// DrawStory draws it for a box of w × h pixels.
func DrawStory(t *Story, w, h float64) string {
	s := &svg{}
	narrow := w < storyNarrow
	left, right := 40.0, w-storyNames
	if narrow {
		left, right = 34, w-12
	}
	x := scale{0, float64(max(t.Steps, 1)), left, right}
	y := scale{0, t.High, h - 24, storyTop}
	s.text("title", start, 0, 14, t.Title)
	for _, v := range [...]float64{0, t.High / 2, t.High} {
		class := "grid"
		if v == 0 {
			class = "axis"
		}
		s.line(class, left, y.at(v), right, y.at(v))
		s.text("label", end, left-8, y.at(v)+4, number.Fixed(v, 0))
	}
	count := 8
	if narrow {
		count = 4
	}
	at := ticks(0, x.hi, count)
	for i, label := range tickLabels(at) {
		switch place := x.at(at[i]); {
		case at[i] == 0 && !narrow:
			s.text("label", start, place, h-6, t.Foot)
		case at[i] == 0 || place > left+130 && place < right-8 || narrow:
			s.text("label", middle, place, h-6, label)
		}
	}
	t.turns(s, x, y, right)
	for i := range t.Learners {
		l := &t.Learners[i]
		s.path("line thin "+l.Class, t.line(l.Hundred, x, y))
		s.path("line "+l.Class, t.line(l.Ten, x, y))
	}
	if f := t.Fall; f != nil {
		t.fall(s, f, x, y, narrow, right)
	}
	t.names(s, x, y, narrow, right)
	return s.String()
}

// line goes from point to point.
func (t *Story) line(c *Curve, x, y scale) string {
	var b svg
	pen := byte('M')
	for i := range c.Columns {
		column := &c.Columns[i]
		if column.Value.Empty() {
			continue
		}
		b.WriteByte(pen)
		b.at(x.at(float64(column.Step)))
		b.WriteByte(' ')
		b.at(y.at(min(t.High, max(0, float64(column.Value.Last)))))
		pen = 'L'
	}
	return b.String()
}

// turns are hairlines with their words on top; words that would run into others stand a row lower, or are left out.
func (t *Story) turns(s *svg, x, y scale, right float64) {
	free := [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, turn := range t.Turns {
		at := x.at(float64(turn.Step))
		s.line("turn", at, y.to-28, at, y.from)
		s.path("foot "+turn.Class, "M"+number.Fixed(at-4, 1)+" "+number.Fixed(y.from+1, 1)+"l4 -7l4 7z")
		from, anchor := at+6, start
		if from+wide(turn.Words) > right+storyNames/2 {
			from, anchor = at-6-wide(turn.Words), end
		}
		for row := range free {
			if from < free[row] {
				continue
			}
			place := from
			if anchor == end {
				place = at - 6
			}
			s.text("halo words "+turn.Class, anchor, place, y.to-16-float64(row)*15, turn.Words)
			free[row] = from + wide(turn.Words) + 8
			break
		}
	}
}

// fall is a cross, and beside it what was lost.
func (t *Story) fall(s *svg, f *Fall, x, y scale, narrow bool, right float64) {
	px, py := x.at(float64(f.Step)), y.at(f.Value)
	at := number.Fixed(px-6, 1) + " " + number.Fixed(py-6, 1)
	s.path("cross", "M"+at+"l12 12m0 -12l-12 12")
	lines := f.Words
	if !narrow {
		lines = []string{strings.Join(f.Words, " ")}
	}
	longest := 0.0
	for _, line := range lines {
		longest = max(longest, wide(line))
	}
	anchor, place := start, px+14
	if place+longest > right {
		anchor, place = end, px-14
	}
	for i, line := range lines {
		s.text("halo note", anchor, place, py+5+float64(i)*storyLine, line)
	}
}

// names stand at the ends of the curves, apart from each other.
func (t *Story) names(s *svg, x, y scale, narrow bool, right float64) {
	type sign struct {
		*Learner
		x, y, name float64
	}
	var signs []sign
	for i := range t.Learners {
		l := &t.Learners[i]
		last := l.Ten.Last()
		if last == nil || last.Value.Empty() {
			continue
		}
		at := y.at(min(t.High, max(0, float64(last.Value.Last))))
		signs = append(signs, sign{l, x.at(float64(last.Step)), at, at})
	}
	sort.SliceStable(signs, func(i, j int) bool { return signs[i].y < signs[j].y })
	for i := 1; i < len(signs); i++ {
		if gap := signs[i].name - signs[i-1].name; gap < storyLine {
			signs[i-1].name -= (storyLine - gap) / 2
			signs[i].name += (storyLine - gap) / 2
		}
	}
	for i, one := range signs {
		s.circle("end "+one.Class, one.x, one.y, 5)
		switch {
		case !narrow:
			s.text("halo name "+one.Class, start, one.x+12, one.name+5, one.Name)
		case i == 0:
			s.text("halo name "+one.Class, end, right, min(y.from-storyLine, max(y.to-10, one.name-12)), one.Name)
		default:
			s.text("halo name "+one.Class, end, right, min(y.from-4, one.name+20), one.Name)
		}
	}
}
