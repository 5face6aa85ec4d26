package run

import (
	"math"
	"strings"

	"impalab/learner/telemetry"
	"impalab/web/chart"
	"impalab/web/labrow"
	"impalab/web/number"
)

// The lanes: of each figure its history, the figure at the cursor, and the same of the run before.

const laneHeight = 42.0

func laneCharts() (charts []Chart) {
	for i := range labrow.All {
		l := &labrow.All[i]
		charts = append(charts, Chart{l.Name, laneHeight, func(m *Run, w, h float64) string { return m.laneChart(l, w, h) },
			curvesRevision})
	}
	return charts
}

// laneCurve is the curve of a lane; nil if the run has none.
func (m *Run) laneCurve(l *labrow.Row) *chart.Curve {
	switch {
	case l.Figure >= 0:
		return &m.Histories[l.Figure]
	case exact(l):
		return m.Exact.curve(l)
	case l.Name == labrow.ValueError:
		return &m.Error
	}
	if t := m.Trace(l.Quantity); t != nil {
		return &t.Curve
	}
	return nil
}

func (g *ghost) laneCurve(l *labrow.Row) *chart.Curve {
	switch {
	case g == nil:
		return nil
	case l.Figure >= 0:
		return &g.histories[l.Figure]
	case exact(l):
		return g.exact.curve(l)
	case l.Name == labrow.ValueError:
		return &g.errors
	}
	for i := range g.traces {
		if g.traces[i].Quantity == l.Quantity {
			return &g.traces[i].Curve
		}
	}
	return nil
}

// Shows reports whether a lane has anything to do with the run: a trace the algorithm does not keep has not, and where
// the truth is known, what the correction asks for gives way to the distance from it.
func (m *Run) Shows(l *labrow.Row) bool {
	switch {
	case l.Quantity != nil:
		return m.Trace(l.Quantity) != nil
	case exact(l):
		return m.Gauge != nil
	case l.Figure == telemetry.CorrectionSize:
		return m.Gauge == nil
	}
	return true
}

func (m *Run) laneChart(l *labrow.Row, w, h float64) string {
	c := m.laneCurve(l)
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
		lines = m.Exact.lines()
	}
	if before := m.behind().laneCurve(l); before != nil {
		lines = append(lines, chart.Line{Curve: before, Class: "line ghost", Behind: true})
	}
	for place, other := range m.page() {
		if beside := other.laneCurve(l); other != m && beside != nil && other.Shows(l) {
			lines = append(lines, chart.Line{Curve: beside, Class: "line other", Sign: Letter(place)})
		}
	}
	lines = append(lines, chart.Line{Curve: c, Class: "line " + l.Tone, Bound: bound, Sign: m.letter()})
	return chart.DrawLane(m.Axis(), lines, low, high, w, h)
}

// laneTexts are the figures at the right end of each lane.
func laneTexts() (texts []Text) {
	for i := range labrow.All {
		l := &labrow.All[i]
		texts = append(texts,
			Text{l.Name, func(m *Run) string { return m.laneFigure(l) }},
			Text{"ghost-" + l.Name, func(m *Run) string {
				if c := m.behind().laneCurve(l); c != nil && m.Now() <= c.Steps() {
					return write(l, c.At(m.Now()))
				}
				return ""
			}},
			Text{"beside-" + l.Name, func(m *Run) string { return m.besideLane(l) }},
			Text{"story-" + l.Name, func(m *Run) string { return m.laneStory(l) }})
	}
	return texts
}

func (m *Run) laneFigure(l *labrow.Row) string {
	c := m.laneCurve(l)
	switch {
	case l.Figure >= 0:
		return write(l, m.figure(l.Figure))
	case c == nil || len(c.Columns) == 0:
		return number.None
	case m.Cursor.Held:
		return write(l, c.At(m.Cursor.Step))
	}
	return write(l, c.Last().Value.Last)
}

// besideLane is the figure of the other column at the cursor, where there is one other: a row has room for no more.
func (m *Run) besideLane(l *labrow.Row) string {
	page := m.page()
	if len(page) != 2 {
		return ""
	}
	for place, other := range page {
		if other != m && other.Shows(l) {
			return Letter(place) + " " + other.laneFigure(l)
		}
	}
	return ""
}

// write is a lane's figure as people read it: in the width beside its line.
func write(l *labrow.Row, v float32) string {
	switch {
	case v-v != 0:
		return number.None
	case l.Figure >= 0 && l.Figure != telemetry.CorrectionSize && l.Figure != telemetry.GradNorm:
		return written(telemetry.Figures[l.Figure].Reads, v)
	}
	return number.Short(float64(v))
}

// laneStory is a lane in a sentence, for those who do not see it.
func (m *Run) laneStory(l *labrow.Row) string {
	c := m.laneCurve(l)
	if c == nil {
		return ""
	}
	t := chart.Trace{Quantity: l.Quantity, Curve: *c}
	return strings.TrimSpace(t.Story())
}

// chipTexts are the values of the knobs that have a row.
func chipTexts() (texts []Text) {
	for i := range labrow.All {
		if key := labrow.All[i].Key; key != "" {
			texts = append(texts, Text{"chip-" + key, func(m *Run) string {
				c := m.Control(key)
				return m.Figure(c.Row, c.Shown())
			}})
		}
	}
	return texts
}
