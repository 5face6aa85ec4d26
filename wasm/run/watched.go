package run

import (
	"impalab/wasm/number"
	"impalab/web/play"
	"impalab/web/wire"
)

// The watched world and its map are kept now and then, like the x-ray, so that they too can be those of the cursor.

// noteFrame takes a newest frame. That of a person's game is of no moment of the run.
func (m *Run) noteFrame(f *wire.Frame) {
	m.Frame = f
	if !m.Covered {
		m.frames.add(m.steps(), f)
	}
}

// kept is the frame of the moment that the cursor holds; false where there is none, or nothing is held.
func (m *Run) kept() (moment[wire.Frame], bool) {
	if !m.Cursor.Held || m.Covered {
		return moment[wire.Frame]{}, false
	}
	return m.frames.near(m.Cursor.Step)
}

// Watched is the frame at the cursor: the nearest that was kept. Where none was, it is the newest of all, and
// WatchedAt says so.
func (m *Run) Watched() *wire.Frame {
	if then, ok := m.kept(); ok {
		return then.seen
	}
	return m.Frame
}

// WatchedAt says which moment the watched world shows while the cursor is held.
func (m *Run) WatchedAt() string {
	if then, ok := m.kept(); ok {
		return "at " + number.Count(then.step)
	}
	return "live"
}

// Chart is the map at the cursor; nil while none is to be shown, or no parameters have come.
func (m *Run) Chart() *play.Map {
	if !m.mapped() || m.local.lent == nil {
		return nil
	}
	if m.Cursor.Held {
		if then := m.maps.at(m.Cursor.Step); then != nil {
			return then
		}
	}
	return m.local.chart
}

// drawMap computes the map of the newest parameters, and keeps it.
func (m *Run) drawMap() {
	if m.mapped() && m.local.lent != nil {
		m.local.chart.Draw(&m.local.by, &m.force)
		m.maps.add(m.steps(), m.local.chart.Kept())
	}
}
