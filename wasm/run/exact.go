package run

import (
	"math"

	"impalab/web/chart"
	"impalab/web/labrow"
	"impalab/web/wire"
)

// On a finite world the server solves for the exact values, and the gauge tells them. Their history is kept here, on
// the axis of all charts.

// Exact are the curves of what the gauge tells.
type Exact struct {
	OffTruth      chart.Curve // rms of V − V^π
	ToDestination chart.Curve // rms of V − V^{π_ρ̄,α}

	Behaviour, Target, Implied, Learned chart.Curve // V^μ, V^π, V^{π_ρ̄,α} and the network's V
}

// curve is that of a lane; nil for any other lane.
func (e *Exact) curve(l *labrow.Row) *chart.Curve {
	switch l.Name {
	case labrow.OffTruth:
		return &e.OffTruth
	case labrow.ToDestination:
		return &e.ToDestination
	case labrow.Destination:
		return &e.Learned
	}
	return nil
}

// exact reports whether a lane is of what the gauge tells.
func exact(l *labrow.Row) bool { return (&Exact{}).curve(l) != nil }

// gauge takes a newest one.
func (m *Run) gauge(g *wire.Gauge) {
	m.Gauge = g
	step := m.steps()
	m.showing(itsGauge)
	e := &m.Exact
	for _, one := range []struct {
		curve *chart.Curve
		v     float32
	}{{&e.OffTruth, g.FromTarget}, {&e.ToDestination, g.FromImplied}, {&e.Behaviour, g.Behaviour},
		{&e.Target, g.Target}, {&e.Implied, g.Implied}, {&e.Learned, g.Learned}} {
		one.curve.Add(step, one.v)
	}
}

// Gauged is the gauge at the cursor; nil where there was none.
func (m *Run) Gauged() *wire.Gauge {
	if m.Cursor.Held {
		if then := m.moment(); then != nil {
			return then.gauge
		}
		return nil
	}
	return m.Gauge
}

// lines are the exact values between which V goes, dashed.
func (e *Exact) lines() []chart.Line {
	return []chart.Line{
		{Curve: &e.Behaviour, Class: "line mu exact"},
		{Curve: &e.Target, Class: "line pi exact"},
		{Curve: &e.Implied, Class: "line corrected exact"},
	}
}

// worstToBest is the world's own scale; the empty range where the server does not know it.
func worstToBest(g *wire.Gauge) (low, high float64) {
	low, high = float64(g.Worst), float64(g.Best)
	if !(low < high) || math.IsInf(high-low, 1) {
		return math.Inf(1), math.Inf(-1)
	}
	return low, high
}
