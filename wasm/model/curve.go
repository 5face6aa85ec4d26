package model

import (
	"math"

	"impalab/learner/telemetry"
	"impalab/web/wire"
)

// maxColumns bounds a curve's memory. A chart shows at most 600; twice that is kept so that halving leaves 600.
const maxColumns = 1200

// Span is the least, the greatest and the last of the numbers it has seen; NaN when it has seen none.
type Span struct{ Low, High, Last float32 }

var nothing = Span{nan32, nan32, nan32}

var nan32 = float32(math.NaN())

func finite(v float32) bool { return v-v == 0 }

// Empty reports whether nothing finite was seen.
func (s Span) Empty() bool { return !finite(s.Last) }

func (s *Span) add(v float32) {
	switch {
	case !finite(v):
	case s.Empty():
		*s = Span{v, v, v}
	default:
		*s = Span{min(s.Low, v), max(s.High, v), v}
	}
}

func (s *Span) join(next Span) {
	if next.Empty() {
		return
	}
	last := next.Last
	s.add(next.Low)
	s.add(next.High)
	s.Last = last
}

// Column is a stretch of a curve, wide enough for one pixel or narrower.
type Column struct {
	Step      uint64 // where it ends, in environment steps
	Value     Span
	Bound     Span // of a trace
	Quartiles Quartiles
}

// Quartiles of the returns of some episodes; of several lots their means, each lot counted by its episodes.
type Quartiles struct{ Low, High, Episodes float32 }

func (q *Quartiles) join(next Quartiles) {
	if !(next.Episodes > 0) || !finite(next.Low) || !finite(next.High) {
		return
	}
	all := q.Episodes + next.Episodes
	mix := func(a, b float32) float32 { return a*(q.Episodes/all) + b*(next.Episodes/all) }
	*q = Quartiles{mix(q.Low, next.Low), mix(q.High, next.High), all}
}

func (c *Column) join(next *Column) {
	c.Step = next.Step
	c.Value.join(next.Value)
	c.Bound.join(next.Bound)
	c.Quartiles.join(next.Quartiles)
}

// Curve is a quantity over a whole run in bounded memory. When it is full, neighbours are joined two by two: time gets
// coarser, the least and the greatest value of each stretch stay exact.
type Curve struct {
	Columns []Column

	wide int // points in a full column
	fill int // points in the last column
}

// Trace is the curve of something that the algorithm keeps beside θ, with its bound.
type Trace struct {
	*telemetry.Quantity
	Curve
}

// point takes one point of every curve.
func (m *Model) point(p *wire.Point) {
	m.CurveRevision++
	m.noteReturn(p)
	m.Return.Add(p.Step, p.Return)
	m.Return.Last().Quartiles.join(Quartiles{p.Low, p.High, float32(p.Ended)})
	for _, one := range p.Traces {
		q := telemetry.LookupQuantity(one.Name)
		if q == nil { // of a newer server
			continue
		}
		t := m.Trace(q)
		if t == nil {
			m.Traces = append(m.Traces, Trace{Quantity: q})
			t = &m.Traces[len(m.Traces)-1]
		}
		t.Add(p.Step, one.Value, one.Bound)
	}
}

// Trace is the curve of a quantity; nil if the algorithm has none.
func (m *Model) Trace(q *telemetry.Quantity) *Trace {
	for i := range m.Traces {
		if m.Traces[i].Quantity == q {
			return &m.Traces[i]
		}
	}
	return nil
}

// Add appends one point, with the bound that it is held to, if any; its step is not below the last one's.
func (c *Curve) Add(step uint64, value float32, bound ...float32) {
	column := Column{Step: step, Value: nothing, Bound: nothing}
	column.Value.add(value)
	for _, v := range bound {
		column.Bound.add(v)
	}
	if c.wide == 0 {
		c.wide = 1
	}
	if n := len(c.Columns); n > 0 && c.fill < c.wide {
		c.Columns[n-1].join(&column)
		c.fill++
		return
	}
	if len(c.Columns) == maxColumns {
		c.halve()
	}
	c.Columns = append(c.Columns, column)
	c.fill = 1
}

func (c *Curve) halve() {
	half := len(c.Columns) / 2
	for i := range half {
		c.Columns[i] = c.Columns[2*i]
		c.Columns[i].join(&c.Columns[2*i+1])
	}
	c.Columns = c.Columns[:half]
	c.wide *= 2
}

// Last is the newest column; nil before the first point.
func (c *Curve) Last() *Column {
	if len(c.Columns) == 0 {
		return nil
	}
	return &c.Columns[len(c.Columns)-1]
}

// Steps is how far the curve goes.
func (c *Curve) Steps() uint64 {
	if last := c.Last(); last != nil {
		return last.Step
	}
	return 0
}

// Mark is a change by hand: a thin line at its step, on every chart at the same place.
type Mark struct {
	Step          uint64
	Key, From, To string
}

// maxMarks bounds memory; no chart could show as many.
const maxMarks = 600

// mark remembers a change. A slider that is dragged makes many: those of one key, one behind the other, within a
// pixel or two of the chart, are one change from where it started to where it stands.
func (m *Model) mark(next Mark) {
	m.CurveRevision++
	if n := len(m.Marks); n > 0 {
		last := &m.Marks[n-1]
		near := next.Step <= last.Step+max(next.Step, m.Return.Steps())/300
		if last.Key == next.Key && (near || n == maxMarks) {
			last.To = next.To
			return
		}
		if n == maxMarks {
			copy(m.Marks, m.Marks[1:])
			m.Marks = m.Marks[:n-1]
		}
	}
	m.Marks = append(m.Marks, next)
}
