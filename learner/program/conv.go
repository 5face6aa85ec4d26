package program

import "impalab/learner/kernel"

// A convolution, its transposes, and the layer with bias and activation.

// ConvSizes is Step.Size of a convolution on rows images.
func ConvSizes(g kernel.Conv, rows int) [maxSizes]int {
	return [...]int{rows, g.H, g.W, g.In, g.Out, g.Size, g.Stride, g.Pad}
}

func convOf(z *[maxSizes]int) kernel.Conv {
	return kernel.Conv{H: z[1], W: z[2], In: z[3], Out: z[4], Size: z[5], Stride: z[6], Pad: z[7]}
}

// A window that lies in the padding alone would be of no use, and would let images grow without bound where a device
// pads them.
func convValid(z *[maxSizes]int) bool {
	g := convOf(z)
	if z[0] < 1 || !g.Valid() || g.Pad >= g.Size {
		return false
	}
	h, w := g.H+2*g.Size, g.W+2*g.Size // as far as a padded one reaches
	return volume(h, w, max(g.In, g.Out)) <= MaxArena && volume(g.Size, g.Size, g.In, g.Out) <= MaxArena
}

type convPart uint8

const (
	convX convPart = iota
	convW
	convY
)

func (p convPart) extent(z *[maxSizes]int) int {
	g := convOf(z)
	switch p {
	case convX:
		return volume(z[0], g.H, g.W, g.In)
	case convW:
		return volume(g.Size, g.Size, g.In, g.Out)
	}
	return volume(z[0], g.OutH(), g.OutW(), g.Out)
}

func convExtents(parts ...convPart) func(z *[maxSizes]int) [1 + maxInputs]int {
	return func(z *[maxSizes]int) (e [1 + maxInputs]int) {
		for i, p := range parts {
			e[i] = p.extent(z)
		}
		return e
	}
}

func convLayerExtents(z *[maxSizes]int) [1 + maxInputs]int {
	return [...]int{convY.extent(z), convX.extent(z), convW.extent(z), z[4], 0, 0}
}

func runConvLayer(c *call) {
	g, rows := convOf(&c.size), c.size[0]
	c.kernels.ConvForward(g, c.args[0], c.args[1], c.args[2], rows, false)
	c.kernels.BiasAct(c.args[0], c.args[3], rows*g.OutH()*g.OutW(), g.Out, c.act)
}

func runConvForward(c *call) {
	c.kernels.ConvForward(convOf(&c.size), c.args[0], c.args[1], c.args[2], c.size[0], c.add)
}

func runConvInput(c *call) {
	c.kernels.ConvInput(convOf(&c.size), c.args[0], c.args[1], c.args[2], c.scratch, c.size[0], c.add)
}

func runConvWeights(c *call) {
	c.kernels.ConvWeights(convOf(&c.size), c.args[0], c.args[1], c.args[2], c.size[0], c.add)
}
