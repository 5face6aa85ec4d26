package graph

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/kernel"
	"impalab/learner/program"
)

// dense is a layer in one node: y = act(x·W + b), x [rows, in], W [in, out], b [out], y [rows, out].
type dense struct{ act kernel.Activation }

func (d dense) label() string { return "dense(" + d.act.String() + ")" }
func (dense) ranks() []int    { return []int{2, 2, 1, 2} }

func (d dense) shape(in []tensor.Shape) (tensor.Shape, error) {
	x, w, b := in[0], in[1], in[2]
	switch {
	case x[1] != w[0]:
		return nil, misfit(d, "x needs as many columns as W has rows", in)
	case w[1] != b[0]:
		return nil, misfit(d, "b needs a value for each column of W", in)
	}
	return tensor.Shape{x[0], w[1]}, nil
}

func (d dense) step(in []tensor.Shape) program.Step {
	m, k, n := in[0][0], in[0][1], in[1][1]
	return program.Step{Op: program.Dense, Act: d.act, Size: sizes(m, n, k)}
}

// With z = x·W + b:  ∂L/∂z = ∂L/∂y ⊙ act′(z),  ∂L/∂x = ∂L/∂z·Wᵀ,  ∂L/∂W = xᵀ·∂L/∂z,  ∂L/∂b = Σ_rows ∂L/∂z.
func (d dense) reverse(in gorgonia.Nodes, y, dy *gorgonia.Node) (gorgonia.Nodes, error) {
	dz, err := actBack(d.act, dy, y)
	if err != nil {
		return nil, err
	}
	back, err := applyTwo(productBT, dz, in[1], productAT, in[0], dz)
	if err != nil {
		return nil, err
	}
	db, err := apply(colSum{in[2].Shape()[0]}, dz)
	return append(back, db), err
}
