package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"impalab/web/number"
)

// A lane is the history of one figure: a low chart below the return, with the same axis.

const laneMargin = 5.0

// DrawLane draws lines from back to front. Its range is from low to high, and wider if a value lies outside. A range
// that followed every value would exaggerate small movements.
func DrawLane(t *Time, lines []Line, low, high, w, h float64) string {
	f := newFrame(t, w, h, laneMargin, laneMargin)
	f.setRange(lines, low, high)
	for _, m := range t.changes(f.x) {
		f.svg.line("axis", m.x, 0, m.x, h)
	}
	f.svg.line("axis", f.x.from, f.y.from, f.x.to, f.y.from)
	f.lines(lines)
	f.along(lines)
	return f.String()
}

// DrawFigure draws a lane that stands alone, with its own levels, steps and changes.
func DrawFigure(t *Time, lines []Line, low, high, w, h float64) string {
	f := newFrame(t, w, h, marginTop, marginFoot)
	f.setRange(lines, low, high)
	f.grid(false, "", levels)
	f.marks(true)
	f.lines(lines)
	f.levels(levels)
	f.names(lines)
	return f.String()
}

// names writes the names of lines, with their newest values, above their ends and apart from each other.
func (f *frame) names(lines []Line) {
	const high = 15.0
	var of []*Line
	for i := range lines {
		if last := lines[i].Curve.Last(); lines[i].Name != "" && last != nil && finite(last.Value.Last) {
			of = append(of, &lines[i])
		}
	}
	value := func(l *Line) float64 { return float64(l.Curve.Last().Value.Last) }
	slices.SortFunc(of, func(a, b *Line) int { return cmp.Compare(value(b), value(a)) }) // the highest first
	edge := f.y.to - 4
	for _, l := range of {
		edge = math.Max(edge+high, f.y.at(value(l))-4)
		if edge > f.y.from-2 {
			return
		}
		f.text("label halo "+strings.Fields(l.Class)[1], end, f.x.to-4, edge, l.Name+" "+number.Fixed(value(l), 3))
	}
}

// Around returns a range that contains a value and shows changes of a hundredth of it.
func Around(v float64) (low, high float64) {
	if math.IsNaN(v) || math.Abs(v) > 1e30 {
		return math.Inf(1), math.Inf(-1)
	}
	return v - math.Abs(v)/200, v + math.Abs(v)/200
}

// setRange sets the range: low to high, wider if a value lies outside, and never empty.
func (f *frame) setRange(lines []Line, low, high float64) {
	f.y.lo, f.y.hi = low, high
	for _, one := range lines {
		if !one.Behind {
			f.see(one.Curve)
		}
	}
	if !(f.y.hi > f.y.lo) {
		f.y.lo, f.y.hi = padRange(f.y.lo, f.y.hi)
	}
}

// lines draws the lines and their bounds.
func (f *frame) lines(lines []Line) {
	for _, one := range lines {
		pick := valueOf
		if one.Behind {
			pick = f.inRange
		}
		f.line(one.Class, one.Curve, pick)
		if one.Bound != "" {
			f.line(one.Bound, one.Curve, boundOf)
		}
	}
}
