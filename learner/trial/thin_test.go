package trial

import (
	"testing"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

// The first thin batch counts, and the last update above half of the best return.
func TestAThinBatchAndAFallHaveTheirUpdates(t *testing.T) {
	t1 := &Thin{First: None, Fall: None}
	hooks := t1.record(&envs.Spec{}, learner.Hooks{Due: func() bool { return false }, Update: func(*telemetry.Update) {}})
	for i, ess := range []float32{0.5, 0.1, 0.09, 0.5, 0.01} {
		if want := i < 3; hooks.Due() != want {
			t.Errorf("update %d: due %v, want %v", i, !want, want)
		}
		u := telemetry.Update{Update: uint64(i)}
		u.Metrics[telemetry.EffectiveSample] = ess
		hooks.Update(&u)
	}
	if t1.First != 2 {
		t.Errorf("the first thin batch is %v, want that of update 2", t1.First)
	}
	cfg, err := hyper.FromPreset("lag-cliff")
	if err == nil {
		err = cfg.Set("correction", "none")
	}
	if err != nil {
		t.Fatal(err)
	}
	cfg.Steps = 80_000
	reports, err := (&Trial{Config: cfg, Seeds: []uint64{1, 2}, Jobs: 1, Thin: true}).Run(t.Context(), func(Report) {})
	if err != nil {
		t.Fatal(err)
	}
	for seed, r := range reports {
		if !r.Thin.Fall.known() || r.Thin.Fall <= 64 || r.Thin.Fall >= Number(r.Updates) {
			t.Errorf("seed %d falls at %v of %d updates and ends at %v", seed, r.Thin.Fall, r.Updates, r.ReturnMean100)
		}
	}
}

// Of the runs that fell a thin batch counts as a sign only before the fall.
func TestThinBatchesAreCountedBeforeTheFall(t *testing.T) {
	r := StudyRow{Summary: &Summary{World: "cartpole", Seeds: []uint64{1, 2, 3, 4, 5}}}
	for _, one := range []struct{ end, first, fall Number }{
		{9, 10, 40}, {9, 50, 40}, {9, None, 40}, {500, 10, 90}, {500, None, 90},
	} {
		r.Runs = append(r.Runs, Report{ReturnMean100: one.end, Thin: &Thin{First: one.first, Fall: one.fall}})
	}
	fallen, before := r.thinned(true)
	others, _ := r.thinned(false)
	if fallen != "2 of 3" || len(before) != 1 || before[0] != 30 || others != "1 of 2" {
		t.Errorf("of the fallen %s, %v updates before; of the others %s", fallen, before, others)
	}
}
