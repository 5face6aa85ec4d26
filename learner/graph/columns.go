package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/program"
)

// columns takes n columns of x [rows, cols] from column from on: a head's share of the heads' product.
type columns struct{ from, n int }

func (c columns) label() string { return fmt.Sprintf("columns(%d,%d)", c.from, c.n) }
func (columns) ranks() []int    { return []int{2, 2} }

func (c columns) shape(in []tensor.Shape) (tensor.Shape, error) {
	if c.from < 0 || c.n < 1 || c.from+c.n > in[0][1] {
		return nil, misfit(c, "x has no such columns", in)
	}
	return tensor.Shape{in[0][0], c.n}, nil
}

func (c columns) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.Columns, Size: sizes(in[0][0], in[0][1], c.from, c.n)}
}

func (c columns) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dx, err := apply(place{c.from, in[0].Shape()[1]}, grad)
	return gorgonia.Nodes{dx}, err
}

// place is the transpose of columns: x [rows, n] as the columns from from on of a matrix of cols columns,
// zero elsewhere.
type place struct{ from, cols int }

func (p place) label() string { return fmt.Sprintf("place(%d,%d)", p.from, p.cols) }
func (place) ranks() []int    { return []int{2, 2} }

func (p place) shape(in []tensor.Shape) (tensor.Shape, error) {
	if p.from < 0 || p.from+in[0][1] > p.cols {
		return nil, misfit(p, "x is too wide for its place", in)
	}
	return tensor.Shape{in[0][0], p.cols}, nil
}

func (p place) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.Place, Size: sizes(in[0][0], p.cols, p.from, in[0][1])}
}

func (p place) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dx, err := apply(columns{p.from, in[0].Shape()[1]}, grad)
	return gorgonia.Nodes{dx}, err
}
