package trial

import (
	"strings"
	"testing"

	"impalab/learner"
	"impalab/learner/hyper"
)

// kept holds reports in memory.
type kept map[uint64]Report

func (k kept) Load(cfg *hyper.Config) (Report, bool) { r, ok := k[cfg.Seed]; return r, ok }

func (k kept) Save(cfg *hyper.Config, r *Report) error { k[cfg.Seed] = *r; return nil }

func TestReportsHaveTheOrderOfTheSeedsAndKeptRunsAreNotTrainedAgain(t *testing.T) {
	cfg, err := hyper.FromPreset("catch")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Steps = 500
	already := Report{Seed: 7, ParamsSHA256: "no training gives this"}
	store := kept{7: already}
	trial := &Trial{Config: cfg, Seeds: []uint64{9, 7, 8}, Jobs: 1, Kept: store}
	told := 0
	reports, err := trial.Run(t.Context(), func(Report) { told++ })
	if err != nil || len(reports) != 3 || told != 3 {
		t.Fatalf("%d reports, %d told (%v)", len(reports), told, err)
	}
	for i, seed := range trial.Seeds {
		if r := reports[i]; r.Seed != seed || (r.ParamsSHA256 == already.ParamsSHA256) != (seed == 7) {
			t.Errorf("report %d: %+v", i, r)
		}
		if store[seed].ParamsSHA256 != reports[i].ParamsSHA256 {
			t.Errorf("seed %d was not kept", seed)
		}
	}
	if reports[0].ParamsSHA256 == reports[2].ParamsSHA256 || len(reports[0].Curve.At) != CurvePoints {
		t.Errorf("two seeds, one outcome, or a curve of %d points", len(reports[0].Curve.At))
	}
}

func TestAPanicInARunIsItsErrorAndNotTheEndOfTheProgram(t *testing.T) {
	one := Trial{Config: hyper.Config{}, Seeds: []uint64{1}, Jobs: 1,
		Begin: func(hyper.Config) (*learner.Learner, error) { panic("a fault of ours") }}
	if _, err := one.Run(t.Context(), func(Report) {}); err == nil || !strings.Contains(err.Error(), "a fault of ours") {
		t.Errorf("%v", err)
	}
}
