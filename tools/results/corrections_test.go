package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"impalab/learner/trial"
	"impalab/web/page"
)

// The page of the corrections and the maps of the lessons show what RESULTS.md has.
func TestPagesHaveTheFiguresOfResults(t *testing.T) {
	for file, figures := range figuresOf {
		want, err := figures("../..")
		if err != nil {
			t.Fatal(err)
		}
		stored, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil || !bytes.Equal(stored, want) {
			t.Errorf("%s is not what RESULTS.md says: run go -C tools run ./results corrections (%v)", file, err)
		}
	}
}

// A row has its return over the run, and none before it is run.
func TestAReturnIsReadFromItsColumn(t *testing.T) {
	study, err := trial.LookupStudy(page.MeasuredStudies()[0])
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := "## " + study.Title + "\n\n| | return at the end | over the run | settings |\n|---|---|---|---|\n" +
		"| none, lag 0 | 494 [491, 496] | 428 [413, 432] | `lag=0` |\n" +
		"| none, lag 4 | not yet run | not yet run | `lag=4` |\n| clip, lag 4 | 1 [0, 2] | −0.59 [-1, 0.1] | `lag=4` |\n"
	if err := os.WriteFile(filepath.Join(dir, "RESULTS.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := correctionFigures(dir)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"forms-cartpole":{"clip, lag 4":{"mean":-0.59,"low":-1,"high":0.1},` +
		`"none, lag 0":{"mean":428,"low":413,"high":432}}}`
	if flat := strings.NewReplacer("\n", "", "\t", "", ": ", ":").Replace(string(got)); flat != want {
		t.Errorf("it reads %s, want %s", flat, want)
	}
}
