package run

import (
	"impalab/learner/telemetry"
	"impalab/wasm/chart"
	"impalab/wasm/number"
)

// What the algorithm keeps beside θ, one small chart for each quantity.

const traceHeight = 96.0

func traceCharts() (charts []Chart) {
	for i := range telemetry.Quantities {
		q := &telemetry.Quantities[i]
		charts = append(charts, Chart{"trace-" + q.Name, traceHeight, func(m *Run, w,
			h float64) string {
			return m.traceChart(q, w, h)
		}, curvesRevision})
	}
	return charts
}

func traceTexts() (texts []Text) {
	for i := range telemetry.Quantities {
		q := &telemetry.Quantities[i]
		texts = append(texts,
			Text{"trace-" + q.Name, func(m *Run) string {
				return m.traced(q, func(c *chart.Column) chart.Span { return c.Value })
			}},
			Text{"bound-" + q.Name, func(m *Run) string {
				if bound := m.traced(q, func(c *chart.Column) chart.Span { return c.Bound }); bound != number.None {
					return "of " + bound
				}
				return ""
			}},
			Text{"story-" + q.Name, func(m *Run) string { return m.story(q) }})
	}
	return texts
}

func (m *Run) traced(q *telemetry.Quantity, pick func(*chart.Column) chart.Span) string {
	if t := m.Trace(q); t != nil {
		return number.Short(float64(pick(t.Last()).Last))
	}
	return number.None
}

func (m *Run) story(q *telemetry.Quantity) string {
	if t := m.Trace(q); t != nil {
		return t.Story()
	}
	return ""
}

func (m *Run) traceChart(q *telemetry.Quantity, w, h float64) string {
	if t := m.Trace(q); t != nil {
		return chart.DrawTrace(m.time(), t, w, h)
	}
	return ""
}
