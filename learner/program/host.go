package program

import "impalab/learner/kernel"

// Host runs a program with learner/kernel on one core. It owns every buffer, allocates nothing after NewHost, and
// belongs to one goroutine. Hosts share θ by reading it.
type Host struct {
	program                    *Program
	work                       []float32
	forward, backward, tangent Calls
	windows                    [Work]window
	out                        outputs
	state, keep                []float32 // of the last Forward
}

// window is a segment that lies outside the host's memory: the slices of the calls that point into it.
type window struct {
	slots []slot
	size  int
}

type slot struct {
	at     *[]float32
	off, n int
}

// bind points all slots at flat. Nothing is copied.
func (w *window) bind(flat []float32) {
	if len(flat) != w.size {
		panic("program: a vector does not have the length its program was made for")
	}
	for _, s := range w.slots {
		*s.at = flat[s.off : s.off+s.n : s.off+s.n]
	}
}

// outputs is where a host leaves its results: logits [rows, Actions], values [rows, Values], and the tangents of both.
type outputs struct {
	logits, values, tLogits, tValues []float32
	actions, perRow                  int
}

func newOutputs(rows, actions, values int) outputs {
	return outputs{
		logits: make([]float32, rows*actions), values: make([]float32, rows*values),
		tLogits: make([]float32, rows*actions), tValues: make([]float32, rows*values),
		actions: actions, perRow: values,
	}
}

// rows is the part of rows from to to, where a shard leaves its results.
func (o outputs) rows(from, to int) outputs {
	a, v := o.actions, o.perRow
	return outputs{
		logits: o.logits[from*a : to*a], values: o.values[from*v : to*v],
		tLogits: o.tLogits[from*a : to*a], tValues: o.tValues[from*v : to*v],
		actions: a, perRow: v,
	}
}

// NewHost makes a host that runs p with kernels. p must be valid.
func NewHost(kernels kernel.Set, p *Program) *Host {
	return newHost(kernels, p, newOutputs(p.Rows(), p.Width(Logits), p.Width(Values)), nil)
}

// newHost leaves the results in out. Its backward pass reads transposed weights from turned, unless that is nil.
func newHost(kernels kernel.Set, p *Program, out outputs, turned []float32) *Host {
	h := &Host{program: p, work: make([]float32, p.Segments[Work].N), out: out}
	for s := range h.windows {
		h.windows[s].size = p.Segments[s].N
	}
	b := binder{kernels: kernels}
	for _, list := range [][]Step{p.Forward, p.Backward, p.Tangent} {
		b.growScratch(list)
	}
	h.forward, h.tangent = b.bind(p.Forward, h.locate), b.bind(p.Tangent, h.locate)
	b.turned = func(s *Step) []float32 { return p.weights(s, turned) }
	h.backward = b.bind(p.Backward, h.locate)
	h.windows[Logits].bind(out.logits)
	h.windows[Values].bind(out.values)
	if h.tangent != nil {
		h.windows[TLogits].bind(out.tLogits)
		h.windows[TValues].bind(out.tValues)
	}
	return h
}

// locate points arg at n numbers of the arena from at on, now or whenever their segment is bound.
func (h *Host) locate(arg *[]float32, at, n int) {
	s, ok := h.program.segment(at, n)
	if !ok {
		panic("program: a step reaches out of its segment")
	}
	off := at - h.program.Segments[s].At
	if s == Work {
		*arg = h.work[off : off+n : off+n]
		return
	}
	h.windows[s].slots = append(h.windows[s].slots, slot{arg, off, n})
}

// Forward computes logits [rows, Actions] and values [rows, Values] of input [rows, Inputs] under θ. A recurrent
// network begins from state [B, States], and forgets it before the steps where keep [rows] is 0; others look at
// neither. The results are views of the host's buffers, good until the next Forward.
func (h *Host) Forward(theta, input, state, keep []float32) (logits, values []float32) {
	h.windows[Theta].bind(theta)
	h.windows[Input].bind(input)
	if len(h.program.Cores) > 0 {
		h.windows[State].bind(state)
		h.windows[Keep].bind(keep)
		h.state, h.keep = state, keep
	}
	h.forward.Run()
	return h.out.logits, h.out.values
}

// StateAfter writes the recurrent state [States] that the last Forward left after a row.
func (h *Host) StateAfter(row int, state []float32) {
	base, rows := h.program.Segments[Work].At, h.program.B
	for _, c := range h.program.Cores {
		if c.Memory > 0 {
			states, n := len(h.state)/rows, c.states()
			memory := kernel.Attention{Rows: rows, Units: c.Units, Memory: c.Memory, Stride: states}
			memory.After(state[c.State:c.State+n], kernel.Attended{N: h.work[c.At-base:], State: h.state[c.State:],
				Keep: h.keep}, row/rows, row%rows)
			continue
		}
		copy(state[c.State:c.State+2*c.Units], h.work[c.At-base+row*c.Width:]) // h, then c, lead each row of the cells
	}
}

// Backward writes the gradient of the last Forward: grad = Jᵀ·(dLogits, dValues), the whole of it, in the
// layout of θ. θ and what went in must still be what that Forward saw.
func (h *Host) Backward(grad, dLogits, dValues []float32) {
	h.windows[Grad].bind(grad)
	h.windows[DLogits].bind(dLogits)
	h.windows[DValues].bind(dValues)
	h.backward.Run()
}

// Tangent gives the directional derivative of the last Forward's outputs, J·u: how logits and values
// begin to move when θ moves along u. The results are views of the host's buffers.
func (h *Host) Tangent(u []float32) (tLogits, tValues []float32) {
	if h.tangent == nil {
		panic("program: it was made without Tangent")
	}
	h.windows[Direction].bind(u)
	h.tangent.Run()
	return h.out.tLogits, h.out.tValues
}

// Calls are steps with their memory found, to be run in order.
type Calls []call

// Run does the steps. It allocates nothing.
func (c Calls) Run() {
	for i := range c {
		c[i].run(&c[i])
	}
}

// Bind finds steps' memory in an arena that is one slice, for the process's own kernels. The steps must be valid.
func Bind(steps []Step, arena []float32) Calls {
	var b binder
	b.growScratch(steps)
	return b.bind(steps, func(arg *[]float32, at, n int) { *arg = arena[at : at+n : at+n] })
}

// binder holds the scratch memory that calls share, since they never run at once.
type binder struct {
	kernels kernel.Set
	scratch []float32
	turned  func(s *Step) []float32 // the weights of a product with a transposed B, already transposed; nil: none are
}

// growScratch makes the scratch long enough for steps, which come before any bind.
func (b *binder) growScratch(steps []Step) {
	for i := range steps {
		if steps[i].Op != ConvInput {
			continue
		}
		if n := convOf(&steps[i].Size).Weights(); n > len(b.scratch) {
			b.scratch = make([]float32, n)
		}
	}
}

func (b *binder) bind(steps []Step, locate func(arg *[]float32, at, n int)) Calls {
	var calls Calls
	if len(steps) > 0 {
		calls = make(Calls, len(steps))
	}
	for i := range steps {
		s, c := &steps[i], &calls[i]
		*c = call{run: operations[s.Op].run, kernels: b.kernels, size: s.Size, add: s.Add, act: s.Act, scratch: b.scratch}
		var turned []float32
		if b.turned != nil {
			turned = b.turned(s)
		}
		for j, n := range s.Extents() {
			if j == 2 && turned != nil {
				c.run, c.args[2] = runAB, turned
				continue
			}
			locate(&c.args[j], s.At[j], n)
		}
		switch s.Op {
		case LSTM, LSTMBack, LSTMTangent, LSTMPrevious:
			c.core = b.kernels.NewLSTM(s.Size[0], s.Size[1], s.Size[2])
		case Attend, AttendBack, AttendWeights:
			c.attention = b.kernels.NewAttention(s.Size[0], s.Size[1], s.Size[2], s.Size[3], s.Size[4])
		}
	}
	return calls
}
