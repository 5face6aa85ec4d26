package command

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/trial"
)

// cell matches the cells of a table that depend on runs: a figure with its interval, a count, or a dash.
var cell = regexp.MustCompile(`^(–|\d+ of \d+|-?[0-9.]+[kM]? (\[-?[0-9.]+[kM]?, (never|-?[0-9.]+[kM]?)\]( \(n \d+\))?|\(n \d+\)))$`)

// bare is a count or a median without an interval.
var bare = regexp.MustCompile(`^[0-9.]+k?$`)

// interval95 is a figure with its interval, as people quote it.
var interval95 = regexp.MustCompile(`[-−]?[0-9.]+[kM]?[*]{0,2} \[[^\]]*\d\]`)

// The page of results has a section for every study, in order, with its words, its command and its rows, and nothing
// else: only the figures come from runs.
func TestTheResultsPageIsWhatReproduceWrites(t *testing.T) {
	page, err := os.ReadFile("../../RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), "\n## ")[1:]
	all := Studies()
	for _, p := range all {
		s := trial.StudyTable{Study: p, Seeds: p.SeedList()}
		title, _, _ := strings.Cut(s.Head(), "\n")
		if !strings.Contains(string(page), title+"\n") {
			t.Errorf("RESULTS.md has no section %q; go -C tools run ./results %s trains and writes it", title, p.Name)
		}
	}
	if len(parts) != len(all) {
		t.Fatalf("RESULTS.md has %d sections, and there are %d studies", len(parts), len(all))
	}
	for i, p := range all {
		parts[i] = "## " + parts[i]
		s := trial.StudyTable{Study: p, Seeds: p.SeedList()}
		for _, paragraph := range strings.Split(parts[i], "\n\n") {
			if found, ok := strings.CutPrefix(paragraph, trial.FoundWord); ok {
				s.Found = found
			}
		}
		rest, ok := strings.CutPrefix(parts[i], s.Head())
		if !ok {
			t.Errorf("%s: the page has\n%.600s\nwhere reproduce writes\n%s", p.Name, parts[i], s.Head())
			continue
		}
		for _, words := range []string{"appear", "contradict"} {
			if strings.HasPrefix(s.Found, words) {
				t.Errorf("%s: the paragraph %q repeats the verdict", p.Name, trial.FoundWord)
			}
		}
		if got := p.Decided(parts[i]); got != p.Verdict {
			t.Errorf("%s: by its intervals the verdict is %q, and studies.yaml has %q", p.Name, got, p.Verdict)
		}
		if want := p.Compared(parts[i]); !strings.HasSuffix(strings.TrimSpace(parts[i]), strings.TrimSpace(want)) {
			t.Errorf("%s: its section does not end with\n%s", p.Name, want)
		}
		if s.Found == "" && !waits(parts[i]) {
			t.Errorf("%s: its section of RESULTS.md has no paragraph that begins %q", p.Name, trial.FoundWord)
		}
		for _, q := range interval95.FindAllString(s.Found, -1) {
			if !strings.Contains(rest, q) {
				t.Errorf("%s: its table does not have %s", p.Name, q)
			}
		}
		seeds, err := trial.ParseSeeds(p.SeedList())
		if err != nil || len(seeds) < 8 {
			t.Errorf("%s: %d seeds (%v): an interval of fewer than 8 says too little", p.Name, len(seeds), err)
		}
		rows := strings.Split(strings.TrimRight(strings.Split(rest, "\n\n")[0], "\n"), "\n")
		if len(rows) != len(p.Variants) {
			t.Errorf("%s: %d rows for %d variants", p.Name, len(rows), len(p.Variants))
			continue
		}
		for j := range p.Variants {
			checkRow(t, &s, &p.Variants[j], rows[j], len(seeds))
		}
		for j := range p.Variants {
			if plot := p.Variants[j].Plot; plot != "" {
				_, err := os.Stat(filepath.Join("..", "..", trial.PlotFolder, plot))
				if err != nil || !strings.Contains(rest, trial.PlotFolder+"/"+plot) {
					t.Errorf("%s: no picture %s (%v)", p.Name, plot, err)
				}
			}
		}
	}
}

// waits reports whether no row of a section has run.
func waits(section string) bool {
	rows := 0
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "| ") && strings.HasSuffix(line, " |\n") {
			rows++
			if !strings.Contains(line, " | "+trial.NotRun+" | ") && rows > 1 { // the first is the heading
				return false
			}
		}
	}
	return rows > 1
}

// A table reports no seed that chose a setting or a rule: such seeds look better than others do.
func TestNoTableReportsSeedsThatChose(t *testing.T) {
	chose := map[uint64]string{}
	for _, search := range trial.Searched() {
		seeds, err := trial.ParseSeeds(search.Seeds)
		if err != nil || search.Chose == "" {
			t.Fatalf("%+v: %v", search, err)
		}
		for _, seed := range seeds {
			chose[seed] = search.Chose
		}
	}
	for _, s := range Studies() {
		seeds, err := trial.ParseSeeds(s.SeedList())
		if err != nil {
			t.Fatal(err)
		}
		if at := slices.IndexFunc(seeds, func(seed uint64) bool { return chose[seed] != "" }); at >= 0 {
			t.Errorf("%s reports seed %d, which chose %s", s.Name, seeds[at], chose[seeds[at]])
		}
	}
}

func checkRow(t *testing.T, s *trial.StudyTable, v *trial.Variant, row string, seeds int) {
	t.Helper()
	cells := strings.Split(strings.Trim(row, "| "), " | ")
	columns := s.Columns()
	if len(cells) != len(columns)+1 || cells[0] != v.Label {
		t.Errorf("%s, %s: the row is %s", s.Study.Name, v.Label, row)
		return
	}
	known := &trial.StudyRow{Variant: v} // the cells that depend on no run
	for k, c := range columns {
		want := ""
		switch {
		case c.Head == "settings" || k >= 2 && k-4 >= 0 && k-4 < len(s.Study.Beside):
			want = c.Cell(known)
		case s.Study.Predicted() != "" && cells[k+1] == trial.NotRun: // predictions wait for their runs
		case (s.Study.Falls || s.Study.Thin) && bare.MatchString(cells[k+1]): // of few runs
		case !cell.MatchString(cells[k+1]):
			t.Errorf("%s, %s, %s: %q is no figure", s.Study.Name, v.Label, c.Head, cells[k+1])
		}
		if want != "" && cells[k+1] != want {
			t.Errorf("%s, %s, %s: %q, want %q", s.Study.Name, v.Label, c.Head, cells[k+1], want)
		}
		if of, ok := strings.CutPrefix(cells[k+1][strings.Index(cells[k+1], " ")+1:], "of "); ok && of != fmt.Sprint(seeds) &&
			!strings.HasPrefix(c.Head, "thin, of") { // of some of them
			t.Errorf("%s, %s, %s: %q of %d seeds", s.Study.Name, v.Label, c.Head, cells[k+1], seeds)
		}
	}
}

// Every figure with an interval in the README is one of the results page's.
func TestTheReadmeQuotesTheResults(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	results, err := os.ReadFile("../../RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	quotes := interval95.FindAllString(string(readme), -1)
	if len(quotes) < 5 {
		t.Errorf("only %d figures", len(quotes))
	}
	for _, q := range quotes {
		if plain := strings.ReplaceAll(strings.ReplaceAll(q, "*", ""), "−", "-"); !strings.Contains(string(results), plain) {
			t.Errorf("RESULTS.md does not have %s", q)
		}
	}
}

// Each study is listed with its three lines of words, in a width that a terminal has.
func TestTheListOfStudiesSaysWhatThePaperSays(t *testing.T) {
	code, stdout, stderr := run(t, "reproduce")
	if code != ExitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, line := range strings.Split(stdout, "\n") {
		if n := utf8.RuneCountInString(line); n > 100 {
			t.Errorf("%d characters: %s", n, line)
		}
	}
	list := strings.Join(strings.Fields(stdout), " ")
	for _, s := range Studies() {
		cost, err := s.Cost()
		if err != nil || !strings.Contains(cost, "million steps") {
			t.Errorf("%s costs %q (%v)", s.Name, cost, err)
		}
		want := fmt.Sprintf("%s, %d rows, %s %s", s.Name, len(s.Variants), cost, strings.Join(s.Claims(), " "))
		if !strings.Contains(list, strings.Join(strings.Fields(want), " ")) {
			t.Errorf("the list does not have %s", want)
		}
	}
}

func TestReproduceContinuesFromItsStoredRuns(t *testing.T) {
	dir := t.TempDir()
	plot := filepath.Join(dir, "priorities.svg")
	again := func() string {
		code, stdout, stderr := run(t, "reproduce", "priorities-catch", "--seeds", "1-2", "--keep", dir, "--plot", plot)
		if code != ExitOK {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		return stdout
	}
	first := again()
	files, err := filepath.Glob(filepath.Join(dir, "*.gob"))
	if err != nil || len(files) != 4 || again() != first {
		t.Fatalf("%d files of 2 variants with 2 seeds (%v), or other figures from them", len(files), err)
	}
	study, _ := trial.LookupStudy("priorities-catch")
	drawn, err := os.ReadFile(plot)
	for _, words := range []string{study.Title, study.Variants[0].Label, study.Variants[1].Label,
		"95 % interval over seeds 1-2. impalab reproduce priorities-catch"} {
		if !strings.Contains(string(drawn), words) {
			t.Errorf("the plot does not say %q (%v): %.300s", words, err, drawn)
		}
	}
	if err := os.Remove(files[1]); err != nil || again() != first {
		t.Errorf("other figures from a part of them (%v)", err)
	}
	for _, file := range files { // figures that no training gives
		changeKept(t, file, func(stored *kept, report *trial.Report) { report.ReturnMean100 = 0.123 })
	}
	if strings.Count(again(), "| 0.12 [0.12, 0.12] |") != 2 {
		t.Error("what was kept was trained again")
	}
}

func TestAPlotOfAStudyIsRefusedBeforeTraining(t *testing.T) {
	for words, args := range map[string][]string{
		"takes one study, not 2": {"lag-cliff", "drag", "--plot", "a.svg"},
		"ends in .svg or .png":   {"lag-cliff", "--plot", "a.pdf"},
		"cannot be written":      {"lag-cliff", "--plot", "nowhere/a.svg"}} {
		if code, _, stderr := run(t, append([]string{"reproduce"}, args...)...); code == ExitOK ||
			!strings.Contains(stderr, words) {
			t.Errorf("%v: %d %s, not %q", args, code, stderr, words)
		}
	}
}

// changeKept changes a stored run.
func changeKept(t *testing.T, file string, change func(*kept, *trial.Report)) {
	t.Helper()
	stored, err := readKept(file)
	if err != nil {
		t.Fatal(err)
	}
	var report trial.Report
	if err := gob.NewDecoder(bytes.NewReader(stored.Result)).Decode(&report); err != nil {
		t.Fatal(err)
	}
	change(stored, &report)
	var result, all bytes.Buffer
	if err := gob.NewEncoder(&result).Encode(report); err != nil {
		t.Fatal(err)
	}
	stored.Result = result.Bytes()
	if err := gob.NewEncoder(&all).Encode(stored); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, all.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Runs of another build are not used: reproduce names the settings that differ, and keeps both.
func TestReproduceSaysThatRunsAreOfAnotherBuild(t *testing.T) {
	dir := t.TempDir()
	again := func() (stdout, stderr string) {
		code, stdout, stderr := run(t, "reproduce", "priorities-catch", "--seeds", "1", "--keep", dir)
		if code != ExitOK {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		return stdout, stderr
	}
	first, quiet := again()
	files, err := filepath.Glob(filepath.Join(dir, "*.gob"))
	if err != nil || len(files) != 2 || strings.Contains(quiet, "build") {
		t.Fatalf("%d files (%v): %s", len(files), err, quiet)
	}
	for _, file := range files {
		changeKept(t, file, func(stored *kept, report *trial.Report) {
			stored.Build, report.ReturnMean100 = "another", 0.123
			for i := range stored.Settings {
				if stored.Settings[i].Key == "lr" {
					stored.Settings[i].Value = "0.5"
				}
			}
		})
		parts := strings.Split(file, ".")
		parts[len(parts)-2] = "00000000"
		if err := os.Rename(file, strings.Join(parts, ".")); err != nil {
			t.Fatal(err)
		}
	}
	second, note := again()
	want := "priorities-catch, uniform: Another build stored runs of this row; their figures may differ, and these " +
		"settings differ: lr is 0.001, was 0.5. The row is trained again."
	if second != first || strings.Count(note, "Another build") != 2 || !strings.Contains(note, want) {
		t.Errorf("other figures, or not the note:\n%s", note)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.gob")); len(files) != 4 {
		t.Errorf("%d files after runs of two builds", len(files))
	}
}

// An interrupted run continues where it stopped, and ends with the parameters of an uninterrupted one.
func TestAStudyContinuesInsideARun(t *testing.T) {
	cfg := kit.Config(t, "catch", "steps=8000")
	k, err := newKeeper(t.TempDir(), "a study, a row", "", io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	train := func(ctx context.Context, between func(updates uint64)) ([]trial.Report, error) {
		return k.resume(ctx, &trial.Trial{Config: cfg, Seeds: []uint64{1}, Jobs: 1, Hooks: func() learner.Hooks {
			return learner.Hooks{Between: func(l *learner.Learner) error { between(l.Updates()); return nil }}
		}})
	}
	halves := func() int {
		files, _ := filepath.Glob(filepath.Join(k.folder, "*.half"))
		return len(files)
	}
	ctx, stop := context.WithCancel(t.Context())
	_, err = train(ctx, func(updates uint64) {
		if updates == 20 {
			stop()
		}
	})
	if err == nil || halves() != 1 {
		t.Fatalf("%d states of an interrupted run (%v)", halves(), err)
	}
	first := uint64(math.MaxUint64)
	resumed, err := train(t.Context(), func(updates uint64) { first = min(first, updates) })
	if err != nil {
		t.Fatal(err)
	}
	if halves() != 0 || first < 20 {
		t.Errorf("it continued at update %d, and %d states are left", first, halves())
	}
	whole, err := (&trial.Trial{Config: cfg, Seeds: []uint64{1}, Jobs: 1}).Run(t.Context(), func(trial.Report) {})
	if err != nil || whole[0].ParamsSHA256 != resumed[0].ParamsSHA256 {
		t.Errorf("other parameters than without the interruption (%v)", err)
	}
}
