package graph

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/program"
)

// multiply is a ⊙ b, both [rows, cols]. Its derivatives are multiply again.
type multiply struct{}

func (multiply) label() string { return "multiply" }
func (multiply) ranks() []int  { return []int{2, 2, 2} }

func (m multiply) shape(in []tensor.Shape) (tensor.Shape, error) {
	if !in[0].Eq(in[1]) {
		return nil, misfit(m, "a and b must have the same shape", in)
	}
	return in[0].Clone(), nil
}

func (multiply) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.Multiply, Size: sizes(in[0].TotalSize())}
}

func (m multiply) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	return applyTwo(m, grad, in[1], m, grad, in[0])
}

// negate is −x, [rows, cols].
type negate struct{}

func (negate) label() string { return "negate" }
func (negate) ranks() []int  { return []int{2, 2} }

func (negate) shape(in []tensor.Shape) (tensor.Shape, error) { return in[0].Clone(), nil }

func (negate) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.Negate, Size: sizes(in[0].TotalSize())}
}

func (n negate) reverse(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dx, err := apply(n, grad)
	return gorgonia.Nodes{dx}, err
}

// mix is x + z ⊙ (h − x), as x + z⊙h − z⊙x: a gate.
func mix(z, x, h *gorgonia.Node) (*gorgonia.Node, error) {
	more, err := apply(multiply{}, z, h)
	if err != nil {
		return nil, err
	}
	less, err := apply(multiply{}, z, x)
	if err != nil {
		return nil, err
	}
	if less, err = apply(negate{}, less); err != nil {
		return nil, err
	}
	return apply(sum{n: 3, rank: 2}, x, more, less)
}
