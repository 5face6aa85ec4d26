package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/program"
)

// colSum adds up the rows of x [rows, cols] to [cols]: the gradient of a bias.
type colSum struct{}

func (colSum) label() string { return "colSum" }
func (colSum) ranks() []int  { return []int{2, 1} }

func (colSum) shape(in []tensor.Shape) (tensor.Shape, error) { return tensor.Shape{in[0][1]}, nil }

func (colSum) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.ColSum, Size: sizes(in[0][0], in[0][1])}
}

func (colSum) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dx, err := apply(repeat{in[0].Shape()[0]}, grad)
	return gorgonia.Nodes{dx}, err
}

// repeat is the transpose of colSum: a vector [cols] in each of rows rows.
type repeat struct{ rows int }

func (r repeat) label() string { return fmt.Sprintf("repeat(%d)", r.rows) }
func (repeat) ranks() []int    { return []int{1, 2} }

func (r repeat) shape(in []tensor.Shape) (tensor.Shape, error) {
	return tensor.Shape{r.rows, in[0][0]}, nil
}

func (r repeat) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.Repeat, Size: sizes(r.rows, in[0][0])}
}

func (repeat) reverse(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dx, err := apply(colSum{}, grad)
	return gorgonia.Nodes{dx}, err
}
