package run

import (
	"impalab/web/number"
	"impalab/web/play"
	"impalab/web/wire"
)

// The watched world and its map are part of a moment, like the x-ray, so that they too can be those of the cursor.

// noteFrame takes a newest frame. That of a person's game is of no moment of the run.
func (m *Run) noteFrame(f *wire.Frame) {
	m.Frame = f
	if !m.Covered {
		m.agents = f
		m.showing(itsFrame)
	}
}

// kept is the moment whose frame is shown; nil where nothing is held, or it has none.
func (m *Run) kept() *moment {
	if then := m.moment(); then != nil && then.frame != nil && !m.Covered {
		return then
	}
	return nil
}

// Watched is the frame at the cursor: the nearest that was kept. Where none was, it is the newest of all, and
// WatchedAt says so.
func (m *Run) Watched() *wire.Frame {
	if then := m.kept(); then != nil {
		return then.frame
	}
	return m.Frame
}

// WatchedAt says which moment the watched world shows while the cursor is held. One that was made again shows another
// episode than was shown live.
func (m *Run) WatchedAt() string {
	then := m.kept()
	switch {
	case then == nil:
		return "live"
	case m.moments.of(then.step) == nil:
		return "played again, at " + number.Count(then.step)
	}
	return "at " + number.Count(then.step)
}

// Chart is the map at the cursor; nil while none is to be shown, or no parameters have come.
func (m *Run) Chart() *play.Map {
	if !m.mapped() || m.local.lent == nil {
		return nil
	}
	then := m.moment()
	if then == nil {
		return m.local.chart
	}
	if then.plan == nil {
		if by := m.policies(then.lent); by != nil {
			m.local.chart.Draw(by, &m.force)
			then.plan = m.local.chart.Kept()
			m.local.chart.Draw(&m.local.by, &m.force) // as it was
		}
	}
	if then.plan == nil {
		return m.local.chart
	}
	return then.plan
}

// drawMap computes the map of the newest parameters, and keeps it.
func (m *Run) drawMap() {
	if m.mapped() && m.local.lent != nil {
		m.local.chart.Draw(&m.local.by, &m.force)
		m.plan = m.local.chart.Kept()
		m.showing(itsPlan)
	}
}
