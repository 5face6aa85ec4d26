package kernel

import (
	"math/rand/v2"
	"testing"
)

// The attention's mathematics is tested in learner/program and learner/graph. Here: the same bits at each width, and no
// allocations.

// glance is an attention with all that its passes read and write.
type glance struct {
	*Attention
	Attended
	w, dw, after []float32
}

func newGlance(k Set, r *rand.Rand, steps, rows, heads, each, memory int) *glance {
	all, units := steps*rows, heads*each
	g := &glance{Attention: k.NewAttention(steps, rows, units, heads, memory),
		w: random(r, AttentionWeights(units)), dw: make([]float32, AttentionWeights(units)),
		after: make([]float32, MemorySize(units, memory))}
	g.N, g.Q, g.Keep = random(r, all*units), random(r, all*units), make([]float32, all)
	g.Cells, g.Moves = make([]float32, all*g.width()), random(r, all*g.width())
	g.Back, g.State = make([]float32, all*AttentionBack(units, heads)), random(r, rows*MemorySize(units, memory))
	Scale(g.w, 0.3)
	for i := range g.Keep {
		g.Keep[i] = float32(min(1, r.IntN(5)))
	}
	for b := range rows {
		g.State[b*MemorySize(units, memory)] = float32(r.IntN(memory + 1))
	}
	return g
}

func (g *glance) run() {
	g.Forward(g.w, g.Attended)
	g.Backward(g.w, g.Attended)
	g.Weights(g.dw, g.w, g.Attended)
	g.After(g.after, g.Attended, g.Steps-1, g.Rows-1)
}

func TestAnAttentionAllocatesNothing(t *testing.T) {
	g := newGlance(Auto, rand.New(rand.NewPCG(1, 2)), 5, 3, 2, 8, 7)
	if n := testing.AllocsPerRun(10, g.run); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A state from outside may count any number of steps.
func TestAStateMayCountAnything(t *testing.T) {
	g := newGlance(Auto, rand.New(rand.NewPCG(1, 2)), 1, 1, 1, 4, 3)
	nan := float32(0)
	nan /= nan
	for count, want := range map[float32]float32{-7: 1, 0.5: 1, 1: 2, 2.9: 3, 3: 3, 1e30: 3, nan: 1} {
		g.State[0], g.Keep[0] = count, 1
		g.run()
		if g.after[0] != want {
			t.Errorf("after %v steps and 1, %v are remembered, want %v", count, g.after[0], want)
		}
	}
}
