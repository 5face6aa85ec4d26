package trial

import (
	"math"
	"testing"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/collapse"
	"impalab/learner/hyper"
)

// A run that is turned at a step is, up to there, the run that is left alone, and has the new setting afterwards.
func TestAScriptTurnsEachRunAtItsStep(t *testing.T) {
	cfg := kit.Config(t, "catch", "")
	cfg.Steps = 4000
	turns, err := hyper.ParsePlan("2000:lag=3")
	if err != nil {
		t.Fatal(err)
	}
	lags := 0
	turned := Trial{Config: cfg, Seeds: []uint64{8101, 8102}, Jobs: 1,
		Script: &Script{Turns: turns, Moments: []uint64{1900, 4000}},
		Stop: func(l *learner.Learner) error {
			lags += l.Config().Lag
			return nil
		}}
	alone := turned
	alone.Script, alone.Stop = &Script{Moments: turned.Script.Moments}, nil
	a, err := turned.Run(t.Context(), func(Report) {})
	if err != nil {
		t.Fatal(err)
	}
	b, err := alone.Run(t.Context(), func(Report) {})
	if err != nil {
		t.Fatal(err)
	}
	if lags != 6 {
		t.Errorf("two runs end with lags that add up to %d, want 6", lags)
	}
	for i := range a {
		if len(a[i].Turned.At) != 2 || a[i].Turned.At[0] != b[i].Turned.At[0] || a[i].ParamsSHA256 == b[i].ParamsSHA256 {
			t.Errorf("seed %d: %+v turned, %+v alone", a[i].Seed, a[i].Turned, b[i].Turned)
		}
	}
}

func TestARunThatNeverFellCountsAsInfinitelySlow(t *testing.T) {
	run := func(fell, rose Number) Report {
		return Report{Turned: &Turned{At: []Number{100, 200}, Fell: fell, Down: fell, Rose: rose}}
	}
	s := SummariseTurned([]Report{run(1000, None), run(None, None), run(3000, 500), run(None, None), run(None, None)})
	if s.Fell != 2 || s.Rose != 1 || !math.IsInf(float64(s.ToFall.Median), 1) || len(s.At) != 2 || s.At[1].Mean != 200 {
		t.Errorf("%+v", s)
	}
	kept, most := None, collapse.Upright.FallWithin
	if note(&kept, true, 60_001, most) || note(&kept, false, 5, most) || !note(&kept, true, 7, most) ||
		note(&kept, true, 8, most) || kept != 7 {
		t.Errorf("kept %v", kept)
	}
}

// An answer of eight symbols that is a third right is a fall of an agent that writes; of CartPole it would be nothing.
func TestAScriptKnowsTheLevelsOfItsWorld(t *testing.T) {
	for name, want := range map[string]collapse.Levels{"reverse": collapse.Written, "reverse:length=4": collapse.Written,
		"cartpole": collapse.Upright, "cheetah": collapse.Upright} {
		if got := levelsOf(name); got != want {
			t.Errorf("%s has the levels %+v", name, got)
		}
	}
}
