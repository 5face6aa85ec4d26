package watch

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"testing"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
)

var rewrite = flag.Bool("write", false, "write static/unroll.json anew")

// The unroll that the microscope shows without a run is of a real one: go test ./web/watch -run Stored -write
// makes it again.
func TestTheStoredUnrollIsOfARealRun(t *testing.T) {
	const update, column, file = 400, 3, "../../static/unroll.json"
	made := unrollAt(t, "lag-cliff", update, column)
	if *rewrite {
		text, err := json.Marshal(made)
		if err == nil {
			err = os.WriteFile(file, append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var stored Unroll
	if err := json.Unmarshal(text, &stored); err != nil {
		t.Fatal(err)
	}
	if stored.Update != made.Update || stored.Age != made.Age || len(stored.Steps) != len(made.Steps) {
		t.Fatalf("stored: update %d, age %d, %d steps; the run gives %d, %d, %d", stored.Update, stored.Age,
			len(stored.Steps), made.Update, made.Age, len(made.Steps))
	}
	for i, s := range stored.Steps {
		if m := made.Steps[i]; math.Abs(float64(s.Ratio-m.Ratio)) > 1e-6 || math.Abs(float64(s.Value-m.Value)) > 1e-5 {
			t.Errorf("step %d: ratio %v and V %v are stored, the run gives %v and %v", i, s.Ratio, s.Value, m.Ratio, m.Value)
		}
	}
}

// unrollAt is a trajectory of a preset's run as the API has it.
func unrollAt(t *testing.T, preset string, update uint64, column int) (made Unroll) {
	t.Helper()
	cfg := kit.Config(t, preset, "")
	l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	enough := errors.New("enough")
	_, err = l.Run(context.Background(), learner.Hooks{Between: func(l *learner.Learner) error {
		if l.Updates() < update {
			return nil
		}
		in, err := l.Inspect(column)
		if err != nil {
			return err
		}
		if made, err = UnrollOf("", in); err != nil {
			return err
		}
		return enough
	}})
	if !errors.Is(err, enough) {
		t.Fatal(err)
	}
	return made
}

// Where actions are real numbers, the densities of the drawn actions replace probabilities.
func TestAnUnrollOfRealNumbersHasDensities(t *testing.T) {
	u := unrollAt(t, "impala-pendulum", 5, 0)
	if len(u.Actions) != 0 || len(u.Steps) == 0 {
		t.Fatalf("actions %q, %d steps", u.Actions, len(u.Steps))
	}
	for i, s := range u.Steps {
		if s.Density == nil || s.Pi != nil || len(s.Real) != 1 {
			t.Fatalf("step %d: %+v", i, s)
		}
		if got, want := s.Density.Pi/s.Density.Mu, float64(s.Ratio); math.Abs(got-want) > 1e-4*max(1, want) {
			t.Errorf("step %d: the densities have the ratio %v, the ratio is %v", i, got, want)
		}
	}
}
