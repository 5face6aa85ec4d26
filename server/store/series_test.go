package store

import (
	"fmt"
	"math"
	"testing"

	"impalab/learner/telemetry"
	"impalab/web/wire"
)

func TestPointsComeBackFromTheirCurves(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	var points []*wire.Point
	for i := range uint64(3) {
		p := &wire.Point{Step: 256 * (i + 1), Update: i + 1, Episodes: 10 * i, Return: float32(i), Recent: nan,
			Figures: make([]float32, telemetry.NumMetrics)}
		for k := range p.Figures {
			p.Figures[k] = float32(k) + 0.25*float32(i)
		}
		points = append(points, p)
	}
	points[0].Figures[2] = nan
	points[1].Ended, points[1].Low, points[1].High = 9, -1, 0.5 // the others have no quartiles
	name := telemetry.AlgoMetrics[0].Name
	points[2].Traces = []wire.Trace{{Name: name, Value: 0.1, Bound: 2}, {Name: telemetry.AlgoMetrics[1].Name, Bound: inf}}
	judged := []*wire.Judged{{Step: 300, Update: 2, ValueError: 0.7, States: 64}}

	again, judgedAgain := PointsOf(CurvesOf(points, judged))
	if len(again) != len(points) || len(judgedAgain) != 1 || *judgedAgain[0] != *judged[0] {
		t.Fatalf("%d points, %+v", len(again), judgedAgain)
	}
	for i := range points {
		if got, want := fmt.Sprintf("%+v", *again[i]), fmt.Sprintf("%+v", *points[i]); got != want {
			t.Errorf("point %d\n got %s\nwant %s", i, got, want)
		}
	}
}
