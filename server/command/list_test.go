package command

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPresetsNameSaysWhereAPresetDepartsFromItsPaper(t *testing.T) {
	code, stdout, stderr := run(t, "presets", "laser")
	if code != ExitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	said := strings.Join(strings.Fields(stdout), " ")
	for _, want := range []string{"LASER (world cartpole, algorithm laser)", "clip 1 ∞ §5.1", "gamma 0.99 0.995 §5.1"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %s", want, stdout)
		}
	}
	code, _, stderr = run(t, "presets", "lasr")
	if code != ExitUsage || !strings.Contains(stderr, "did you mean laser?") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestATableFitsTheTerminal(t *testing.T) {
	rows := [][]string{{"NAME", "ALLOWED", "DESCRIPTION"}, {"lag", "a whole number from 0 to 1024",
		"Updates by which the parameters of actors are late. The learner’s data are older by as much."},
		{"a-long-name-of-one-word", "", ""}}
	if text := formatTable(rows, math.MaxInt); strings.Count(text, "\n") != 3 {
		t.Errorf("without a terminal a row is more than a line:\n%s", text)
	}
	for width, least := range map[int]int{100: 100, 60: 60, 10: 45} { // words are not cut
		text := formatTable(rows, width)
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > least {
				t.Errorf("%d columns in %d:\n%s", n, width, text)
			}
		}
		if got := strings.Fields(text); len(got) != len(strings.Fields(formatTable(rows, math.MaxInt))) {
			t.Errorf("words are lost:\n%s", text)
		}
	}
}
