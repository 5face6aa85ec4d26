package trial

import (
	"strings"
	"testing"

	"impalab/learner"
	"impalab/learner/hyper"
)

func TestReportsHaveTheOrderOfTheSeeds(t *testing.T) {
	cfg, err := hyper.FromPreset("catch")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Steps = 500
	trial := &Trial{Config: cfg, Seeds: []uint64{9, 7, 8}, Jobs: 1}
	told := 0
	reports, err := trial.Run(t.Context(), func(Report) { told++ })
	if err != nil || len(reports) != 3 || told != 3 {
		t.Fatalf("%d reports, %d told (%v)", len(reports), told, err)
	}
	for i, seed := range trial.Seeds {
		if reports[i].Seed != seed {
			t.Errorf("report %d: %+v", i, reports[i])
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
