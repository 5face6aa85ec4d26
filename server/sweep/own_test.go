package sweep

import (
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/server/lab"
	"impalab/server/store"
)

// written returns a sweep of runs whose correction is a program.
func written(t *testing.T, text, program, seeds string, keys ...Axis) (s Spec, err error) {
	t.Helper()
	s = planned(t, text+" correction=own", seeds, keys...)
	return s, s.Base.Config.Set("program", program)
}

// Eight seeds of a text that computes a correction's weights end with the bytes of the correction, at two lags.
func TestEightSeedsOfAProgramEndAsTheCorrectionThatItWrites(t *testing.T) {
	l := working(t, nil, 2)
	for _, start := range correct.Starts {
		if start.Like != correct.MethodTaper && start.Like != correct.MethodShift {
			continue
		}
		spec, err := written(t, "p=lag-cliff steps=3000", start.Program, "1-8", Axis{"lag", []string{"0", "9"}})
		if err != nil {
			t.Fatal(err)
		}
		s, _ := l.start(t, spec)
		i := swept(t, s)
		if i.State != store.SweepDone || i.Settings["program"] != strings.TrimSpace(start.Program) {
			t.Fatalf("%s is %s with the program %q", start.Name, i.State, i.Settings["program"])
		}
		like := planned(t, "p=lag-cliff steps=3000 correction="+start.Like.String(), "1-8", spec.Keys...)
		for c, cell := range i.Cells {
			for k, m := range cell.Runs {
				cfg, err := like.config(c)
				if err != nil {
					t.Fatal(err)
				}
				cfg.Seed = m.Seed
				info, err := l.lab.Info(t.Context(), *m.ID)
				if want := alone(t, cfg, nil); err != nil || info.ParamsSHA256 != want || m.Seed != uint64(1+k) {
					t.Errorf("%s, cell %d, seed %d: %.12s, %v; the correction ends with %.12s", start.Name, c, m.Seed,
						info.ParamsSHA256, err, want)
				}
			}
		}
	}
}

func TestAFaultyProgramIsASentenceInASweep(t *testing.T) {
	l := working(t, nil, 2)
	for _, c := range kit.FaultyPrograms {
		spec, err := written(t, "p=lag-cliff steps=3000", c.Program, "1-2", Axis{"lag", []string{"0", "9"}})
		var s *Sweep
		if err == nil {
			s, _, err = l.Start(t.Context(), spec, "")
		}
		if c.Begins != (err == nil) {
			t.Errorf("%.80q: %v; want one that begins: %v", c.Program, err, c.Begins)
			continue
		}
		if err != nil {
			if !strings.Contains(err.Error(), c.Sentence) {
				t.Errorf("%.80q: %v, want %q", c.Program, err, c.Sentence)
			}
			continue
		}
		for _, cell := range swept(t, s).Cells {
			for _, m := range cell.Runs {
				if m.Counts || m.State == Finished || !strings.Contains(m.Reason, c.Sentence) {
					t.Errorf("%.80q: seed %d is %s: %q, want %q", c.Program, m.Seed, m.State, m.Reason, c.Sentence)
				}
			}
		}
	}
}

// A text is no place on an axis: its figure would have whole programs for names.
func TestASweepOverProgramsIsRefused(t *testing.T) {
	l := newHouse(t, nil, false, Options{}, lab.Options{Cores: 1})
	spec, err := written(t, "p=lag-cliff steps=3000", correct.Starts[0].Program, "1-2",
		Axis{"program", []string{correct.Starts[0].Program, correct.Starts[1].Program}})
	if err == nil {
		_, _, err = l.Start(t.Context(), spec, "")
	}
	if want := "keys: program cannot be swept: an axis has no room for a text; make a sweep for each"; err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
}
