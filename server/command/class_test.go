package command

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"impalab/server/exercise"
)

// madeAgain makes the figures of one exercise again and returns what was said.
func madeAgain(t *testing.T, name string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := (&Reproduce{Names: []string{name}}).Run(t.Context(), &Program{Stdout: &out, Stderr: io.Discard})
	return out.String(), err
}

func TestReproduceClassJudgesTheKnownAnswersAgain(t *testing.T) {
	said, err := madeAgain(t, "class/by-hand")
	if err != nil || !strings.Contains(said, "0 differ") || strings.Count(said, "as stored") < 5 {
		t.Errorf("%v\n%s", err, said)
	}
	e, _ := exercise.Named("by-hand")
	right := e.Numbers.Are[0]
	e.Numbers.Are[0] = 4 // as if a file had been changed
	defer func() { e.Numbers.Are[0] = right }()
	if said, err = madeAgain(t, "class/by-hand"); !errors.Is(err, errClass) || !strings.Contains(said, "DIFFERS") {
		t.Errorf("%v\n%s", err, said)
	}
	for name, want := range map[string]string{"class/by-foot": `unknown exercise "by-foot"`,
		"class/": `unknown exercise ""`} {
		if _, err := madeAgain(t, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
