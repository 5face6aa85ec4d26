package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"impalab/learner/trial"
	"impalab/server/command"
	"impalab/server/exercise"
	"impalab/web/lesson"
)

func TestASectionTakesThePlaceOfTheOldOne(t *testing.T) {
	first, second, third := &trial.Studies()[0], &trial.Studies()[1], &trial.Studies()[2]
	old := func(p *trial.Study, words string) string { return "## " + p.Title + "\n\n" + words + "\n" }
	page := "# Results\n\nWords.\n\n" + old(third, "Found: as before.\n\nold") + "\n" +
		old(first, "kept") + "\n## Mine\n\nown\n"
	mend := &command.StudyTable{Study: third, Seeds: third.SeedList()}
	got := replaceSection(page, mend)
	for _, want := range []string{
		"Words.\n\n## " + first.Title + "\n\nkept\n\n## " + third.Title + "\n",
		"\n\nFound: as before.\n\n    impalab", "\n\n## Mine\n\nown\n",
	} {
		if strings.Count(got, want) != 1 || strings.Contains(got, "old") {
			t.Errorf("%q does not have %q", got, want)
		}
	}
	insert := &command.StudyTable{Study: second, Seeds: second.SeedList()}
	all := strings.Split(replaceSection(got, insert), "\n## ")
	if len(all) != 5 || !strings.HasPrefix(all[2], second.Title+"\n\nPaper says: ") {
		t.Errorf("%q", all)
	}
	if again := replaceSection(got, mend); again != got {
		t.Errorf("updated twice %q, once %q", again, got)
	}
}

// Training a study replaces its section of the page.
func TestAStudyIsStoredInTheResultsPage(t *testing.T) {
	source, prog := t.TempDir(), &command.Program{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}
	page := filepath.Join(source, "RESULTS.md")
	if err := os.WriteFile(page, []byte("# Results\n"), 0o644); err != nil {
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

// Every row that trains can be trained: its flags are train's, and the run they ask for is one that may be had.
func TestTheEvidenceOfLessonsCanBeTrained(t *testing.T) {
	planned := 0
	for _, l := range append(slices.Clone(lesson.All()), lesson.Errata()) {
		commands := []string{l.Check.Good.Train, l.Check.Bad.Train}
		for _, s := range l.Steps {
			if s.Evidence != nil {
				for _, r := range s.Evidence.Rows {
					commands = append(commands, r.Train)
				}
			}
		}
		for _, flags := range commands {
			if flags == "" {
				continue
			}
			train, err := command.ParseTrain(flags)
			if err != nil {
				t.Errorf("%s: %v", l.Name, err)
				continue
			}
			if _, _, err := train.Plan(); err != nil {
				t.Errorf("%s: %s: %v", l.Name, flags, err)
			}
			planned++
		}
	}
	if planned == 0 {
		t.Error("nothing was planned")
	}
}

// compared compares one lesson and returns the output.
func compared(t *testing.T, l *lesson.Lesson) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := compareAll(t.Context(), &out, []*lesson.Lesson{l}, 1)
	return out.String(), err
}

func TestAFigureThatDiffersFromItsTextIsAnError(t *testing.T) {
	l, err := lesson.Find("language-models")
	if err != nil {
		t.Fatal(err)
	}
	short := *l
	short.Steps = slices.Clone(l.Steps[2:3]) // computed; the next step trains
	if said, err := compared(t, &short); err != nil || strings.Contains(said, "DIFFERS") {
		t.Errorf("%v\n%s", err, said)
	}
	evidence := *short.Steps[0].Evidence
	evidence.Rows = slices.Clone(evidence.Rows)
	evidence.Rows[0].Is += 1e-5
	short.Steps[0].Evidence = &evidence
	if said, err := compared(t, &short); !errors.Is(err, errDiffers) || !strings.Contains(said, "DIFFERS: 346.5735") {
		t.Errorf("a figure that is 1e-5 off: %v\n%s", err, said)
	}
}

func TestARowIsTrainedAndEveryClaimCompared(t *testing.T) {
	row := lesson.Row{Name: "catch", Train: "--preset catch --seeds 1-2 --steps 3000", End: "5", Solved: "0 of 2",
		Fallen: "2 of 2"}
	l := &lesson.Lesson{Name: "x", Steps: []lesson.Step{{Title: "s", Evidence: &lesson.Evidence{Rows: []lesson.Row{row}}}}}
	said, err := compared(t, l)
	if !errors.Is(err, errDiffers) || !strings.Contains(said, "end 5: DIFFERS: -0.") ||
		!strings.Contains(said, "solved 0 of 2: as measured") || !strings.Contains(said, "fallen 2 of 2: as measured") ||
		!strings.Contains(said, "3 claims, 1 differ") {
		t.Errorf("%v\n%s", err, said)
	}
}

func TestTheNearestLessonIsNamed(t *testing.T) {
	err := compareLessons(t.Context(), &bytes.Buffer{}, "lat", 1)
	if err == nil || !strings.Contains(err.Error(), "did you mean late?") {
		t.Error(err)
	}
}

// judged judges the known answers to one exercise and returns the output.
func judged(t *testing.T, name string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := judgeKnownAnswers(t.Context(), &out, name, 1)
	return out.String(), err
}

func TestTheKnownAnswersAreJudgedAgain(t *testing.T) {
	said, err := judged(t, "by-hand")
	if err != nil || !strings.Contains(said, "0 differ") || strings.Count(said, "as stored") < 5 {
		t.Errorf("%v\n%s", err, said)
	}
	e, _ := exercise.Named("by-hand")
	right := e.Numbers.Are[0]
	e.Numbers.Are[0] = 4 // as if a file had been changed
	defer func() { e.Numbers.Are[0] = right }()
	if said, err = judged(t, "by-hand"); !errors.Is(err, errDiffers) || !strings.Contains(said, "DIFFERS") {
		t.Errorf("%v\n%s", err, said)
	}
	for name, want := range map[string]string{"by-foot": `unknown exercise "by-foot"`} {
		if _, err := judged(t, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
