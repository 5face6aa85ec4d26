package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/kernel"
	"impalab/learner/program"
)

// Height and width, padding and stride that no two fit each other.
var (
	unevenConv = kernel.Conv{H: 4, W: 5, In: 2, Out: 3, Size: 3, Stride: 2, Pad: 1}
	unevenPool = kernel.Pool{H: 4, W: 5, C: 2, Size: 3, Stride: 2, Pad: 1}
)

// opCases has every rule, with input shapes. A new operation adds a line; known says which of its
// inputs have a derivative (all, when nil).
var opCases = []struct {
	rule  rule
	in    []tensor.Shape
	known []bool
}{
	{dense{kernel.Identity}, []tensor.Shape{{5, 4}, {4, 3}, {3}}, nil},
	{dense{kernel.ReLU}, []tensor.Shape{{5, 4}, {4, 3}, {3}}, nil},
	{dense{kernel.Tanh}, []tensor.Shape{{5, 4}, {4, 3}, {3}}, nil},
	{actGrad{kernel.ReLU}, []tensor.Shape{{5, 4}, {5, 4}}, []bool{true, false}},
	{actGrad{kernel.Tanh}, []tensor.Shape{{5, 4}, {5, 4}}, []bool{true, false}},
	{productAB, []tensor.Shape{{5, 4}, {4, 3}}, nil},
	{productAT, []tensor.Shape{{4, 5}, {4, 3}}, nil},
	{productBT, []tensor.Shape{{5, 4}, {3, 4}}, nil},
	{conv{unevenConv, convForward}, []tensor.Shape{{2, 40}, {18, 3}}, nil},
	{conv{unevenConv, convInput}, []tensor.Shape{{2, 18}, {18, 3}}, nil},
	{conv{unevenConv, convWeights}, []tensor.Shape{{2, 40}, {2, 18}}, nil},
	{convLayer{unevenConv, kernel.Identity}, []tensor.Shape{{2, 40}, {18, 3}, {3}}, nil},
	{convLayer{unevenConv, kernel.ReLU}, []tensor.Shape{{2, 40}, {18, 3}, {3}}, nil},
	{convLayer{unevenConv, kernel.Tanh}, []tensor.Shape{{2, 40}, {18, 3}, {3}}, nil},
	{activate{kernel.Identity}, []tensor.Shape{{5, 4}}, nil},
	{activate{kernel.ReLU}, []tensor.Shape{{5, 4}}, nil},
	{activate{kernel.Tanh}, []tensor.Shape{{5, 4}}, nil},
	{pool{unevenPool}, []tensor.Shape{{2, 40}}, nil},
	{poolBack{unevenPool}, []tensor.Shape{{2, 12}, {2, 40}, {2, 12}}, []bool{true, false, false}},
	{poolPick{unevenPool}, []tensor.Shape{{2, 40}, {2, 40}, {2, 12}}, []bool{true, false, false}},
	{colSum{2}, []tensor.Shape{{3, 8}}, nil},
	{repeat{3, 4}, []tensor.Shape{{2}}, nil},
	{colSum{4}, []tensor.Shape{{5, 4}}, nil},
	{repeat{5, 1}, []tensor.Shape{{4}}, nil},
	{columns{1, 2}, []tensor.Shape{{5, 4}}, nil},
	{place{1, 4}, []tensor.Shape{{5, 2}}, nil},
	{columns{1, 17}, []tensor.Shape{{5, 19}}, nil},
	{place{1, 19}, []tensor.Shape{{5, 17}}, nil},
	{sum{3, 2}, []tensor.Shape{{5, 4}, {5, 4}, {5, 4}}, nil},
	{sum{2, 1}, []tensor.Shape{{4}, {4}}, nil},
	{norm{}, []tensor.Shape{{5, 4}}, nil},
	{normBack{}, []tensor.Shape{{5, 4}, {5, 4}}, []bool{true, false}},
	{multiply{}, []tensor.Shape{{5, 4}, {5, 4}}, nil},
	{negate{}, []tensor.Shape{{5, 4}}, nil},
	{dense{kernel.Sigmoid}, []tensor.Shape{{5, 4}, {4, 3}, {3}}, nil},
	{actGrad{kernel.Sigmoid}, []tensor.Shape{{5, 4}, {5, 4}}, []bool{true, false}},
	{lstm{3}, []tensor.Shape{{6, 12}, {3, 12}, {2, 6}, {6}}, []bool{true, true, false, false}},
	{lstmBack{3}, []tensor.Shape{{6, 21}, {6, 21}, {3, 12}, {2, 6}, {6}}, []bool{true, false, false, false, false}},
	{lstmTangent{3}, []tensor.Shape{{6, 12}, {6, 21}, {3, 12}, {2, 6}, {6}}, []bool{true, false, false, false, false}},
	{lstmPrevious{3}, []tensor.Shape{{6, 21}, {2, 6}, {6}}, []bool{false, false, false}},
}

// opBench is one operation in a graph of its own, with values for its inputs and for ∂L/∂out.
type opBench struct {
	in   gorgonia.Nodes
	out  *gorgonia.Node
	seed *gorgonia.Node
	data map[*gorgonia.Node][]float32
}

func newOpBench(t *testing.T, r rule, in []tensor.Shape) *opBench {
	t.Helper()
	g := gorgonia.NewGraph()
	b := &opBench{data: map[*gorgonia.Node][]float32{}}
	random := rand.New(rand.NewPCG(1, 2))
	for i, s := range in {
		n := tensorNode(g, fmt.Sprintf("in%d", i), s)
		b.in = append(b.in, n)
		b.data[n] = fill(random, make([]float32, s.TotalSize()), 1)
	}
	out, err := apply(r, b.in...)
	if err != nil {
		t.Fatal(err)
	}
	b.out = out
	b.seed = tensorNode(g, "seed", out.Shape())
	b.data[b.seed] = fill(random, make([]float32, out.Shape().TotalSize()), 1)
	return b
}

func tensorNode(g *gorgonia.ExprGraph, name string, s tensor.Shape) *gorgonia.Node {
	return gorgonia.NewTensor(g, tensor.Float32, s.Dims(), gorgonia.WithShape(s...), gorgonia.WithName(name))
}

func TestEveryDerivativeIsTheFiniteDifference(t *testing.T) {
	for _, c := range opCases {
		t.Run(c.rule.label(), func(t *testing.T) {
			b := newOpBench(t, c.rule, c.in)
			for i, x := range b.in {
				if c.known != nil && !c.known[i] {
					if _, err := reverse(gorgonia.Nodes{b.out}, gorgonia.Nodes{b.seed}, gorgonia.Nodes{x}); err == nil {
						t.Errorf("input %d: a derivative nobody has checked", i)
					}
					continue
				}
				grads, err := reverse(gorgonia.Nodes{b.out}, gorgonia.Nodes{b.seed}, gorgonia.Nodes{x})
				if err != nil {
					t.Fatal(err)
				}
				got := append([]float32(nil), value(t, b.data, grads[0])...)
				eps := stride(c.rule)
				for j := range b.data[x] {
					at := b.data[x][j]
					b.data[x][j] = at + eps
					up := dot(b.data[b.seed], value(t, b.data, b.out))
					b.data[x][j] = at - eps
					down := dot(b.data[b.seed], value(t, b.data, b.out))
					b.data[x][j] = at
					want := (up - down) / (2 * float64(eps))
					if math.Abs(float64(got[j])-want) > 1e-3*(1+math.Abs(want)) {
						t.Errorf("input %d: derivative %g at %d, the difference says %g", i, got[j], j, want)
					}
				}
			}
		})
	}
}

// stride is how far a difference goes to either side: float32 results want a power of two, not too small. What
// is linear can go far, and must where large values are rounded.
func stride(r rule) float32 {
	switch r.(type) {
	case lstmBack, lstmTangent:
		return 1
	}
	return 1.0 / 256
}

// A step must write and read as much as the shapes of its rule say.
func TestEveryStepIsAsLargeAsItsShapes(t *testing.T) {
	for _, c := range opCases {
		b := newOpBench(t, c.rule, c.in)
		s := c.rule.step(c.in)
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", c.rule.label(), err)
			continue
		}
		want := []int{b.out.Shape().TotalSize()}
		for _, in := range c.in {
			want = append(want, in.TotalSize())
		}
		got := s.Extents()
		if _, isSum := c.rule.(sum); isSum {
			want = want[:2] // a step for each term
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s writes and reads %v, the shapes say %v", c.rule.label(), got, want)
		}
	}
}

// The adding form must add exactly the plain form's result.
func TestAddingIsWritingAndThenAdding(t *testing.T) {
	for _, c := range opCases {
		s := c.rule.step(c.in)
		if _, isSum := c.rule.(sum); isSum || !s.Op.Adds() {
			continue
		}
		b := newOpBench(t, c.rule, c.in)
		m := newMemory(b.data)
		s = m.step(b.out, b.seed, true)
		m.bind([]program.Step{s}).Run()
		want, got := value(t, b.data, b.out), m.of(b.seed)
		for i := range got {
			w := want[i] + b.data[b.seed][i]
			if math.Abs(float64(got[i]-w)) > 1e-5*(1+math.Abs(float64(w))) {
				t.Errorf("%s adds to %g at %d, not to %g", c.rule.label(), got[i], i, w)
			}
		}
	}
}

func TestDifferentOperationsHaveDifferentHashes(t *testing.T) {
	rules := []rule{place{0, 4}, place{1, 5}, columns{1, 3}, columns{0, 2}, columns{2, 1}, repeat{6, 1},
		sum{2, 2}, sum{3, 1}, actGrad{kernel.Identity},
		conv{kernel.Conv{H: 5, W: 4, In: 2, Out: 3, Size: 3, Stride: 2, Pad: 1}, convForward},
		pool{kernel.Pool{H: 5, W: 4, C: 2, Size: 3, Stride: 2, Pad: 1}},
		colSum{3}, repeat{4, 3}}
	for _, c := range opCases {
		rules = append(rules, c.rule)
	}
	seen := map[uint32]string{}
	for _, r := range rules {
		o := op{r}
		if other, ok := seen[o.Hashcode()]; ok {
			t.Errorf("%s has the hash of %s", o, other)
		}
		seen[o.Hashcode()] = o.String()
	}

	nw, err := newNetwork(someSpecs()["two layers"], 1, 16)
	if err != nil {
		t.Fatal(err)
	}
	nodes := map[uint32]*gorgonia.Node{}
	for _, n := range nw.input.Graph().AllNodes() {
		if other, ok := nodes[n.Hashcode()]; ok {
			t.Errorf("node %v has the hash of %v", n, other)
		}
		nodes[n.Hashcode()] = n
	}
}

func TestShapeErrorsAreNamed(t *testing.T) {
	for _, c := range []struct {
		rule rule
		in   []tensor.Shape
		want string
	}{
		{dense{kernel.Tanh}, []tensor.Shape{{8, 4}, {5, 3}, {3}}, "x needs as many columns as W has rows"},
		{dense{kernel.Tanh}, []tensor.Shape{{8, 4}, {4, 3}, {2}}, "b needs a value for each column of W"},
		{dense{kernel.Tanh}, []tensor.Shape{{8, 4}, {4, 3}, {3, 1}}, "input 2 has 2 dimensions, not 1"},
		{actGrad{kernel.Tanh}, []tensor.Shape{{8, 4}, {8, 3}}, "the same shape"},
		{productAB, []tensor.Shape{{8, 4}, {3, 8}}, "the lengths to sum over differ"},
		{productAT, []tensor.Shape{{8, 4}, {4, 8}}, "the lengths to sum over differ"},
		{productBT, []tensor.Shape{{8, 4}, {4, 8}}, "the lengths to sum over differ"},
		{columns{3, 2}, []tensor.Shape{{8, 4}}, "no such columns"},
		{place{3, 4}, []tensor.Shape{{8, 2}}, "too wide"},
		{sum{2, 2}, []tensor.Shape{{8, 4}, {4, 8}}, "the same shape"},
		{lstm{4}, []tensor.Shape{{8, 12}, {3, 11}, {2, 6}, {8}}, "four columns"},
		{lstm{4}, []tensor.Shape{{8, 12}, {3, 12}, {2, 3}, {8}}, "h and c"},
		{lstm{3}, []tensor.Shape{{8, 12}, {3, 12}, {2, 6}, {8}}, "not steps times"},
		{lstm{4}, []tensor.Shape{{8, 12}, {3, 12}, {2, 6}, {7}}, "a value for each row"},
		{lstm{4}, []tensor.Shape{{8, 11}, {3, 12}, {2, 6}, {8}}, "as many columns as Wh"},
		{lstmBack{4}, []tensor.Shape{{8, 3}, {8, 21}, {3, 12}, {2, 6}, {8}}, "7H columns"},
		{lstmTangent{4}, []tensor.Shape{{8, 3}, {8, 21}, {3, 12}, {2, 6}, {8}}, "4H columns"},
		{lstmPrevious{4}, []tensor.Shape{{8, 20}, {2, 6}, {8}}, "not of one unroll"},
		{conv{unevenConv, convForward}, []tensor.Shape{{2, 41}, {18, 3}}, "input 0 must have shape (2, 40)"},
		{conv{unevenConv, convWeights}, []tensor.Shape{{2, 40}, {3, 18}}, "input 1 must have shape (2, 18)"},
		{conv{kernel.Conv{H: 2, W: 2, In: 1, Out: 1, Size: 3, Stride: 1}, convForward}, []tensor.Shape{{2, 4}, {9, 1}},
			"no such convolution"},
		{convLayer{unevenConv, kernel.Tanh}, []tensor.Shape{{2, 40}, {18, 3}, {2}}, "a value for each channel"},
		{pool{unevenPool}, []tensor.Shape{{2, 41}}, "x must have 40 columns"},
		{pool{kernel.Pool{H: 2, W: 2, C: 1, Size: 1, Stride: 1, Pad: 1}}, []tensor.Shape{{2, 4}}, "no such pooling"},
		{poolBack{unevenPool}, []tensor.Shape{{2, 12}, {2, 40}, {2, 13}}, "must have shape (2, 12)"},
		{poolPick{unevenPool}, []tensor.Shape{{2, 12}, {2, 40}, {2, 12}}, "v must have x's shape"},
		{colSum{3}, []tensor.Shape{{2, 40}}, "whole pixels"},
		{normBack{}, []tensor.Shape{{8, 4}, {8, 3}}, "the same shape"},
		{multiply{}, []tensor.Shape{{8, 4}, {8, 3}}, "the same shape"},
		{attend{3, 2, 2}, []tensor.Shape{{6, 4}, {6, 3}, {13, 4}, {2, 9}, {6}}, "n and q must have"},
		{attend{3, 2, 2}, []tensor.Shape{{6, 4}, {6, 4}, {13, 4}, {2, 9}, {5}}, "a value for each row"},
		{attend{3, 3, 2}, []tensor.Shape{{6, 4}, {6, 4}, {13, 4}, {2, 9}, {6}}, "heads do not divide"},
		{attend{3, 2, 2}, []tensor.Shape{{6, 4}, {6, 4}, {12, 4}, {2, 9}, {6}}, "v − u"},
		{attend{3, 2, 2}, []tensor.Shape{{6, 4}, {6, 4}, {13, 4}, {2, 8}, {6}}, "each remembered step"},
		{attend{2, 2, 2}, []tensor.Shape{{6, 4}, {6, 4}, {13, 4}, {2, 9}, {6}}, "not steps times"},
		{attendBack{attend{3, 2, 2}}, []tensor.Shape{{6, 26}, {6, 25}, {6, 4}, {13, 4}, {2, 9}}, "the rows of n"},
		{attendWeights{attend{3, 2, 2}, 2}, []tensor.Shape{{6, 26}, {6, 26}, {6, 23}, {6, 4}, {13, 4}}, "the rows of q"},
	} {
		g := gorgonia.NewGraph()
		var in gorgonia.Nodes
		for i, s := range c.in {
			in = append(in, tensorNode(g, fmt.Sprint(i), s))
		}
		_, err := apply(c.rule, in...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %v: %v, want …%s…", c.rule.label(), c.in, err, c.want)
		}
	}
}

func TestOtherNumbersAreRefusedByTheTypes(t *testing.T) {
	g := gorgonia.NewGraph()
	a := gorgonia.NewMatrix(g, tensor.Float64, gorgonia.WithShape(2, 2), gorgonia.WithName("a"))
	_, err := apply(productAB, a, a)
	if err == nil || !strings.Contains(err.Error(), "Type inference error") {
		t.Errorf("a float64 matrix: %v", err)
	}
}
