package view

import (
	"impalab/envs"
	"impalab/web/wire"
)

// traceSteps is how many steps the ribbon shows.
const traceSteps = 48

// trace stores the c's of the watched episode. The product of the last k of them is the share of the newest surprise δ
// that reaches k steps back (IMPALA eq. 1).
type trace struct {
	cs     []float32 // oldest first
	number uint64    // of the frame of the last c
	over   bool      // that frame ended its episode
}

// add takes a frame's c. No product crosses the end of an episode or a missed frame.
func (t *trace) add(f *wire.Frame) {
	if f.Number != t.number+1 || t.over {
		t.cs = t.cs[:0]
	}
	t.number, t.over = f.Number, envs.End(f.End) != envs.Running
	if len(t.cs) == traceSteps {
		copy(t.cs, t.cs[1:])
		t.cs = t.cs[:traceSteps-1]
	}
	t.cs = append(t.cs, max(0, f.C))
}

// reach writes how much of the newest δ reaches each step, newest first, and returns how many steps there are.
func (t *trace) reach(out *[traceSteps]float32) int {
	product := float32(1)
	for i := range t.cs {
		product *= t.cs[len(t.cs)-1-i]
		out[i] = product
	}
	return len(t.cs)
}
