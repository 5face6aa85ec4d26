package run

import (
	"impalab/learner/telemetry"
	"impalab/web/chart"
	"impalab/web/labrow"
	"impalab/web/number"
)

// tuned returns the traces of the quantities that the algorithm tunes itself, in reading order.
func (c *Curves) tuned() (traces []*chart.Trace) {
	for i := range telemetry.AlgoMetrics {
		if q := &telemetry.AlgoMetrics[i]; q.Tuned {
			if t := c.Trace(q); t != nil {
				traces = append(traces, t)
			}
		}
	}
	return traces
}

// tunesFrom is the least number of tuned quantities that share a lane.
const tunesFrom = 3

// Tunes reports whether a quantity has its line in the lane of all metaparameters.
func (h *history) Tunes(q *telemetry.AlgoMetric) bool {
	return q.Tuned && h.Trace(q) != nil && len(h.tuned()) >= tunesFrom
}

// Tuned reports whether the algorithm tunes a quantity, by its name.
func (h *history) Tuned(name string) bool {
	q := telemetry.LookupAlgoMetric(name)
	return q != nil && q.Tuned && h.Trace(q) != nil
}

// Point marks the line of a metaparameter, by its name; "" marks none.
func (m *Run) Point(quantity string) {
	m.pointed = quantity
	m.CurveRevision++
}

func (m *Run) tunesChart(w, h float64) string {
	var lines []chart.Line
	for _, t := range m.tuned() {
		class := "line meta tuned"
		if t.Name == m.pointed {
			class = "line meta pointed"
		}
		lines = append(lines, chart.Line{Curve: &t.Curve, Class: class})
	}
	if len(lines) == 0 {
		return ""
	}
	return chart.DrawTunes(m.Axis(), lines, w, h)
}

// sparkCharts are the small curves on the shelf of folded lanes.
func sparkCharts() (charts []Chart) {
	for i := range labrow.All {
		l := &labrow.All[i]
		if l.Folded || l.Name == labrow.Tunes {
			continue
		}
		charts = append(charts, Chart{"spark-" + l.Name, func(m *Run, w, h float64) string {
			c := m.lane(l)
			if c == nil {
				return ""
			}
			return chart.DrawSpark(m.Axis(), chart.Line{Curve: c, Class: "line " + l.Tone}, w, h)
		}, curvesRevision})
	}
	return charts
}

func tunedTexts() (texts []Text) {
	for i := range telemetry.AlgoMetrics {
		if q := &telemetry.AlgoMetrics[i]; q.Tuned {
			texts = append(texts, Text{"tuned-" + q.Name, func(m *Run) string {
				if t := m.Trace(q); t != nil {
					return number.Short(float64(t.At(m.Now())))
				}
				return number.None
			}})
		}
	}
	return texts
}
