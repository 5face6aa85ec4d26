package chart

import (
	"math"

	"impalab/wasm/number"
)

// What the algorithm keeps beside θ, one small chart for each quantity: a metaparameter on its way (STAC fig. 5a), or a
// divergence that should not only stay below its bound but reach it (V-MPO fig. 7).

const traceTop = 8.0

// Story is the chart in a sentence, for screen readers.
func (t *Trace) Story() string {
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
	short := func(v float32) string { return number.Short(float64(v)) }
	words := "From " + short(first.Low) + " to " + short(all.Last) + " in " + number.Count(t.Steps()) + " steps; least " +
		short(all.Low) + ", greatest " + short(all.High) + "."
	if bounded > 0 {
		words += " Its bound is " + short(held.Last) + ", and it was within it " +
			number.Percent(float32(within)/float32(bounded)) + " of the time."
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

// DrawTrace is one of them: what tunes itself in plum, what is measured in ink, its bound dashed.
func DrawTrace(t *Time, one *Trace, w, h float64) string {
	f := newCurveFrame(t, &one.Curve, w, h, least(float64(one.Last().Value.Last))...)
	f.y.to = traceTop
	f.grid("", 2)
	class := "line"
	if one.Tuned {
		class = "line meta"
	}
	f.line(class, func(c *Column) Span { return c.Value })
	f.line("line truth", func(c *Column) Span { return c.Bound })
	for _, mark := range t.Marks {
		x := f.x.at(math.Min(float64(mark.Step), f.x.hi))
		f.svg.line("tick", x, f.y.to, x, h-marginFoot)
	}
	return f.String()
}
