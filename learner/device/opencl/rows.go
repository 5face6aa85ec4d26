//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"impalab/learner/device"
	"impalab/learner/program"
	"impalab/learner/schedule"
)

// rows is a network's forward pass alone, on independent rows. Its arena holds the segments of a program for one step
// of n trajectories, without the gradient's. They have the same places in the host memory; the device's own
// segments follow.
type rows struct {
	q     *queue
	prog  *program.Program
	base  [program.Segments]int // start of each segment
	after int                   // place of a recurrent network's next states, [B, States]
	board board
	list  launches
	turns *plan // idle while these rows run, and may have their θ; nil: the plan may be busy
	cores *schedule.Share
}

// Rows makes the network's forward pass alone, on up to n rows, with memory and a queue of its own.
func (p *plan) Rows(make program.Maker, n int, beside bool) (device.Rows, error) {
	r, err := newRows(p.d, make, len(p.like.Cores) > 0, n)
	if err != nil {
		return nil, err
	}
	if !beside {
		r.turns = p
	}
	return r, nil
}

func newRows(d *Device, make program.Maker, recurrent bool, n int) (*rows, error) {
	parts, err := program.Deal(make, recurrent, 1, n, 1)
	if err != nil {
		return nil, err
	}
	r := &rows{prog: parts[0].Program}
	input := n * r.prog.Width(program.Input)
	end := words(input) // the board's bits are first
	for _, s := range []program.Segment{
		program.Theta, program.Input, program.State, program.Keep, program.Logits, program.Values,
	} {
		r.base[s] = end
		end += r.prog.Segments[s].N
	}
	r.after = end
	end += n * r.prog.Width(program.State)
	host := end
	r.base[program.Work] = end
	end += reach(r.prog)
	if r.q, err = d.queue(end, host); err != nil {
		return nil, err
	}
	if r.board, err = newBoard(r.q, 0, r.base[program.Input], input); err != nil {
		r.Close()
		return nil, err
	}
	b := builder{q: r.q, shards: 1, locate: func(at, size int) place {
		s, off := segmentOf(r.prog, at, size)
		return place{base: r.base[s] + off}
	}}
	r.list = b.steps(r.prog.Forward)
	r.list = append(r.list, b.statesAfter(r.prog, r.after)...)
	if b.err != nil {
		r.Close()
		return nil, b.err
	}
	keep := r.memory(program.Keep, r.prog.Segments[program.Keep].N) // the caller clears states
	for i := range keep {
		keep[i] = 1
	}
	r.q.write(r.base[program.Keep], keep)
	return r, nil
}

// reach returns how much of Work the forward pass uses.
func reach(p *program.Program) (n int) {
	work := p.Segments[program.Work]
	for i := range p.Forward {
		s := &p.Forward[i]
		for j, size := range s.Extents() {
			if s.At[j] >= work.At {
				n = max(n, s.At[j]+size-work.At)
			}
		}
	}
	return n
}

// memory returns the first n numbers of a segment's part of the host memory.
func (r *rows) memory(s program.Segment, n int) []float32 { return r.q.host[r.base[s]:][:n] }

// Run implements device.Rows.
func (r *rows) Run(theta, input, state []float32, n int) (logits, values []float32) {
	states := r.prog.Width(program.State)
	switch {
	case r.q.id == 0:
		panic("opencl: closed rows were used")
	case len(theta) != r.prog.Params() || n < 0 || n > r.prog.B || len(input) < n*r.prog.Width(program.Input) ||
		len(state) < n*states:
		panic("opencl: vectors do not have the lengths of their rows")
	}
	if r.turns != nil {
		r.q.updateFrom(r.turns.q, r.turns.base[program.Theta], r.base[program.Theta], theta)
	} else {
		r.q.update(r.base[program.Theta], theta)
	}
	r.board.send(r.q, input[:n*r.prog.Width(program.Input)])
	before := r.memory(program.State, n*states)
	copy(before, state)
	r.q.write(r.base[program.State], before)
	r.q.run(r.list)
	end := r.after + n*states
	if states == 0 {
		end = r.base[program.Values] + n*r.prog.Width(program.Values)
	}
	r.cores.Release()
	r.q.read(r.q.host[r.base[program.Logits]:end], r.base[program.Logits])
	r.cores.Acquire()
	copy(state, r.q.host[r.after:][:n*states])
	width := r.prog.Width
	return r.memory(program.Logits, n*width(program.Logits)), r.memory(program.Values, n*width(program.Values))
}

// On sets the cores, one of which Run releases while it waits for the device.
func (r *rows) On(cores *schedule.Share) { r.cores = cores }

// Err returns the first failure of the device.
func (r *rows) Err() error { return r.q.err }

// Close releases the memory on the device. A second call does nothing.
func (r *rows) Close() {
	r.list.close()
	r.board.unpack.close()
	r.list, r.board.unpack = nil, nil
	r.q.close()
}
