package chart

import (
	"math"
	"sort"

	"impalab/learner/telemetry"
)

// maxColumns bounds the memory of a curve. A chart shows at most 600 columns; halving 1200 leaves 600.
const maxColumns = 1200

// Span is the smallest, the largest and the last of some numbers; NaN if there are none.
type Span struct{ Low, High, Last float32 }

var nothing = Span{nan32, nan32, nan32}

// NewSpan returns a span of no numbers.
func NewSpan() Span { return nothing }

var nan32 = float32(math.NaN())

func finite(v float32) bool { return v-v == 0 }

// Empty reports whether the span has no finite number.
func (s Span) Empty() bool { return !finite(s.Last) }

// Add adds a number, unless it is not finite.
func (s *Span) Add(v float32) {
	switch {
	case !finite(v):
	case s.Empty():
		*s = Span{v, v, v}
	case v < s.Low:
		s.Low, s.Last = v, v
	case v > s.High:
		s.High, s.Last = v, v
	default:
		s.Last = v
	}
}

func (s *Span) join(next Span) {
	if next.Empty() {
		return
	}
	last := next.Last
	s.Add(next.Low)
	s.Add(next.High)
	s.Last = last
}

// Column is a part of a curve, at most one pixel wide.
type Column struct {
	Step      uint64 // its last environment step
	Update    uint64 // its last update, if known
	Value     Span
	Bound     Span // of a trace
	Quartiles Quartiles
}

// Quartiles are the quartiles of the returns of some episodes. Joined quartiles are means, weighted by the number of
// episodes.
type Quartiles struct{ Low, High, Episodes float32 }

// Join adds the quartiles of more episodes.
func (q *Quartiles) Join(next Quartiles) {
	if !(next.Episodes > 0) || !finite(next.Low) || !finite(next.High) {
		return
	}
	all := q.Episodes + next.Episodes
	mix := func(a, b float32) float32 { return a*(q.Episodes/all) + b*(next.Episodes/all) }
	*q = Quartiles{mix(q.Low, next.Low), mix(q.High, next.High), all}
}

func (c *Column) join(next *Column) {
	c.Step, c.Update = next.Step, next.Update
	c.Value.join(next.Value)
	c.Bound.join(next.Bound)
	c.Quartiles.Join(next.Quartiles)
}

// Curve is a quantity over a whole run in bounded memory. When it is full, it joins neighbouring columns: time gets
// coarser, but the smallest and largest values stay exact.
type Curve struct {
	Columns []Column

	wide int // points in a full column
	fill int // points in the last column
}

// Trace is the curve of a quantity that the algorithm keeps beside θ, with its bound.
type Trace struct {
	*telemetry.AlgoMetric
	Curve
}

// Add appends a point, and its bound if it has one. Steps never decrease.
func (c *Curve) Add(step uint64, value float32, bound ...float32) {
	column := Column{Step: step, Value: nothing, Bound: nothing}
	column.Value.Add(value)
	for _, v := range bound {
		column.Bound.Add(v)
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

// Last returns the newest column, or nil before the first point.
func (c *Curve) Last() *Column {
	if len(c.Columns) == 0 {
		return nil
	}
	return &c.Columns[len(c.Columns)-1]
}

// Index returns the index of the last column that ends at or before a step, or −1.
func (c *Curve) Index(step uint64) int {
	return sort.Search(len(c.Columns), func(i int) bool { return c.Columns[i].Step > step }) - 1
}

// At returns the newest value at a step; NaN before the first.
func (c *Curve) At(step uint64) float32 {
	if i := c.Index(step); i >= 0 {
		return c.Columns[i].Value.Last
	}
	return nan32
}

// Nearest returns the index of the column that ends nearest to a step, or −1.
func (c *Curve) Nearest(step uint64) int {
	i := c.Index(step)
	if i+1 < len(c.Columns) && (i < 0 || c.Columns[i+1].Step-step < step-c.Columns[i].Step) {
		i++
	}
	return i
}

// Pick returns about n columns with a value, evenly spaced and including the newest, for a table.
func (c *Curve) Pick(n int) (picked []*Column) {
	var held []*Column
	for i := range c.Columns {
		if !c.Columns[i].Value.Empty() {
			held = append(held, &c.Columns[i])
		}
	}
	if len(held) <= n {
		return held
	}
	for k := 1; k <= n; k++ {
		picked = append(picked, held[k*len(held)/n-1])
	}
	return picked
}

// Steps returns the step of the newest column.
func (c *Curve) Steps() uint64 {
	if last := c.Last(); last != nil {
		return last.Step
	}
	return 0
}

// Mark is a change of a setting during a run. Charts draw it as a line.
type Mark struct {
	Step, Update  uint64
	Key, From, To string
	Run           string // letter of the run, if not every run of the page changed
}

// MaxMarks bounds memory. A chart shows fewer.
const MaxMarks = 600

// Marks are the changes of a run, in order.
type Marks []Mark

// Add adds a change. It joins the many changes of one dragged slider to one: the changes of the same key within a
// pixel or two of a chart of so many steps.
func (m *Marks) Add(next Mark, steps uint64) {
	if n := len(*m); n > 0 {
		last := &(*m)[n-1]
		near := next.Step <= last.Step+max(next.Step, steps)/300
		if last.Key == next.Key && (near || n == MaxMarks) {
			last.To = next.To
			return // its step stays, so that people can go back to the state before the drag
		}
		if n == MaxMarks {
			copy(*m, (*m)[1:])
			*m = (*m)[:n-1]
		}
	}
	*m = append(*m, next)
}
