package exact

import (
	"math"
	"testing"

	"impalab/envs"
)

// walked writes a small world out as a table, by taking each action in each state that can be reached. The world draws
// nothing after its start.
func walked(t *testing.T, name string, gamma float64, starts int) *Problem {
	t.Helper()
	w, err := envs.New(name)
	if err != nil {
		t.Fatal(err)
	}
	m := &envs.MDP{Actions: len(w.Spec().Actions)}
	number, blobs := map[string]int{}, [][]byte(nil)
	see := func(over bool) int {
		blob := w.State(nil)
		s, known := number[string(blob)]
		if !known {
			s = len(blobs)
			number[string(blob)] = s
			blobs, m.Over, m.Start = append(blobs, blob), append(m.Over, over), append(m.Start, 0)
		}
		return s
	}
	r := envs.NewRand(1, 0)
	for len(blobs) < starts { // each prompt is as likely as another
		w.Reset(&r)
		m.Start[see(false)] = 1 / float64(starts)
	}
	for s := 0; s < len(blobs); s++ {
		for a := range m.Actions {
			if err := w.SetState(blobs[s]); err != nil {
				t.Fatal(err)
			}
			var list []envs.Branch
			if !m.Over[s] {
				out := w.Step(&r, a)
				list = []envs.Branch{{P: 1, To: see(out.End == envs.Terminated), Reward: out.Reward}}
			}
			m.Next = append(m.Next, list)
		}
	}
	m.States = len(blobs)
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	return Of(m, gamma)
}

// A whole answer pays 1 at its last symbol, and chance gets one symbol in so many right. The last right symbol alone is
// worth its share, whatever stands before it.
func TestReverseIsWorthItsLastSymbol(t *testing.T) {
	for _, c := range []struct {
		name            string
		length, symbols int
	}{{"reverse:length=2,symbols=2", 2, 2}, {"reverse:length=3,symbols=2", 3, 2}, {"reverse:length=2,symbols=3", 2, 3}} {
		prompts := int(math.Pow(float64(c.symbols), float64(c.length)))
		p := walked(t, c.name, .9, prompts)
		_, v := optimal(t, p)
		near(t, "the best of "+c.name, p.Mean(v), math.Pow(.9, float64(c.length-1)))
		p.Gamma = 1
		_, v = optimal(t, p)
		near(t, "the best of "+c.name+" without a discount", p.Mean(v), 1)
		if err := p.Value(v, uniform(p)); err != nil {
			t.Fatal(err)
		}
		near(t, "the uniform policy's value of "+c.name, p.Mean(v), 1/float64(c.symbols))
		e, err := envs.Lookup(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if random := float64(e.Spec.Random); math.Abs(random-1/float64(c.symbols)) > .005 || e.Spec.Solved >= 1 {
			t.Errorf("%s says that chance returns %v, and %v is solved", c.name, random, e.Spec.Solved)
		}
	}
}
