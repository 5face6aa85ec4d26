package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/kernel"
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

func (c columns) kernel(in []tensor.Shape, add bool) call {
	rows, cols := in[0][0], in[0][1]
	if add {
		return nil
	}
	return func(dst []float32, in [][]float32) {
		copyColumns(dst, c.n, in[0][c.from:], cols, c.n, rows)
	}
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

func (p place) kernel(in []tensor.Shape, add bool) call {
	rows, n := in[0][0], in[0][1]
	return func(dst []float32, in [][]float32) {
		if !add {
			clear(dst)
		}
		addColumns(dst[p.from:], p.cols, in[0], n, n, rows)
	}
}

func (p place) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dx, err := apply(columns{p.from, in[0].Shape()[1]}, grad)
	return gorgonia.Nodes{dx}, err
}

// few is how many columns are copied one by one: a call of copy for each row would cost more than such a row.
const few = 12

// copyColumns copies n columns between matrices with rows of dstCols and srcCols.
func copyColumns(dst []float32, dstCols int, src []float32, srcCols, n, rows int) {
	if n > few {
		for r := range rows {
			copy(dst[r*dstCols:][:n], src[r*srcCols:])
		}
		return
	}
	for j := range n {
		for r, d, s := 0, j, j; r < rows; r, d, s = r+1, d+dstCols, s+srcCols {
			dst[d] = src[s]
		}
	}
}

func addColumns(dst []float32, dstCols int, src []float32, srcCols, n, rows int) {
	if n > few {
		for r := range rows {
			kernel.Axpy(dst[r*dstCols:][:n], src[r*srcCols:][:n], 1)
		}
		return
	}
	for j := range n {
		for r, d, s := 0, j, j; r < rows; r, d, s = r+1, d+dstCols, s+srcCols {
			dst[d] += src[s]
		}
	}
}
