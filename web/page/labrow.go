package page

import (
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/labrow"
)

// labRows groups the lines by row. OffTruth shares the row before it.
func labRows() (rows [][]labrow.Row) {
	for _, l := range labrow.All {
		if l.Name == labrow.OffTruth {
			rows[len(rows)-1] = append(rows[len(rows)-1], l)
			continue
		}
		rows = append(rows, []labrow.Row{l})
	}
	return rows
}

// rowMetric returns the definition of a line.
func rowMetric(l labrow.Row) metric {
	switch {
	case l.Metric >= 0:
		f := &telemetry.Metrics[l.Metric]
		return metric{f.Name, f.Words, f.Symbol, f.Tone, f.Formula, f.Sentence, f.Paper}
	case l.Quantity != nil:
		return traceMetric(l.Quantity)
	case l.Name == labrow.OffTruth:
		return offTruthMetric
	case l.Name == labrow.Tunes:
		return tunesMetric
	case l.Name == labrow.Destination:
		return destinationMetric
	case l.Name == labrow.ToDestination:
		return toDestinationMetric
	}
	return valueErrorMetric
}

// only returns the controls of some keys, in order.
func (d *Data) only(keys ...string) (out []control) {
	for _, key := range keys {
		for _, c := range d.all() {
			if c.Key == key {
				out = append(out, c)
			}
		}
	}
	return out
}

// beside returns the controls that can stand in a row. Only the first shows before a run is known.
func (d *Data) beside(row []labrow.Row) []control {
	controls := d.only(row[0].Keys()...)
	for i := range controls {
		c := &controls[i]
		c.hidden = i > 0
		for _, l := range row {
			m := rowMetric(l)
			if c.hidden {
				m.key += "-" + c.Key // one definition for each knob
			}
			c.also = append(c.also, m)
		}
	}
	return controls
}

// rest returns the controls of a group that have no other place.
func (d *Data) rest(group hyper.Group) (out []control) {
	placed := map[string]bool{"algo": true, "seed": true}
	for i := range labrow.All {
		for _, key := range labrow.All[i].Keys() {
			placed[key] = true
		}
	}
	for _, c := range d.all() {
		if c.Group == group && !placed[c.Key] {
			out = append(out, c)
		}
	}
	return out
}

// knobRows returns the rows whose knobs a small screen offers. Words is the label of the chip: the symbol, or a short
// name.
func knobRows() (rows []labrow.Row) {
	short := map[string]string{"lag": "lag", "mix": "mix"}
	for _, l := range labrow.All {
		if row, err := hyper.Lookup(l.Key); err == nil && l.Quantity == nil {
			l.Words, l.Tone = short[l.Key], row.Tone
			if l.Words == "" {
				l.Words = row.Symbol
			}
			rows = append(rows, l)
		}
	}
	return rows
}
