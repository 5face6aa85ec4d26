package program

import "impalab/learner/kernel"

// Max pooling, and where its windows picked.

// PoolSizes is Step.Size of a pooling of rows images.
func PoolSizes(g kernel.Pool, rows int) [maxSizes]int {
	return [...]int{rows, g.H, g.W, g.C, g.Size, g.Stride, g.Pad, 0}
}

func poolOf(z *[maxSizes]int) kernel.Pool {
	return kernel.Pool{H: z[1], W: z[2], C: z[3], Size: z[4], Stride: z[5], Pad: z[6]}
}

func poolValid(z *[maxSizes]int) bool { return z[0] >= 1 && poolOf(z).Valid() }

type poolPart uint8

const (
	poolX poolPart = iota
	poolY
)

func poolExtents(parts ...poolPart) func(z *[maxSizes]int) [1 + maxInputs]int {
	return func(z *[maxSizes]int) (e [1 + maxInputs]int) {
		g := poolOf(z)
		for i, p := range parts {
			if e[i] = volume(z[0], g.H, g.W, g.C); p == poolY {
				e[i] = volume(z[0], g.OutH(), g.OutW(), g.C)
			}
		}
		return e
	}
}

func runPool(c *call) { poolOf(&c.size).Forward(c.args[0], c.args[1], c.size[0]) }

func runPoolBack(c *call) {
	poolOf(&c.size).Back(c.args[0], c.args[1], c.args[2], c.args[3], c.size[0], c.add)
}

func runPoolPick(c *call) {
	poolOf(&c.size).Pick(c.args[0], c.args[1], c.args[2], c.args[3], c.size[0])
}
