package chart

import (
	"math"
	"strings"

	"impalab/learner/hyper"
)

// The charts over time. All have the same steps and margins at their sides, so that a change by hand stands at the same
// place in both that stand above each other.

const (
	marginLeft  = 44.0
	marginRight = 10.0
	marginTop   = 30.0 // two rows of marks
	marginFoot  = 22.0
)

// Time is what the charts of one run have in common.
type Time struct {
	Steps uint64 // how far they go
	Marks []Mark
	Value func(row *hyper.Row, text string) string // a setting's value as people read it
}

// DrawReturn is the mean return of the last 100 episodes over the quartiles of the episodes on the way.
func DrawReturn(t *Time, c *Curve, w, h float64) string {
	f := newCurveFrame(t, c, w, h)
	f.grid("waiting for the first episode", 4)
	f.band("area pi")
	f.line("line pi", func(c *Column) Span { return c.Value })
	f.marks(t)
	return f.String()
}

// DrawError is the value error, from zero.
func DrawError(t *Time, c *Curve, w, h float64) string {
	f := newCurveFrame(t, c, w, h, 0)
	f.y.lo = 0
	f.grid("waiting for the first held-out episodes", 4)
	f.line("line", func(c *Column) Span { return c.Value })
	f.marks(t)
	return f.String()
}

// curveFrame is a chart over time being drawn.
type curveFrame struct {
	svg
	columns []Column
	x, y    scale
	h       float64
	empty   bool
}

// newCurveFrame makes room for a curve, and for what else should be in sight.
func newCurveFrame(t *Time, c *Curve, w, h float64, also ...float64) *curveFrame {
	f := &curveFrame{columns: shrink(c.Columns, int(w-marginLeft-marginRight)), h: h}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range f.columns {
		c := &f.columns[i]
		for _, s := range [...]Span{c.Value, c.Bound} {
			if !s.Empty() {
				lo, hi = min(lo, float64(s.Low)), max(hi, float64(s.High))
			}
		}
		if q := c.Quartiles; q.Episodes > 0 {
			lo, hi = min(lo, float64(q.Low)), max(hi, float64(q.High))
		}
	}
	f.empty = lo > hi
	for _, v := range also {
		if !f.empty {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	lo, hi = room(lo, hi)
	f.x = scale{0, float64(max(t.Steps, 1)), marginLeft, w - marginRight}
	f.y = scale{lo, hi, h - marginFoot, marginTop}
	return f
}

// shrink joins neighbours until there is no more than one column a pixel; the curve's own are left alone.
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

func (f *curveFrame) grid(waiting string, lines int) {
	at := ticks(f.y.lo, f.y.hi, lines)
	for i, label := range tickLabels(at) {
		y := f.y.at(at[i])
		f.svg.line("axis", f.x.from, y, f.x.to, y)
		if !f.empty {
			f.text("label", end, f.x.from-6, y+4, label)
		}
	}
	foot := f.h - marginFoot
	f.svg.line("tick", f.x.from, foot, f.x.to, foot)
	if f.empty {
		f.text("label", middle, (f.x.from+f.x.to)/2, (f.y.to+foot)/2, waiting)
	}
	if f.x.hi <= 1 {
		return
	}
	at = ticks(0, f.x.hi, max(2, int((f.x.to-f.x.from)/110)))
	for i, label := range tickLabels(at) {
		x := f.x.at(at[i])
		f.svg.line("tick", x, foot, x, foot+4)
		a := middle
		switch {
		case i == 0:
			label, a = "0 steps", start
		case x+wide(label)/2 > f.x.to:
			a = end
		}
		f.text("label", a, x, foot+16, label)
	}
}

// line draws a column's least and greatest value as one stroke, so that no peak is lost; a column without a number
// is a gap.
func (f *curveFrame) line(class string, pick func(*Column) Span) {
	var d svg
	pen := byte('M')
	to := func(x, y float64) {
		d.WriteByte(pen)
		d.at(x)
		d.WriteByte(' ')
		d.at(y)
		pen = 'L'
	}
	for i := range f.columns {
		s := pick(&f.columns[i])
		if s.Empty() {
			pen = 'M'
			continue
		}
		x := f.x.at(float64(f.columns[i].Step))
		if s.Low != s.Last {
			to(x, f.y.at(float64(s.Low)))
		}
		if s.High != s.Last {
			to(x, f.y.at(float64(s.High)))
		}
		if pen == 'M' {
			to(x, f.y.at(float64(s.Last)))
		}
		to(x, f.y.at(float64(s.Last)))
	}
	f.path(class, d.String())
}

// band fills between the quartiles of the episodes, a few pixels at a time. It goes on over points at which too few had
// ended, and is never too thin to be seen.
func (f *curveFrame) band(class string) {
	const few, thin = 6.0, 2.0
	var d svg
	var lows []float64 // x y x y …, for the way back
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
		if len(lows) == 0 {
			d.WriteByte('M')
		} else {
			d.WriteByte('L')
		}
		d.at(last)
		d.WriteByte(' ')
		d.at(high)
		lows = append(lows, last, low)
		all = Quartiles{}
	}
	for i := range f.columns {
		x := f.x.at(float64(f.columns[i].Step))
		if math.Floor(x/few) != math.Floor(last/few) {
			emit()
		}
		last = x
		all.Join(f.columns[i].Quartiles)
	}
	emit()
	for i := len(lows) - 2; i >= 0; i -= 2 {
		d.WriteByte('L')
		d.at(lows[i])
		d.WriteByte(' ')
		d.at(lows[i+1])
	}
	f.path(class, d.String())
}

// marks draws a thin line at every change by hand, and its words where they have room: newest first, in two rows. A
// slider that was dragged leaves a dot for each step on its way and one line where it came to rest.
func (f *curveFrame) marks(t *Time) {
	const near = 16.0 // pixels between two steps of one drag
	place := func(i int) float64 { return f.x.at(min(float64(t.Marks[i].Step), f.x.hi)) }
	var taken [2][]scale // spans of pixels, from and to
	for i := len(t.Marks) - 1; i >= 0; i-- {
		m := t.Marks[i]
		row, err := hyper.Lookup(m.Key)
		if err != nil {
			continue
		}
		x, foot := place(i), f.h-marginFoot
		f.svg.line("tick", x, f.y.to-4, x, foot)
		f.circle("mark", x, foot, 2)
		for i > 0 && t.Marks[i-1].Key == m.Key && place(i)-place(i-1) < near {
			i--
			m.From = t.Marks[i].From
			f.circle("mark", place(i), foot, 1)
		}
		symbol, words := row.Symbol, " "+t.Value(row, m.From)+" → "+t.Value(row, m.To)
		if symbol == "" {
			words = strings.ToLower(row.Words[:1]) + row.Words[1:] + words
		}
		room := wide(symbol+words) + 8
		from, a := x, start
		if x+room > f.x.to {
			from, a = x-room, end
		}
		for k := range taken {
			if from < 0 || overlaps(taken[k], from, from+room) {
				continue
			}
			taken[k] = append(taken[k], scale{from: from, to: from + room})
			f.named("label", a, x, 11+13*float64(k), symbol, words)
			break
		}
	}
}

func overlaps(taken []scale, from, to float64) bool {
	for _, t := range taken {
		if from < t.to && t.from < to {
			return true
		}
	}
	return false
}
