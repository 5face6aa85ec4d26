package run

import (
	"cmp"
	"math"
	"slices"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/chart"
	"impalab/web/wire"

	"impalab/web/link"
)

// Chart is an inline SVG of the page. Draw returns its content for a box of w × h pixels, and changes nothing.
type Chart struct {
	Name     string // its data-chart
	Draw     func(m *Run, w, h float64) string
	Revision func(m *Run) any // differs when the chart has something new to show; compare it with ==
}

// Charts lists every chart, in reading order.
var Charts = append([]Chart{
	{"return", (*Run).returnChart, curvesRevision},
	{"tape", (*Run).tapeChart, func(m *Run) any {
		return [...]any{curvesRevision(m), m.Cursor.Revision, m.Now()}
	}},
	{"ratios", func(m *Run, w, h float64) string { return chart.DrawRatios(m.ratios(), w, h) }, func(m *Run) any {
		r := m.ratios()
		return [...]any{m.Seen(), r.RhoBar, r.CBar, r.ByRho, r.ByC, r.Grips, r.Low, r.High}
	}},
	{"age", (*Run).ageChart, func(m *Run) any { return m.Seen() }},
	{"tasks", (*Run).taskChart, func(m *Run) any {
		stage := ""
		if f := m.Watched(); f != nil {
			stage = f.World
		}
		return [...]any{m.Seen(), stage}
	}},
	{"cells", (*Run).cellChart, func(m *Run) any { return m.Watched() }},
	{"gauge", func(m *Run, w, h float64) string {
		if g := m.Gauged(); g != nil {
			return chart.DrawGauge(g, w, h)
		}
		return ""
	}, func(m *Run) any { return m.Gauged() }},
}, slices.Concat(laneCharts(), sparkCharts())...)

// curvesRevision differs when a curve of any column has changed.
func curvesRevision(m *Run) any {
	drawn := uint32(0)
	for _, r := range m.Page() {
		drawn += r.CurveRevision
	}
	return [...]any{drawn, m.ID, m.Gauge, m.Cursor.View}
}

// letter returns the run's column, or "" if it is alone on the page.
func (m *Run) letter() string {
	if page := m.Page(); len(page) > 1 {
		return link.Letter(slices.Index(page, m))
	}
	return ""
}

// tone returns the colour of the run at a place of the page. It stays when another run is selected.
func tone(place int) string {
	if place > 0 {
		return "ink"
	}
	return "pi"
}

// Axis is the axis of steps of all charts. It ends a little after the newest run of the page. While the run is young it
// also shows the next steps of the run before.
func (m *Run) Axis() *chart.Time {
	const young, ahead = 40_000, 4
	steps := m.Steps()
	for _, one := range m.Page() {
		steps = max(steps, one.Steps(), one.Seeds.steps())
	}
	if g := m.behind(); g.Curves != nil {
		steps = max(steps, min(g.Return.Steps(), max(young, ahead*steps)))
	}
	axis := &chart.Time{Steps: steps + steps/25, Marks: m.allMarks(), Value: m.Figure}
	if view := m.Cursor.View; view.To > 0 {
		axis.From, axis.Steps = view.From, view.To
	}
	return axis
}

// allMarks returns the changes of every run of the page, in order. A change that not every run made names its run.
func (m *Run) allMarks() chart.Marks {
	page := m.Page()
	if len(page) == 1 {
		return m.Marks
	}
	same := func(a, b chart.Mark) bool { return a.Step == b.Step && a.Key == b.Key && a.To == b.To }
	var all chart.Marks
	for i, one := range page {
		for _, mark := range one.Marks {
			has := func(r *Run) bool {
				return slices.ContainsFunc(r.Marks, func(have chart.Mark) bool { return same(have, mark) })
			}
			if slices.ContainsFunc(page, func(r *Run) bool { return !has(r) }) {
				mark.Run = link.Letter(i)
			} else if i > 0 {
				continue
			}
			all = append(all, mark)
		}
	}
	slices.SortStableFunc(all, func(a, b chart.Mark) int { return cmp.Compare(a.Step, b.Step) })
	return all
}

func (m *Run) returnChart(w, h float64) string {
	axis, r := m.Axis(), m.returns()
	if r.Lake != nil {
		name(axis, r, w, h)
	}
	return chart.DrawReturn(axis, r, w, h)
}

// returns is the data of the chart of the return.
func (m *Run) returns() *chart.Return {
	r := &chart.Return{Mean: &m.Return, Recent: &m.Recent, Sign: m.letter(), Tone: tone(slices.Index(m.Page(), m)),
		Played: m.Played, Log: m.Cursor.View.Log}
	if g := m.behind(); g.Curves != nil {
		r.Ghost, r.Before = &g.Return, g.before
	}
	r.Lake = m.lake()
	for i, other := range m.Page() {
		r.Falls = append(r.Falls, other.crosses()...)
		r.Dips = append(r.Dips, other.dips()...)
		if other != m {
			r.Others = append(r.Others, chart.Line{Curve: &other.Return, Class: "line other " + tone(i), Sign: link.Letter(i)})
		}
	}
	if s := m.Seeds; s != nil {
		r.Seeds = &chart.Seeds{Lines: s.lines, Middle: s.band}
	}
	return r
}

// Play adds an episode that a person has played to the chart, at the current step of the run.
func (m *Run) Play(episode float64) {
	m.Played = append(m.Played, chart.Episode{Step: m.Steps(), Return: episode})
	m.CurveRevision++
}

func (m *Run) tapeChart(w, h float64) string {
	t := &chart.Tape{Steps: m.Steps(), Cursor: m.Now(), Forked: m.From.Run != "", Dips: m.dips()}
	for i := range m.Return.Columns {
		if c := &m.Return.Columns[i]; t.Forked && c.Update <= m.From.Update {
			t.From = c.Step
		}
	}
	axis := m.Axis()
	axis.Marks = m.Marks
	return chart.DrawTape(axis, t, w, h)
}

func (m *Run) ageChart(w, h float64) string {
	x := m.Seen()
	if x == nil {
		return chart.DrawAges(nil, 0, w, h)
	}
	return chart.DrawAges(notNil(x.Ages), x.Figures[telemetry.AgeMax], w, h)
}

// notNil returns the counts of an update. Nil would mean that the update itself is missing.
func notNil(counts []uint32) []uint32 {
	if counts == nil {
		return []uint32{}
	}
	return counts
}

// A person can drag ρ̄ and c̄ on the histogram of ratios, with the same requests as from their sliders.

// ratios returns the histogram at the cursor. A limit that is requested and not yet in force is drawn where it is
// requested.
func (m *Run) ratios() *chart.Ratios {
	x := m.Seen()
	then := m.then()
	shown := then
	for _, key := range [...]string{"rho", "c"} {
		if c := m.Control(key); c.Pending() && !m.Cursor.Held {
			shown.Set(key, c.wanted) // Set has checked it
		}
	}
	r := &chart.Ratios{RhoBar: shown.RhoBar, CBar: shown.CBar, CutByRho: metricOf(x, telemetry.CutByRho)}
	if r.RhoBar != then.RhoBar {
		r.CutByRho = nan32
	}
	r.ByRho, r.ByC = correct.Corrections[then.Correction].Cuts()
	switch {
	case then.Level != correct.LevelStep: // the bars are of steps
		r.ByRho = false
	case then.Correction == correct.MethodBand:
		r.Low, r.High, r.Outside = chart.RatioBound{At: then.Floor, Words: "floor"},
			chart.RatioBound{At: then.Ceiling, Words: "ceiling"}, true
	case then.Correction == correct.MethodClip:
		r.Low, r.High = chart.RatioBound{At: 1 - then.ClipLow, Words: "A < 0"},
			chart.RatioBound{At: 1 + then.ClipHigh, Words: "A > 0"}
	}
	r.Grips = m.Steers && !m.Cursor.Held
	if x != nil {
		r.Counts = notNil(x.Ratios)
	}
	return r
}

// then returns the configuration at the cursor: it undoes the later changes.
func (m *Run) then() hyper.Config {
	return m.changes.undo(m.force, func(c *wire.Changed) bool { return m.Cursor.Held && c.Step >= m.Cursor.Step })
}

// Grip returns the key of the limit that a pointer grips at a point of the histogram, or "".
func (m *Run) Grip(px, py, w, h float64) string {
	r := m.ratios()
	key := r.Grip(px, py, w, h)
	if !r.Grips || r.Counts == nil || m.Link.Locked(key) {
		return ""
	}
	return key
}

// Dragged returns the value of a limit at a place of the histogram, within the range of its setting.
func (m *Run) Dragged(key string, px, w float64) string {
	row := m.Control(key).Row
	v := chart.RatioLimit(px, w)
	if !math.IsInf(v, 1) {
		v = min(max(v, row.Min), row.Max)
	}
	return row.Format(v)
}
