package run

import (
	"impalab/learner/telemetry"
	"impalab/web/chart"
	"impalab/web/wire"
)

// point takes one point of every curve.
func (m *Run) point(p *wire.Point) {
	m.CurveRevision++
	m.noteReturn(p)
	m.follow(p)
	m.Return.Add(p.Step, p.Return)
	m.Return.Last().Update = p.Update
	m.Recent.Add(p.Step, p.Recent)
	m.arrive(p)
	for i, v := range m.figures(p.Figures) {
		m.Histories[i].Add(p.Step, v)
	}
	m.Return.Last().Quartiles.Join(chart.Quartiles{Low: p.Low, High: p.High, Episodes: float32(p.Ended)})
	for _, one := range p.Traces {
		q := telemetry.LookupQuantity(one.Name)
		if q == nil { // of a newer server
			continue
		}
		t := m.Trace(q)
		if t == nil {
			m.Traces = append(m.Traces, chart.Trace{Quantity: q})
			t = &m.Traces[len(m.Traces)-1]
		}
		t.Add(p.Step, one.Value, one.Bound)
	}
}

// Trace is the curve of a quantity; nil if the algorithm has none.
func (m *Run) Trace(q *telemetry.Quantity) *chart.Trace {
	for i := range m.Traces {
		if m.Traces[i].Quantity == q {
			return &m.Traces[i]
		}
	}
	return nil
}

// mark remembers a change by hand.
func (m *Run) mark(next chart.Mark) {
	m.CurveRevision++
	m.Marks.Add(next, m.Return.Steps())
}
