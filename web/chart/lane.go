package chart

import "math"

// A lane is the history of one figure, a low chart below the return, on the same axis.

const laneMargin = 5.0

// DrawLane draws lines from back to front. Its range is from low to high, and wider where a value lies outside: it must
// not follow every value, or what hardly moves would look as if it did.
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

// DrawFigure is a lane that stands alone: it has levels and steps of its own, and says what was changed.
func DrawFigure(t *Time, lines []Line, low, high, w, h float64) string {
	f := newFrame(t, w, h, marginTop, marginFoot)
	f.hold(lines, low, high)
	f.grid(false, "", levels)
	f.marks()
	f.lines(lines)
	f.levels(levels)
	return f.String()
}

// Around is a range that holds a value and shows what moves by a hundredth of it.
func Around(v float64) (low, high float64) {
	if math.IsNaN(v) || math.Abs(v) > 1e30 {
		return math.Inf(1), math.Inf(-1)
	}
	return v - math.Abs(v)/200, v + math.Abs(v)/200
}

// hold sets the range: from low to high, wider where a value of a line lies outside, and never empty.
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

// lines draws each, and what bounds it.
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
