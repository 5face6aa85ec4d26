package model

import (
	"math"

	"impalab/learner/telemetry"
)

// What the algorithm keeps beside θ, one small chart for each quantity: a metaparameter on its way (STAC fig. 5a), or a
// divergence that should not only stay below its bound but reach it (V-MPO fig. 7).

const (
	traceHeight = 96.0
	traceTop    = 8.0
)

func traceCharts() (charts []Chart) {
	for i := range telemetry.Quantities {
		q := &telemetry.Quantities[i]
		charts = append(charts, Chart{"trace-" + q.Name, traceHeight, func(m *Model, w,
			h float64) string {
			return traceChart(m, q, w, h)
		}, curvesRevision})
	}
	return charts
}

func traceTexts() (texts []Text) {
	for i := range telemetry.Quantities {
		q := &telemetry.Quantities[i]
		texts = append(texts,
			Text{"trace-" + q.Name, func(m *Model) string { return m.traced(q, func(c *Column) Span { return c.Value }) }},
			Text{"bound-" + q.Name, func(m *Model) string {
				if bound := m.traced(q, func(c *Column) Span { return c.Bound }); bound != none {
					return "of " + bound
				}
				return ""
			}},
			Text{"story-" + q.Name, func(m *Model) string { return m.story(q) }})
	}
	return texts
}

func (m *Model) traced(q *telemetry.Quantity, pick func(*Column) Span) string {
	if t := m.Trace(q); t != nil {
		return short(float64(pick(t.Last()).Last))
	}
	return none
}

// story is the chart in a sentence, for screen readers.
func (m *Model) story(q *telemetry.Quantity) string {
	t := m.Trace(q)
	if t == nil {
		return ""
	}
	first, all, held, within, bounded := nothing, nothing, nothing, 0, 0
	for i := range t.Columns {
		c := &t.Columns[i]
		if first.Empty() {
			first = c.Value
		}
		all.join(c.Value)
		held.join(c.Bound)
		if !c.Bound.Empty() && !c.Value.Empty() {
			bounded++
			if c.Value.Last <= c.Bound.Last {
				within++
			}
		}
	}
	if all.Empty() {
		return ""
	}
	number := func(v float32) string { return short(float64(v)) }
	words := "From " + number(first.Low) + " to " + number(all.Last) + " in " + count(t.Steps()) + " steps; least " +
		number(all.Low) + ", greatest " + number(all.High) + "."
	if bounded > 0 {
		words += " Its bound is " + number(held.Last) + ", and it was within it " +
			percent(float32(within)/float32(bounded)) + " of the time."
	}
	return words
}

// least is what a chart shows around a value, so that what hardly moves does not look as if it did.
func least(v float64) []float64 {
	if math.IsNaN(v) || math.Abs(v) > 1e30 {
		return nil
	}
	return []float64{v - math.Abs(v)/200, v + math.Abs(v)/200}
}

// traceChart is one of them: what tunes itself in plum, what is measured in ink, its bound dashed.
func traceChart(m *Model, q *telemetry.Quantity, w, h float64) string {
	t := m.Trace(q)
	if t == nil {
		return ""
	}
	f := newCurveFrame(m, &t.Curve, w, h, least(float64(t.Last().Value.Last))...)
	f.y.to = traceTop
	f.grid("", 2)
	class := "line"
	if q.Tuned {
		class = "line meta"
	}
	f.line(class, func(c *Column) Span { return c.Value })
	f.line("line truth", func(c *Column) Span { return c.Bound })
	for _, mark := range m.Marks {
		x := f.x.at(math.Min(float64(mark.Step), f.x.hi))
		f.svg.line("tick", x, f.y.to, x, h-marginFoot)
	}
	return f.String()
}
