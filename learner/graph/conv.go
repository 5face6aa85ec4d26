package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/kernel"
	"impalab/learner/program"
)

// conv is a convolution or one of its transposes, over images as rows of a matrix (see kernel.Conv). The
// three are closed under differentiation, as the three products are: each is linear in both inputs, and
// each one's derivatives are the two others.
type conv struct {
	kernel.Conv
	part convPart
}

type convPart uint8

const (
	convForward convPart = iota // x [rows, H·W·In] ∗ w [Size·Size·In, Out] → y [rows, OutH·OutW·Out]
	convInput                   // dy, w → dx
	convWeights                 // x, dy → dw
)

func (c conv) label() string {
	return [...]string{"conv", "convInput", "convWeights"}[c.part] + fmt.Sprint(c.Conv)
}
func (conv) ranks() []int { return []int{2, 2, 2} }

// shapes returns the shapes of x, w and y for a number of rows.
func (c conv) shapes(rows int) (x, w, y tensor.Shape) {
	return tensor.Shape{rows, c.InSize()}, tensor.Shape{c.Size * c.Size * c.In, c.Out}, tensor.Shape{rows, c.OutSize()}
}

func (c conv) shape(in []tensor.Shape) (tensor.Shape, error) {
	if !c.Valid() {
		return nil, misfit(c, "no such convolution: sizes must be positive and the window fit into the padded image", in)
	}
	x, w, y := c.shapes(in[0][0])
	want, out := []tensor.Shape{x, w}, y
	switch c.part {
	case convInput:
		want, out = []tensor.Shape{y, w}, x
	case convWeights:
		want, out = []tensor.Shape{x, y}, w
	}
	for i := range in {
		if !in[i].Eq(want[i]) {
			return nil, misfit(c, fmt.Sprintf("input %d must have shape %v", i, want[i]), in)
		}
	}
	return out, nil
}

func (c conv) step(in []tensor.Shape) program.Step {
	op := [...]program.Op{program.ConvForward, program.ConvInput, program.ConvWeights}[c.part]
	return program.Step{Op: op, Size: program.ConvSizes(c.Conv, in[0][0])}
}

// ⟨conv(x, w), dy⟩ is linear in each of x, w and dy.
func (c conv) reverse(in gorgonia.Nodes, _, g *gorgonia.Node) (gorgonia.Nodes, error) {
	y, dx, dw := conv{c.Conv, convForward}, conv{c.Conv, convInput}, conv{c.Conv, convWeights}
	a, b := in[0], in[1]
	switch c.part {
	case convInput: // a = dy, b = w, g = ∂/∂dx
		return applyTwo(y, g, b, dw, g, a)
	case convWeights: // a = x, b = dy, g = ∂/∂dw
		return applyTwo(dx, b, g, y, a, g)
	}
	return applyTwo(dx, g, b, dw, a, g)
}

// convLayer is a convolution with bias and activation in one node: y = act(x∗w + b), b [Out].
type convLayer struct {
	kernel.Conv
	act kernel.Activation
}

func (c convLayer) label() string { return fmt.Sprintf("convLayer%v(%s)", c.Conv, c.act.String()) }
func (convLayer) ranks() []int    { return []int{2, 2, 1, 2} }

func (c convLayer) shape(in []tensor.Shape) (tensor.Shape, error) {
	if in[2][0] != c.Out {
		return nil, misfit(c, "b needs a value for each channel of the result", in)
	}
	return conv{c.Conv, convForward}.shape(in[:2])
}

func (c convLayer) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.ConvLayer, Act: c.act, Size: program.ConvSizes(c.Conv, in[0][0])}
}

// With z = x∗w + b:  ∂L/∂z = ∂L/∂y ⊙ act′(z), then as for conv, and ∂L/∂b sums ∂L/∂z over rows and pixels.
func (c convLayer) reverse(in gorgonia.Nodes, y, dy *gorgonia.Node) (gorgonia.Nodes, error) {
	dz, err := actBack(c.act, dy, y)
	if err != nil {
		return nil, err
	}
	back, err := conv{c.Conv, convForward}.reverse(in[:2], y, dz)
	if err != nil {
		return nil, err
	}
	db, err := apply(colSum{c.Out}, dz)
	return append(back, db), err
}
