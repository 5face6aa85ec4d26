package program

import "impalab/learner/kernel"

// The recurrent core, over all steps of an unroll at once.

type lstmPart uint8

const (
	lstmZ lstmPart = iota
	lstmWh
	lstmState
	lstmKeep
	lstmCells
	lstmH
)

func (p lstmPart) extent(t, b, h int) int {
	switch p {
	case lstmZ:
		return volume(t, b, 4, h)
	case lstmWh:
		return volume(h, 4, h)
	case lstmState:
		return volume(b, 2, h)
	case lstmKeep:
		return volume(t, b)
	case lstmCells:
		return volume(t, b, kernel.CellParts, h)
	}
	return volume(t, b, h)
}

func lstmExtents(parts ...lstmPart) func(z *[maxSizes]int) [1 + maxInputs]int {
	return func(z *[maxSizes]int) (e [1 + maxInputs]int) {
		for i, p := range parts {
			e[i] = p.extent(z[0], z[1], z[2])
		}
		return e
	}
}

func runLSTM(c *call) {
	c.core.Forward(c.args[2], kernel.Unroll{Cells: c.args[0], Z: c.args[1], State: c.args[3], Keep: c.args[4]})
}

func runLSTMBack(c *call) {
	c.core.Backward(c.args[3], kernel.Unroll{
		Z: c.args[0], Moves: c.args[1], Cells: c.args[2], State: c.args[4], Keep: c.args[5],
	})
}

func runLSTMTangent(c *call) {
	c.core.Tangent(c.args[3], kernel.Unroll{
		Moves: c.args[0], Z: c.args[1], Cells: c.args[2], State: c.args[4], Keep: c.args[5],
	})
}

func runLSTMPrevious(c *call) {
	c.core.Previous(c.args[0], kernel.Unroll{Cells: c.args[1], State: c.args[2], Keep: c.args[3]})
}
