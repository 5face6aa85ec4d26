// The forward pass for playing only: actors, the watched copy, the page. No graph and no derivative,
// the same kernel calls in the same order as the learner's plan, hence the same bits.
package net

import "impalab/learner/kernel"

// As many rows go through all layers at once as keep their activations in the nearer caches.
const (
	maxBlock   = 64
	blockUnits = 1 << 16 // values of the widest layer in a block
)

// Forward runs one network on up to a fixed number of rows. It owns its buffers and is for one
// goroutine; θ is only read. It computes pixel control for a Flat network alone.
type Forward struct {
	spec    Spec
	layers  []Layer
	params  int
	maxRows int
	block   int
	outs    [][]float32 // [block, Out] of each layer; layers read by one other layer share theirs
	obs     []float32   // [block, Obs], where a row of input holds more
	last    []float32   // [block, Feedback]
	h, c    []float32   // [block, LSTM]
	looks   []look      // of the layers that attend, by index
	less    []float32   // [block, TrXL], of a Mix
	now     []float32   // states, of Through
	logits  []float32   // [maxRows, Actions]
	values  []float32   // [maxRows, Values]
}

// NewForward makes the buffers for spec, which must be valid, and maxRows ≥ 1 rows.
func NewForward(spec Spec, maxRows int) *Forward {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	if maxRows < 1 {
		panic("net: a forward pass needs room for a row")
	}
	f := &Forward{
		spec: spec, layers: spec.Layers(), params: spec.Params(), maxRows: maxRows,
		logits: make([]float32, maxRows*spec.Actions), values: make([]float32, maxRows*spec.values()),
	}
	widest := spec.Obs
	for i := range f.layers {
		widest = max(widest, f.layers[i].Out)
	}
	f.block = min(maxRows, maxBlock, max(1, blockUnits/widest))
	for i := range f.layers {
		f.outs = append(f.outs, make([]float32, f.block*f.layers[i].Out))
	}
	if spec.Feedback > 0 {
		f.obs, f.last = make([]float32, f.block*spec.Obs), make([]float32, f.block*spec.Feedback)
	}
	for i := range f.layers {
		if l := &f.layers[i]; l.Kind == Attend {
			f.looks = append(f.looks, newLook(spec.Kernels, l, f.block))
		}
	}
	f.less = make([]float32, f.block*spec.TrXL)
	f.h, f.c = make([]float32, f.block*spec.LSTM), make([]float32, f.block*spec.LSTM)
	return f
}

// Run computes the first head's logits [rows, Actions] and values [rows, Values] of input [rows, Inputs()] under θ. A
// recurrent network reads state [rows, States()] and leaves the next one there; others need none. The results are
// views of f's buffers, good until the next Run.
func (f *Forward) Run(theta, input, state []float32, rows int) (logits, values []float32) {
	if len(theta) != f.params {
		panic("net: θ belongs to another network")
	}
	in, states := f.spec.Inputs(), f.spec.States()
	if rows < 0 || rows > f.maxRows {
		panic("net: more rows than the forward pass has room for")
	}
	if len(input) < rows*in {
		panic("net: the input is shorter than its rows")
	}
	if len(state) < rows*states {
		panic("net: a recurrent network needs a state for each row")
	}
	for at := 0; at < rows; at += f.block {
		n := min(f.block, rows-at)
		f.compute(theta, input[at*in:(at+n)*in], state[at*states:], n)
		f.deal(at, n)
	}
	return f.logits[:rows*f.spec.Actions], f.values[:rows*f.spec.values()]
}

// compute takes a block of n rows through every layer.
func (f *Forward) compute(theta, input, state []float32, n int) {
	obs := input
	if f.spec.Feedback > 0 {
		obs = f.obs
		for r := range n {
			row := input[r*f.spec.Inputs():]
			copy(obs[r*f.spec.Obs:(r+1)*f.spec.Obs], row)
			copy(f.last[r*f.spec.Feedback:(r+1)*f.spec.Feedback], row[f.spec.Obs:])
		}
	}
	looks := f.looks
	for i := range f.layers {
		l := &f.layers[i]
		if f.without(l) {
			continue
		}
		y, x := f.outs[i][:n*l.Out], f.read(l.From[0], obs, n)
		switch l.Kind {
		case Dense:
			f.spec.Kernels.MatMul(y, x, l.Weights(theta), n, l.Out, l.In, false)
			f.spec.Kernels.BiasAct(y, l.Bias(theta), n, l.Out, l.Act)
		case Conv:
			f.spec.Kernels.ConvForward(l.Filter, y, x, l.Weights(theta), n, false)
			f.spec.Kernels.BiasAct(y, l.Bias(theta), n*l.Out/l.bias, l.bias, l.Act)
		case Pool:
			l.Window.Forward(y, x, n)
		case Activate:
			f.spec.Kernels.Act(y, x, l.Act)
		case Add:
			copy(y, x)
			kernel.Add(y, f.read(l.From[1], obs, n))
		case Join:
			f.join(y, l, obs, n)
		case LSTM:
			f.core(y, x, l, theta, state, n)
		case Norm:
			kernel.Norm(y, x, n, l.Out)
		case Multiply:
			kernel.Multiply(y, x, f.read(l.From[1], obs, n), false)
		case Mix:
			from, less := f.read(l.From[1], obs, n), f.less[:n*l.Out]
			copy(y, from)
			kernel.Multiply(y, x, f.read(l.From[2], obs, n), true)
			kernel.Multiply(less, x, from, false)
			kernel.Negate(y, less, true)
		case Attend:
			looks[0].step(y, x, f.read(l.From[1], obs, n), l, theta, state, f.spec.States(), n)
			looks = looks[1:]
		}
	}
}

func (f *Forward) read(from int, obs []float32, n int) []float32 {
	switch from {
	case Observation:
		return obs[:n*f.spec.Obs]
	case Feedback:
		return f.last[:n*f.spec.Feedback]
	}
	return f.outs[from][:n*f.layers[from].Out]
}

// without reports whether a layer is not computed.
func (f *Forward) without(l *Layer) bool { return l.Aside && f.spec.flatOf == nil }

// join puts rows side by side, and leaves out layers that are not computed.
func (f *Forward) join(y []float32, l *Layer, obs []float32, n int) {
	at := 0
	for _, from := range l.From {
		if from >= 0 && f.without(&f.layers[from]) {
			continue
		}
		x := f.read(from, obs, n)
		width := len(x) / n
		for r := range n {
			copy(y[r*l.Out+at:], x[r*width:(r+1)*width])
		}
		at += width
	}
}

// core is one step of an LSTM: z += h·U, then the cell. The state moves on in its place.
func (f *Forward) core(y, z []float32, l *Layer, theta, state []float32, n int) {
	units, states := l.Out, f.spec.States()
	h, c := f.h[:n*units], f.c[:n*units]
	for r := range n {
		row := state[r*states+l.State:]
		copy(h[r*units:(r+1)*units], row)
		copy(c[r*units:(r+1)*units], row[units:])
	}
	f.spec.Kernels.MatMul(z, h, l.Weights(theta), n, 4*units, units, true)
	f.spec.Kernels.LSTMStep(h, c, z, n, units)
	for r := range n {
		row := state[r*states+l.State:]
		copy(row[:units], h[r*units:])
		copy(row[units:2*units], c[r*units:])
	}
	copy(y, h)
}

// deal writes a block's results from row at on.
func (f *Forward) deal(at, n int) {
	a, v := f.spec.Actions, f.spec.values()
	heads := f.outs[len(f.outs)-1]
	width := f.layers[len(f.layers)-1].Out
	for r := range n {
		row := heads[r*width:]
		copy(f.logits[(at+r)*a:(at+r+1)*a], row)
		copy(f.values[(at+r)*v:(at+r+1)*v], row[a:])
	}
}

// Through plays rows that follow each other: input [t, b, Inputs()], state [b, States()] which is left as it was, and
// keep [t, b], 0 where an episode began. It writes the first head's logits [t, b, Actions].
func (f *Forward) Through(logits, theta, input, state, keep []float32, t, b int) {
	f.ThroughPart(logits, theta, input, state, keep, t, b, 0, 1)
}

// ThroughPart is part k of n of Through: rows, or trajectories of a recurrent network. The parts write to places of
// their own, so that each may be another goroutine's, on a Forward of its own.
func (f *Forward) ThroughPart(logits, theta, input, state, keep []float32, t, b, k, n int) {
	in, states := f.spec.Inputs(), f.spec.States()
	if states == 0 {
		for at, to := k*t*b/n, (k+1)*t*b/n; at < to; at += f.maxRows {
			l, _ := f.Run(theta, input[at*in:], nil, min(f.maxRows, to-at))
			copy(logits[at*f.spec.Actions:], l)
		}
		return
	}
	from, to := k*b/n, (k+1)*b/n
	f.now = append(f.now[:0], state[from*states:to*states]...)
	for step := range t {
		for i, kept := range keep[step*b+from : step*b+to] {
			if kept == 0 {
				clear(f.now[i*states : (i+1)*states])
			}
		}
		l, _ := f.Run(theta, input[(step*b+from)*in:], f.now, to-from)
		copy(logits[(step*b+from)*f.spec.Actions:], l)
	}
}

// WriteControls is WriteFeedback where the action is real numbers, one for each control, in units of its range.
func WriteControls(row, action []float32, reward float32) {
	for i, x := range action {
		row[i] = min(1, max(-1, x))
	}
	row[len(row)-1] = min(1, max(-1, reward))
}

// WriteFeedback writes the feedback on the last step: the action one-hot, and the reward clipped to [−1, 1].
func WriteFeedback(row []float32, action int, reward float32) {
	clear(row)
	row[action] = 1
	row[len(row)-1] = min(1, max(-1, reward))
}
