package run

import (
	"slices"
	"sort"

	"impalab/learner/telemetry"
	"impalab/web/chart"
)

// Chart is one inline SVG of the page. Draw writes its inside for a box of w × h pixels, and changes nothing.
type Chart struct {
	Name     string  // its data-chart
	Height   float64 // of its box where the page gives it no other
	Draw     func(m *Run, w, h float64) string
	Revision func(m *Run) any // differs when the chart has something new to show; compared with ==
}

// Charts is every one of them, in reading order.
var Charts = append([]Chart{
	{"return", 180, (*Run).returnChart, curvesRevision},
	{"tape", 68, (*Run).tapeChart, func(m *Run) any {
		return cursorRevision{curvesRevision(m), m.Cursor.Revision,
			m.Now()}
	}},
	{"ratios", 160, (*Run).ratioChart, func(m *Run) any {
		x, _ := m.Seen()
		r := m.ratios()
		return barRevision{x, r.RhoBar, r.CBar, r.ByRho, r.ByC, r.Grips}
	}},
	{"age", 96, (*Run).ageChart, func(m *Run) any { x, _ := m.Seen(); return x }},
	{"tasks", 170, (*Run).taskChart, func(m *Run) any {
		stage := ""
		if f := m.Watched(); f != nil {
			stage = f.World
		}
		x, _ := m.Seen()
		return taskRises{x, stage}
	}},
	{"gauge", 72, (*Run).gaugeChart, func(m *Run) any { return m.Gauged() }},
}, laneCharts()...)

type curveRevision struct {
	drawn uint32 // of all runs of the page
	run   string
	gauge any
}

type cursorRevision struct {
	curves any
	moved  uint32
	step   uint64
}

func curvesRevision(m *Run) any { return curveRevision{m.drawn(), m.ID, m.Gauge} }

func (m *Run) drawn() uint32 {
	drawn := m.CurveRevision
	for _, other := range m.others() {
		drawn += other.CurveRevision
	}
	return drawn
}

// page is the runs of the page, from left to right: of a run by itself none but it.
func (m *Run) page() []*Run {
	if m.Page == nil {
		return []*Run{m}
	}
	return m.Page()
}

// others are the runs in the columns beside this one.
func (m *Run) others() (others []*Run) {
	for _, r := range m.page() {
		if r != m {
			others = append(others, r)
		}
	}
	return others
}

// letter is the run's column; "" while it is alone on the page.
func (m *Run) letter() string {
	if page := m.page(); len(page) > 1 {
		return Letter(slices.Index(page, m))
	}
	return ""
}

type barRevision struct {
	xray              any
	rho, c            float64
	byRho, byC, grips bool
}

// Axis is what the charts over time have in common. It goes as far as the run does, with some room; while the run is
// young it shows what the run before did from there on.
func (m *Run) Axis() *chart.Time {
	const young, ahead = 40_000, 4
	steps := m.steps()
	for _, one := range m.page() {
		steps = max(steps, one.steps(), one.Seeds.steps())
	}
	if g := m.behind(); g != nil {
		steps = max(steps, min(g.curve.Steps(), max(young, ahead*steps)))
	}
	return &chart.Time{Steps: steps + steps/25, Marks: m.Marks, Value: m.Figure}
}

func (m *Run) returnChart(w, h float64) string {
	r := &chart.Return{Mean: &m.Return, Recent: &m.Recent, Sign: m.letter()}
	r.Falls = m.crosses()
	r.Played = chart.Played{Episodes: m.Played, Name: "you"}
	if g := m.behind(); g != nil {
		r.Ghost, r.Before = &g.curve, g.before
	}
	for place, other := range m.page() {
		if other != m {
			r.Others = append(r.Others, chart.Line{Curve: &other.Return, Class: "line other", Sign: Letter(place)})
		}
	}
	if m.Seeds != nil {
		r.Seeds = m.Seeds.drawn()
	}
	return chart.DrawReturn(m.Axis(), r, w, h)
}

// Play notes an episode that a person has played of its world, for the chart: at the step that the run has come to.
func (m *Run) Play(episode float64) {
	m.Played = append(m.Played, chart.Episode{Step: m.steps(), Return: episode})
	m.CurveRevision++
}

func (m *Run) tapeChart(w, h float64) string {
	t := &chart.Tape{Steps: m.steps(), Cursor: m.Now(), Forked: m.From.Run != ""}
	if t.Forked {
		t.From = m.stepOf(m.From.Update)
	}
	return chart.DrawTape(m.Axis(), t, w, h)
}

// stepOf is the step of the last point until an update.
func (m *Run) stepOf(update uint64) uint64 {
	columns := m.Return.Columns
	i := sort.Search(len(columns), func(i int) bool { return columns[i].Update > update }) - 1
	if i < 0 {
		return 0
	}
	return columns[i].Step
}

func (m *Run) ratioChart(w, h float64) string { return chart.DrawRatios(m.ratios(), w, h) }

func (m *Run) ageChart(w, h float64) string {
	x, figures := m.Seen()
	if x == nil {
		return chart.DrawAges(nil, 0, w, h)
	}
	return chart.DrawAges(some(x.Ages), figures[telemetry.AgeMax], w, h)
}

// some are the counts of an update, which may be none but are not missing.
func some(counts []uint32) []uint32 {
	if counts == nil {
		return []uint32{}
	}
	return counts
}

func (m *Run) gaugeChart(w, h float64) string {
	g := m.Gauged()
	if g == nil {
		return ""
	}
	return chart.DrawGauge(g, w, h)
}
