package program

import "impalab/learner/kernel"

// Operations on vectors, element by element.

func elementwiseExtents(z *[maxSizes]int) [1 + maxInputs]int {
	return [1 + maxInputs]int{z[0], z[0], z[0]}
}

func runCopy(c *call) {
	if c.add {
		kernel.Add(c.args[0], c.args[1])
		return
	}
	copy(c.args[0], c.args[1])
}

func runActivate(c *call) { c.kernels.Act(c.args[0], c.args[1], c.act) }

func runActGrad(c *call) { c.kernels.ActGrad(c.args[0], c.args[1], c.args[2], c.act) }

func unpackExtents(z *[maxSizes]int) [1 + maxInputs]int {
	return [1 + maxInputs]int{z[0], (z[0] + 31) / 32}
}

func runUnpack(c *call) { kernel.UnpackBits(c.args[0], c.args[1]) }
