package envs

import (
	"fmt"
	"slices"
	"testing"

	"impalab/internal/goldens"
)

// goldenDraw is ["u", v…], ["n", v…] or ["i", lo, hi, v…]: one call that may have drawn several values.
type goldenDraw []any

func newRecorded(calls []goldenDraw) *Recorded {
	record := new(Recorded)
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
			record.Draws = append(record.Draws, d)
		}
	}
	return record
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

	// DeepSea's
	Size          int
	Deterministic bool
	Cost          float64 `json:"unscaled_move_cost"`
	Mapping       [][]int `json:"action_mapping"`
	Bad           int     `json:"total_bad_episodes"`
	Denoised      float64 `json:"denoised_return"`
}

func TestGoldenBsuite(t *testing.T) {
	const name = "bsuite.json"
	var g struct{ Cases []bsuiteCase }
	goldens.Decode(t, name, &g)
	worlds := map[string]func(bsuiteCase, *testing.T){"catch": bsuiteCase.runCatch, "deep_sea": bsuiteCase.runDeepSea}
	agree := 0
	for _, c := range g.Cases {
		if worlds[c.Env] == nil {
			t.Fatalf("%s: environment %q is not known", name, c.Env)
		}
		if t.Run(c.Env+"/"+c.Name, func(t *testing.T) { worlds[c.Env](c, t) }) {
			agree++
		}
	}
	if len(g.Cases) == 0 {
		t.Fatalf("%s: no case", name)
	}
	t.Logf("%s: %d of %d cases agree", name, agree, len(g.Cases))
}

func (c bsuiteCase) runCatch(t *testing.T) {
	w, err := New(fmt.Sprintf("catch:rows=%d,columns=%d", c.Rows, c.Columns))
	if err != nil {
		t.Fatal(err)
	}
	regret := 0.0
	c.run(t, w, func(_ int, out Outcome) {
		if out.End == Terminated {
			regret += 1 - float64(out.Reward)
		}
	})
	if regret != c.Regret {
		t.Errorf("regret %v, want %v", regret, c.Regret)
	}
}

// runDeepSea also counts as bsuite does: treasures, and episodes that left the diagonal.
func (c bsuiteCase) runDeepSea(t *testing.T) {
	if c.Cost != seaCost {
		t.Fatalf("a move cost of %v; deep sea here has %v", c.Cost, seaCost)
	}
	noise := 1.0
	if c.Deterministic {
		noise = 0
	}
	e := deepSeaSized([]float64{float64(c.Size), 0, noise})
	swaps := make([]bool, c.Size*c.Size)
	for row, line := range c.Mapping {
		for col, right := range line {
			swaps[row*c.Size+col] = right == 0
		}
	}
	w := &deepSea{newFinite(e.Spec, deepSeaMDP(c.Size, swaps, noise == 1)), c.Size, swaps, noise == 1}
	bad, treasures, left := 0, 0.0, false
	c.run(t, w, func(action int, out Outcome) {
		row, col := seaCell(w.trail[0])
		right := action == c.Mapping[row][col]
		left = left || row == col && !right
		if right && col == c.Size-1 {
			treasures++
		}
		if out.End == Terminated {
			if left {
				bad++
			}
			left = false
		}
	})
	if bad != c.Bad || treasures != c.Denoised {
		t.Errorf("%d bad episodes, %v treasures, want %d and %v", bad, treasures, c.Bad, c.Denoised)
	}
}

// run plays a case; after hears every step but resets.
func (c bsuiteCase) run(t *testing.T, w World, after func(action int, out Outcome)) {
	see := func(where string, on []int) {
		t.Helper()
		got, want := make([]float32, w.Spec().Size()), make([]float32, w.Spec().Size())
		w.Observe(got)
		for _, i := range on {
			want[i] = 1
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: observation %v, want 1 at %v", where, got, on)
		}
	}
	r := Rand{Recorded: newRecorded(c.Reset.Draws)}
	w.Reset(&r)
	see("after reset", c.Reset.On)
	for i, s := range c.Steps {
		where := fmt.Sprintf("step %d", i)
		r.Recorded = newRecorded(s.Draws)
		if s.Type == "first" { // bsuite resets within the step after the last
			w.Reset(&r)
		} else {
			out := w.Step(&r, s.A)
			ended := out.End == Terminated
			if out.Reward != float32(*s.R) || ended != (s.Type == "last") || ended != (*s.Discount == 0) {
				t.Errorf("%s: %v, want reward %v, %s", where, out, *s.R, s.Type)
			}
			after(s.A, out)
		}
		if r.Recorded.Read != len(r.Recorded.Draws) {
			t.Errorf("%s: %d of %d draws were taken", where, r.Recorded.Read, len(r.Recorded.Draws))
		}
		see(where, s.On)
	}
}
