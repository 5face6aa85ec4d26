package chart

import "impalab/web/number"

// A trace is a quantity that the algorithm keeps beside θ: a metaparameter (STAC fig. 5a), or a divergence and its
// bound (V-MPO fig. 7).

// Story describes the chart in a sentence, for screen readers.
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
