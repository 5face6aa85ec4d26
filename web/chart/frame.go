package chart

import (
	"cmp"
	"math"
	"slices"
)

const (
	marginTop  = 32.0 // room for two rows of marks
	marginFoot = 20.0

	levels = 3 // approximate number of labelled levels
)

// frame is a chart over time while it is drawn.
type frame struct {
	svg
	time *Time
	x    scale
	y    vertical
	w, h float64
	high float64 // the largest possible value, above a least of 0; 0: unknown

	lettered float64 // Return.Names
	taken    []box   // by words
}

// newFrame returns a frame with an empty range.
func newFrame(t *Time, w, h, top, foot float64) *frame {
	return &frame{time: t, w: w, h: h, x: t.across(w), y: vertical{scale: scale{math.Inf(1), math.Inf(-1), h - foot, top}}}
}

// see extends the range to curves and their bounds.
func (f *frame) see(curves ...*Curve) {
	for _, c := range curves {
		columns := f.columns(c)
		for i := range columns {
			c := &columns[i]
			f.y.extend(c.Value)
			f.y.extend(c.Bound)
			if q := c.Quartiles; q.Episodes > 0 {
				f.y.extend(Span{q.Low, q.High, q.High})
			}
		}
	}
}

// columns returns a curve's columns up to the end of the axis, at most one for each pixel.
func (f *frame) columns(c *Curve) []Column {
	if c == nil {
		return nil
	}
	columns, until := c.Columns, cmp.Or(f.time.Until, f.time.Steps)
	for len(columns) > 0 && columns[len(columns)-1].Step > until {
		columns = columns[:len(columns)-1]
	}
	for len(columns) > 0 && columns[0].Step < f.time.From {
		columns = columns[1:]
	}
	return shrink(columns, int(f.w))
}

func valueOf(c *Column) Span { return c.Value }

func boundOf(c *Column) Span { return c.Bound }

// inRange returns the part of a column's values inside the range; empty if the newest lies outside.
func (f *frame) inRange(c *Column) Span {
	s := c.Value
	if !(float64(s.Last) >= f.y.lo && float64(s.Last) <= f.y.hi) {
		return nothing
	}
	return Span{max(s.Low, float32(f.y.lo)), min(s.High, float32(f.y.hi)), s.Last}
}

// shrink joins neighbours until there is at most one column for each pixel. It does not change the curve.
func shrink(columns []Column, pixels int) []Column {
	each := (len(columns) + max(pixels, 1) - 1) / max(pixels, 1)
	if each <= 1 {
		return columns
	}
	out := make([]Column, 0, len(columns)/each+1)
	for i := range columns {
		if i%each == 0 {
			out = append(out, columns[i])
		} else {
			out[len(out)-1].join(&columns[i])
		}
	}
	return out
}

// ticks returns about n levels and their labels: zero, half and all of the largest possible value if it is known.
func (f *frame) ticks(n int) (at []float64, labels []string) {
	if f.y.log {
		return logTicks(f.y.lo, f.y.hi)
	}
	if f.high == 0 {
		return Ticks(f.y.lo, f.y.hi, n)
	}
	at = []float64{0, f.high / 2, f.high}
	return at, tickLabels(at)
}

// grid draws the levels and the steps. The numbers of the levels stand left of the chart; levels repeats them inside.
func (f *frame) grid(empty bool, waiting string, lines int) {
	at, labels := f.ticks(lines)
	for i, label := range labels {
		y := f.y.at(at[i])
		f.svg.line("axis", f.x.from, y, f.x.to, y)
		if !empty {
			f.text("label outside", end, f.x.from-8, y+4, label)
		}
	}
	foot := f.y.from
	f.svg.line("tick", f.x.from, foot, f.x.to, foot)
	if empty {
		f.text("label", middle, (f.x.from+f.x.to)/2, (f.y.to+foot)/2, waiting)
	}
	if f.x.hi <= 1 {
		return
	}
	const first = "0 steps"
	taken := f.x.from
	if f.x.lo == 0 {
		taken += 1.2 * wide(first) // of any width
	}
	at, labels = Ticks(f.x.lo, f.x.hi, max(2, int((f.x.to-f.x.from)/110)))
	for i, label := range labels {
		x := f.x.at(at[i])
		f.svg.line("tick", x, foot, x, foot+4)
		a := middle
		switch {
		case at[i] == 0:
			label, a = first, start
		case x-wide(label)/2 < taken:
			continue
		case x+wide(label)/2 > f.x.to:
			a = end
		}
		f.text("label", a, x, foot+16, label)
	}
}

// levels repeats the numbers of the levels inside the chart, for screens without room beside it. The style sheet shows
// one of the two. They are drawn after the curves, so that no curve crosses them.
func (f *frame) levels(lines int) {
	at, labels := f.ticks(lines)
	for i, label := range labels {
		f.text("label inside halo", start, f.x.from, f.y.at(at[i])-4, label)
	}
}

// line draws the smallest and largest value of each column, so that no peak is lost. A column without a value is a gap.
// A curve of one value is a dot.
func (f *frame) line(class string, c *Curve, pick func(*Column) Span) {
	columns := f.columns(c)
	var d pen
	for i := range columns {
		s := pick(&columns[i])
		if s.Empty() {
			d.down = false
			continue
		}
		x := f.x.at(float64(columns[i].Step))
		if s.Low != s.Last {
			d.to(x, f.y.at(float64(s.Low)))
		}
		if s.High != s.Last {
			d.to(x, f.y.at(float64(s.High)))
		}
		if !d.down {
			d.to(x, f.y.at(float64(s.Last)))
		}
		d.to(x, f.y.at(float64(s.Last)))
	}
	if len(columns) == 1 && d.down {
		f.circle(class, f.x.at(float64(columns[0].Step)), f.y.at(float64(pick(&columns[0]).Last)), 2)
		return
	}
	f.path(class, d.String())
}

// band fills the area between the quartiles, a few pixels at a time. It skips points with too few episodes, and is
// always thick enough to see.
func (f *frame) band(class string, c *Curve) {
	const few, thin = 6.0, 2.0
	columns := f.columns(c)
	var d pen
	var lows []XY // for the way back
	all, last := Quartiles{}, 0.0
	emit := func() {
		if all.Episodes == 0 {
			return
		}
		high, low := f.y.at(float64(all.High)), f.y.at(float64(all.Low))
		if low-high < thin {
			middle := (low + high) / 2
			high, low = middle-thin/2, middle+thin/2
		}
		d.to(last, high)
		lows = append(lows, XY{last, low})
		all = Quartiles{}
	}
	for i := range columns {
		x := f.x.at(float64(columns[i].Step))
		if math.Floor(x/few) != math.Floor(last/few) {
			emit()
		}
		last = x
		all.Join(columns[i].Quartiles)
	}
	emit()
	for _, low := range slices.Backward(lows) {
		d.to(low.X, low.Y)
	}
	f.path(class, d.String())
}
