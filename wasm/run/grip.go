package run

import (
	"math"
	"slices"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/chart"
)

// ρ̄ and c̄ are dragged on the histogram of ratios as on their sliders: the same requests, the same tape.

// ratios are what the histogram shows, with the limits of the cursor's moment. While a limit is asked for and not yet
// in force, it stands where it is asked for, and the bars of the batch are cut there.
func (m *Run) ratios() *chart.Ratios {
	x, figures := m.Seen()
	then := m.then()
	shown := then
	if !m.Cursor.Held {
		for _, key := range [...]string{"rho", "c"} {
			if c := m.Control(key); c.Pending() {
				shown.Set(key, c.wanted) // Set has checked it
			}
		}
	}
	r := &chart.Ratios{RhoBar: shown.RhoBar, CBar: shown.CBar, CutByRho: figures[telemetry.CutByRho]}
	if r.RhoBar != then.RhoBar {
		r.CutByRho = nan32
	}
	r.ByRho, r.ByC = correct.Corrections[then.Correction].Cuts()
	r.Grips = m.Steers && !m.Cursor.Held
	if x != nil {
		r.Counts = some(x.Ratios)
	}
	return r
}

// then is the configuration of the cursor's moment: the first change of a key behind it says what it was.
func (m *Run) then() hyper.Config {
	config := m.force
	for i := range slices.Backward(m.Marks) {
		if mark := &m.Marks[i]; m.Cursor.Held && mark.Step >= m.Cursor.Step {
			config.Set(mark.Key, mark.From) // it was in force
		}
	}
	return config
}

// Grip is the key of the limit that a pointer takes at a point of the histogram; "" for none.
func (m *Run) Grip(px, py, w, h float64) string {
	r := m.ratios()
	key := r.Grip(px, py, w, h)
	if !r.Grips || r.Counts == nil || m.Link.Locked(key) {
		return ""
	}
	return key
}

// Dragged is the text of a limit at a place across the histogram, within what its setting takes.
func (m *Run) Dragged(key string, px, w float64) string {
	row := m.Control(key).Row
	v := chart.RatioLimit(px, w)
	if !math.IsInf(v, 1) {
		v = min(max(v, row.Min), row.Max)
	}
	return row.Format(v)
}
