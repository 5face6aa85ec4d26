package program

import "impalab/learner/kernel"

// Operations of an optimiser.

func squaresExtents(z *[maxSizes]int) [1 + maxInputs]int {
	return [1 + maxInputs]int{kernel.SumLanes, z[0]}
}

func scaleExtents(z *[maxSizes]int) [1 + maxInputs]int { return [1 + maxInputs]int{z[0], z[0], 1} }

// stepExtents returns the extents of a step on vectors vectors with rates constants.
func stepExtents(vectors, rates int) func(z *[maxSizes]int) [1 + maxInputs]int {
	return func(z *[maxSizes]int) [1 + maxInputs]int {
		x := volume(vectors, z[0])
		return [1 + maxInputs]int{x, x, z[0], rates}
	}
}

func runSquares(c *call) { c.kernels.Squares((*[kernel.SumLanes]float32)(c.args[0]), c.args[1]) }

func runScale(c *call) {
	copy(c.args[0], c.args[1])
	kernel.Scale(c.args[0], c.args[2][0])
}

func runRMSProp(c *call) {
	x, n := c.args[0], c.size[0]
	copy(x, c.args[1])
	c.kernels.RMSProp(x[:n], x[n:], c.args[2], kernel.RMSPropRatesOf(c.args[3]))
}

func runRMSPropMomentum(c *call) {
	x, n := c.args[0], c.size[0]
	copy(x, c.args[1])
	c.kernels.RMSPropMomentum(x[:n], x[n:2*n], x[2*n:], c.args[2], kernel.RMSPropRatesOf(c.args[3]))
}

func runAdam(c *call) {
	x, n := c.args[0], c.size[0]
	copy(x, c.args[1])
	c.kernels.Adam(x[:n], x[n:2*n], x[2*n:], c.args[2], kernel.AdamRatesOf(c.args[3]))
}
