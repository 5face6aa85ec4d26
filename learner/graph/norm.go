package graph

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/program"
)

// norm brings each row of x [rows, cols] to mean 0 and variance 1.
type norm struct{}

func (norm) label() string { return "norm" }
func (norm) ranks() []int  { return []int{2, 2} }

func (norm) shape(in []tensor.Shape) (tensor.Shape, error) { return in[0].Clone(), nil }

func (norm) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.Norm, Size: sizes(in[0][0], in[0][1])}
}

func (norm) reverse(in gorgonia.Nodes, _, dy *gorgonia.Node) (gorgonia.Nodes, error) {
	dx, err := apply(normBack{}, dy, in[0])
	return gorgonia.Nodes{dx}, err
}

// normBack is dx from dy and x, all [rows, cols].
type normBack struct{}

func (normBack) label() string { return "normBack" }
func (normBack) ranks() []int  { return []int{2, 2, 2} }

func (n normBack) shape(in []tensor.Shape) (tensor.Shape, error) {
	if !in[0].Eq(in[1]) {
		return nil, misfit(n, "dy and x must have the same shape", in)
	}
	return in[0].Clone(), nil
}

func (normBack) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.NormBack, Size: sizes(in[0][0], in[0][1])}
}

// Linear in dy, and its own transpose.
func (n normBack) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dy, err := apply(n, grad, in[1])
	return gorgonia.Nodes{dy, nil}, err
}
