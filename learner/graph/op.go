// Package graph holds the network as a Gorgonia graph of our own fused operations, and ends where a program begins.
// Gorgonia builds the graph, infers types and shapes and carries the symbolic derivatives; Lower reads off it, once,
// what runs at every update: a list of operations on one arena, as data (learner/program). No other package imports
// Gorgonia: actors and pages use learner/net.
//
// A new operation (an LSTM cell, a convolution) is a rule here, a row in learner/program, and a place in the network
// that applies it.
package graph

import (
	"errors"
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
	n, err := gorgonia.ApplyOp(op{r}, in...)
	if err != nil {
		return nil, err
	}
	// Gorgonia merges nodes of equal 32-bit hash. Two equal computations shall be one node; two
	// different ones that collide must not pass unnoticed.
	if o, ok := n.Op().(op); !ok || o.label() != r.label() || !slices.Equal(inputs(n), in) {
		return nil, fmt.Errorf("%s: its hash collides with the hash of %v: rename an input", r.label(), n)
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

// op implements Gorgonia's interface of an operation with a rule.
type op struct{ rule }

func (o op) Arity() int            { return len(o.ranks()) - 1 }
func (o op) ReturnsPtr() bool      { return false }
func (o op) CallsExtern() bool     { return false }
func (o op) OverwritesInput() int  { return -1 }
func (o op) String() string        { return o.label() }
func (o op) WriteHash(h hash.Hash) { fmt.Fprintf(h, "impalab/%s", o.label()) }

// Do is for Gorgonia's machines. None runs this graph: Lower makes a program of it.
func (o op) Do(...gorgonia.Value) (gorgonia.Value, error) { return nil, errors.ErrUnsupported }

func (o op) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

// Type is, say, Matrix float32 → Vector float32 → Matrix float32: the kernels know no other numbers,
// and Gorgonia's type inference refuses them.
func (o op) Type() hm.Type {
	var ts []hm.Type
	for _, rank := range o.ranks() {
		ts = append(ts, gorgonia.TensorType{Dims: rank, Of: tensor.Float32})
	}
	return hm.NewFnType(ts...)
}

// InferShape infers the result's shape once the ranks fit: Gorgonia's types carry a rank, yet its inference compares
// only the kind of number.
func (o op) InferShape(sizers ...gorgonia.DimSizer) (tensor.Shape, error) {
	in, err := gorgonia.DimSizersToShapes(sizers)
	if err != nil {
		return nil, err
	}
	for i, rank := range o.ranks()[:len(in)] {
		if in[i].Dims() != rank {
			return nil, misfit(o.rule, fmt.Sprintf("input %d has %d dimensions, not %d", i, in[i].Dims(), rank), in)
		}
	}
	return o.shape(in)
}

// misfit is the error of shapes that do not belong together.
func misfit(r rule, why string, in []tensor.Shape) error {
	return fmt.Errorf("%s of %v: %s", r.label(), in, why)
}
