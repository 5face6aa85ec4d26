//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"impalab/learner/program"
	"impalab/learner/schedule"
)

// plan is a network for a whole batch. As on the CPU, a shard of the batch is a program on an arena of its own, so that
// all bits are the same. But a launch does its step for all shards of one size at once. A segment of all shards is one
// range of memory, so that the input has the order of the batch.
type plan struct {
	d     *Device
	q     *queue
	parts []program.Part
	like  *program.Program // the first part's, for sizes that do not depend on the number of rows

	t, b  int
	base  [program.Segments]int // start of each segment, of all shards
	sizes [program.Segments]int // its length
	after int                   // place of a recurrent network's states after each row: [rows of a shard, States]

	logits, values, tLogits, tValues []float32 // of a recurrent network: in the order of the batch

	descent
	board

	forward, backward, tangent, states launches
	known                              bool // the host has the states after the last Forward
	theta                              []float32
	cores                              *schedule.Share
}

// order is the order of the segments on the device, after the numbers of the descent: segments that travel together are
// neighbours. The segments up to the gradient's first shard have the same places in the host memory.
var order = [...]program.Segment{
	program.Theta, program.Input, program.State, program.Keep, program.Direction, program.DLogits, program.DValues,
	program.Logits, program.Values, program.TLogits, program.TValues, program.Grad, program.Work,
}

// shared reports whether all shards share the segment.
func shared(s program.Segment) bool { return s == program.Theta || s == program.Direction }

func newPlan(d *Device, make program.Maker, recurrent bool, t, b, shards int) (*plan, error) {
	parts, err := program.Deal(make, recurrent, t, b, shards)
	if err != nil {
		return nil, err
	}
	if err := compiled(parts[0].Program); err != nil {
		return nil, err
	}
	p := &plan{d: d, parts: parts, like: parts[0].Program, t: t, b: b}
	board, end := descentNumbers, descentNumbers+words(t*b*p.like.Width(program.Input))
	for _, s := range order {
		p.base[s] = end
		for i := range parts {
			if i == 0 || !shared(s) {
				p.sizes[s] += parts[i].Program.Segments[s].N
			}
		}
		end += p.sizes[s]
	}
	host := p.base[program.Grad] + p.like.Params()
	p.after = end
	if recurrent {
		end += t * b * p.like.Width(program.State)
		host = max(host, p.base[program.Input]+t*b*p.like.Width(program.State)) // θ stays there
	}
	p.remembered = end
	end += maxRemembered * p.like.Params()
	if p.q, err = d.queue(end, host); err != nil {
		return nil, err
	}
	p.board, err = newBoard(p.q, board, p.base[program.Input], p.sizes[program.Input])
	if err == nil {
		err = p.lower()
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	if recurrent {
		p.logits, p.values = room32(p.sizes[program.Logits]), room32(p.sizes[program.Values])
		p.tLogits, p.tValues = room32(p.sizes[program.TLogits]), room32(p.sizes[program.TValues])
	}
	return p, nil
}

func room32(n int) []float32 { return make([]float32, n) }

// lower makes the launches, for the parts of each size in turn, which share a program.
func (p *plan) lower() error {
	var before [program.Segments]int // numbers of the parts before, by segment
	after := p.after
	for from := 0; from < len(p.parts); {
		prog, n := p.parts[from].Program, 0
		for from+n < len(p.parts) && p.parts[from+n].Program == prog {
			n++
		}
		b := builder{q: p.q, shards: n, locate: func(at, size int) place {
			s, off := segmentOf(prog, at, size)
			if shared(s) {
				return place{base: p.base[s] + off}
			}
			return place{p.base[s] + before[s] + off, prog.Segments[s].N}
		}}
		p.forward = append(p.forward, b.steps(prog.Forward)...)
		p.backward = append(p.backward, b.steps(prog.Backward)...)
		p.tangent = append(p.tangent, b.steps(prog.Tangent)...)
		p.states = append(p.states, b.statesAfter(prog, after)...)
		if b.err != nil {
			return b.err
		}
		for s, span := range prog.Segments {
			before[s] += n * span.N
		}
		after += n * prog.Rows() * prog.Width(program.State)
		from += n
	}
	if len(p.parts) > 1 {
		n := p.like.Params()
		b := builder{q: p.q, shards: 1}
		b.each("sumShards", n, place{p.base[program.Grad], n}, n, len(p.parts))
		p.backward = append(p.backward, b.list...)
		if b.err != nil {
			return b.err
		}
	}
	return p.lowerDescent()
}

// segmentOf returns the segment of n numbers from at on in a program's arena, and their offset in it.
func segmentOf(p *program.Program, at, n int) (s program.Segment, off int) {
	for s, span := range p.Segments {
		if span.N > 0 && at >= span.At && at+n <= span.At+span.N {
			return program.Segment(s), at - span.At
		}
	}
	panic("opencl: a step reaches out of its segment")
}

// statesAfter copies the states after each row of a recurrent network to a place: [rows, States].
func (b *builder) statesAfter(prog *program.Program, to int) launches {
	b.list = nil
	rows, states := prog.Rows(), prog.Width(program.State)
	for _, c := range prog.Cores {
		b.each("states", rows*2*c.Units, place{to, rows * states}, b.locate(c.At, rows*c.Width), rows, states, c.State,
			c.Width, 2*c.Units)
	}
	return b.list
}

// memory returns a segment's part of the host memory.
func (p *plan) memory(s program.Segment) []float32 { return p.q.host[p.base[s]:][:p.sizes[s]] }

// send sends the segments from first to last, which are neighbours, to the device.
func (p *plan) send(first, last program.Segment) {
	p.q.write(p.base[first], p.q.host[p.base[first]:p.base[last]+p.sizes[last]])
}

// fetch waits for n numbers from the segment first on.
func (p *plan) fetch(first program.Segment, n int) { p.read(p.base[first], n) }

// read waits for n numbers of the host memory. It releases its core meanwhile.
func (p *plan) read(at, n int) {
	p.cores.Release()
	p.q.read(p.q.host[at:][:n], at)
	p.cores.Acquire()
}

// Forward implements device.Plan.
func (p *plan) Forward(theta, input, state, keep []float32) (logits, values []float32) {
	recurrent := len(p.like.Cores) > 0
	p.check(len(theta) == p.sizes[program.Theta] && len(input) == p.sizes[program.Input] &&
		(!recurrent || len(state) == p.sizes[program.State] && len(keep) == p.sizes[program.Keep]))
	p.known, p.theta = false, theta
	p.refresh()
	if recurrent {
		p.gather(program.Input, input)
		p.gather(program.Keep, keep)
		copy(p.memory(program.State), state) // the shards keep the order of the trajectories
		input = p.memory(program.Input)
	}
	p.board.send(p.q, input)
	p.send(program.State, program.Keep)
	p.q.run(p.forward)
	p.fetch(program.Logits, p.sizes[program.Logits]+p.sizes[program.Values])
	return p.result(program.Logits, p.logits), p.result(program.Values, p.values)
}

// Backward implements device.Plan.
func (p *plan) Backward(grad, dLogits, dValues []float32) {
	p.check(len(grad) == p.like.Params())
	p.back(dLogits, dValues)
	p.fetch(program.Grad, len(grad))
	copy(grad, p.q.host[p.base[program.Grad]:])
}

// back computes the gradient of the last Forward.
func (p *plan) back(dLogits, dValues []float32) {
	p.check(len(dLogits) == p.sizes[program.DLogits] && len(dValues) == p.sizes[program.DValues])
	p.known = false // the derivatives may overwrite the states
	if len(p.like.Cores) > 0 {
		p.gather(program.DLogits, dLogits)
		p.gather(program.DValues, dValues)
	} else {
		copy(p.memory(program.DLogits), dLogits)
		copy(p.memory(program.DValues), dValues)
	}
	p.refresh()
	p.send(program.DLogits, program.DValues)
	p.q.run(p.backward)
}

// Tangent implements device.Plan.
func (p *plan) Tangent(u []float32) (tLogits, tValues []float32) {
	p.check(p.tangent != nil && len(u) == p.sizes[program.Direction])
	p.known = false
	copy(p.memory(program.Direction), u)
	p.refresh()
	p.send(program.Direction, program.Direction)
	p.q.run(p.tangent)
	p.fetch(program.TLogits, p.sizes[program.TLogits]+p.sizes[program.TValues])
	return p.result(program.TLogits, p.tLogits), p.result(program.TValues, p.tValues)
}

// refresh sends a changed θ, also after Forward: PopArt rescales the head before it asks for the gradient.
func (p *plan) refresh() { p.q.update(p.base[program.Theta], p.theta) }

// StateAfter implements device.Plan. The first call fetches all states.
func (p *plan) StateAfter(row int, state []float32) {
	states := p.like.Width(program.State)
	all := p.q.host[p.base[program.Input]:][:p.t*p.b*states]
	if !p.known {
		p.q.run(p.states)
		p.q.read(all, p.after)
		p.known = true
	}
	step, b := row/p.b, row%p.b
	for _, part := range p.parts {
		n := part.To - part.From
		if b < part.To {
			copy(state, all[(step*n+b-part.From)*states:][:states])
			return
		}
		all = all[p.t*n*states:]
	}
}

// gather copies a batch's rows to the shards' parts of a segment, and result copies them back.
func (p *plan) gather(s program.Segment, batch []float32) {
	width, to := p.like.Width(s), p.memory(s)
	for i := range p.parts {
		p.parts[i].Gather(to, batch, p.t, p.b, width)
		to = to[p.parts[i].Program.Segments[s].N:]
	}
}

func (p *plan) result(s program.Segment, batch []float32) []float32 {
	from := p.memory(s)
	if len(p.like.Cores) == 0 {
		return from
	}
	width := p.like.Width(s)
	for i := range p.parts {
		p.parts[i].Return(batch, from, p.t, p.b, width)
		from = from[p.parts[i].Program.Segments[s].N:]
	}
	return batch
}

// On sets the cores, one of which the plan releases while it waits for the device.
func (p *plan) On(cores *schedule.Share) { p.cores = cores }

// Err returns the first failure of the device. After a failure, do not use the results.
func (p *plan) Err() error { return p.q.err }

// Close releases the plan's memory on the device. A second call does nothing.
func (p *plan) Close() {
	for _, l := range []*launches{&p.forward, &p.backward, &p.tangent, &p.states, &p.unpack, &p.squares, &p.shorten,
		&p.rmsprop, &p.momentum, &p.adam} {
		l.close()
		*l = nil
	}
	p.q.close()
}

func (p *plan) check(fits bool) {
	if p.q.id == 0 {
		panic("opencl: a closed plan was used")
	}
	if !fits {
		panic("opencl: a vector does not have the length its plan was made for")
	}
}
