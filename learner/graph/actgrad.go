package graph

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/kernel"
	"impalab/learner/program"
)

// actGrad is dz = dy ⊙ act′(z) with act′ read off the activation's output y = act(z); all [rows, cols].
type actGrad struct{ act kernel.Activation }

func (a actGrad) label() string { return "actGrad(" + a.act.String() + ")" }
func (actGrad) ranks() []int    { return []int{2, 2, 2} }

func (a actGrad) shape(in []tensor.Shape) (tensor.Shape, error) {
	if !in[0].Eq(in[1]) {
		return nil, misfit(a, "dy and y must have the same shape", in)
	}
	return in[0].Clone(), nil
}

func (a actGrad) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.ActGrad, Act: a.act, Size: sizes(in[0].TotalSize())}
}

// Linear in dy, with a diagonal: the derivative is the same operation. Nothing here differentiates
// the slope act′ itself (STAC's metagradient needs J·u, not curvature), so that is refused.
func (a actGrad) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dy, err := apply(a, grad, in[1])
	return gorgonia.Nodes{dy, nil}, err
}
