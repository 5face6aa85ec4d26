package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/kernel"
	"impalab/learner/program"
)

// pool is max pooling over images as rows of a matrix (see kernel.Pool): x [rows, H·W·C] → y [rows, OutH·OutW·C].
type pool struct{ kernel.Pool }

func (p pool) label() string { return "pool" + fmt.Sprint(p.Pool) }
func (pool) ranks() []int    { return []int{2, 2} }

func (p pool) shape(in []tensor.Shape) (tensor.Shape, error) {
	if !p.Valid() {
		return nil, misfit(p, "no such pooling: sizes must be positive and every window cover a part of the image", in)
	}
	if in[0][1] != p.InSize() {
		return nil, misfit(p, fmt.Sprintf("x must have %d columns", p.InSize()), in)
	}
	return tensor.Shape{in[0][0], p.OutSize()}, nil
}

func (p pool) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.Pool, Size: program.PoolSizes(p.Pool, in[0][0])}
}

func (p pool) reverse(in gorgonia.Nodes, y, dy *gorgonia.Node) (gorgonia.Nodes, error) {
	dx, err := apply(poolBack(p), dy, in[0], y)
	return gorgonia.Nodes{dx}, err
}

// poolBack gives each window's dy to the pixel it picked: dy, x, y → dx. Where that pixel lies is
// constant almost everywhere, so nothing is differentiated with respect to x and y.
type poolBack struct{ kernel.Pool }

func (p poolBack) label() string { return "poolBack" + fmt.Sprint(p.Pool) }
func (poolBack) ranks() []int    { return []int{2, 2, 2, 2} }

func (p poolBack) shape(in []tensor.Shape) (tensor.Shape, error) {
	y, err := pool(p).shape(in[1:2])
	if err == nil && !(in[0].Eq(y) && in[2].Eq(y)) {
		err = misfit(p, fmt.Sprintf("dy and y must have shape %v", y), in)
	}
	return in[1].Clone(), err
}

func (p poolBack) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.PoolBack, Size: program.PoolSizes(p.Pool, in[0][0])}
}

func (p poolBack) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dy, err := apply(poolPick(p), grad, in[1], in[2])
	return gorgonia.Nodes{dy, nil, nil}, err
}

// poolPick is the transpose of poolBack: v, x, y → the number of v at the place that each window picked.
type poolPick struct{ kernel.Pool }

func (p poolPick) label() string { return "poolPick" + fmt.Sprint(p.Pool) }
func (poolPick) ranks() []int    { return []int{2, 2, 2, 2} }

func (p poolPick) shape(in []tensor.Shape) (tensor.Shape, error) {
	y, err := pool(p).shape(in[1:2])
	if err == nil && !(in[0].Eq(in[1]) && in[2].Eq(y)) {
		err = misfit(p, fmt.Sprintf("v must have x's shape, and y %v", y), in)
	}
	return y, err
}

func (p poolPick) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.PoolPick, Size: program.PoolSizes(p.Pool, in[0][0])}
}

func (p poolPick) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dv, err := apply(poolBack(p), grad, in[1], in[2])
	return gorgonia.Nodes{dv, nil, nil}, err
}
