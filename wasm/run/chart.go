package run

import (
	"impalab/learner/telemetry"
	"impalab/wasm/chart"
)

// Chart is one inline SVG of the page. Draw writes its inside for a box of w × h pixels, and changes nothing.
type Chart struct {
	Name     string  // its data-chart
	Height   float64 // the box's height; its width is the page's
	Draw     func(m *Run, w, h float64) string
	Revision func(m *Run) any // differs when the chart has something new to show; compared with ==
}

// Charts is every one of them, in reading order.
var Charts = append([]Chart{
	{"return", 180, func(m *Run, w, h float64) string {
		return chart.DrawReturn(m.time(), &m.Return, w, h)
	}, curvesRevision},
	{"value-error", 180, func(m *Run, w, h float64) string {
		return chart.DrawError(m.time(), &m.Error, w, h)
	}, curvesRevision},
	{"ratios", 120, (*Run).ratioChart, func(m *Run) any {
		return barRevision{m.XRay, m.force.RhoBar, m.force.CBar,
			m.force.Correction}
	}},
	{"age", 120, (*Run).ageChart, func(m *Run) any { return m.XRay }},
	{"tasks", 170, (*Run).taskChart, func(m *Run) any {
		stage := ""
		if m.Frame != nil {
			stage = m.Frame.World
		}
		return taskRises{m.XRay, stage}
	}},
	{"gauge", 72, (*Run).gaugeChart, func(m *Run) any { return m.Gauge }},
}, traceCharts()...)

type curveRevision struct {
	drawn uint32
	run   string
}

func curvesRevision(m *Run) any { return curveRevision{m.CurveRevision, m.ID} }

type barRevision struct {
	xray       any
	rho, c     float64
	correction string
}

// time is what the charts over time have in common.
func (m *Run) time() *chart.Time {
	return &chart.Time{Steps: m.Return.Steps(), Marks: m.Marks, Value: m.Figure}
}

func (m *Run) ratioChart(w, h float64) string {
	r := &chart.Ratios{RhoBar: m.force.RhoBar, CBar: m.force.CBar, CutByRho: m.Figures[telemetry.CutByRho]}
	r.ByRho, r.ByC = m.clips()
	if m.XRay != nil {
		r.Counts = some(m.XRay.Ratios)
	}
	return chart.DrawRatios(r, w, h)
}

func (m *Run) ageChart(w, h float64) string {
	if m.XRay == nil {
		return chart.DrawAges(nil, 0, w, h)
	}
	return chart.DrawAges(some(m.XRay.Ages), m.Figures[telemetry.AgeMax], w, h)
}

// some are the counts of an update, which may be none but are not missing.
func some(counts []uint32) []uint32 {
	if counts == nil {
		return []uint32{}
	}
	return counts
}

func (m *Run) gaugeChart(w, h float64) string {
	if m.Gauge == nil {
		return ""
	}
	return chart.DrawGauge(m.Gauge, w, h)
}
