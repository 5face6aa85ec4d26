package graph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/kernel"
	"impalab/learner/program"
)

// residual is a small section of IMPALA's deep network: convolution, pooling, a residual block, a dense layer.
type residual struct {
	out, seed       *gorgonia.Node // seed is ∂L/∂out
	theta, grads, u gorgonia.Nodes
	data            map[*gorgonia.Node][]float32
}

func newResidual(t *testing.T) *residual {
	t.Helper()
	ok := must(t)
	const rows = 3
	g := gorgonia.NewGraph()
	n := &residual{data: map[*gorgonia.Node][]float32{}}
	random := rand.New(rand.NewPCG(5, 6))
	input := func(name string, s ...int) *gorgonia.Node {
		v := tensorNode(g, name, tensor.Shape(s))
		n.data[v] = fill(random, make([]float32, v.Shape().TotalSize()), 0.5)
		return v
	}
	param := func(name string, s ...int) *gorgonia.Node {
		v := input(name, s...)
		n.theta, n.u = append(n.theta, v), append(n.u, input("u."+name, s...))
		return v
	}
	first := kernel.Conv{H: 6, W: 5, In: 2, Out: 3, Size: 3, Stride: 1, Pad: 1}
	halve := kernel.Pool{H: 6, W: 5, C: 3, Size: 3, Stride: 2, Pad: 1}
	inner := kernel.Conv{H: 3, W: 3, In: 3, Out: 3, Size: 3, Stride: 1, Pad: 1}

	x := input("x", rows, first.InSize())
	h := ok(apply(convLayer{first, kernel.Identity}, x, param("w1", 18, 3), param("b1", 3)))
	h = ok(apply(pool{halve}, h))
	r := ok(apply(activate{kernel.ReLU}, h))
	r = ok(apply(convLayer{inner, kernel.ReLU}, r, param("w2", 27, 3), param("b2", 3)))
	r = ok(apply(convLayer{inner, kernel.Identity}, r, param("w3", 27, 3), param("b3", 3)))
	h = ok(apply(sum{2, 2}, h, r))
	h = ok(apply(activate{kernel.Tanh}, h))
	n.out = ok(apply(dense{kernel.Identity}, h, param("w4", 27, 2), param("b4", 2)))
	n.seed = input("seed", n.out.Shape()...)
	var err error
	if n.grads, err = reverse(gorgonia.Nodes{n.out}, gorgonia.Nodes{n.seed}, n.theta); err != nil {
		t.Fatal(err)
	}
	return n
}

// at is the output with all parameters moved by eps·u.
func (n *residual) at(t *testing.T, eps float32) []float32 {
	moved := map[*gorgonia.Node][]float32{}
	for k, v := range n.data {
		moved[k] = slices.Clone(v)
	}
	for i, p := range n.theta {
		for j, along := range n.data[n.u[i]] {
			moved[p][j] += eps * along
		}
	}
	return value(t, moved, n.out)
}

// Jᵀ·c, then J·u as its transpose: the two derivatives that the metagradient needs, through every rule here.
func TestResidualBlockGivesBothDerivatives(t *testing.T) {
	n := newResidual(t)
	tangents, err := reverse(n.grads, n.u, gorgonia.Nodes{n.seed})
	if err != nil {
		t.Fatal(err)
	}
	tangent := value(t, n.data, tangents[0])

	const eps = 1.0 / 1024
	up, down := n.at(t, eps), n.at(t, -eps)
	for i, got := range tangent {
		want := float64(up[i]-down[i]) / (2 * eps)
		if math.Abs(float64(got)-want) > 2e-3*(1+math.Abs(want)) {
			t.Errorf("J·u is %g at %d, the difference says %g", got, i, want)
		}
	}
	along := 0.0 // ⟨Jᵀ·c, u⟩ = ⟨c, J·u⟩
	for i, g := range n.grads {
		along += dot(value(t, n.data, g), n.data[n.u[i]])
	}
	if want := dot(n.data[n.seed], tangent); math.Abs(along-want) > 1e-5*(1+math.Abs(want)) {
		t.Errorf("⟨Jᵀ·c, u⟩ is %g, ⟨c, J·u⟩ %g", along, want)
	}
}

// calls are a forward and a backward pass on memory of their own, and the results of both.
func (n *residual) calls(t *testing.T) (calls program.Calls, results [][]float32) {
	m := newMemory(n.data)
	outputs := append(gorgonia.Nodes{n.out}, n.grads...)
	calls = m.bind(m.mustList(t, outputs...))
	for _, o := range outputs {
		results = append(results, m.of(o))
	}
	return calls, results
}

// Hosts that run at once must not share the convolutions' scratch.
func TestCallsThatAreBoundApartHaveScratchOfTheirOwn(t *testing.T) {
	n := newResidual(t)
	calls, results := n.calls(t)
	calls.Run()
	var want [][]float32
	for _, r := range results {
		want = append(want, slices.Clone(r))
	}
	others, _ := n.calls(t)
	finished := make(chan bool)
	go func() {
		for range 2000 {
			others.Run()
		}
		close(finished)
	}()
	for range 2000 {
		calls.Run()
		if !slices.EqualFunc(results, want, slices.Equal) {
			t.Fatal("a pass that runs beside another gives other numbers")
		}
	}
	<-finished
}

func TestConvolutionsAllocateNothing(t *testing.T) {
	calls, _ := newResidual(t).calls(t)
	if got := testing.AllocsPerRun(10, calls.Run); got != 0 {
		t.Errorf("%v allocations", got)
	}
}
