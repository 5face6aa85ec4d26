package net

import (
	"strconv"

	"impalab/learner/kernel"
)

// Torso is how a network sees.
type Torso uint8

const (
	Flat    Torso = iota // the observation as it is
	Shallow              // a few convolutions: IMPALA figure 3, left, or Young & Tian's one for boards
	Deep                 // the residual network: IMPALA figure 3, right
)

// board is the side up to which an image counts as a board: its cells are things, not pixels.
const board = 16

// shallow is one 3×3 convolution of 16 channels on a board (Young & Tian 2019), or on a picture 8×8/4 of 16 and 4×4/2
// of 32 (IMPALA figure 3, left).
func (b *builder) shallow(name string) int {
	h, w, c := b.spec.Image[0], b.spec.Image[1], b.spec.Image[2]
	act := b.spec.Activation
	if max(h, w) <= board {
		return b.conv(name+"conv0", Observation, kernel.Conv{H: h, W: w, In: c, Out: 16, Size: 3, Stride: 1}, act)
	}
	x := b.conv(name+"conv0", Observation, kernel.Conv{H: h, W: w, In: c, Out: 16, Size: 8, Stride: 4}, act)
	g := b.layers[x].Filter
	return b.conv(name+"conv1", x, kernel.Conv{H: g.OutH(), W: g.OutW(), In: 16, Out: 32, Size: 4, Stride: 2}, act)
}

// deep is three sections of 16, 32 and 32 channels: convolution, max pooling that halves, two residual blocks. A ReLU
// ends it.
func (b *builder) deep(name string) int {
	h, w, c := b.spec.Image[0], b.spec.Image[1], b.spec.Image[2]
	x := Observation
	for i, channels := range [...]int{16, 32, 32} {
		section := name + "section" + digits(i)
		x = b.conv(section, x, kernel.Conv{H: h, W: w, In: c, Out: channels, Size: 3, Stride: 1, Pad: 1}, kernel.Identity)
		pool := kernel.Pool{H: h, W: w, C: channels, Size: 3, Stride: 2, Pad: 1}
		b.add(Layer{Name: section + ".pool", Kind: Pool, From: []int{x}, Window: pool, Out: pool.OutSize()})
		x = b.last()
		h, w, c = pool.OutH(), pool.OutW(), channels
		for j := range 2 {
			x = b.residual(section+".block"+digits(j), x, kernel.Conv{H: h, W: w, In: c, Out: c, Size: 3, Stride: 1, Pad: 1})
		}
	}
	return b.activate(name+"relu", x)
}

// residual is y = x + conv(relu(conv(relu(x)))).
func (b *builder) residual(name string, x int, filter kernel.Conv) int {
	first := b.conv(name+".conv0", b.activate(name+".relu", x), filter, kernel.ReLU)
	second := b.conv(name+".conv1", first, filter, kernel.Identity)
	b.add(Layer{Name: name, Kind: Add, From: []int{x, second}, Out: b.layers[x].Out})
	return b.last()
}

func (b *builder) conv(name string, from int, g kernel.Conv, act kernel.Activation) int {
	b.add(Layer{
		Name: name, Kind: Conv, From: []int{from}, Filter: g, Out: g.OutSize(), Act: act,
		rows: g.Size * g.Size * g.In, cols: g.Out, bias: g.Out, gain: torsoGain,
	})
	return b.last()
}

func (b *builder) activate(name string, from int) int {
	b.add(Layer{Name: name, Kind: Activate, From: []int{from}, Out: b.layers[from].Out, Act: kernel.ReLU})
	return b.last()
}

func digits(i int) string { return strconv.Itoa(i) }
