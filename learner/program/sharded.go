package program

import (
	"fmt"

	"impalab/learner/kernel"
	"impalab/learner/work"
)

const (
	shardRows = 128     // smaller blocks pack the weights too often: +6 % at 128 rows, +15 % at 64, +32 % at 32
	maxShards = 64      // more would cost more in adding gradients up than they bring on any machine
	chunk     = 1 << 14 // parameters added up at once: 64 kB, some 10 µs, worth a hand-off
	maxParts  = 1 << 28 // numbers in all the shards' gradients together: 1 GB
)

// Shards is how many shards suit a batch: a power of two, which 2, 4 or 8 cores share evenly. It depends
// on the rows alone: the shards decide in which order a gradient is added up, and the same configuration
// must give the same bytes on every machine.
func Shards(rows int) int {
	shards := 1
	for shards < maxShards && rows > shards*shardRows {
		shards *= 2
	}
	return shards
}

// Sharded runs a batch as shards, each with a Host and a gradient of its own, on as many cores as there are: blocks of
// rows, or of whole trajectories where the network is recurrent. Which core runs which shard is left to chance;
// nothing that is computed depends on it. It belongs to one goroutine; Close stops its helpers.
type Sharded struct {
	shards []shard
	out    outputs // of the whole batch

	t, b, params   int
	inputs, states int

	theta, input, state, keep, grad, dLogits, dValues, u []float32 // of the call in progress

	forward, backward, reduce, tangent func(i int) // bound once, so that a call allocates nothing
	workers                            *work.Pool
}

// shard is one host and what it works on.
type shard struct {
	host     *Host
	from, to int       // its rows, or its trajectories
	grad     []float32 // nil for the first: the caller's grad itself
	own      *gathered // of a recurrent network: its trajectories lie apart in the batch
}

// gathered is a shard's copy of its trajectories, [T, to−from, …].
type gathered struct{ input, state, keep, dLogits, dValues []float32 }

// Maker makes the program of a network for t steps of b trajectories: learner/graph's, or one that it wrote down.
type Maker func(t, b int) (*Program, error)

// NewSharded makes the hosts for t steps of b trajectories in shards blocks. A recurrent network is cut by
// trajectories, of which there may be fewer.
func NewSharded(program Maker, recurrent bool, t, b, shards int) (*Sharded, error) {
	if t < 1 || b < 1 {
		return nil, fmt.Errorf("a plan for %d steps of %d trajectories: give at least 1 of each", t, b)
	}
	parts, steps := t*b, 1
	if recurrent {
		parts, steps, shards = b, t, min(shards, b)
	}
	if shards < 1 || shards > parts {
		return nil, fmt.Errorf("%d shards of %d rows: give 1 to %d", shards, parts, parts)
	}
	s := &Sharded{t: t, b: b, workers: work.NewPool()}
	programs := map[int]*Program{} // by size: two at most
	for i := range shards {
		from, to := blockOf(i, shards, parts)
		p := programs[to-from]
		if p == nil {
			var err error
			if p, err = program(steps, to-from); err != nil {
				return nil, err
			}
			if p.T != steps || p.B != to-from {
				return nil, fmt.Errorf("a program for %d steps of %d trajectories was asked for, one for %d of %d came", steps,
					to-from, p.T, p.B)
			}
			programs[to-from] = p
		}
		if i == 0 {
			s.params, s.inputs, s.states = p.Params(), p.Width(Input), p.Width(State)
			s.out = newOutputs(t*b, p.Width(Logits), p.Width(Values))
			if s.params*(shards-1) > maxParts {
				return nil, fmt.Errorf("%d shards of a network of %d parameters need too much memory for their gradients: use "+
					"fewer shards or a narrower network", shards, s.params)
			}
		}
		s.shards = append(s.shards, s.shard(p, from, to))
		if i > 0 {
			s.shards[i].grad = make([]float32, s.params)
		}
	}
	s.forward, s.backward, s.reduce, s.tangent = s.forwardShard, s.backwardShard, s.addChunk, s.tangentShard
	return s, nil
}

// shard is a host of p. Blocks of rows leave their results where the batch has them; trajectories are dealt back.
func (s *Sharded) shard(p *Program, from, to int) shard {
	if s.states == 0 {
		return shard{host: newHost(p, s.out.rows(from, to)), from: from, to: to}
	}
	host := NewHost(p)
	n := func(s Segment) []float32 { return make([]float32, p.Segments[s].N) }
	return shard{host: host, from: from, to: to, own: &gathered{
		input: n(Input), state: n(State), keep: n(Keep), dLogits: n(DLogits), dValues: n(DValues),
	}}
}

// blockOf is the part of shard i: contiguous, the first ones one longer where the whole is no multiple of shards.
func blockOf(i, shards, whole int) (from, to int) {
	at := func(i int) int { return i*(whole/shards) + min(i, whole%shards) }
	return at(i), at(i + 1)
}

// Forward computes logits [T·B, Actions] and values [T·B, Values] of input [T·B, Inputs] under θ; a recurrent network
// begins from state [B, States] and forgets it before the steps where keep [T·B] is 0. The results are views of buffers
// of s, good until the next Forward.
func (s *Sharded) Forward(theta, input, state, keep []float32) (logits, values []float32) {
	rows := s.t * s.b
	s.check(len(theta) == s.params && len(input) == rows*s.inputs && (s.states == 0 || len(state) == s.b*s.states &&
		len(keep) == rows))
	s.theta, s.input, s.state, s.keep = theta, input, state, keep
	s.workers.Each(len(s.shards), s.forward)
	return s.out.logits, s.out.values
}

// StateAfter writes the recurrent state [States] that the last Forward left in row t·B + b.
func (s *Sharded) StateAfter(row int, state []float32) {
	step, b := row/s.b, row%s.b
	for i := range s.shards {
		if sh := &s.shards[i]; b >= sh.from && b < sh.to {
			sh.host.StateAfter(step*(sh.to-sh.from)+b-sh.from, state)
			return
		}
	}
}

// Backward writes the gradient of the last Forward, grad = Jᵀ·(dLogits, dValues), the whole of it. θ and
// what went in must still be what that Forward saw.
func (s *Sharded) Backward(grad, dLogits, dValues []float32) {
	s.check(len(grad) == s.params && len(dLogits) == len(s.out.logits) && len(dValues) == len(s.out.values))
	s.grad, s.dLogits, s.dValues = grad, dLogits, dValues
	s.workers.Each(len(s.shards), s.backward)
	if len(s.shards) > 1 {
		s.workers.Each((s.params+chunk-1)/chunk, s.reduce)
	}
}

// Tangent gives the directional derivative of the last Forward's outputs, J·u: how logits and values
// begin to move when θ moves along u. The results are views of buffers of s.
func (s *Sharded) Tangent(u []float32) (tLogits, tValues []float32) {
	s.check(len(u) == s.params)
	s.u = u
	s.workers.Each(len(s.shards), s.tangent)
	return s.out.tLogits, s.out.tValues
}

// On makes s compute on cores only, of which its caller holds one. It comes before the first Forward.
func (s *Sharded) On(cores *work.Share) { s.workers.Cores = cores }

// Close stops the helpers and lets the hosts go. It may be called twice; nothing else may follow it.
func (s *Sharded) Close() {
	if s.shards != nil {
		s.workers.Close()
	}
	s.shards = nil
}

// check panics here, in the caller's goroutine, rather than in a shard's, where it could not be recovered.
func (s *Sharded) check(fits bool) {
	if len(s.shards) == 0 {
		panic("program: a closed Sharded was used")
	}
	if !fits {
		panic("program: a vector has not the length its plan was made for")
	}
}

func (s *Sharded) forwardShard(i int) {
	sh := &s.shards[i]
	if sh.own == nil {
		sh.host.Forward(s.theta, s.input[sh.from*s.inputs:sh.to*s.inputs], nil, nil)
		return
	}
	s.gather(sh, sh.own.input, s.input, s.inputs)
	s.gather(sh, sh.own.keep, s.keep, 1)
	copy(sh.own.state, s.state[sh.from*s.states:])
	logits, values := sh.host.Forward(s.theta, sh.own.input, sh.own.state, sh.own.keep)
	s.deal(sh, s.out.logits, logits, s.out.actions)
	s.deal(sh, s.out.values, values, s.out.perRow)
}

func (s *Sharded) backwardShard(i int) {
	sh := &s.shards[i]
	grad := sh.grad
	if i == 0 {
		grad = s.grad
	}
	a, v := s.out.actions, s.out.perRow
	if sh.own == nil {
		sh.host.Backward(grad, s.dLogits[sh.from*a:sh.to*a], s.dValues[sh.from*v:sh.to*v])
		return
	}
	s.gather(sh, sh.own.dLogits, s.dLogits, a)
	s.gather(sh, sh.own.dValues, s.dValues, v)
	sh.host.Backward(grad, sh.own.dLogits, sh.own.dValues)
}

func (s *Sharded) tangentShard(i int) {
	sh := &s.shards[i]
	logits, values := sh.host.Tangent(s.u)
	if sh.own != nil {
		s.deal(sh, s.out.tLogits, logits, s.out.actions)
		s.deal(sh, s.out.tValues, values, s.out.perRow)
	}
}

// gather copies a shard's trajectories out of the batch's rows of w values; deal copies them back.
func (s *Sharded) gather(sh *shard, dst, src []float32, w int) {
	n := (sh.to - sh.from) * w
	for t := range s.t {
		copy(dst[t*n:(t+1)*n], src[(t*s.b+sh.from)*w:])
	}
}

func (s *Sharded) deal(sh *shard, dst, src []float32, w int) {
	n := (sh.to - sh.from) * w
	for t := range s.t {
		copy(dst[(t*s.b+sh.from)*w:(t*s.b+sh.to)*w], src[t*n:])
	}
}

// addChunk adds a stretch of the shards' gradients, in the order of the shards whichever core does it.
func (s *Sharded) addChunk(i int) {
	from, to := i*chunk, min((i+1)*chunk, s.params)
	for _, sh := range s.shards[1:] {
		kernel.Axpy(s.grad[from:to], sh.grad[from:to], 1)
	}
}
