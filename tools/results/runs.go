package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/server/atomicfile"
)

// A study with EveryRun stores its runs in a file. The file grows row by row: results does not train a row again whose
// runs are in the file.

// keptRun is one line of the file.
type keptRun struct {
	Row        string            `json:"row"`
	Settings   string            `json:"settings"` // their digest, and the seed's
	Report     trial.Report      `json:"report"`
	Evaluation *trial.Evaluation `json:"evaluation"`
	Curve      []trial.Number    `json:"curve"` // at equal distances of the budget, to four digits
}

// dataFile returns the file of a study's runs, beside the page that lists them.
func dataFile(s *trial.Study) string { return strings.TrimSuffix(trial.RunsFile(s), ".md") + ".jsonl" }

// episodes returns over how many episodes of each world the run was evaluated.
func (k *keptRun) episodes() int {
	if k.Evaluation == nil {
		return 0
	}
	return k.Evaluation.Greedy.Episodes
}

// digest identifies the settings of a run. It leaves out settings that have the value of every preset, so a setting
// that a later build adds does not change the digests of earlier runs.
func digest(cfg hyper.Config, seed uint64) string {
	cfg.Seed = seed
	every, _ := hyper.FromRecord(nil)
	sum := sha256.Sum256(fmt.Append(nil, cfg.Diff(&every)))
	return hex.EncodeToString(sum[:8])
}

// readRuns returns the lines of the file of a study; none if there is no file.
func readRuns(source string, s *trial.Study) (all []keptRun, err error) {
	text, err := os.ReadFile(filepath.Join(source, dataFile(s)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for in := json.NewDecoder(bytes.NewReader(text)); err == nil; {
		var k keptRun
		if err = in.Decode(&k); err == nil {
			all = append(all, k)
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", dataFile(s), err)
	}
	return all, nil
}

// knownRuns returns the runs of a row in the file below the top folder of the source; nil if one seed is missing, or
// was evaluated over another number of episodes.
func knownRuns(source string, s *trial.Study, v *trial.Variant, seeds []uint64) (all []trial.Report, err error) {
	stored, err := readRuns(source, s)
	if err != nil {
		return nil, err
	}
	return runsOf(stored, s, v, seeds)
}

// runsOf returns the runs of a row among the stored ones, as knownRuns does.
func runsOf(stored []keptRun, s *trial.Study, v *trial.Variant, seeds []uint64) (all []trial.Report, err error) {
	cfg, err := s.Config(v)
	if err != nil {
		return nil, err
	}
	for _, seed := range seeds {
		want := digest(cfg, seed)
		i := slices.IndexFunc(stored, func(k keptRun) bool { return k.Settings == want && k.episodes() == s.Episodes })
		if i < 0 {
			return nil, nil
		}
		k := stored[i]
		k.Report.Evaluation, k.Report.Curve.Budget = k.Evaluation, cfg.Steps
		for _, y := range k.Curve {
			k.Report.Curve.At = append(k.Report.Curve.At, float64(y))
		}
		all = append(all, k.Report)
	}
	return all, nil
}

// storeRuns writes the file and the page of the runs of a study, below the top folder of the source.
func storeRuns(t *trial.StudyTable, source string) error {
	runs, err := linesOf(t)
	if err != nil {
		return err
	}
	if len(t.Rows) < len(t.Study.Variants) { // the next rows may be in the file
		old, err := readRuns(source, t.Study)
		if err != nil {
			return err
		}
		for _, k := range old {
			if !slices.ContainsFunc(runs, func(r keptRun) bool { return r.Settings == k.Settings }) {
				runs = append(runs, k)
			}
		}
	}
	var data bytes.Buffer
	out := json.NewEncoder(&data)
	for i := range runs {
		if err := out.Encode(&runs[i]); err != nil {
			return err
		}
	}
	for file, text := range map[string][]byte{
		dataFile(t.Study): data.Bytes(), trial.RunsFile(t.Study): []byte(runsPage(t.Study, runs)),
	} {
		file = filepath.Join(source, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := atomicfile.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// linesOf returns a line for each run of a table.
func linesOf(t *trial.StudyTable) (all []keptRun, err error) {
	for _, r := range t.Rows {
		cfg, err := t.Study.Config(r.Variant)
		if err != nil {
			return nil, err
		}
		for _, one := range r.Runs {
			k := keptRun{Row: r.Label, Settings: digest(cfg, one.Seed), Report: one, Evaluation: one.Evaluation}
			for _, y := range one.Curve.At {
				k.Curve = append(k.Curve, rounded(y))
			}
			all = append(all, k)
		}
	}
	return all, nil
}

// rounded returns a number to four digits.
func rounded(x float64) trial.Number {
	short, _ := strconv.ParseFloat(fmt.Sprintf("%.4g", x), 64) // NaN too
	return trial.Number(short)
}

// runsPage returns the page of a study's runs.
func runsPage(s *trial.Study, runs []keptRun) string {
	text := fmt.Sprintf(`# %[1]s: every run

Each row is a run of %[2]simpalab reproduce %[3]s%[2]s in [RESULTS](../../RESULTS.md). Wherever this version computes in
%[4]s arithmetic, the same settings and seed give parameters with the same SHA-256. The time is of the wall clock:
other work ran beside it, and some runs waited. The curves are in [%[3]s.jsonl](%[3]s.jsonl).

| | seed | return at the end | greedy | drawn | SHA-256 of the parameters | time |
|---|---|---|---|---|---|---|
`, s.Title, "`", s.Name, runs[0].Report.Arithmetic)
	for i := range runs {
		text += runs[i].line()
	}
	return text
}

// line returns the run's line of the page.
func (k *keptRun) line() string {
	greedy, drawn := "–", "–"
	if e := k.Evaluation; e != nil {
		greedy, drawn = e.Greedy.ReturnMean.String(), e.Drawn.ReturnMean.String()
	}
	took := time.Duration(k.Report.Wall * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("| %s | %d | %s | %s | %s | `%s` | %s |\n", k.Row, k.Report.Seed, k.Report.ReturnMean100,
		greedy, drawn, k.Report.ParamsSHA256, took)
}
