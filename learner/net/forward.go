// The forward pass of everyone who only plays: actors, spectators, the page. No graph and no derivative,
// the same kernel calls in the same order as the learner's plan, hence the same bits.
package net

import "impalab/learner/kernel"

// block is how many rows go through all layers at once: their activations stay in the first-level cache.
const block = 64

// Forward runs one network on up to a fixed number of rows. It owns its buffers and is for one
// goroutine; θ is only read.
type Forward struct {
	layers  []Layer
	params  int
	actions int
	maxRows int
	hidden  [2][]float32 // [block, widest layer], two that alternate
	heads   []float32    // [block, Actions+1], or as wide for each head
	logits  []float32    // [maxRows, Actions]
	values  []float32    // [maxRows]
}

// NewForward makes the buffers for spec, which must be valid, and maxRows ≥ 1 rows.
func NewForward(spec Spec, maxRows int) *Forward {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	if maxRows < 1 {
		panic("net: a forward pass needs room for a row")
	}
	widest, rows := 0, min(maxRows, block)
	for _, width := range spec.Hidden {
		widest = max(widest, width)
	}
	return &Forward{
		layers:  spec.Layers(),
		params:  spec.Params(),
		actions: spec.Actions,
		maxRows: maxRows,
		hidden:  [2][]float32{make([]float32, rows*widest), make([]float32, rows*widest)},
		heads:   make([]float32, rows*spec.width()),
		logits:  make([]float32, maxRows*spec.Actions),
		values:  make([]float32, maxRows),
	}
}

// Run computes the first head's logits [rows, Actions] and values [rows] of obs [rows, Obs] under θ. The results are
// views of f's buffers, good until the next Run.
func (f *Forward) Run(theta, obs []float32, rows int) (logits, values []float32) {
	if len(theta) != f.params {
		panic("net: θ belongs to another network")
	}
	in := f.layers[0].In
	if rows < 0 || rows > f.maxRows {
		panic("net: more rows than the forward pass has room for")
	}
	if len(obs) < rows*in {
		panic("net: obs is shorter than its rows")
	}
	for at := 0; at < rows; at += block {
		f.block(theta, obs[at*in:], at, min(block, rows-at))
	}
	return f.logits[:rows*f.actions], f.values[:rows]
}

// block runs a block of n rows and writes the results from row at on.
func (f *Forward) block(theta, x []float32, at, n int) {
	for i := range f.layers {
		l := &f.layers[i]
		y := f.heads
		if i < len(f.layers)-1 {
			y = f.hidden[i&1]
		}
		y = y[:n*l.Out]
		kernel.MatMul(y, x[:n*l.In], l.Weights(theta), n, l.Out, l.In, false)
		kernel.BiasAct(y, l.Bias(theta), n, l.Out, l.Act)
		x = y
	}
	a, width := f.actions, f.layers[len(f.layers)-1].Out
	for r := range n {
		row := x[r*width:][:a+1]
		copy(f.logits[(at+r)*a:(at+r+1)*a], row)
		f.values[at+r] = row[a]
	}
}
