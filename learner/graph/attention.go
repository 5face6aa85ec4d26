package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/kernel"
	"impalab/learner/program"
)

// The attention of a gated Transformer-XL as rules: kernel.Attention has the mathematics. A directional derivative of
// the network would need the derivatives of attendBack and attendWeights, which are not known.

// attend looks back in unrolls of steps steps: n and q [steps·B, D], W [3D+1, D], state [B, 1+memory·D], keep
// [steps·B]. The result is the cells, of which the first D columns are y.
type attend struct{ steps, heads, memory int }

func (a attend) label() string { return fmt.Sprintf("attend(%d,%d,%d)", a.steps, a.heads, a.memory) }
func (attend) ranks() []int    { return []int{2, 2, 2, 2, 1, 2} }

func (a attend) shape(in []tensor.Shape) (tensor.Shape, error) {
	n, q, w, state, keep := in[0], in[1], in[2], in[3], in[4]
	switch {
	case !q.Eq(n):
		return nil, misfit(a, "n and q must have the same shape", in)
	case keep[0] != n[0]:
		return nil, misfit(a, "keep needs a value for each row", in)
	}
	if why := a.misfit(n, w, state); why != "" {
		return nil, misfit(a, why, in)
	}
	return tensor.Shape{n[0], kernel.AttentionWidth(n[1], a.heads, a.memory)}, nil
}

// misfit returns the operand that does not fit n, or "".
func (a attend) misfit(n, w, state tensor.Shape) string {
	switch {
	case a.heads < 1 || n[1]%a.heads != 0:
		return "the heads do not divide the columns of n"
	case w[0]*w[1] != kernel.AttentionWeights(n[1]):
		return "W needs the numbers of Wk, WR, Wv and v − u"
	case state[1] != kernel.MemorySize(n[1], a.memory):
		return "state needs a count and a row of n for each remembered step"
	case a.steps < 1 || n[0] != a.steps*state[0]:
		return "the rows are not steps times the rows of state"
	}
	return ""
}

func (a attend) sizes(state tensor.Shape, units int) [8]int {
	return sizes(a.steps, state[0], units, a.heads, a.memory)
}

func (a attend) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.Attend, Size: a.sizes(in[3], in[0][1])}
}

func (a attend) reverse(in gorgonia.Nodes, cells, dCells *gorgonia.Node) (gorgonia.Nodes, error) {
	n, q, w, state := in[0], in[1], in[2], in[3]
	back, err := apply(attendBack{a}, dCells, cells, n, w, state)
	if err != nil {
		return nil, err
	}
	d := n.Shape()[1]
	dn, err := apply(columns{0, d}, back)
	if err != nil {
		return nil, err
	}
	dq, err := apply(columns{d, d}, back)
	if err != nil {
		return nil, err
	}
	dw, err := apply(attendWeights{a, state.Shape()[0]}, dCells, cells, back, q, w)
	return gorgonia.Nodes{dn, dq, dw, nil, nil}, err
}

// attendBack is the cotangents of n and q, and of both queries, from dCells, cells, n, W and state.
type attendBack struct{ attend }

func (a attendBack) label() string {
	return fmt.Sprintf("attendBack(%d,%d,%d)", a.steps, a.heads, a.memory)
}
func (attendBack) ranks() []int { return []int{2, 2, 2, 2, 2, 2} }

func (a attendBack) shape(in []tensor.Shape) (tensor.Shape, error) {
	dCells, cells, n, w, state := in[0], in[1], in[2], in[3], in[4]
	if why := a.misfit(n, w, state); why != "" {
		return nil, misfit(a, why, in)
	}
	if !dCells.Eq(cells) || cells[0] != n[0] || cells[1] != kernel.AttentionWidth(n[1], a.heads, a.memory) {
		return nil, misfit(a, "dCells and cells do not have the rows of n", in)
	}
	return tensor.Shape{n[0], kernel.AttentionBack(n[1], a.heads)}, nil
}

func (a attendBack) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.AttendBack, Size: a.sizes(in[4], in[2][1])}
}

func (attendBack) reverse(gorgonia.Nodes, *gorgonia.Node, *gorgonia.Node) (gorgonia.Nodes, error) {
	return make(gorgonia.Nodes, 5), nil
}

// attendWeights is ∂L/∂W of rows trajectories, from dCells, cells, back, q and W.
type attendWeights struct {
	attend
	rows int
}

func (a attendWeights) label() string {
	return fmt.Sprintf("attendWeights(%d,%d,%d)", a.steps, a.heads, a.memory)
}
func (attendWeights) ranks() []int { return []int{2, 2, 2, 2, 2, 2} }

func (a attendWeights) shape(in []tensor.Shape) (tensor.Shape, error) {
	dCells, cells, back, q, w := in[0], in[1], in[2], in[3], in[4]
	state := tensor.Shape{a.rows, kernel.MemorySize(q[1], a.memory)}
	if why := a.misfit(q, w, state); why != "" {
		return nil, misfit(a, why, in)
	}
	if !dCells.Eq(cells) || cells[0] != q[0] || cells[1] != kernel.AttentionWidth(q[1], a.heads, a.memory) ||
		back[0] != q[0] || back[1] != kernel.AttentionBack(q[1], a.heads) {
		return nil, misfit(a, "dCells, cells and back do not have the rows of q", in)
	}
	return w.Clone(), nil
}

func (a attendWeights) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.AttendWeights, Size: sizes(a.steps, a.rows, in[3][1], a.heads, a.memory)}
}

func (attendWeights) reverse(gorgonia.Nodes, *gorgonia.Node, *gorgonia.Node) (gorgonia.Nodes, error) {
	return make(gorgonia.Nodes, 5), nil
}
