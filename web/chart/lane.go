package chart

import "math"

// A lane is the history of one figure: a low chart below the return, with the same axis.

const laneMargin = 5.0

// DrawLane draws lines from back to front. Its range is from low to high, and wider if a value lies outside. A range
// that followed every value would exaggerate small movements.
func DrawLane(t *Time, lines []Line, low, high, w, h float64) string {
	f := newFrame(t, w, h, laneMargin, laneMargin)
	f.hold(lines, low, high)
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
	f.hold(lines, low, high)
	f.grid(false, "", levels)
	f.marks(true)
	f.lines(lines)
	f.levels(levels)
	return f.String()
}

// Around returns a range that contains a value and shows changes of a hundredth of it.
func Around(v float64) (low, high float64) {
	if math.IsNaN(v) || math.Abs(v) > 1e30 {
		return math.Inf(1), math.Inf(-1)
	}
	return v - math.Abs(v)/200, v + math.Abs(v)/200
}

// hold sets the range: low to high, wider if a value lies outside, and never empty.
func (f *frame) hold(lines []Line, low, high float64) {
	f.y.lo, f.y.hi = low, high
	for _, one := range lines {
		if !one.Behind {
			f.see(one.Curve)
		}
	}
	if !(f.y.hi > f.y.lo) {
		f.y.lo, f.y.hi = room(f.y.lo, f.y.hi)
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
