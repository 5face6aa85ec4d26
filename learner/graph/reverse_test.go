package graph

import (
	"math"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"impalab/learner/kernel"
)

func must(t *testing.T) func(n *gorgonia.Node, err error) *gorgonia.Node {
	return func(n *gorgonia.Node, err error) *gorgonia.Node {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}

// With 1×1 matrices the graph is arithmetic: y = x·x, z = y·x + y has x five times below it.
func TestGradientsOfSeveralConsumersAdd(t *testing.T) {
	ok := must(t)
	g := gorgonia.NewGraph()
	x, seed := matrix(g, "x", 1, 1), matrix(g, "seed", 1, 1)
	y := ok(apply(productAB, x, x))
	z := ok(apply(sum{2, 2}, ok(apply(productAB, y, x)), y))
	grads, err := reverse(gorgonia.Nodes{z}, gorgonia.Nodes{seed}, gorgonia.Nodes{x})
	if err != nil {
		t.Fatal(err)
	}
	data := map[*gorgonia.Node][]float32{x: {3}, seed: {1}}
	// z = x³ + x²: z′ = 3x² + 2x
	if got := value(t, data, grads[0])[0]; got != 33 {
		t.Errorf("z′(3) = %g, want 33", got)
	}
	// Gorgonia's Grad is silently wrong the second time. z″ = 6x + 2
	second, err := reverse(grads, gorgonia.Nodes{seed}, gorgonia.Nodes{x})
	if err != nil {
		t.Fatal(err)
	}
	if got := value(t, data, second[0])[0]; got != 20 {
		t.Errorf("z″(3) = %g, want 20", got)
	}
	third, err := reverse(second, gorgonia.Nodes{seed}, gorgonia.Nodes{x})
	if err != nil {
		t.Fatal(err)
	}
	if got := value(t, data, third[0])[0]; got != 6 {
		t.Errorf("z‴(3) = %g, want 6", got)
	}
}

// A layer used twice, as a recurrent core would be: both uses feed one weight gradient.
func TestSharedWeightsGatherBothUses(t *testing.T) {
	ok := must(t)
	g := gorgonia.NewGraph()
	x, w, b, seed := matrix(g, "x", 1, 1), matrix(g, "w", 1, 1), vector(g, "b", 1), matrix(g, "seed", 1, 1)
	h := ok(apply(dense{kernel.Tanh}, x, w, b))
	y := ok(apply(dense{kernel.Tanh}, h, w, b))
	grads, err := reverse(gorgonia.Nodes{y}, gorgonia.Nodes{seed}, gorgonia.Nodes{w, b})
	if err != nil {
		t.Fatal(err)
	}
	data := map[*gorgonia.Node][]float32{x: {0.3}, w: {0.7}, b: {-0.2}, seed: {1}}
	f := func(w, b float64) float64 { return math.Tanh(math.Tanh(0.3*w+b)*w + b) }
	const eps = 1e-6
	for i, want := range []float64{
		(f(0.7+eps, -0.2) - f(0.7-eps, -0.2)) / (2 * eps),
		(f(0.7, -0.2+eps) - f(0.7, -0.2-eps)) / (2 * eps),
	} {
		if got := float64(value(t, data, grads[i])[0]); math.Abs(got-want) > 1e-5 {
			t.Errorf("derivative %d is %g, want %g", i, got, want)
		}
	}
}

func TestWhatCannotBeDifferentiatedIsRefused(t *testing.T) {
	ok := must(t)
	g := gorgonia.NewGraph()
	x, w, b := matrix(g, "x", 2, 3), matrix(g, "w", 3, 4), vector(g, "b", 4)
	y := ok(apply(dense{kernel.Tanh}, x, w, b))
	seed, other := matrix(g, "seed", 2, 4), matrix(g, "other", 2, 3)

	_, err := reverse(gorgonia.Nodes{y}, gorgonia.Nodes{seed}, gorgonia.Nodes{other})
	if err == nil || !strings.Contains(err.Error(), "no output depends on other") {
		t.Errorf("an input that is not used: %v", err)
	}
	_, err = reverse(gorgonia.Nodes{y}, gorgonia.Nodes{other}, gorgonia.Nodes{w})
	if err == nil || !strings.Contains(err.Error(), "the cotangent of") {
		t.Errorf("a cotangent of the wrong shape: %v", err)
	}
	grads, err := reverse(gorgonia.Nodes{y}, gorgonia.Nodes{seed}, gorgonia.Nodes{w})
	if err != nil {
		t.Fatal(err)
	}
	_, err = reverse(grads, gorgonia.Nodes{w}, gorgonia.Nodes{b}) // needs tanh″
	if err == nil || !strings.Contains(err.Error(), "does not know its derivative") {
		t.Errorf("curvature of tanh: %v", err)
	}
}
