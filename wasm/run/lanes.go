package run

import (
	"math"
	"slices"
	"strings"

	"impalab/learner/telemetry"
	"impalab/web/chart"
	"impalab/web/labrow"
	"impalab/web/number"

	"impalab/web/link"
)

// A lane is the history of one figure, its value at the cursor, and the same of the run before.

const tall = 120.0 // pixels from which a lane has levels, steps and changes of its own

func laneCharts() (charts []Chart) {
	for i := range labrow.All {
		l := &labrow.All[i]
		draw := func(m *Run, w, h float64) string { return m.laneChart(l, w, h) }
		if l.Name == labrow.Tunes {
			draw = (*Run).tunesChart
		}
		charts = append(charts, Chart{l.Name, draw, curvesRevision})
	}
	return charts
}

// Shows reports whether the run has a lane. A known truth replaces the lane of the correction’s size.
func (h *history) Shows(l *labrow.Row) bool {
	switch {
	case l.Name == labrow.Tunes:
		return len(h.tuned()) >= tunesFrom
	case l.Quantity != nil:
		return h.Trace(l.Quantity) != nil
	case l.Finite || l.Name == labrow.OffTruth:
		return h.Gauge != nil
	case l.Metric == telemetry.CorrectionSize:
		return h.Gauge == nil
	}
	return true
}

func (m *Run) laneChart(l *labrow.Row, w, h float64) string {
	c := m.lane(l)
	if c == nil {
		return ""
	}
	low, high := l.Low, l.High
	bound := ""
	if l.Quantity != nil {
		low, high = math.Inf(1), math.Inf(-1)
		if last := c.Last(); last != nil {
			low, high = chart.Around(float64(last.Value.Last))
		}
		bound = "line truth"
	}
	var lines []chart.Line
	if l.Name == labrow.Destination && m.Gauge != nil {
		low, high = worstToBest(m.Gauge)
		lines = []chart.Line{
			{Curve: &m.Exact.Behaviour, Class: "line mu exact", Name: "μ"},
			{Curve: &m.Exact.Target, Class: "line pi exact", Name: "π"},
			{Curve: &m.Exact.Implied, Class: "line corrected exact", Name: "ρ̄ leads to"},
		}
	}
	if before := m.behind().lane(l); before != nil {
		lines = append(lines, chart.Line{Curve: before, Class: "line ghost", Behind: true})
	}
	for i, other := range m.Page() {
		if beside := other.lane(l); other != m && beside != nil && other.Shows(l) {
			lines = append(lines, chart.Line{Curve: beside, Class: "line other " + tone(i), Sign: link.Letter(i)})
		}
	}
	class := "line " + l.Tone
	if at := slices.Index(m.Page(), m); len(m.Page()) > 1 { // beside other runs it has the colour of its own
		class = "line " + tone(at)
	}
	lines = append(lines, chart.Line{Curve: c, Class: class, Bound: bound, Sign: m.letter()})
	if l.Name == labrow.Destination && h > tall {
		return chart.DrawFigure(m.Axis(), lines, low, high, w, h)
	}
	return chart.DrawLane(m.Axis(), lines, low, high, w, h)
}

// laneTexts are the figures beside each lane, the bounds below them, and the settings that have a lane.
func laneTexts() (texts []Text) {
	for i := range labrow.All {
		l := &labrow.All[i]
		texts = append(texts,
			Text{"named-" + l.Name, func(m *Run) string { return l.Named(&m.force) }},
			Text{l.Name, func(m *Run) string { return m.laneFigure(l) }},
			Text{"ghost-" + l.Name, func(m *Run) string {
				if c := m.behind().lane(l); c != nil && m.Now() <= c.Steps() {
					return write(l, c.At(m.Now()))
				}
				return ""
			}},
			Text{"beside-" + l.Name, func(m *Run) string { return m.besideLane(l) }},
			Text{"story-" + l.Name, func(m *Run) string { return m.laneStory(l) }})
		if l.Key != "" {
			texts = append(texts, Text{"chip-" + l.Key, func(m *Run) string {
				c := m.Control(l.Knob(&m.force))
				return m.Figure(c.Row, c.Shown())
			}})
		}
	}
	cut := telemetry.Metrics[telemetry.CutByRho].Name
	texts = append(texts, Text{"small-" + cut, func(m *Run) string { return labrow.CutOf(&m.force).Small }},
		Text{"short-" + cut, func(m *Run) string { return labrow.CutOf(&m.force).Short }})
	for i := range telemetry.AlgoMetrics {
		q := &telemetry.AlgoMetrics[i]
		texts = append(texts, Text{"bound-trace-" + q.Name, func(m *Run) string {
			if t := m.Trace(q); t != nil && !t.Last().Bound.Empty() {
				return "of " + number.Short(float64(t.Last().Bound.Last))
			}
			return ""
		}})
	}
	return texts
}

func (m *Run) laneFigure(l *labrow.Row) string {
	if l.Metric >= 0 {
		return write(l, m.metric(l.Metric))
	}
	if c := m.lane(l); c != nil {
		return write(l, c.At(m.Now()))
	}
	return number.None
}

// besideLane returns the figure of the other of two columns: a row has no space for more.
func (m *Run) besideLane(l *labrow.Row) string {
	page := m.Page()
	if len(page) != 2 {
		return ""
	}
	for i, other := range page {
		if other != m && other.Shows(l) {
			return link.Letter(i) + " " + other.laneFigure(l)
		}
	}
	return ""
}

// write returns a lane's figure for people, short enough for the width beside its line.
func write(l *labrow.Row, v float32) string {
	switch {
	case v-v != 0:
		return number.None
	case l.Metric < 0 || l.Metric == telemetry.CorrectionSize || l.Metric == telemetry.GradNorm:
		return number.Short(float64(v))
	}
	switch telemetry.Metrics[l.Metric].Reads {
	case telemetry.Share:
		return number.Percent(v)
	case telemetry.Fine:
		return number.Fixed(float64(v), 3)
	case telemetry.Coarse:
		return number.Fixed(float64(v), 1)
	case telemetry.Round:
		return number.Fixed(float64(v), 0)
	}
	return number.Short(float64(v))
}

// laneStory describes a lane in a sentence, for people who do not see it.
func (m *Run) laneStory(l *labrow.Row) string {
	if l.Name == labrow.Tunes {
		return "Every metaparameter as a share of its start; each has a lane of its own."
	}
	c := m.lane(l)
	if c == nil {
		return ""
	}
	t := chart.Trace{AlgoMetric: l.Quantity, Curve: *c}
	return strings.TrimSpace(t.Story())
}
