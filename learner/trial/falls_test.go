package trial

import (
	"math"
	"testing"

	"impalab/internal/kit"
)

func TestRuleAndJudgementAreCountedApart(t *testing.T) {
	run := func(fell Number, j Judgement) Report {
		return Report{Falls: &Falls{Fell: fell, Onset: fell - 100, Judged: j}}
	}
	got := SummariseFalls([]Report{
		run(5000, Judgement{Rose: true, Fell: true}),
		run(7000, Judgement{Rose: true, Kept: true}),
		run(None, Judgement{Rose: true, Fell: true}),
		run(None, Judgement{Rose: true, Kept: true}),
		run(None, Judgement{}),
	})
	want := FallsSummary{Rose: 4, Fell: 2, Judged: 2, RuleAlone: 1, JudgeAlone: 1, Kept: 2, KeptFell: 1, Told: 100}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := SummariseFalls([]Report{run(None, Judgement{})}); got.Told.known() || got.Fell != 0 {
		t.Errorf("without a fall: %+v", got)
	}
}

// curveOf is a curve of stretches: a mean and how many points it lasts.
func curveOf(stretches ...float64) *Curve {
	c := &Curve{Budget: 200_000}
	for i := 0; i < len(stretches); i += 2 {
		for range int(stretches[i+1]) {
			c.At = append(c.At, stretches[i])
		}
	}
	return c
}

func TestTheJudgementSeesTheWholeCurve(t *testing.T) {
	for _, c := range []struct {
		name  string
		curve *Curve
		want  Judgement
	}{
		{"learns and keeps it", curveOf(math.NaN(), 5, 20, 15, 480, 180), Judgement{Rose: true, Kept: true}},
		{"learns nothing", curveOf(20, 200), Judgement{Kept: true}},
		{"never above a third of 22 to 475", curveOf(20, 20, 170, 80, 9, 100), Judgement{}},
		{"falls and stays down", curveOf(20, 20, 480, 80, 9, 100), Judgement{Rose: true, Fell: true}},
		{"falls at the very end", curveOf(20, 20, 480, 178, 9, 2), Judgement{Rose: true, Fell: true}},
		{"is down for a tenth of the budget", curveOf(20, 20, 480, 60, 9, 30, 480, 90),
			Judgement{Rose: true, Fell: true, Kept: true}},
		{"is down for less", curveOf(20, 20, 480, 60, 9, 15, 480, 105), Judgement{Rose: true, Kept: true}},
		{"sags", curveOf(20, 20, 480, 60, 300, 120), Judgement{Rose: true}},
		{"has no episode", curveOf(math.NaN(), 200), Judgement{}},
	} {
		if got := judge(c.curve, 22, 475); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if got := judge(curveOf(-1200, 50, -200, 150), -1226, -250); !got.Rose || got.Fell || !got.Kept {
		t.Errorf("on Pendulum: %+v", got)
	}
}

// The runs of the lag cliff that the Lab once paused for nothing: with V-trace, on these seeds, the mean of ten
// episodes goes below half of the best mean of a hundred, and the pole stands at the end.
func TestNoFallIsSeenWhereVTraceOnlyWavers(t *testing.T) {
	for seed, r := range trained(t, "vtrace", 80_000, 1, 5, 6) {
		if r.Falls.Fell.known() || r.Falls.Judged.Fell || r.ReturnMean100 < 200 {
			t.Errorf("seed %d with V-trace ends at %v: %+v", seed, r.ReturnMean100, r.Falls)
		}
	}
}

func TestAFallIsSeenWhereARunWithoutACorrectionLosesWhatItLearned(t *testing.T) {
	for seed, r := range trained(t, "none", 120_000, 9011, 9012, 9013) {
		if !r.Falls.Fell.known() || !r.Falls.Judged.Fell || r.Falls.Onset > r.Falls.Fell {
			t.Errorf("seed %d without a correction ends at %v: %+v", seed, r.ReturnMean100, r.Falls)
		}
	}
}

// trained are runs on the lag cliff by seed.
func trained(t *testing.T, correction string, steps uint64, seeds ...uint64) map[uint64]Report {
	t.Helper()
	cfg := kit.Config(t, "lag-cliff", "")
	if err := cfg.Set("correction", correction); err != nil {
		t.Fatal(err)
	}
	cfg.Steps = steps
	reports, err := (&Trial{Config: cfg, Seeds: seeds, Jobs: 1, Falls: true}).Run(t.Context(), func(Report) {})
	if err != nil {
		t.Fatal(err)
	}
	by := map[uint64]Report{}
	for _, r := range reports {
		by[r.Seed] = r
	}
	return by
}
