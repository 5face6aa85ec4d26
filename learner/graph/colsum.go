package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/kernel"
)

// colSum adds up the rows of x [rows, cols] to [cols]: the gradient of a bias.
type colSum struct{}

func (colSum) label() string { return "colSum" }
func (colSum) ranks() []int  { return []int{2, 1} }

func (colSum) shape(in []tensor.Shape) (tensor.Shape, error) { return tensor.Shape{in[0][1]}, nil }

func (colSum) kernel(in []tensor.Shape, add bool) call {
	rows, cols := in[0][0], in[0][1]
	return func(dst []float32, in [][]float32) { kernel.ColSum(dst, in[0], rows, cols, add) }
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

func (r repeat) kernel(in []tensor.Shape, add bool) call {
	rows, cols := r.rows, in[0][0]
	return func(dst []float32, in [][]float32) {
		if !add {
			clear(dst)
		}
		kernel.BiasAct(dst, in[0], rows, cols, kernel.Identity)
	}
}

func (repeat) reverse(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dx, err := apply(colSum{}, grad)
	return gorgonia.Nodes{dx}, err
}
