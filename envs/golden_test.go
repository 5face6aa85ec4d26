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

// goldenFolder holds the reference files: $GOLDENS, or the project's copy.
func goldenFolder() string {
	if folder := os.Getenv("GOLDENS"); folder != "" {
		return folder
	}
	return filepath.Join("..", "learner", "testdata", "goldens")
}

// openGolden reads a reference file.
func openGolden(t *testing.T, name string, into any) {
	t.Helper()
	decodeGolden(t, name, into, false)
}

// decodeGolden reads a reference file; if it is strict, a field that nobody asked for is a fault.
func decodeGolden(t *testing.T, name string, into any, strict bool) {
	t.Helper()
	f, err := os.Open(filepath.Join(goldenFolder(), name))
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
	d := json.NewDecoder(r)
	if strict {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(into); err != nil {
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

type classicCase struct {
	Env, Name    string
	Initial      []float64 `json:"initial_state"`
	InitialObs   []float64 `json:"initial_obs"`
	Actions      []float64
	States       [][]float64
	Observations [][]float64
	Rewards      []float64
	Terminated   []bool
	Truncated    []bool
	FreeRun      int `json:"free_run_steps"`
}

func TestGoldenClassicControl(t *testing.T) {
	const name = "classic_control.json.gz"
	var g struct {
		Tolerance struct {
			Forced      tolerance `json:"teacher_forced"`
			Observation tolerance
			Free        tolerance `json:"free_run"`
		}
		Cases []classicCase
	}
	openGolden(t, name, &g)
	ran, waiting := 0, map[string]int{}
	for _, c := range g.Cases {
		switch c.Env {
		case "CartPole-v1":
			t.Run(c.Env+"/"+c.Name, func(t *testing.T) {
				c.runCartPole(t, g.Tolerance.Forced, g.Tolerance.Free, g.Tolerance.Observation)
			})
			ran++
		case "MountainCar-v0", "MountainCarContinuous-v0", "Acrobot-v1", "Pendulum-v1":
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

// runCartPole runs the whole episode once freely, as far as the file says floats can agree, and once with every step
// begun from the recorded state.
func (c classicCase) runCartPole(t *testing.T, forced, free, observation tolerance) {
	set := func(w *cartPole, s []float64) { w.x, w.v, w.angle, w.omega = s[0], s[1], s[2], s[3] }
	for _, mode := range []struct {
		name  string
		steps int
		force bool
		tol   tolerance
	}{{"free", c.FreeRun, false, free}, {"forced", len(c.Actions), true, forced}} {
		var w cartPole
		var obs [4]float32
		set(&w, c.Initial)
		see := func(where string, want []float64) {
			w.Observe(obs[:])
			for i := range obs {
				if !observation.near(float64(obs[i]), want[i]) {
					t.Errorf("%s: observation %v, want %v", where, obs, want)
					return
				}
			}
		}
		see("at the start", c.InitialObs)
		for i := range mode.steps {
			where := fmt.Sprintf("%s, step %d", mode.name, i)
			if mode.force && i > 0 {
				set(&w, c.States[i-1])
			}
			out := w.Step(nil, int(c.Actions[i]))
			for j, got := range [...]float64{w.x, w.v, w.angle, w.omega} {
				if !mode.tol.near(got, c.States[i][j]) {
					t.Errorf("%s: state[%d] %v, want %v", where, j, got, c.States[i][j])
				}
			}
			see(where, c.Observations[i])
			want := Running
			switch {
			case c.Terminated[i]:
				want = Terminated
			case c.Truncated[i]:
				want = Truncated
			}
			if float64(out.Reward) != c.Rewards[i] || out.End != want {
				t.Errorf("%s: %v, want reward %v, end %v", where, out, c.Rewards[i], want)
			}
		}
	}
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
