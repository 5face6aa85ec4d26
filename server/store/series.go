package store

import (
	"math"

	"impalab/learner/telemetry"
	"impalab/web/wire"
)

// Names of a run's curves beside the names in telemetry's tables, as the store and the API have them.
const (
	CurveUpdate       = "update"
	CurveEpisodes     = "episodes"
	CurveReturn       = "return_mean_100"
	CurveRecent       = "return_mean_10"
	CurveLow          = "return_low"
	CurveHigh         = "return_high"
	CurveEnded        = "episodes_ended"
	CurveValueError   = "value_error"
	CurveStates       = "value_error_states"
	CurveJudgedUpdate = "value_error_update"
	CurveBound        = "_bound" // ends the name of a quantity's bound
)

// OfValueError reports whether a curve is of the measurements of the value error, which have steps of their own.
func OfValueError(name string) bool {
	return name == CurveValueError || name == CurveStates || name == CurveJudgedUpdate
}

// fields are the curves of a point's own fields; quartiles only where episodes ended.
var fields = []struct {
	name     string
	quartile bool
	get      func(*wire.Point) float64
	set      func(*wire.Point, float64)
}{
	{CurveUpdate, false, func(p *wire.Point) float64 { return float64(p.Update) },
		func(p *wire.Point, v float64) { p.Update = uint64(v) }},
	{CurveEpisodes, false, func(p *wire.Point) float64 { return float64(p.Episodes) },
		func(p *wire.Point, v float64) { p.Episodes = uint64(v) }},
	{CurveReturn, false, func(p *wire.Point) float64 { return float64(p.Return) },
		func(p *wire.Point, v float64) { p.Return = float32(v) }},
	{CurveRecent, false, func(p *wire.Point) float64 { return float64(p.Recent) },
		func(p *wire.Point, v float64) { p.Recent = float32(v) }},
	{CurveLow, true, func(p *wire.Point) float64 { return float64(p.Low) },
		func(p *wire.Point, v float64) { p.Low = float32(v) }},
	{CurveHigh, true, func(p *wire.Point) float64 { return float64(p.High) },
		func(p *wire.Point, v float64) { p.High = float32(v) }},
	{CurveEnded, true, func(p *wire.Point) float64 { return float64(p.Ended) },
		func(p *wire.Point, v float64) { p.Ended = uint32(v) }},
}

// CurvesOf returns points and measurements of the value error as curves by name, without the values that a point lacks.
func CurvesOf(points []*wire.Point, judged []*wire.Judged) map[string][]Point {
	all := map[string][]Point{}
	add := func(name string, step uint64, v float64) {
		all[name] = append(all[name], Point{Step: int64(step), Value: v})
	}
	for _, p := range points {
		for _, f := range fields {
			if !f.quartile || p.Ended > 0 {
				add(f.name, p.Step, f.get(p))
			}
		}
		for i, v := range p.Figures {
			add(telemetry.Metrics[i].Name, p.Step, float64(v))
		}
		for _, t := range p.Traces {
			add(t.Name, p.Step, float64(t.Value))
			if !math.IsInf(float64(t.Bound), 1) {
				add(t.Name+CurveBound, p.Step, float64(t.Bound))
			}
		}
	}
	for _, j := range judged {
		add(CurveValueError, j.Step, float64(j.ValueError))
		add(CurveStates, j.Step, float64(j.States))
		add(CurveJudgedUpdate, j.Step, float64(j.Update))
	}
	return all
}

// PointsOf undoes CurvesOf: it returns the points and measurements in the order of their steps. A value that the curves
// lack is NaN, and a number of episodes 0.
func PointsOf(curves map[string][]Point) (points []*wire.Point, judged []*wire.Judged) {
	nan, at := float32(math.NaN()), map[int64]*wire.Point{}
	for _, p := range curves[CurveReturn] {
		point := &wire.Point{Step: uint64(p.Step), Recent: nan, Figures: make([]float32, telemetry.NumMetrics)}
		for i := range point.Figures {
			point.Figures[i] = nan
		}
		points, at[p.Step] = append(points, point), point
	}
	each := func(name string, set func(*wire.Point, float64)) {
		for _, p := range curves[name] {
			if point := at[p.Step]; point != nil {
				set(point, p.Value)
			}
		}
	}
	for _, f := range fields {
		each(f.name, f.set)
	}
	for i := range telemetry.Metrics {
		each(telemetry.Metrics[i].Name, func(p *wire.Point, v float64) { p.Figures[i] = float32(v) })
	}
	for i := range telemetry.AlgoMetrics {
		name := telemetry.AlgoMetrics[i].Name
		each(name, func(p *wire.Point, v float64) {
			p.Traces = append(p.Traces, wire.Trace{Name: name, Value: float32(v), Bound: float32(math.Inf(1))})
		})
		each(name+CurveBound, func(p *wire.Point, v float64) {
			if n := len(p.Traces); n > 0 && p.Traces[n-1].Name == name {
				p.Traces[n-1].Bound = float32(v)
			}
		})
	}
	measured := map[uint64]*wire.Judged{}
	for _, p := range curves[CurveValueError] {
		j := &wire.Judged{Step: uint64(p.Step), ValueError: float32(p.Value)}
		judged, measured[j.Step] = append(judged, j), j
	}
	for _, p := range curves[CurveStates] {
		if j := measured[uint64(p.Step)]; j != nil {
			j.States = uint32(p.Value)
		}
	}
	for _, p := range curves[CurveJudgedUpdate] {
		if j := measured[uint64(p.Step)]; j != nil {
			j.Update = uint64(p.Value)
		}
	}
	return points, judged
}

// Finite returns nil for a value that JSON has no number for.
func Finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
