package command

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"impalab/web/lesson"
)

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
			train, err := trainFlags(flags)
			if err != nil {
				t.Errorf("%s: %v", l.Name, err)
				continue
			}
			_, past, err := train.plan(onCores)
			if err != nil {
				t.Errorf("%s: %s: %v", l.Name, flags, err)
				continue
			}
			past.close()
			planned++
		}
	}
	if planned == 0 {
		t.Error("nothing was planned")
	}
}

// reproduced makes one lesson again and returns what was said.
func reproduced(t *testing.T, l *lesson.Lesson) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := (&Reproduce{}).lessons(t.Context(), &Program{Stdout: &out, Stderr: io.Discard}, []*lesson.Lesson{l}, 1)
	return out.String(), err
}

func TestReproduceFailsWhereATextAndItsFigureDiffer(t *testing.T) {
	l, err := lesson.Find("language-models")
	if err != nil {
		t.Fatal(err)
	}
	short := *l
	short.Steps = slices.Clone(l.Steps[2:3]) // what is computed; the next step trains
	if said, err := reproduced(t, &short); err != nil || strings.Contains(said, "DIFFERS") {
		t.Errorf("%v\n%s", err, said)
	}
	evidence := *short.Steps[0].Evidence
	evidence.Rows = slices.Clone(evidence.Rows)
	evidence.Rows[0].Is += 1e-5
	short.Steps[0].Evidence = &evidence
	if said, err := reproduced(t, &short); !errors.Is(err, errLessons) || !strings.Contains(said, "DIFFERS: 346.5735") {
		t.Errorf("a figure that is 1e-5 off: %v\n%s", err, said)
	}
}

func TestReproduceTrainsARowAndComparesEveryClaim(t *testing.T) {
	row := lesson.Row{Name: "catch", Train: "--preset catch --seeds 1-2 --steps 3000", End: "5", Solved: "0 of 2",
		Fallen: "2 of 2"}
	l := &lesson.Lesson{Name: "x", Steps: []lesson.Step{{Title: "s", Evidence: &lesson.Evidence{Rows: []lesson.Row{row}}}}}
	said, err := reproduced(t, l)
	if !errors.Is(err, errLessons) || !strings.Contains(said, "end 5: DIFFERS: -0.") ||
		!strings.Contains(said, "solved 0 of 2: as measured") || !strings.Contains(said, "fallen 2 of 2: as measured") ||
		!strings.Contains(said, "3 claims, 1 differ") {
		t.Errorf("%v\n%s", err, said)
	}
}

func TestALessonToReproduceIsFoundByNameAndElseTheNearestIsNamed(t *testing.T) {
	if list, err := lessonsNamed("lessons/errata"); err != nil || len(list) != 1 {
		t.Errorf("%d %v", len(list), err)
	}
	if list, err := lessonsNamed("lessons"); err != nil || len(list) != len(lesson.All())+1 {
		t.Errorf("%d %v", len(list), err)
	}
	if list, err := lessonsNamed("lag-cliff"); err != nil || list != nil {
		t.Errorf("%v %v", list, err)
	}
	if _, err := lessonsNamed("lessons/lat"); err == nil || !strings.Contains(err.Error(), "did you mean late?") {
		t.Error(err)
	}
}
