package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"impalab/learner/trial"
	"impalab/server/atomicfile"
)

// storeRuns writes the table of every run of a study that asks for it, below the top folder of the source.
func storeRuns(t *trial.StudyTable, source string) error {
	if !t.Study.EveryRun {
		return nil
	}
	file := filepath.Join(source, trial.RunsFile(t.Study))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	text := fmt.Sprintf(`# %s: every run

Each row is a run of %s reproduce %s%s in [RESULTS](../../RESULTS.md). Wherever this version computes in
%s arithmetic, the same settings and seed give parameters with the same SHA-256. The time is of the wall clock, with
other runs beside it.

| | seed | return at the end | greedy | drawn | SHA-256 of the parameters | time |
|---|---|---|---|---|---|---|
`, t.Study.Title, "`impalab", t.Study.Name, "`", t.Rows[0].Runs[0].Arithmetic)
	for _, r := range t.Rows {
		for i := range r.Runs {
			text += runLine(r.Label, &r.Runs[i])
		}
	}
	return atomicfile.WriteFile(file, []byte(text), 0o644)
}

func runLine(label string, r *trial.Report) string {
	greedy, drawn := "–", "–"
	if e := r.Evaluation; e != nil {
		greedy, drawn = fmt.Sprintf("%.4g", e.Greedy.ReturnMean), fmt.Sprintf("%.4g", e.Drawn.ReturnMean)
	}
	took := time.Duration(r.Wall * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("| %s | %d | %.4g | %s | %s | `%s` | %s |\n", label, r.Seed, r.ReturnMean100, greedy, drawn,
		r.ParamsSHA256, took)
}
