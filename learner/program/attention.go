package program

import "impalab/learner/kernel"

// Attention over all steps of an unroll at once, and the normalisation before it.

type attentionPart uint8

const (
	attentionCells attentionPart = iota
	attentionUnits               // n, q
	attentionWeights
	attentionState
	attentionKeep
	attentionBack
)

func (p attentionPart) extent(t, b, d, h, m int) int {
	switch p {
	case attentionCells: // kernel.AttentionWidth
		return sumOf(volume(t, b, d), volume(t, b, h, sumOf(m, 1)), volume(t, b, 2, h, d))
	case attentionWeights: // kernel.AttentionWeights
		return sumOf(volume(3, d, d), d)
	case attentionState: // kernel.MemorySize
		return sumOf(b, volume(b, m, d))
	case attentionKeep:
		return volume(t, b)
	case attentionBack: // kernel.AttentionBack
		return sumOf(volume(t, b, 2, d), volume(t, b, 2, h, d))
	}
	return volume(t, b, d)
}

// sumOf is the sum of volumes, or MaxArena+1 where no arena holds it.
func sumOf(volumes ...int) (sum int) {
	for _, n := range volumes {
		sum = min(MaxArena+1, sum+n)
	}
	return sum
}

func attentionExtents(parts ...attentionPart) func(z *[maxSizes]int) [1 + maxInputs]int {
	return func(z *[maxSizes]int) (e [1 + maxInputs]int) {
		for i, p := range parts {
			e[i] = p.extent(z[0], z[1], z[2], z[3], z[4])
		}
		return e
	}
}

func attentionValid(z *[maxSizes]int) bool {
	return z[0] >= 1 && z[1] >= 1 && z[2] >= 1 && z[3] >= 1 && z[4] >= 1 && z[2]%z[3] == 0 &&
		volume(z[0], z[3], sumOf(z[0], z[4])) <= MaxArena // scores of a trajectory
}

func runAttend(c *call) {
	c.attention.Forward(c.args[3], kernel.Attended{
		Cells: c.args[0], N: c.args[1], Q: c.args[2], State: c.args[4], Keep: c.args[5],
	})
}

func runAttendBack(c *call) {
	c.attention.Backward(c.args[4], kernel.Attended{
		Back: c.args[0], Moves: c.args[1], Cells: c.args[2], N: c.args[3], State: c.args[5],
	})
}

func runAttendWeights(c *call) {
	c.attention.Weights(c.args[0], c.args[5], kernel.Attended{
		Moves: c.args[1], Cells: c.args[2], Back: c.args[3], Q: c.args[4],
	})
}

func normExtents(z *[maxSizes]int) [1 + maxInputs]int {
	n := volume(z[0], z[1])
	return [1 + maxInputs]int{n, n, n}
}

func runNorm(c *call) { kernel.Norm(c.args[0], c.args[1], c.size[0], c.size[1]) }

func runNormBack(c *call) {
	kernel.NormBack(c.args[0], c.args[1], c.args[2], c.size[0], c.size[1], c.add)
}

func runMultiply(c *call) { kernel.Multiply(c.args[0], c.args[1], c.args[2], c.add) }

func runNegate(c *call) { kernel.Negate(c.args[0], c.args[1], c.add) }
