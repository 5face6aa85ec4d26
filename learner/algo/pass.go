package algo

import (
	"impalab/learner/hyper"
	"impalab/learner/traj"
)

// pass is an algorithm's work on a batch, forward and backward through the network. Its functions are bound once.
type pass struct {
	batch *traj.Batch
	cfg   *hyper.Config
	whole bool // the losses need all rows at once
	// tail receives the outputs of rows of the batch's Tail, from row from on, before losses that need them.
	tail func(from int, logits, values []float32)
	// losses writes the derivatives of the rows of m.parts[i], from the outputs for the whole batch. By then the outputs
	// have these rows and all later steps of their trajectories. Parts come one after the other, from the last to the
	// first; parts of a recurrent network come at once.
	losses           func(i int, logits, values []float32)
	dLogits, dValues []float32 // of the whole batch
}

// Pass runs the network forward on a batch, computes the losses, and returns all values. With one job it also computes
// the gradient, and gradient returns it. Otherwise the whole batch is one part, and gradient runs Backward.
func (m *Machine) Pass(p *pass) []float32 {
	if m.oneJob == nil || p.whole {
		logits, values := m.Forward(p.batch)
		m.eachTail(p.batch, p.tail)
		p.losses(0, logits, values)
		return values
	}
	j, b := &m.job, p.batch
	m.control.begin(b, m.crew)
	clear(m.control.sums)
	m.control.wide, _ = m.oneJob.Outputs()
	j.Input, j.State, j.Keep, j.DLogits, j.DValues = b.Obs, b.State, b.Keep, m.control.widen(p.dLogits, 0, 0), p.dValues
	m.pass = p
	m.oneJob.Update(j)
	m.hasGrad = true
	_, values := m.oneJob.Outputs()
	return values
}

// beforeLosses computes the tail of a network without memory, which needs no other row.
func (m *Machine) beforeLosses() {
	if m.Spec.States() == 0 {
		m.eachTail(m.pass.batch, m.pass.tail)
		m.control.target(0, m.pass.batch.B)
	}
}

// lossesOf computes the losses of a shard, and before them its tail, which continues from its recurrent states.
func (m *Machine) lossesOf(i int) {
	if m.Spec.States() > 0 {
		m.tails[i].each(m, m.pass.batch, m.pass.tail)
		m.control.target(m.tails[i].from, m.tails[i].to)
	}
	logits, values := m.oneJob.Outputs()
	if !m.control.on() {
		m.pass.losses(i, logits, values)
		return
	}
	for _, rows := range m.parts[i] {
		m.control.policy(logits, rows[0], rows[1])
		m.control.losses(i, rows[0], rows[1], m.pass.cfg)
	}
	m.pass.losses(i, m.control.logits, values)
	for _, rows := range m.parts[i] {
		m.control.widen(m.pass.dLogits, rows[0], rows[1])
	}
}

// tail runs the network where no gradient passes: on rows of the Tail of trajectories from to to−1.
type tail struct {
	forward  forward
	atOnce   int // rows it takes
	from, to int
	states   []float32 // [atOnce, States] before such rows
}

// forward is net.Forward, or the same on a device.
type forward interface {
	Run(theta, input, state []float32, rows int) (logits, values []float32)
}

// maxTail is how many rows a tail takes at once, at most.
const maxTail = 256

func newTail(m *Machine, f forward, atOnce, from, to int) *tail {
	return &tail{f, atOnce, from, to, make([]float32, atOnce*m.Spec.States())}
}

// Tail computes V without gradients: at the B states after the last step, then at the states that a time limit cut. It
// follows Forward of the same batch and continues from its recurrent states.
func (m *Machine) Tail(b *traj.Batch) []float32 {
	m.values = grow(m.values, b.B+len(b.Cuts))
	m.eachTail(b, func(from int, _, values []float32) { m.pop.realTail(m.values[from:], values, b, from) })
	return m.values
}

// eachTail runs the network on all rows of b's Tail in chunks, and passes the outputs of each chunk to use with its
// first row.
func (m *Machine) eachTail(b *traj.Batch, use func(from int, logits, values []float32)) {
	for _, t := range m.tails {
		t.each(m, b, use)
	}
}

// each is eachTail for t's trajectories.
func (t *tail) each(m *Machine, b *traj.Batch, use func(from int, logits, values []float32)) {
	if t.from == 0 && t.to == b.B {
		t.run(m, b, 0, b.B+len(b.Cuts), use)
		return
	}
	t.run(m, b, t.from, t.to, use)
	own := func(k int) bool { return k < len(b.Cuts) && b.Cuts[k]%b.B >= t.from && b.Cuts[k]%b.B < t.to }
	for k := 0; k < len(b.Cuts); k++ {
		first := k
		for own(k) {
			k++
		}
		t.run(m, b, b.B+first, b.B+k, use)
	}
}

func (t *tail) run(m *Machine, b *traj.Batch, from, to int, use func(from int, logits, values []float32)) {
	states := m.Spec.States()
	for ; from < to; from += t.atOnce {
		n := min(t.atOnce, to-from)
		if states > 0 {
			for i := range n {
				after := (b.T-1)*b.B + from + i
				if k := from + i - b.B; k >= 0 {
					after = b.Cuts[k]
				}
				m.plan.StateAfter(after, t.states[i*states:(i+1)*states])
			}
		}
		logits, values := t.forward.Run(m.Theta, b.Tail[from*b.Size:], t.states, n)
		m.control.tail(from, n, logits)
		use(from, logits, values)
	}
}
