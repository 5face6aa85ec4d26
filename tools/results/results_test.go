package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"impalab/learner/trial"
	"impalab/server/command"
)

func TestASectionTakesThePlaceOfTheOldOne(t *testing.T) {
	first, second, third := &trial.Studies()[0], &trial.Studies()[1], &trial.Studies()[2]
	old := func(p *trial.Study, words string) string { return "## " + p.Title + "\n\n" + words + "\n" }
	page := "# Results\n\nWords.\n\n" + old(third, "Found: as before.\n\nold") + "\n" +
		old(first, "kept") + "\n## Mine\n\nown\n"
	mend := &trial.StudyTable{Study: third, Seeds: third.SeedList()}
	got := replaceSection(page, mend)
	for _, want := range []string{
		"Words.\n\n## " + first.Title + "\n\nkept\n\n## " + third.Title + "\n",
		"\n\nFound: as before.\n\n    impalab", "\n\n## Mine\n\nown\n",
	} {
		if strings.Count(got, want) != 1 || strings.Contains(got, "old") {
			t.Errorf("%q does not have %q", got, want)
		}
	}
	insert := &trial.StudyTable{Study: second, Seeds: second.SeedList()}
	all := strings.Split(replaceSection(got, insert), "\n## ")
	if len(all) != 5 || !strings.HasPrefix(all[2], second.Title+"\n\nPaper says: ") {
		t.Errorf("%q", all)
	}
	if again := replaceSection(got, mend); again != got {
		t.Errorf("updated twice %q, once %q", again, got)
	}
}

// New words keep the figures of the rows whose settings did not change.
func TestNewWordsKeepTheFiguresOfTheirRows(t *testing.T) {
	study := trial.Studies()[0]
	study.Variants = slices.Clone(study.Variants)
	table := &trial.StudyTable{Study: &study, Seeds: study.SeedList(), Found: "as before."}
	first, second := table.Waiting(&study.Variants[0]), table.Waiting(&study.Variants[1])
	trained := strings.Replace(first, trial.NotRun, "499 [495, 500]", 1)
	old := strings.TrimPrefix(table.Head(), "## "+study.Title+"\n") + second + trained + "\n![plot](file.svg)\n"
	study.Claim, study.Variants = "Another claim.", study.Variants[:2]
	study.Variants[1].Label = "another row"
	want := table.Head() + trained + table.Waiting(&study.Variants[1]) + "\n![plot](file.svg)\n"
	if got := withFigures(table, old); got != want || !strings.Contains(got, "Another claim.") {
		t.Errorf("%q, want %q", got, want)
	}
}

// Training a study replaces its section of the page.
func TestAStudyIsStoredInTheResultsPage(t *testing.T) {
	source, prog := t.TempDir(), &command.Program{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}
	page := filepath.Join(source, "RESULTS.md")
	if err := os.WriteFile(page, []byte("# Results\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(source, "web/page/corrections"), 0o755); err != nil { // its file of returns
		t.Fatal(err)
	}
	c := cli{Source: source}
	c.Names, c.Seeds = []string{"priorities-catch"}, "1-2"
	if err := c.Run(t.Context(), prog); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(page)
	printed := strings.TrimSpace(prog.Stdout.(*bytes.Buffer).String())
	if err != nil || !strings.Contains(string(written), printed) {
		t.Errorf("printed %q, written %q (%v)", printed, written, err)
	}
}
