package program

// A dense layer, and the products that its derivatives are made of.

func denseExtents(z *[maxSizes]int) [1 + maxInputs]int {
	m, n, k := z[0], z[1], z[2]
	return [...]int{volume(m, n), volume(m, k), volume(k, n), n, 0, 0}
}

func productExtents(z *[maxSizes]int) [1 + maxInputs]int {
	m, n, k := z[0], z[1], z[2]
	return [...]int{volume(m, n), volume(m, k), volume(k, n), 0, 0, 0}
}

func runDense(c *call) {
	m, n, k := c.size[0], c.size[1], c.size[2]
	c.kernels.MatMul(c.args[0], c.args[1], c.args[2], m, n, k, false)
	c.kernels.BiasAct(c.args[0], c.args[3], m, n, c.act)
}

func runAB(c *call) {
	c.kernels.MatMul(c.args[0], c.args[1], c.args[2], c.size[0], c.size[1], c.size[2], c.add)
}

func runAT(c *call) {
	c.kernels.MatMulAT(c.args[0], c.args[1], c.args[2], c.size[0], c.size[1], c.size[2], c.add)
}

func runBT(c *call) {
	c.kernels.MatMulBT(c.args[0], c.args[1], c.args[2], c.size[0], c.size[1], c.size[2], c.add)
}
