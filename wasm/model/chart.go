package model

// Chart is one inline SVG of the page. Draw writes its inside for a box of w × h pixels, and changes nothing.
type Chart struct {
	Name     string  // its data-chart
	Height   float64 // the box's height; its width is the page's
	Draw     func(m *Model, w, h float64) string
	Revision func(m *Model) any // differs when the chart has something new to show; compared with ==
}

// Charts is every one of them, in reading order.
var Charts = append([]Chart{
	{"return", 180, returnChart, curvesRevision},
	{"value-error", 180, errorChart, curvesRevision},
	{"ratios", 120, ratioChart, func(m *Model) any {
		return barRevision{m.XRay, m.force.RhoBar, m.force.CBar,
			m.force.Correction}
	}},
	{"age", 120, ageChart, func(m *Model) any { return m.XRay }},
	{"tasks", 170, taskChart, func(m *Model) any {
		stage := ""
		if m.Frame != nil {
			stage = m.Frame.World
		}
		return taskRises{m.XRay, stage}
	}},
	{"gauge", 72, gaugeChart, func(m *Model) any { return m.Gauge }},
}, traceCharts()...)
