package run

import (
	"math"
	"slices"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/chart"
)

// A person can drag ρ̄ and c̄ on the histogram of ratios, with the same requests as from their sliders.

// ratios returns the histogram at the cursor. A limit that is requested and not yet in force is drawn where it is
// requested.
func (m *Run) ratios() *chart.Ratios {
	x, figures := m.Seen()
	then := m.then()
	shown := then
	for _, key := range [...]string{"rho", "c"} {
		if c := m.Control(key); c.Pending() && !m.Cursor.Held {
			shown.Set(key, c.wanted) // Set has checked it
		}
	}
	r := &chart.Ratios{RhoBar: shown.RhoBar, CBar: shown.CBar, CutByRho: figures[telemetry.CutByRho]}
	if r.RhoBar != then.RhoBar {
		r.CutByRho = nan32
	}
	r.ByRho, r.ByC = correct.Corrections[then.Correction].Cuts()
	r.Grips = m.Steers && !m.Cursor.Held
	if x != nil {
		r.Counts = notNil(x.Ratios)
	}
	return r
}

// then returns the configuration at the cursor: it undoes the later changes.
func (m *Run) then() hyper.Config {
	config := m.force
	for i := range slices.Backward(m.Marks) {
		if mark := &m.Marks[i]; m.Cursor.Held && mark.Step >= m.Cursor.Step {
			config.Set(mark.Key, mark.From) // it was in force
		}
	}
	return config
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
