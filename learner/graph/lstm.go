package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/kernel"
	"impalab/learner/program"
)

// The recurrent core as rules. Its input product x·Wx + b is a dense layer; these rules start at z. They form a circle:
// the derivative of lstm is lstmBack, the derivative of lstmBack is lstmTangent, and that rule's derivative is lstmBack
// again. All inputs except z, Wh and the cotangents are data: an actor stored state, and keep marks where episodes
// began.

// lstm unrolls steps steps from z [steps·B, 4H], Wh [H, 4H], state [B, 2H] (h, then c) and keep [steps·B]. The
// result is the cells [steps·B, 7H]: its first H columns are h and the next H are c.
type lstm struct{ steps int }

func (l lstm) label() string { return fmt.Sprintf("lstm(%d)", l.steps) }
func (lstm) ranks() []int    { return []int{2, 2, 2, 1, 2} }

func (l lstm) shape(in []tensor.Shape) (tensor.Shape, error) {
	z, wh, state, keep := in[0], in[1], in[2], in[3]
	if why := lstmMisfit(l.steps, z[0], wh, state, keep); why != "" {
		return nil, misfit(l, why, in)
	}
	if z[1] != wh[1] {
		return nil, misfit(l, "z needs as many columns as Wh", in)
	}
	return tensor.Shape{z[0], kernel.CellParts * wh[0]}, nil
}

func (l lstm) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.LSTM, Size: sizes(l.steps, in[2][0], in[1][0])}
}

// ∂L/∂Wh = h′ᵀ·∂L/∂z, over all steps at once.
func (l lstm) reverse(in gorgonia.Nodes, cells, dCells *gorgonia.Node) (gorgonia.Nodes, error) {
	wh, state, keep := in[1], in[2], in[3]
	dz, err := apply(lstmBack(l), dCells, cells, wh, state, keep)
	if err != nil {
		return nil, err
	}
	previous, err := apply(lstmPrevious(l), cells, state, keep)
	if err != nil {
		return nil, err
	}
	dwh, err := apply(productAT, previous, dz)
	return gorgonia.Nodes{dz, dwh, nil, nil}, err
}

// lstmBack is dz [steps·B, 4H] from dCells and cells [steps·B, 7H], Wh, state and keep.
type lstmBack struct{ steps int }

func (l lstmBack) label() string { return fmt.Sprintf("lstmBack(%d)", l.steps) }
func (lstmBack) ranks() []int    { return []int{2, 2, 2, 2, 1, 2} }

func (l lstmBack) shape(in []tensor.Shape) (tensor.Shape, error) {
	dCells, cells, wh, state, keep := in[0], in[1], in[2], in[3], in[4]
	if why := lstmMisfit(l.steps, cells[0], wh, state, keep); why != "" {
		return nil, misfit(l, why, in)
	}
	if cells[1] != kernel.CellParts*wh[0] || !dCells.Eq(cells) {
		return nil, misfit(l, "dCells and cells must have 7H columns", in)
	}
	return tensor.Shape{cells[0], wh[1]}, nil
}

func (l lstmBack) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.LSTMBack, Size: sizes(l.steps, in[3][0], in[2][0])}
}

// Linear in dCells; its second derivative in the cells is never needed (see actGrad).
func (l lstmBack) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dCells, err := apply(lstmTangent(l), grad, in[1], in[2], in[3], in[4])
	return gorgonia.Nodes{dCells, nil, nil, nil, nil}, err
}

// lstmTangent is how the cells [steps·B, 7H] move when z moves along tz [steps·B, 4H]; then cells, Wh, state, keep.
type lstmTangent struct{ steps int }

func (l lstmTangent) label() string { return fmt.Sprintf("lstmTangent(%d)", l.steps) }
func (lstmTangent) ranks() []int    { return []int{2, 2, 2, 2, 1, 2} }

func (l lstmTangent) shape(in []tensor.Shape) (tensor.Shape, error) {
	tz, cells, wh, state, keep := in[0], in[1], in[2], in[3], in[4]
	if why := lstmMisfit(l.steps, cells[0], wh, state, keep); why != "" {
		return nil, misfit(l, why, in)
	}
	if cells[1] != kernel.CellParts*wh[0] || tz[0] != cells[0] || tz[1] != wh[1] {
		return nil, misfit(l, "tz must have 4H columns and cells 7H", in)
	}
	return cells.Clone(), nil
}

func (l lstmTangent) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.LSTMTangent, Size: sizes(l.steps, in[3][0], in[2][0])}
}

func (l lstmTangent) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	tz, err := apply(lstmBack(l), grad, in[1], in[2], in[3], in[4])
	return gorgonia.Nodes{tz, nil, nil, nil, nil}, err
}

// lstmPrevious returns h′ [steps·B, H], the hidden state before each step, from cells, state and keep.
type lstmPrevious struct{ steps int }

func (l lstmPrevious) label() string { return fmt.Sprintf("lstmPrevious(%d)", l.steps) }
func (lstmPrevious) ranks() []int    { return []int{2, 2, 1, 2} }

func (l lstmPrevious) shape(in []tensor.Shape) (tensor.Shape, error) {
	cells, state, keep := in[0], in[1], in[2]
	units := state[1] / 2
	if cells[0] != l.steps*state[0] || cells[1] != kernel.CellParts*units || keep[0] != cells[0] {
		return nil, misfit(l, "cells, state and keep are not of one unroll", in)
	}
	return tensor.Shape{cells[0], units}, nil
}

func (l lstmPrevious) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.LSTMPrevious, Size: sizes(l.steps, in[1][0], in[1][1]/2)}
}

func (lstmPrevious) reverse(gorgonia.Nodes, *gorgonia.Node, *gorgonia.Node) (gorgonia.Nodes, error) {
	return gorgonia.Nodes{nil, nil, nil}, nil
}

// lstmMisfit returns the operand that does not fit an unroll of rows rows, or "".
func lstmMisfit(steps, rows int, wh, state, keep tensor.Shape) string {
	switch {
	case wh[1] != 4*wh[0]:
		return "Wh needs four columns for each of its rows"
	case state[1] != 2*wh[0]:
		return "state needs h and c, a column each for every row of Wh"
	case steps < 1 || rows != steps*state[0]:
		return "the rows are not steps times the rows of state"
	case keep[0] != rows:
		return "keep needs a value for each row"
	}
	return ""
}
