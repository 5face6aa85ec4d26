package chart

import "math"

// DrawTunes draws curves as shares of their first values, on a logarithmic axis. A dashed line is at 1.
func DrawTunes(t *Time, lines []Line, w, h float64) string {
	f := newFrame(t, w, h, laneMargin+4, laneMargin+4)
	f.y.lo, f.y.hi = -1, 0.1 // powers of ten
	shares := make([]func(*Column) Span, len(lines))
	for i := range lines {
		shares[i] = shareOfStart(lines[i].Curve)
		for k := range lines[i].Curve.Columns {
			if s := shares[i](&lines[i].Curve.Columns[k]); !s.Empty() {
				f.y.lo, f.y.hi = min(f.y.lo, float64(s.Low)), max(f.y.hi, float64(s.High))
			}
		}
	}
	for _, m := range t.changes(f.x) {
		f.svg.line("axis", m.x, 0, m.x, h)
	}
	f.svg.line("axis", f.x.from, f.y.from, f.x.to, f.y.from)
	f.svg.line("tick truth", f.x.from, f.y.at(0), f.x.to, f.y.at(0))
	for power := math.Ceil(f.y.lo); power <= f.y.hi; power++ {
		if y := f.y.at(power); power != 0 && f.y.hi-f.y.lo < 8 {
			f.svg.line("axis", f.x.from, y, f.x.to, y)
		}
		if f.y.hi-f.y.lo < 4 {
			f.text("label outside", end, f.x.from-8, f.y.at(power)+4, powerOfTen(power))
		}
	}
	for i := range lines {
		f.line(lines[i].Class, lines[i].Curve, shares[i])
	}
	return f.String()
}

// shareOfStart returns a function that divides a curve's columns by its first value, as powers of ten.
func shareOfStart(c *Curve) func(*Column) Span {
	start := 0.0
	for i := range c.Columns {
		if s := c.Columns[i].Value; !s.Empty() && s.Last != 0 {
			start = float64(s.Last)
			break
		}
	}
	power := func(v float32) float32 { return float32(math.Log10(float64(v) / start)) }
	return func(column *Column) Span {
		out := nothing
		for _, v := range [...]float32{column.Value.Low, column.Value.High, column.Value.Last} {
			out.Add(power(v))
		}
		return out
	}
}

// powerOfTen writes 10^n: "0.01", "1", "100".
func powerOfTen(n float64) string {
	return tickLabels([]float64{0, math.Pow(10, n)})[1]
}

// DrawSpark draws a curve alone, between its own extremes, in a box as small as a word.
func DrawSpark(t *Time, line Line, w, h float64) string {
	f := newFrame(t, w, h, 2, 2)
	f.setRange([]Line{line}, math.Inf(1), math.Inf(-1))
	f.line(line.Class, line.Curve, valueOf)
	return f.String()
}
