package command

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"impalab/learner/trial"
)

// cell is what a table may say where a run decides it: a figure with its interval, how many, or a dash.
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
	parts := sections(string(page))[1:]
	all := studies()
	if len(parts) != len(all) {
		t.Fatalf("%d sections for %d studies", len(parts), len(all))
	}
	for i, p := range all {
		s := section{of: p, seeds: p.SeedList(), found: foundIn(parts[i])}
		rest, ok := strings.CutPrefix(parts[i], s.head())
		if !ok {
			t.Errorf("%s: the page has\n%.600s\nwhere reproduce writes\n%s", p.Name, parts[i], s.head())
			continue
		}
		for _, words := range []string{"appear", "contradict"} {
			if strings.HasPrefix(s.found, words) {
				t.Errorf("%s: the paragraph %q repeats the verdict", p.Name, foundWord)
			}
		}
		if s.found == "" {
			t.Errorf("%s: nothing is said of it; want a paragraph that begins %q", p.Name, foundWord)
		}
		for _, q := range interval95.FindAllString(s.found, -1) {
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
				_, err := os.Stat(filepath.Join("..", "..", plotFolder, plot))
				if err != nil || !strings.Contains(rest, plotFolder+"/"+plot) {
					t.Errorf("%s: no picture %s (%v)", p.Name, plot, err)
				}
			}
		}
	}
}

func checkRow(t *testing.T, s *section, v *trial.Variant, row string, seeds int) {
	t.Helper()
	cells := strings.Split(strings.Trim(row, "| "), " | ")
	columns := s.columns()
	if len(cells) != len(columns)+1 || cells[0] != v.Label {
		t.Errorf("%s, %s: the row is %s", s.of.Name, v.Label, row)
		return
	}
	known := &variantReport{of: v} // what no run decides
	for k, c := range columns {
		want := ""
		switch {
		case c.head == "settings" || k >= 2 && k-4 >= 0 && k-4 < len(s.of.Beside):
			want = c.cell(known)
		case s.of.Falls && bare.MatchString(cells[k+1]): // of the runs that fell, too few for an interval
		case !cell.MatchString(cells[k+1]):
			t.Errorf("%s, %s, %s: %q is no figure", s.of.Name, v.Label, c.head, cells[k+1])
		}
		if want != "" && cells[k+1] != want {
			t.Errorf("%s, %s, %s: %q, want %q", s.of.Name, v.Label, c.head, cells[k+1], want)
		}
		if of, ok := strings.CutPrefix(cells[k+1][strings.Index(cells[k+1], " ")+1:], "of "); ok && of != fmt.Sprint(seeds) {
			t.Errorf("%s, %s, %s: %q of %d seeds", s.of.Name, v.Label, c.head, cells[k+1], seeds)
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
	for _, s := range studies() {
		want := fmt.Sprintf("%s, %d rows %s", s.Name, len(s.Variants), strings.Join(claims(s), " "))
		if !strings.Contains(list, strings.Join(strings.Fields(want), " ")) {
			t.Errorf("the list does not have %s", want)
		}
	}
}

func TestASectionTakesThePlaceOfTheOldOne(t *testing.T) {
	first, second, third := &trial.Studies[0], &trial.Studies[1], &trial.Studies[2]
	old := func(p *trial.Study, words string) string { return "## " + p.Title + "\n\n" + words + "\n" }
	page := "# Results\n\nWords.\n\n" + old(third, "Found: as before.\n\nold") + "\n" +
		old(first, "kept") + "\n## Mine\n\nown\n"
	mend := section{of: third, seeds: third.SeedList()}
	got := mend.into(page)
	for _, want := range []string{
		"Words.\n\n## " + first.Title + "\n\nkept\n\n## " + third.Title + "\n",
		"\n\nFound: as before.\n\n    impalab", "\n\n## Mine\n\nown\n",
	} {
		if strings.Count(got, want) != 1 || strings.Contains(got, "old") {
			t.Errorf("%q does not have %q", got, want)
		}
	}
	insert := section{of: second, seeds: second.SeedList()}
	all := sections(insert.into(got))
	if len(all) != 5 || !strings.HasPrefix(all[2], "## "+second.Title+"\n\nPaper says: ") {
		t.Errorf("%q", all)
	}
	if again := mend.into(got); again != got {
		t.Errorf("updated twice %q, once %q", again, got)
	}
}

func TestReproduceGoesOnFromWhatItKept(t *testing.T) {
	dir, page := t.TempDir(), filepath.Join(t.TempDir(), "RESULTS.md")
	if err := os.WriteFile(page, []byte("# Results\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	again := func() string {
		code, stdout, stderr := run(t,
			"reproduce", "priorities-catch", "--seeds", "1-2", "--keep", dir, "--update", page)
		if code != ExitOK {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		written, err := os.ReadFile(page)
		if err != nil || !strings.Contains(string(written), strings.TrimSpace(stdout)) {
			t.Errorf("printed %q, written %q (%v)", stdout, written, err)
		}
		return stdout
	}
	first := again()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 4 || again() != first {
		t.Fatalf("%d files of 2 variants with 2 seeds (%v), or other figures from them", len(files), err)
	}
	returns := regexp.MustCompile(`"return_mean_100":[^,]*,`)
	for _, file := range files { // figures that no training gives
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, returns.ReplaceAll(text, []byte(`"return_mean_100":0.123,`)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Count(again(), "| 0.12 [0.12, 0.12] |") != 2 {
		t.Error("what was kept was trained again")
	}
}
