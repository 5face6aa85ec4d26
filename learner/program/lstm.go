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

// recurrent is an LSTM core and the calls of one step that it does together: of one host, or of several.
type recurrent struct {
	*kernel.LSTM
	calls   []*call
	unrolls []kernel.Unroll // of the calls: where their memory lies now
}

func newRecurrent(kernels kernel.Set, calls ...*call) *recurrent {
	rows := 0
	for _, c := range calls {
		rows += c.size[1]
	}
	size := &calls[0].size
	return &recurrent{kernels.NewLSTM(size[0], rows, size[2]), calls, make([]kernel.Unroll, len(calls))}
}

// bound returns the unrolls of all calls; of returns the unroll of one call.
func (r *recurrent) bound(of func(a *[1 + maxInputs][]float32) kernel.Unroll) []kernel.Unroll {
	for i, c := range r.calls {
		r.unrolls[i] = of(&c.args)
		r.unrolls[i].Rows = c.size[1]
	}
	return r.unrolls
}

func runLSTM(c *call) {
	c.core.Forward(c.args[2], c.core.bound(func(a *[1 + maxInputs][]float32) kernel.Unroll {
		return kernel.Unroll{Cells: a[0], Z: a[1], State: a[3], Keep: a[4]}
	})...)
}

func runLSTMBack(c *call) {
	c.core.Backward(c.args[3], c.core.bound(func(a *[1 + maxInputs][]float32) kernel.Unroll {
		return kernel.Unroll{Z: a[0], Moves: a[1], Cells: a[2], State: a[4], Keep: a[5]}
	})...)
}

func runLSTMTangent(c *call) {
	c.core.Tangent(c.args[3], c.core.bound(func(a *[1 + maxInputs][]float32) kernel.Unroll {
		return kernel.Unroll{Moves: a[0], Z: a[1], Cells: a[2], State: a[4], Keep: a[5]}
	})...)
}

func runLSTMPrevious(c *call) {
	c.core.Previous(c.args[0], kernel.Unroll{Rows: c.size[1], Cells: c.args[1], State: c.args[2], Keep: c.args[3]})
}
