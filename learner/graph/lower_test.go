package graph

import (
	"slices"
	"testing"

	"gorgonia.org/gorgonia"

	"impalab/learner/kernel"
)

// dz may be written over dy, but a later reader of dy must still get dy.
func TestOverwrittenValuesAreRecomputed(t *testing.T) {
	ok := must(t)
	g := gorgonia.NewGraph()
	a, b, y := matrix(g, "a", 1, 2), matrix(g, "b", 2, 2), matrix(g, "y", 1, 2)
	dy := ok(apply(productAB, a, b))
	dz := ok(apply(actGrad{kernel.ReLU}, dy, y))
	data := map[*gorgonia.Node][]float32{a: {1, 2}, b: {1, 2, 3, 4}, y: {0, 1}}

	m := newMemory(data)
	first := m.mustList(t, dz)
	if first[0].At[0] != first[1].At[0] {
		t.Error("dz has memory of its own though nobody else reads dy")
	}
	second := m.mustList(t, dy)
	m.bind(first).Run()
	m.bind(second).Run()
	if !slices.Equal(m.of(dz), []float32{0, 10}) || !slices.Equal(m.of(dy), []float32{7, 10}) {
		t.Errorf("dz %v, dy %v", m.of(dz), m.of(dy))
	}

	// With a second reader in the same list, dy must stay.
	m = newMemory(data)
	m.bind(m.mustList(t, dz, dy)).Run()
	if !slices.Equal(m.of(dz), []float32{0, 10}) || !slices.Equal(m.of(dy), []float32{7, 10}) {
		t.Errorf("in one list: dz %v, dy %v", m.of(dz), m.of(dy))
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
		m := newMemory(map[*gorgonia.Node][]float32{a: {2}, b: {3}, c: {5}})
		total := ok(apply(sum{3, 2}, terms...))
		steps := m.mustList(t, total)
		if len(steps) != 4 { // ab, and three terms
			t.Errorf("%d steps, want 4", len(steps))
		}
		calls := m.bind(steps)
		for range 2 { // the second run overwrites the first one's results
			calls.Run()
			if got := m.of(total)[0]; got != 6+3+30 {
				t.Errorf("the sum is %g, want 39", got)
			}
		}
		if _, placed := m.at[abc]; placed {
			t.Error("a term that only the sum reads has memory of its own")
		}
	}
}
