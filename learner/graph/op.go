// Package graph holds the network as a Gorgonia graph of our own fused operations, and ends where a program begins.
// Gorgonia builds the graph, infers types and shapes and carries the symbolic derivatives; Lower reads off it, once,
// what runs at every update: a list of operations on one arena, as data (learner/program). No other package imports
// Gorgonia: actors and pages use learner/net.
//
// A new operation (an LSTM cell, a convolution) is a type that is a rule here, and its law in learner/program. Nothing
// else has to know it, except the network that applies it.
package graph

import (
	"fmt"
	"hash"
	"hash/fnv"
	"slices"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/program"
)

// rule is what distinguishes one operation from another. It is a value without state: the same rule
// may stand at many nodes. All tensors are float32 and row-major.
type rule interface {
	// label names the operation and all that changes its result: Gorgonia hashes it.
	label() string
	// ranks are the dimensions of the inputs (1 vector, 2 matrix) and, last, of the result.
	ranks() []int
	// shape infers the result's shape, or says which inputs do not fit each other.
	shape(in []tensor.Shape) (tensor.Shape, error)
	// step computes the result of inputs of these shapes; where they lie is left open.
	step(in []tensor.Shape) program.Step
	// reverse builds, for each input, the node of ∂L/∂input from grad = ∂L/∂out. It must itself be
	// made of rules. nil: not known; differentiating through that input is then refused.
	reverse(in gorgonia.Nodes, out, grad *gorgonia.Node) (gorgonia.Nodes, error)
}

// sizes is program.Step's.
func sizes(n ...int) (s [8]int) {
	copy(s[:], n)
	return s
}

// apply puts a rule into the graph of its inputs.
func apply(r rule, in ...*gorgonia.Node) (*gorgonia.Node, error) {
	n, err := gorgonia.ApplyOp(&op{rule: r}, in...)
	if err != nil {
		return nil, err
	}
	// Gorgonia merges nodes of equal 32-bit hash. Two equal computations shall be one node; two
	// different ones that collide must not pass unnoticed.
	if o, ok := n.Op().(*op); !ok || o.label() != r.label() || !slices.Equal(inputs(n), in) {
		return nil, fmt.Errorf("%s: its hash collides with that of %v: rename an input", r.label(), n)
	}
	return n, nil
}

// inputs are the nodes n is computed from, in the order of its rule.
func inputs(n *gorgonia.Node) gorgonia.Nodes {
	var in gorgonia.Nodes
	for it := n.Graph().From(n.ID()); it.Next(); {
		in = append(in, it.Node().(*gorgonia.Node))
	}
	return in
}

func shapes(ns gorgonia.Nodes) []tensor.Shape {
	s := make([]tensor.Shape, len(ns))
	for i, n := range ns {
		s[i] = n.Shape()
	}
	return s
}

// op makes of a rule what Gorgonia asks of an operation (Op and SDOp). Each node has its own op and
// each op its own result, so nothing a Gorgonia machine does to one value can reach another.
type op struct {
	rule
	out *tensor.Dense // the result of Do, made by the first one
}

var _ gorgonia.SDOp = (*op)(nil)

func (o *op) Arity() int           { return len(o.ranks()) - 1 }
func (o *op) ReturnsPtr() bool     { return false }
func (o *op) CallsExtern() bool    { return false }
func (o *op) OverwritesInput() int { return -1 }
func (o *op) String() string       { return o.label() }

func (o *op) WriteHash(h hash.Hash) { fmt.Fprintf(h, "impalab/%s", o.label()) }

func (o *op) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

// Type is, say, Matrix float32 → Vector float32 → Matrix float32: the kernels know no other numbers,
// and Gorgonia's type inference refuses them.
func (o *op) Type() hm.Type {
	var ts []hm.Type
	for _, rank := range o.ranks() {
		ts = append(ts, gorgonia.TensorType{Dims: rank, Of: tensor.Float32})
	}
	return hm.NewFnType(ts...)
}

func (o *op) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	s, err := gorgonia.DimSizersToShapes(in)
	if err != nil {
		return nil, err
	}
	return o.check(s)
}

// check infers the result's shape once the ranks fit: Gorgonia's types carry a rank, yet its inference
// compares only the kind of number.
func (o *op) check(in []tensor.Shape) (tensor.Shape, error) {
	for i, rank := range o.ranks()[:len(in)] {
		if in[i].Dims() != rank {
			return nil, misfit(o.rule, fmt.Sprintf("input %d has %d dimensions, not %d", i, in[i].Dims(), rank), in)
		}
	}
	return o.shape(in)
}

// Do computes the operation alone, as Gorgonia's own machines call it. No program comes here.
func (o *op) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	if len(in) != o.Arity() {
		return nil, fmt.Errorf("%s: %d inputs, not %d", o.label(), len(in), o.Arity())
	}
	s := make([]tensor.Shape, len(in))
	data := make([][]float32, len(in))
	for i, v := range in {
		t, ok := v.(*tensor.Dense)
		if !ok || t.Dtype() != tensor.Float32 {
			return nil, fmt.Errorf("%s: input %d is not a dense float32 tensor", o.label(), i)
		}
		s[i], data[i] = t.Shape(), t.Float32s()
	}
	out, err := o.check(s)
	if err != nil {
		return nil, err
	}
	if o.out == nil || !o.out.Shape().Eq(out) {
		o.out = tensor.New(tensor.Of(tensor.Float32), tensor.WithShape(out...))
	}
	steps := []program.Step{o.step(s)}
	if _, isSum := o.rule.(sum); isSum {
		steps = slices.Repeat(steps, len(in)) // a term each
	}
	result := o.out.Float32s()
	arena, at := slices.Clone(result), len(result)
	for i, x := range data {
		if len(steps) > 1 {
			steps[i].At[1], steps[i].Add = at, i > 0
		} else {
			steps[0].At[1+i] = at
		}
		arena, at = append(arena, x...), at+len(x)
	}
	program.Bind(steps, arena).Run()
	copy(result, arena)
	return o.out, nil
}

// DiffWRT says yes to all: whether a derivative is known is for reverse to say, at the place it is needed.
func (o *op) DiffWRT(n int) []bool { return slices.Repeat([]bool{true}, n) }

func (o *op) SymDiff(in gorgonia.Nodes, out, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	return o.reverse(in, out, grad)
}

// misfit is the error of shapes that do not belong together.
func misfit(r rule, why string, in []tensor.Shape) error {
	return fmt.Errorf("%s of %v: %s", r.label(), in, why)
}
