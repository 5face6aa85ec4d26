package envs

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// openGolden reads a reference file from $GOLDENS, or from the project's copy.
func openGolden(t *testing.T, name string, into any) {
	t.Helper()
	folder := os.Getenv("GOLDENS")
	if folder == "" {
		folder = filepath.Join("..", "learner", "testdata", "goldens")
	}
	f, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.NewDecoder(r).Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// tolerance passes iff |got − want| ≤ atol + rtol·|want|.
type tolerance struct{ Rtol, Atol float64 }

func (tol tolerance) near(got, want float64) bool {
	return math.Abs(got-want) <= tol.Atol+tol.Rtol*math.Abs(want)
}

// goldenDraw is ["u", v…], ["n", v…] or ["i", lo, hi, v…]: one call that may have drawn several values.
type goldenDraw []any

func newTape(calls []goldenDraw) *Tape {
	tape := new(Tape)
	for _, call := range calls {
		kind, values, d := call[0].(string), call[1:], Draw{}
		lo := 0.0
		switch kind {
		case "u", "n":
		case "i":
			lo = values[0].(float64)
			d.N = int(values[1].(float64) - lo)
			values = values[2:]
		default:
			panic("golden: unknown kind of draw " + kind)
		}
		d.Kind = kind[0]
		for _, v := range values {
			d.Value = v.(float64) - lo
			tape.Draws = append(tape.Draws, d)
		}
	}
	return tape
}

type bsuiteCase struct {
	Env, Name     string
	Rows, Columns int
	Reset         struct {
		Draws []goldenDraw
		On    []int
	}
	Steps []struct {
		A        int
		Draws    []goldenDraw
		Type     string
		R        *float64
		Discount *float64
		On       []int
	}
	Regret float64 `json:"total_regret"`
}

func TestGoldenBsuite(t *testing.T) {
	const name = "bsuite.json"
	var g struct{ Cases []bsuiteCase }
	openGolden(t, name, &g)
	ran, waiting := 0, map[string]int{}
	for _, c := range g.Cases {
		switch c.Env {
		case "catch":
			t.Run(c.Env+"/"+c.Name, c.runCatch)
			ran++
		case "deep_sea":
			waiting[c.Env]++
		default:
			t.Fatalf("%s: environment %q is not known", name, c.Env)
		}
	}
	if ran == 0 {
		t.Fatalf("%s: no case ran", name)
	}
	t.Logf("%s: %d cases ran; worlds not built yet, with their cases: %v", name, ran, waiting)
}

func (c bsuiteCase) runCatch(t *testing.T) {
	if c.Rows != catchRows || c.Columns != catchCols {
		t.Fatalf("a board of %d × %d; catch here is %d × %d", c.Rows, c.Columns, catchRows, catchCols)
	}
	var w catch
	see := func(where string, on []int) {
		t.Helper()
		var got, want [catchRows * catchCols]float32
		w.Observe(got[:])
		for _, i := range on {
			want[i] = 1
		}
		if got != want {
			t.Errorf("%s: observation %v, want 1 at %v", where, got, on)
		}
	}
	r := Rand{Tape: newTape(c.Reset.Draws)}
	w.Reset(&r)
	see("after reset", c.Reset.On)
	regret := 0.0
	for i, s := range c.Steps {
		where := fmt.Sprintf("step %d", i)
		r.Tape = newTape(s.Draws)
		if s.Type == "first" { // bsuite resets within the step after the last
			w.Reset(&r)
		} else {
			out := w.Step(&r, s.A)
			ended := out.End == Terminated
			if float64(out.Reward) != *s.R || ended != (s.Type == "last") || ended != (*s.Discount == 0) {
				t.Errorf("%s: %v, want reward %v, %s", where, out, *s.R, s.Type)
			}
			if ended {
				regret += 1 - float64(out.Reward)
			}
		}
		if r.Tape.Read != len(r.Tape.Draws) {
			t.Errorf("%s: %d of %d draws were taken", where, r.Tape.Read, len(r.Tape.Draws))
		}
		see(where, s.On)
	}
	if regret != c.Regret {
		t.Errorf("regret %v, want %v", regret, c.Regret)
	}
}
