package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gorgonia.org/gorgonia"

	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/program"
)

func mustHost(t testing.TB, spec net.Spec, steps, rows int) *program.Host {
	t.Helper()
	p, err := Lower(spec, steps, rows, true)
	if err != nil {
		t.Fatal(err)
	}
	return program.NewHost(kernel.Auto, p)
}

func eachSpec(t *testing.T, test func(t *testing.T, spec net.Spec, rows int)) {
	for name, spec := range someSpecs() {
		for _, rows := range []int{1, 7, 32} {
			t.Run(fmt.Sprintf("%s, %d rows", name, rows), func(t *testing.T) { test(t, spec, rows) })
		}
	}
}

func TestTheProgramIsTheActorsForwardBitForBit(t *testing.T) {
	eachSpec(t, func(t *testing.T, spec net.Spec, rows int) {
		e := newExample(spec, rows, 1)
		logits, values := mustHost(t, spec, 1, rows).Forward(e.theta, e.obs, nil, nil)
		wantLogits, wantValues := net.NewForward(spec, rows).Run(e.theta, e.obs, nil, rows)
		if !slices.Equal(logits, wantLogits) || !slices.Equal(values, wantValues) {
			t.Fatalf("plan: %v %v\nactor: %v %v", logits, values, wantLogits, wantValues)
		}
	})
}

func TestTheProgramIsTheKernelsByHandBitForBit(t *testing.T) {
	eachSpec(t, func(t *testing.T, spec net.Spec, rows int) {
		e := newExample(spec, rows, 2)
		p, h := mustHost(t, spec, 1, rows), newByHand(spec, rows)
		grad, want := make([]float32, len(e.theta)), make([]float32, len(e.theta))
		for range 2 { // the second run overwrites the first one's results
			p.Forward(e.theta, e.obs, nil, nil)
			p.Backward(grad, e.dLogits, e.dValues)
			h.forward(e.theta, e.obs)
			h.backward(e.theta, want, e.dLogits, e.dValues)
			if !slices.Equal(grad, want) {
				t.Fatalf("plan: %v\nby hand: %v", grad, want)
			}
		}
	})
}

func TestGradientIsTheFiniteDifference(t *testing.T) {
	eachSpec(t, func(t *testing.T, spec net.Spec, rows int) {
		e := newExample(spec, rows, 3)
		p := mustHost(t, spec, 1, rows)
		grad := make([]float32, len(e.theta))
		p.Forward(e.theta, e.obs, nil, nil)
		p.Backward(grad, e.dLogits, e.dValues)

		theta := make([]float64, len(e.theta))
		for i, v := range e.theta {
			theta[i] = float64(v)
		}
		const eps = 1e-6
		for i := range theta {
			at := theta[i]
			theta[i] = at + eps
			up := loss64(spec, theta, e.obs, e.dLogits, e.dValues)
			theta[i] = at - eps
			down := loss64(spec, theta, e.obs, e.dLogits, e.dValues)
			theta[i] = at
			want := (up - down) / (2 * eps)
			if math.Abs(float64(grad[i])-want) > 1e-4*(1+math.Abs(want)) {
				t.Errorf("∂L/∂θ[%d] = %g, the difference says %g", i, grad[i], want)
			}
		}
	})
}

func TestTangentIsTheFiniteDifferenceAlongU(t *testing.T) {
	eachSpec(t, func(t *testing.T, spec net.Spec, rows int) {
		e := newExample(spec, rows, 4)
		u := fill(rand.New(rand.NewPCG(5, 0)), make([]float32, len(e.theta)), 1)
		p := mustHost(t, spec, 1, rows)
		p.Forward(e.theta, e.obs, nil, nil)
		p.Tangent(e.theta) // leaves something behind
		tLogits, tValues := p.Tangent(u)
		got := dot(e.dLogits, tLogits) + dot(e.dValues, tValues) // ⟨c, J·u⟩

		const eps = 1e-6
		moved := func(step float64) float64 {
			theta := make([]float64, len(e.theta))
			for i, v := range e.theta {
				theta[i] = float64(v) + step*float64(u[i])
			}
			return loss64(spec, theta, e.obs, e.dLogits, e.dValues)
		}
		want := (moved(eps) - moved(-eps)) / (2 * eps)
		if math.Abs(got-want) > 1e-4*(1+math.Abs(want)) {
			t.Errorf("⟨c, J·u⟩ = %g, the difference says %g", got, want)
		}

		grad := make([]float32, len(e.theta))
		p.Backward(grad, e.dLogits, e.dValues)
		if back := dot(grad, u); math.Abs(got-back) > 1e-4*(1+math.Abs(got)) {
			t.Errorf("⟨c, J·u⟩ = %g and ⟨Jᵀ·c, u⟩ = %g: one is not the transpose of the other", got, back)
		}
	})
}

// apart computes a node from its inputs alone, each operation on an arena of its own.
func apart(values map[*gorgonia.Node][]float32, n *gorgonia.Node) []float32 {
	if known, ok := values[n]; ok {
		return known
	}
	in := inputs(n)
	o, size := n.Op().(op), n.Shape().TotalSize()
	steps := []program.Step{o.step(shapes(in))}
	if _, isSum := o.rule.(sum); isSum {
		steps = slices.Repeat(steps, len(in)) // a term each
	}
	arena := make([]float32, size)
	for i, x := range in {
		if len(steps) > 1 {
			steps[i].At[1], steps[i].Add = len(arena), i > 0
		} else {
			steps[0].At[1+i] = len(arena)
		}
		arena = append(arena, apart(values, x)...)
	}
	program.Bind(steps, arena).Run()
	values[n] = arena[:size]
	return values[n]
}

func TestTheProgramComputesTheSameAsItsOperationsAlone(t *testing.T) {
	spec, rows := someSpecs()["relu"], 7
	e := newExample(spec, rows, 6)
	u := fill(rand.New(rand.NewPCG(7, 0)), make([]float32, len(e.theta)), 1)
	p := mustHost(t, spec, 1, rows)
	logits, values := p.Forward(e.theta, e.obs, nil, nil)
	grad := make([]float32, len(e.theta))
	p.Backward(grad, e.dLogits, e.dValues)
	tLogits, tValues := p.Tangent(u)

	nw, err := newNetwork(spec, 1, rows)
	if err != nil {
		t.Fatal(err)
	}
	known := map[*gorgonia.Node][]float32{nw.input: e.obs, nw.dLogits: e.dLogits, nw.dValues: e.dValues}
	for _, w := range nw.params {
		known[w.theta], known[w.u] = e.theta[w.off:w.off+w.n], u[w.off:w.off+w.n]
	}
	same := func(what string, n *gorgonia.Node, want []float32, tolerance float64) {
		t.Helper()
		got := apart(known, n)
		if len(got) != len(want) {
			t.Fatalf("%s: %d values, the plan has %d", what, len(got), len(want))
		}
		for i := range got {
			if math.Abs(float64(got[i]-want[i])) > tolerance*(1+math.Abs(float64(want[i]))) {
				t.Fatalf("%s[%d]: apart %g, plan %g", what, i, got[i], want[i])
			}
		}
	}
	same("logits", nw.logits, logits, 0)
	same("values", nw.value, values, 0)
	for _, w := range nw.params {
		same(w.theta.Name(), w.grad, grad[w.off:w.off+w.n], 0)
	}
	// A sum accumulated inside a product rounds in another order than terms computed apart.
	same("tangent of logits", nw.tLogits, tLogits, 1e-5)
	same("tangent of values", nw.tValues, tValues, 1e-5)
}

func TestNothingIsAllocatedPerStep(t *testing.T) {
	spec, rows := someSpecs()["two layers"], 32
	e := newExample(spec, rows, 8)
	p := mustHost(t, spec, 1, rows)
	grad := make([]float32, len(e.theta))
	if n := testing.AllocsPerRun(20, func() {
		p.Forward(e.theta, e.obs, nil, nil)
		p.Backward(grad, e.dLogits, e.dValues)
		p.Tangent(grad)
	}); n != 0 {
		t.Fatalf("%v allocations in a step", n)
	}
}

func TestBadRequestsAreNamed(t *testing.T) {
	good := someSpecs()["one layer"]
	if _, err := Lower(good, 1, 0, false); err == nil || !strings.Contains(err.Error(), "0 trajectories") {
		t.Errorf("0 rows: %v", err)
	}
	bad := good
	bad.Hidden = []int{0}
	if _, err := Lower(bad, 1, 1, false); err == nil || !strings.Contains(err.Error(), "hidden layer 0 has 0 units") {
		t.Errorf("an empty layer: %v", err)
	}
	p := mustHost(t, good, 1, 2)
	defer func() {
		if recover() == nil {
			t.Error("another network's θ was taken")
		}
	}()
	p.Forward(make([]float32, good.Params()+1), make([]float32, 8), nil, nil)
}

func BenchmarkStep(b *testing.B) {
	spec := net.Spec{Obs: 4, Hidden: []int{64, 64}, Activation: kernel.ReLU, Actions: 2, HeadScale: 0.01}
	for _, rows := range []int{64, 640} {
		e := newExample(spec, rows, 9)
		grad := make([]float32, len(e.theta))
		b.Run(fmt.Sprintf("by hand/%d", rows), func(b *testing.B) {
			h := newByHand(spec, rows)
			b.ReportAllocs()
			for b.Loop() {
				h.forward(e.theta, e.obs)
				h.backward(e.theta, grad, e.dLogits, e.dValues)
			}
		})
		b.Run(fmt.Sprintf("program/%d", rows), func(b *testing.B) {
			p := mustHost(b, spec, 1, rows)
			b.ReportAllocs()
			for b.Loop() {
				p.Forward(e.theta, e.obs, nil, nil)
				p.Backward(grad, e.dLogits, e.dValues)
			}
		})
	}
}

// The program's cost beside kernel calls written by hand, on a shared machine: both in turn, and the fastest of many
// short runs of each.
func BenchmarkAboveByHand(b *testing.B) {
	spec := net.Spec{Obs: 4, Hidden: []int{64, 64}, Activation: kernel.ReLU, Actions: 2, HeadScale: 0.01}
	for _, rows := range []int{8, 64, 128, 640} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			e, h, p := newExample(spec, rows, 9), newByHand(spec, rows), mustHost(b, spec, 1, rows)
			grad := make([]float32, len(e.theta))
			fastest := [2]time.Duration{math.MaxInt64, math.MaxInt64}
			for b.Loop() {
				for i, run := range []func(){
					func() { h.forward(e.theta, e.obs); h.backward(e.theta, grad, e.dLogits, e.dValues) },
					func() { p.Forward(e.theta, e.obs, nil, nil); p.Backward(grad, e.dLogits, e.dValues) },
				} {
					for range 3 { // the first ones warm the caches after the other's
						began := time.Now()
						run()
						fastest[i] = min(fastest[i], time.Since(began))
					}
				}
			}
			b.ReportMetric(float64(fastest[1])/float64(fastest[0]), "×by-hand")
			b.ReportMetric(float64(fastest[1].Microseconds()), "µs/step")
		})
	}
}

func BenchmarkLower(b *testing.B) {
	spec := net.Spec{Obs: 4, Hidden: []int{64, 64}, Activation: kernel.ReLU, Actions: 2}
	for b.Loop() {
		if _, err := Lower(spec, 1, 64, false); err != nil {
			b.Fatal(err)
		}
	}
}
