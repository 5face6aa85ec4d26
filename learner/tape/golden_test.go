package tape

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"impalab/learner/kernel"
)

var writeGoldens = flag.Bool("write", false, "write the golden tapes that are not there yet; none is ever written over")

// goldens are tapes of version 1, which must stay readable. They are replayed to the same bytes until learning changes
// on purpose.
var goldens = []struct{ name, preset, settings, turns string }{
	{"impala-cartpole", "cartpole", "steps=8000", "2000:lag=8 4000:rho=2 6000:correction=one-step"},
	{"impala-catch", "catch", "steps=4000 lstm=8", "1000:lag=4 2000:entropy=0.01 3000:mix=0.5"},
	{"laser-catch", "laser-catch", "steps=1200 sampling=prioritised", "300:mix=0.75 600:trust=0.05 900:lag=2"},
	{"vmpo-catch", "vmpo-catch", "steps=4000", "1000:top=0.25 2000:target-every=2 3000:psi=uniform"},
	{"stac-catch", "stac-catch", "steps=4000", "1000:meta-lr=0.01 2000:lag=3 3000:gamma=0.8"},
}

func TestTapesOfTheFirstVersionOpenAndReplay(t *testing.T) {
	for _, g := range goldens {
		path := filepath.Join("testdata", g.name+".tape")
		file, err := os.ReadFile(path)
		if os.IsNotExist(err) && *writeGoldens {
			file, _ = played(t, g.preset, g.settings, g.turns)
			err = os.WriteFile(path, file, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		tape := read(t, file)
		var made []string
		for _, e := range tape.Events {
			if e.Kind == Changed {
				made = append(made, e.Key+"="+e.To)
			}
		}
		var planned []string
		for _, turn := range strings.Fields(g.turns) {
			_, setting, _ := strings.Cut(turn, ":")
			planned = append(planned, setting)
		}
		if strings.Join(made, " ") != strings.Join(planned, " ") || tape.End() == nil || tape.End().State != Done {
			t.Errorf("%s: changes %v, end %+v", g.name, made, tape.End())
		}
		outcome, err := Replay(t.Context(), tape, Options{Engine: here})
		switch {
		case err != nil:
			t.Errorf("%s: %v", g.name, err)
		case tape.Arithmetic != kernel.Arithmetic(): // other bits, but the same run
			if last, step := tape.Last(); outcome.Update != last || outcome.Step != step {
				t.Errorf("%s: %+v", g.name, outcome)
			}
		case !outcome.Same():
			t.Errorf("%s differs at update %d: %s", g.name, *outcome.DiffersAt, outcome.Why)
		}
	}
}
