package main

import (
	"fmt"
	"math"
	"testing"

	"impalab/learner/trial"
)

// A row whose runs are in the file is read from it, and has the same line in the table as when it was trained. Another
// seed, setting or number of episodes is not in it.
func TestARowsRunsAreReadFromItsFile(t *testing.T) {
	source := t.TempDir()
	row := &trial.StudyRow{Label: "Catch", Variant: &trial.Variant{Label: "Catch"}}
	s := &trial.Study{Name: "short", Title: "Short", Preset: "catch", Budget: "6000", Episodes: 5, EveryRun: true}
	cfg, err := s.Config(row.Variant)
	if err != nil {
		t.Fatal(err)
	}
	known := func(settings string, seeds ...uint64) []trial.Report {
		runs, err := knownRuns(source, s, &trial.Variant{Settings: settings}, seeds)
		if err != nil {
			t.Fatal(err)
		}
		return runs
	}
	if runs := known("", 3, 4); runs != nil {
		t.Fatalf("without a file there are %d runs", len(runs))
	}
	run := trial.Trial{Config: cfg, Seeds: []uint64{3, 4}, Jobs: 1, Finish: trial.Evaluate(5)}
	if row.Runs, err = run.Run(t.Context(), func(trial.Report) {}); err != nil {
		t.Fatal(err)
	}
	table := &trial.StudyTable{Study: s, Seeds: "3-4", Rows: []*trial.StudyRow{row}}
	line := func(runs []trial.Report) string {
		summary, evaluated := trial.Summarise(cfg, runs, 1, nil), trial.SummariseEvaluations(runs)
		return table.Line(&trial.StudyRow{Variant: row.Variant, Runs: runs, Summary: &summary, Evaluation: &evaluated})
	}
	want := line(row.Runs)
	if err := storeRuns(table, source); err != nil {
		t.Fatal(err)
	}
	got := known("", 3, 4)
	if got == nil || line(got) != want {
		t.Fatalf("%d runs, the row is %q, was %q", len(got), line(got), want)
	}
	for i, r := range got {
		trained := &row.Runs[i]
		if r.ParamsSHA256 != trained.ParamsSHA256 || r.Curve.Budget != trained.Curve.Budget ||
			len(r.Curve.At) != len(trained.Curve.At) {
			t.Errorf("seed %d is %+v, was %+v", r.Seed, r, trained)
		}
		for k, y := range r.Curve.At {
			if was := trained.Curve.At[k]; fmt.Sprintf("%.4g", y) != fmt.Sprintf("%.4g", was) &&
				!(math.IsNaN(y) && math.IsNaN(was)) {
				t.Errorf("seed %d: point %d of the curve is %v, was %v", r.Seed, k, y, was)
			}
		}
	}
	s.Variants = []trial.Variant{{Label: "Fast"}, {Label: "Catch"}}
	if err := storeRuns(&trial.StudyTable{Study: s, Seeds: "3-4", Rows: []*trial.StudyRow{
		{Label: "Fast", Variant: &trial.Variant{Settings: "lr=0.02"}, Runs: row.Runs}}}, source); err != nil {
		t.Fatal(err)
	}
	if known("", 3, 4) == nil || known("lr=0.02", 3, 4) == nil {
		t.Error("storing a first row lost the runs of the next")
	}
	if known("", 3, 5) != nil || known("lr=0.001", 3, 4) != nil {
		t.Error("a run of another seed or setting was found")
	}
	if s.Episodes = 6; known("", 3, 4) != nil {
		t.Error("a run with another number of episodes was found")
	}
}
