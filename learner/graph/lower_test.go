package graph

import (
	"slices"
	"testing"

	"gorgonia.org/gorgonia"

	"impalab/learner/kernel"
)

func mustList(t *testing.T, l *lowering, outputs ...*gorgonia.Node) []step {
	t.Helper()
	steps, err := l.list(outputs...)
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

// dz may be written over dy, but a later reader of dy must still get dy.
func TestWhatWasWrittenOverIsComputedAnew(t *testing.T) {
	ok := must(t)
	g := gorgonia.NewGraph()
	a, b, y := matrix(g, "a", 1, 2), matrix(g, "b", 2, 2), matrix(g, "y", 1, 2)
	dy := ok(apply(productAB, a, b))
	dz := ok(apply(actGrad{kernel.ReLU}, dy, y))

	l := newLowering()
	l.memory[a], l.memory[b], l.memory[y] = []float32{1, 2}, []float32{1, 2, 3, 4}, []float32{0, 1}
	first := mustList(t, l, dz)
	if &first[0].args[0][0] != &first[1].args[0][0] {
		t.Error("dz has memory of its own though nobody else reads dy")
	}
	run(first)
	run(mustList(t, l, dy))
	if !slices.Equal(l.memory[dz], []float32{0, 10}) || !slices.Equal(l.memory[dy], []float32{7, 10}) {
		t.Errorf("dz %v, dy %v", l.memory[dz], l.memory[dy])
	}

	// With a second reader in the same list, dy must stay.
	l = newLowering()
	l.memory[a], l.memory[b], l.memory[y] = []float32{1, 2}, []float32{1, 2, 3, 4}, []float32{0, 1}
	run(mustList(t, l, dz, dy))
	if !slices.Equal(l.memory[dz], []float32{0, 10}) || !slices.Equal(l.memory[dy], []float32{7, 10}) {
		t.Errorf("in one list: dz %v, dy %v", l.memory[dz], l.memory[dy])
	}
}

// a·b + b + a·b·c: one term is an input, one is read elsewhere too, one can be added in place.
func TestTermsGatherInTheSum(t *testing.T) {
	ok := must(t)
	g := gorgonia.NewGraph()
	a, b, c := matrix(g, "a", 1, 1), matrix(g, "b", 1, 1), matrix(g, "c", 1, 1)
	ab := ok(apply(productAB, a, b))
	abc := ok(apply(productAB, ab, c))
	for _, terms := range []gorgonia.Nodes{{ab, b, abc}, {abc, ab, b}, {b, abc, ab}} {
		l := newLowering()
		l.memory[a], l.memory[b], l.memory[c] = []float32{2}, []float32{3}, []float32{5}
		total := ok(apply(sum{3, 2}, terms...))
		steps := mustList(t, l, total)
		if len(steps) != 4 { // ab, and three terms
			t.Errorf("%d steps, want 4", len(steps))
		}
		for range 2 { // the second time over what the first left behind
			run(steps)
			if got := l.memory[total][0]; got != 6+3+30 {
				t.Errorf("the sum is %g, want 39", got)
			}
		}
		if l.memory[abc] != nil {
			t.Error("a term that only the sum reads has memory of its own")
		}
	}
}
