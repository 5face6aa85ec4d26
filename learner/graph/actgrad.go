package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/kernel"
)

// actGrad is dz = dy ⊙ act′(z) with act′ read off the activation's output y = act(z); all [rows, cols].
type actGrad struct{ act kernel.Activation }

func (a actGrad) label() string { return "actGrad(" + actName(a.act) + ")" }
func (actGrad) ranks() []int    { return []int{2, 2, 2} }

func (actGrad) inPlace() {}

func (a actGrad) shape(in []tensor.Shape) (tensor.Shape, error) {
	if !in[0].Eq(in[1]) {
		return nil, misfit(a, "dy and y must have the same shape", in)
	}
	return in[0].Clone(), nil
}

func (a actGrad) kernel(_ []tensor.Shape, add bool) call {
	if add {
		return nil
	}
	return func(dst []float32, in [][]float32) { kernel.ActGrad(dst, in[0], in[1], a.act) }
}

// Linear in dy, with a diagonal: the derivative is the same operation. Nothing here differentiates
// the slope act′ itself (STAC's metagradient needs J·u, not curvature), so that is refused.
func (a actGrad) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dy, err := apply(a, grad, in[1])
	return gorgonia.Nodes{dy, nil}, err
}

func actName(act kernel.Activation) string {
	switch act {
	case kernel.Identity:
		return "identity"
	case kernel.ReLU:
		return "relu"
	case kernel.Tanh:
		return "tanh"
	}
	panic(fmt.Sprintf("graph: activation %d has no name", act))
}
