package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/program"
)

// colSum adds up rows and pixels of x [rows, pixels·cols] to [cols]: the gradient of a bias. A dense layer's rows are
// one pixel each.
type colSum struct{ cols int }

func (c colSum) label() string { return fmt.Sprintf("colSum(%d)", c.cols) }
func (colSum) ranks() []int    { return []int{2, 1} }

func (c colSum) shape(in []tensor.Shape) (tensor.Shape, error) {
	if c.cols < 1 || in[0][1]%c.cols != 0 {
		return nil, misfit(c, "x needs whole pixels of that many channels", in)
	}
	return tensor.Shape{c.cols}, nil
}

func (c colSum) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.ColSum, Size: sizes(in[0].TotalSize()/c.cols, c.cols)}
}

func (c colSum) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	s := in[0].Shape()
	dx, err := apply(repeat{s[0], s[1] / c.cols}, grad)
	return gorgonia.Nodes{dx}, err
}

// repeat is the transpose of colSum: a vector [cols] in each pixel of each row.
type repeat struct{ rows, pixels int }

func (r repeat) label() string { return fmt.Sprintf("repeat(%d,%d)", r.rows, r.pixels) }
func (repeat) ranks() []int    { return []int{1, 2} }

func (r repeat) shape(in []tensor.Shape) (tensor.Shape, error) {
	return tensor.Shape{r.rows, r.pixels * in[0][0]}, nil
}

func (r repeat) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.Repeat, Size: sizes(r.rows*r.pixels, in[0][0])}
}

func (repeat) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dx, err := apply(colSum{in[0].Shape()[0]}, grad)
	return gorgonia.Nodes{dx}, err
}
