package command

import (
	"slices"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/correct"
)

// The command line says a fault of a program with its line: before the run, or when a call fails. A sweep over seeds
// says it too.
func TestAFaultyProgramIsASentenceOfTheCommandLine(t *testing.T) {
	for _, c := range kit.FaultyPrograms {
		for _, seeds := range []string{"1", "1-2"} {
			code, stdout, errs := run(t, "train", "--preset", "lag-cliff", "--set", "correction=own lag=8", "--set",
				"program="+c.Program, "--steps", "3000", "--seeds", seeds)
			want := ExitUsage
			if c.Begins {
				want = ExitFailed
			}
			if code != want || !strings.Contains(strings.Join(strings.Fields(errs), " "), c.Sentence) || len(errs) > 600 {
				t.Errorf("%.80q on seeds %s: exit code %d, %.600q %q; want %d, %q", c.Program, seeds, code, errs, stdout,
					want, c.Sentence)
			}
		}
	}
}

// A program on the command line ends with the parameters of the correction that it writes.
func TestAProgramOfTheCommandLineTrainsAsTheCorrectionThatItWrites(t *testing.T) {
	parameters := func(settings ...string) string {
		t.Helper()
		args := []string{"train", "--preset", "lag-cliff", "--steps", "3000", "--seeds", "1-2", "--set", "lag=9"}
		for _, s := range settings {
			args = append(args, "--set", s)
		}
		code, stdout, errs := run(t, args...)
		var all []string
		for line := range strings.Lines(stdout) {
			if _, hash, ok := strings.Cut(line, "parameters "); ok {
				all = append(all, strings.TrimSpace(hash))
			}
		}
		if code != ExitOK || len(all) != 2 {
			t.Fatalf("%q: exit code %d, %q %q", settings, code, stdout, errs)
		}
		slices.Sort(all)
		return strings.Join(all, " ")
	}
	for _, s := range correct.Starts {
		if s.Like == correct.MethodOwn {
			continue
		}
		own, like := parameters("correction=own", "program="+s.Program), parameters("correction="+s.Like.String())
		if own != like {
			t.Errorf("%s: parameters %s, as a program %s", s.Name, like, own)
		}
	}
}
