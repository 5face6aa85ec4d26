package graph

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/program"
)

// sum adds n tensors of one shape: a node with several consumers receives the sum of their gradients.
// The plan lets the terms accumulate in the sum's own memory where it can (see lower.go).
type sum struct{ n, rank int }

func (s sum) label() string { return fmt.Sprintf("sum(%d,%d)", s.n, s.rank) }
func (s sum) ranks() []int  { return slices.Repeat([]int{s.rank}, s.n+1) }

func (s sum) shape(in []tensor.Shape) (tensor.Shape, error) {
	for _, t := range in[1:] {
		if !t.Eq(in[0]) {
			return nil, misfit(s, "the terms must have the same shape", in)
		}
	}
	return in[0].Clone(), nil
}

// step copies a term, or adds it. A sum has one step for each term.
func (s sum) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.Copy, Size: sizes(in[0].TotalSize())}
}

func (s sum) reverse(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	return slices.Repeat(gorgonia.Nodes{grad}, s.n), nil
}
