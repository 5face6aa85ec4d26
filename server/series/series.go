// Package series is the points of a run's curves as series by name, which the store keeps and programs read, and back.
// Look at Of and Points: each undoes the other.
package series

import (
	"math"

	"impalab/learner/telemetry"
	"impalab/server/store"
	"impalab/web/wire"
)

// Names of series beside those of telemetry's tables, as the store and the API have them.
const (
	Update       = "update"
	Episodes     = "episodes"
	Return       = "return_mean_100"
	Recent       = "return_mean_10"
	Low          = "return_low"
	High         = "return_high"
	Ended        = "episodes_ended"
	ValueError   = "value_error"
	States       = "value_error_states"
	JudgedUpdate = "value_error_update"
	Bound        = "_bound"
)

// Judges reports whether a series is of the measurements of the value error, which have steps of their own.
func Judges(name string) bool { return name == ValueError || name == States || name == JudgedUpdate }

// Of are points and measurements of the value error as series, by name. What a point does not have is left out.
func Of(points []*wire.Point, judged []*wire.Judged) map[string][]store.Point {
	all := map[string][]store.Point{}
	add := func(series string, step uint64, v float64) {
		all[series] = append(all[series], store.Point{Step: int64(step), Value: v})
	}
	for _, p := range points {
		add(Update, p.Step, float64(p.Update))
		add(Episodes, p.Step, float64(p.Episodes))
		add(Return, p.Step, float64(p.Return))
		add(Recent, p.Step, float64(p.Recent))
		if p.Ended > 0 {
			add(Low, p.Step, float64(p.Low))
			add(High, p.Step, float64(p.High))
			add(Ended, p.Step, float64(p.Ended))
		}
		for i, v := range p.Figures {
			add(telemetry.Figures[i].Name, p.Step, float64(v))
		}
		for _, t := range p.Traces {
			add(t.Name, p.Step, float64(t.Value))
			if !math.IsInf(float64(t.Bound), 1) {
				add(t.Name+Bound, p.Step, float64(t.Bound))
			}
		}
	}
	for _, j := range judged {
		add(ValueError, j.Step, float64(j.ValueError))
		add(States, j.Step, float64(j.States))
		add(JudgedUpdate, j.Step, float64(j.Update))
	}
	return all
}

// Points are the points and the measurements of the value error that a run's curves were made of, in the order of
// their steps. Curves come by the name of their series; a value that they do not have is NaN, a number of episodes 0.
func Points(of map[string][]store.Point) (points []*wire.Point, judged []*wire.Judged) {
	at := map[int64]*wire.Point{}
	for _, p := range of[Return] {
		point := &wire.Point{
			Step: uint64(p.Step), Return: float32(p.Value), Recent: float32(math.NaN()),
			Figures: make([]float32, telemetry.NumFigures),
		}
		for i := range point.Figures {
			point.Figures[i] = float32(math.NaN())
		}
		points, at[p.Step] = append(points, point), point
	}
	each := func(series string, set func(*wire.Point, float64)) {
		for _, p := range of[series] {
			if point := at[p.Step]; point != nil {
				set(point, p.Value)
			}
		}
	}
	each(Update, func(p *wire.Point, v float64) { p.Update = uint64(v) })
	each(Episodes, func(p *wire.Point, v float64) { p.Episodes = uint64(v) })
	each(Recent, func(p *wire.Point, v float64) { p.Recent = float32(v) })
	each(Low, func(p *wire.Point, v float64) { p.Low = float32(v) })
	each(High, func(p *wire.Point, v float64) { p.High = float32(v) })
	each(Ended, func(p *wire.Point, v float64) { p.Ended = uint32(v) })
	for i := range telemetry.Figures {
		each(telemetry.Figures[i].Name, func(p *wire.Point, v float64) { p.Figures[i] = float32(v) })
	}
	for i := range telemetry.Quantities {
		name := telemetry.Quantities[i].Name
		each(name, func(p *wire.Point, v float64) {
			p.Traces = append(p.Traces, wire.Trace{Name: name, Value: float32(v), Bound: float32(math.Inf(1))})
		})
		each(name+Bound, func(p *wire.Point, v float64) {
			if n := len(p.Traces); n > 0 && p.Traces[n-1].Name == name {
				p.Traces[n-1].Bound = float32(v)
			}
		})
	}
	states, updates := map[int64]float64{}, map[int64]float64{}
	for _, p := range of[States] {
		states[p.Step] = p.Value
	}
	for _, p := range of[JudgedUpdate] {
		updates[p.Step] = p.Value
	}
	for _, p := range of[ValueError] {
		judged = append(judged, &wire.Judged{
			Step: uint64(p.Step), Update: uint64(updates[p.Step]), ValueError: float32(p.Value), States: uint32(states[p.Step]),
		})
	}
	return points, judged
}

// Finite is nil for what JSON has no number for.
func Finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
