package graph

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/kernel"
	"impalab/learner/program"
)

// activate is a nonlinearity by itself: y = act(x), both [rows, cols]. A residual block begins with it.
type activate struct{ act kernel.Activation }

func (a activate) label() string { return "activate(" + a.act.String() + ")" }
func (activate) ranks() []int    { return []int{2, 2} }

func (activate) shape(in []tensor.Shape) (tensor.Shape, error) { return in[0].Clone(), nil }

func (a activate) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.Activate, Act: a.act, Size: sizes(in[0].TotalSize())}
}

func (a activate) reverse(_ gorgonia.Nodes, y, dy *gorgonia.Node) (gorgonia.Nodes, error) {
	dx, err := actBack(a.act, dy, y)
	return gorgonia.Nodes{dx}, err
}

// actBack is dy ⊙ act′, read off the activation's output y.
func actBack(act kernel.Activation, dy, y *gorgonia.Node) (*gorgonia.Node, error) {
	if act == kernel.Identity {
		return dy, nil
	}
	return apply(actGrad{act}, dy, y)
}
