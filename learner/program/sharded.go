package program

import (
	"sync/atomic"

	"impalab/learner/kernel"
	"impalab/learner/schedule"
)

const chunk = 1 << 14 // parameters added up at once: 64 kB, some 10 µs, worth a hand-off

// Sharded runs a batch as shards on all cores, each with its own Host and gradient. A shard is a block of rows, or of
// whole trajectories if the network is recurrent. Any core may run any shard; no result depends on it. A Sharded
// belongs to one goroutine; Close stops its helpers.
type Sharded struct {
	shards []shard
	out    outputs // of the whole batch

	t, b, params   int
	inputs, states int

	theta, input, state, keep, grad, dLogits, dValues, u []float32 // of the call in progress
	turned                                               []float32 // transposed weights, at their places in θ

	forward, backward, reduce, tangent func(i int) // bound once, so that a call allocates nothing
	unit                               func() bool
	workers                            *schedule.Pool
	progress                           progress
}

// shard is one host and its rows.
type shard struct {
	Part
	host *Host
	grad []float32 // nil for the first: the caller's grad itself
	own  *gathered // of a recurrent network: its trajectories lie apart in the batch
}

// gathered is a shard's copy of its trajectories, [T, to−from, …].
type gathered struct{ input, state, keep, dLogits, dValues []float32 }

// NewSharded makes the hosts, which compute with kernels, for t steps of b trajectories in shards blocks. A recurrent
// network is cut by trajectories, of which there may be fewer.
func NewSharded(kernels kernel.Set, program Maker, recurrent bool, t, b, shards int) (*Sharded, error) {
	parts, err := Deal(program, recurrent, t, b, shards)
	if err != nil {
		return nil, err
	}
	p := parts[0].Program
	s := &Sharded{
		t: t, b: b, workers: schedule.NewPool(), params: p.Params(), inputs: p.Width(Input), states: p.Width(State),
		out: newOutputs(t*b, p.Width(Logits), p.Width(Values)),
	}
	if shards > 1 { // else a product transposes as much
		s.turned = make([]float32, s.params)
	}
	for i, part := range parts {
		s.shards = append(s.shards, s.shard(kernels, part))
		if i > 0 {
			s.shards[i].grad = make([]float32, s.params)
		}
	}
	s.forward, s.backward, s.reduce, s.tangent, s.unit = s.forwardShard, s.backwardShard, s.addChunk, s.tangentShard,
		s.somePart
	s.progress.stage = make([]atomic.Int32, len(s.shards)+1)
	return s, nil
}

// shard is a host of p. Blocks of rows leave their results where the batch has them; trajectories are dealt back.
func (s *Sharded) shard(kernels kernel.Set, p Part) shard {
	if !s.recurrent() {
		return shard{Part: p, host: newHost(kernels, p.Program, s.out.rows(p.From, p.To), s.turned)}
	}
	n := func(s Segment) []float32 { return make([]float32, p.Program.Segments[s].N) }
	out := newOutputs(p.Program.Rows(), s.out.actions, s.out.perRow)
	return shard{Part: p, host: newHost(kernels, p.Program, out, s.turned), own: &gathered{
		input: n(Input), state: n(State), keep: n(Keep), dLogits: n(DLogits), dValues: n(DValues),
	}}
}

// Forward computes logits [T·B, Actions] and values [T·B, Values] of input [T·B, Inputs] under θ; a recurrent network
// begins from state [B, States] and forgets it before the steps where keep [T·B] is 0. The results are views of buffers
// of s, good until the next Forward.
func (s *Sharded) Forward(theta, input, state, keep []float32) (logits, values []float32) {
	s.bind(theta, input, state, keep)
	s.workers.Each(len(s.shards), s.forward)
	return s.out.logits, s.out.values
}

// StateAfter writes the recurrent state [States] that the last Forward left in row t·B + b.
func (s *Sharded) StateAfter(row int, state []float32) {
	step, b := row/s.b, row%s.b
	for i := range s.shards {
		if sh := &s.shards[i]; b < sh.To { // they lie in order
			sh.host.StateAfter(step*(sh.To-sh.From)+b-sh.From, state)
			return
		}
	}
}

// Backward writes the gradient of the last Forward, grad = Jᵀ·(dLogits, dValues), the whole of it. θ and
// what went in must still be what that Forward saw.
func (s *Sharded) Backward(grad, dLogits, dValues []float32) {
	s.bindBack(grad, dLogits, dValues)
	s.transpose()
	s.workers.Each(len(s.shards), s.backward)
	s.add()
}

func (s *Sharded) bind(theta, input, state, keep []float32) {
	rows := s.t * s.b
	s.check(len(theta) == s.params && len(input) == rows*s.inputs && (!s.recurrent() || len(state) == s.b*s.states &&
		len(keep) == rows))
	s.theta, s.input, s.state, s.keep = theta, input, state, keep
}

func (s *Sharded) bindBack(grad, dLogits, dValues []float32) {
	s.check(len(grad) == s.params && len(dLogits) == len(s.out.logits) && len(dValues) == len(s.out.values))
	s.grad, s.dLogits, s.dValues = grad, dLogits, dValues
}

func (s *Sharded) recurrent() bool { return s.states > 0 }

// add adds the shards' gradients up.
func (s *Sharded) add() {
	if len(s.shards) > 1 {
		s.workers.Each((s.params+chunk-1)/chunk, s.reduce)
	}
}

// transpose transposes the weights that the backward pass multiplies by, once for all shards.
func (s *Sharded) transpose() {
	p := s.shards[0].Program
	for i := range p.Backward {
		step := &p.Backward[i]
		if to := p.weights(step, s.turned); to != nil {
			kernel.Transpose(to, p.weights(step, s.theta), step.Size[1], step.Size[2])
		}
	}
}

// weights returns the part of theta, or of a vector like it, that is B of a product A·Bᵀ; else nil.
func (p *Program) weights(s *Step, theta []float32) []float32 {
	n := s.Size[1] * s.Size[2]
	if in, _ := p.segment(s.At[2], n); s.Op != ProductBT || theta == nil || in != Theta {
		return nil
	}
	off := s.At[2] - p.Segments[Theta].At
	return theta[off : off+n]
}

// Tangent gives the directional derivative of the last Forward's outputs, J·u: how logits and values
// begin to move when θ moves along u. The results are views of buffers of s.
func (s *Sharded) Tangent(u []float32) (tLogits, tValues []float32) {
	s.check(len(u) == s.params)
	s.u = u
	s.workers.Each(len(s.shards), s.tangent)
	return s.out.tLogits, s.out.tValues
}

// On restricts s to cores, of which its caller holds one. It comes before the first Forward.
func (s *Sharded) On(cores *schedule.Share) { s.workers.Cores = cores }

// Help computes parts of the call in progress, if there is one, on a core of its caller. Other goroutines may call it
// until Close.
func (s *Sharded) Help() { s.workers.Help() }

// Jobs returns the number of jobs that s has given several cores so far.
func (s *Sharded) Jobs() int { return s.workers.Jobs() }

// Close stops the helpers and lets the hosts go. It may be called twice; nothing else may follow it.
func (s *Sharded) Close() {
	if s.shards != nil {
		s.workers.Close()
	}
	s.shards = nil
}

// check panics before a shard begins: a shard would take a part of a longer vector, and gather too little of a shorter.
func (s *Sharded) check(fits bool) {
	if len(s.shards) == 0 {
		panic("program: a closed Sharded was used")
	}
	if !fits {
		panic("program: a vector does not have the length its plan was made for")
	}
}

func (s *Sharded) forwardShard(i int) {
	sh := &s.shards[i]
	if sh.own == nil {
		sh.host.Forward(s.theta, s.input[sh.From*s.inputs:sh.To*s.inputs], nil, nil)
		return
	}
	sh.Gather(sh.own.input, s.input, s.t, s.b, s.inputs)
	sh.Gather(sh.own.keep, s.keep, s.t, s.b, 1)
	copy(sh.own.state, s.state[sh.From*s.states:])
	logits, values := sh.host.Forward(s.theta, sh.own.input, sh.own.state, sh.own.keep)
	sh.Return(s.out.logits, logits, s.t, s.b, s.out.actions)
	sh.Return(s.out.values, values, s.t, s.b, s.out.perRow)
}

func (s *Sharded) backwardShard(i int) {
	sh, a, v := &s.shards[i], s.out.actions, s.out.perRow
	grad := sh.grad
	if grad == nil {
		grad = s.grad
	}
	if sh.own == nil {
		sh.host.Backward(grad, s.dLogits[sh.From*a:sh.To*a], s.dValues[sh.From*v:sh.To*v])
		return
	}
	sh.Gather(sh.own.dLogits, s.dLogits, s.t, s.b, a)
	sh.Gather(sh.own.dValues, s.dValues, s.t, s.b, v)
	sh.host.Backward(grad, sh.own.dLogits, sh.own.dValues)
}

func (s *Sharded) tangentShard(i int) {
	sh := &s.shards[i]
	logits, values := sh.host.Tangent(s.u)
	if sh.own != nil {
		sh.Return(s.out.tLogits, logits, s.t, s.b, s.out.actions)
		sh.Return(s.out.tValues, values, s.t, s.b, s.out.perRow)
	}
}

// addChunk adds a stretch of the shards' gradients, in the order of the shards whichever core does it.
func (s *Sharded) addChunk(i int) {
	from, to := i*chunk, min((i+1)*chunk, s.params)
	for _, sh := range s.shards[1:] {
		kernel.Add(s.grad[from:to], sh.grad[from:to])
	}
}
