package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/program"
)

// channelSum adds up rows and pixels of images x [rows, pixels·channels] to [channels]: the gradient of a
// convolution's bias.
type channelSum struct{ channels int }

func (c channelSum) label() string { return fmt.Sprintf("channelSum(%d)", c.channels) }
func (channelSum) ranks() []int    { return []int{2, 1} }

func (c channelSum) shape(in []tensor.Shape) (tensor.Shape, error) {
	if c.channels < 1 || in[0][1]%c.channels != 0 {
		return nil, misfit(c, "x needs whole pixels of that many channels", in)
	}
	return tensor.Shape{c.channels}, nil
}

func (c channelSum) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.ColSum, Size: sizes(in[0].TotalSize()/c.channels, c.channels)}
}

func (c channelSum) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	s := in[0].Shape()
	dx, err := apply(channelRepeat{s[0], s[1] / c.channels}, grad)
	return gorgonia.Nodes{dx}, err
}

// channelRepeat is the transpose of channelSum: a vector [channels] in each pixel of each row.
type channelRepeat struct{ rows, pixels int }

func (c channelRepeat) label() string { return fmt.Sprintf("channelRepeat(%d,%d)", c.rows, c.pixels) }
func (channelRepeat) ranks() []int    { return []int{1, 2} }

func (c channelRepeat) shape(in []tensor.Shape) (tensor.Shape, error) {
	return tensor.Shape{c.rows, c.pixels * in[0][0]}, nil
}

func (c channelRepeat) step(in []tensor.Shape) program.Step {
	return program.Step{Op: program.Repeat, Size: sizes(c.rows*c.pixels, in[0][0])}
}

func (channelRepeat) reverse(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	dx, err := apply(channelSum{in[0].Shape()[0]}, grad)
	return gorgonia.Nodes{dx}, err
}
