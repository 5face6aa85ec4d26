package trainer

import (
	"fmt"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/learner/trial"
)

// A page's score of a run is the result that a server's jobs have of it.
func TestAScoreIsTheResultOfATrial(t *testing.T) {
	cfg := kit.Config(t, "lag-cliff", "correction=vtrace rho=2 steps=20000 seed=12")
	reports, err := (&trial.Trial{Config: cfg, Seeds: []uint64{12}, Jobs: 1, Poses: true}).Run(t.Context(),
		func(trial.Report) {})
	if err != nil {
		t.Fatal(err)
	}
	want := reports[0]
	reached := []uint64{}
	got, err := newTrainer(t).Score(cfg.Settings(), trial.CurvePoints, func(steps uint64) {
		reached = append(reached, steps)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.Mean != float64(want.ReturnMean100) || fmt.Sprint(got.Poses) != fmt.Sprint(want.Curve.Poses) ||
		fmt.Sprint(got.Curve) != fmt.Sprint(want.Curve.At) {
		t.Errorf("it scores %v\n%v\n%v, want %v\n%v\n%v", got.Mean, got.Poses, got.Curve, want.ReturnMean100,
			want.Curve.Poses, want.Curve.At)
	}
	if n := len(reached); n < 100 || reached[0] != 0 || reached[n-1] >= 20000 || reached[n-1] < 19000 {
		t.Errorf("it told %d steps, the last %v", n, reached[max(0, n-1):])
	}
}

func TestARunThatCannotBeScoredIsRefused(t *testing.T) {
	for set, want := range map[string]string{"mode=live": "need a server", "lag=-1": "lag"} {
		key, value, _ := strings.Cut(set, "=")
		_, err := newTrainer(t).Score([]hyper.Setting{{Key: "preset", Value: "cartpole"}, {Key: key, Value: value}}, 50,
			func(uint64) {})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
}
