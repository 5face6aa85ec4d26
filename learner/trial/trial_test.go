package trial

import (
	"encoding/json"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/hyper"
)

func TestReportsHaveTheOrderOfTheSeeds(t *testing.T) {
	cfg := kit.Config(t, "catch", "")
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

func TestARunThatDivergesIsEvaluatedAndItsLastReturnCounts(t *testing.T) {
	study := &Study{Preset: "cartpole", Budget: "2000000"}
	row := &Variant{Label: "fast", Settings: "lr=10 momentum=0.999 hidden=64-64-64-64 activation=relu clip=inf"}
	cfg, err := study.Config(row)
	if err != nil {
		t.Fatal(err)
	}
	diverging := &Trial{Config: cfg, Seeds: []uint64{1}, Jobs: 1, Finish: Evaluate(2)}
	reports, err := diverging.Run(t.Context(), func(Report) {})
	if err != nil || !reports[0].Diverged {
		t.Fatalf("%+v, %v", reports, err)
	}
	r := &reports[0]
	if r.Evaluation == nil || r.Evaluation.Greedy.Episodes != 2 || !r.ValueBias.known() {
		t.Errorf("it is not evaluated: %+v", r)
	}
	if n := len(r.Curve.At); n != CurvePoints || Number(r.Curve.At[n-1]) != r.ReturnMean100 {
		t.Errorf("its curve has %d points and ends with %v, its return is %v", n, r.Curve.At, r.ReturnMean100)
	}
	table := StudyTable{Study: study, Rows: []*StudyRow{{Label: row.Label, Variant: row, Runs: reports}}}
	if foot := table.Foot(); !strings.Contains(foot, "fast, seed 1: "+r.Reason) {
		t.Errorf("below the table stands %q", foot)
	}
}

// The clock of Windows stands still for up to 16 ms.
func TestARunTooShortToMeasureHasNoSpeed(t *testing.T) {
	cfg := kit.Config(t, "catch", "")
	report := NewReport(&cfg, &learner.Result{Steps: 324}, 0)
	for _, of := range []any{report, Summarise(cfg, []Report{report}, 0, nil)} {
		if text, err := json.Marshal(of); err != nil || !strings.Contains(string(text), `"steps_per_s":null`) {
			t.Errorf("%s, %v: want no steps per second", text, err)
		}
	}
}
