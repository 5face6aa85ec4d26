package graph

import (
	"fmt"

	"impalab/learner/kernel"
	"impalab/learner/net"
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

// Sharded runs a batch as contiguous blocks of rows, each with a Plan and a gradient of its own, on as many
// cores as there are. Which core runs which shard is left to chance; nothing that is computed depends on it.
// It belongs to one goroutine; Close stops its helpers.
type Sharded struct {
	plans []*Plan
	parts [][]float32 // the gradient of every shard but the first, whose part is the caller's grad itself

	out outputs // of the whole batch: each plan's are its rows of these

	rows, params, obsSize, actions int

	theta, obs, grad, dLogits, dValues, u []float32 // of the call in progress

	forward, backward, reduce, tangent func(i int) // bound once, so that a call allocates nothing
	crew                               *crew
}

// NewSharded builds the plans of spec for rows rows in shards blocks.
func NewSharded(spec net.Spec, rows, shards int) (*Sharded, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if rows < 1 {
		return nil, fmt.Errorf("a plan for %d rows: give at least 1", rows)
	}
	if shards < 1 || shards > rows {
		return nil, fmt.Errorf("%d shards of %d rows: give 1 to %d", shards, rows, rows)
	}
	s := &Sharded{
		out: newOutputs(rows, spec.Actions), crew: newCrew(),
		rows: rows, params: spec.Params(), obsSize: spec.Obs, actions: spec.Actions,
	}
	if s.params*(shards-1) > maxParts {
		return nil, fmt.Errorf("%d shards of a network of %d parameters need too much memory for their gradients: use fewer shards or a narrower network", shards, s.params)
	}
	networks := map[int]*network{} // by rows: two sizes at most
	for i := range shards {
		from, to := blockOf(i, shards, rows)
		nw := networks[to-from]
		if nw == nil {
			var err error
			if nw, err = newNetwork(spec, to-from); err != nil {
				return nil, fmt.Errorf("the graph of the network: %w", err)
			}
			networks[to-from] = nw
		}
		p, err := nw.plan(s.out.rows(from, to))
		if err != nil {
			return nil, err
		}
		s.plans = append(s.plans, p)
		s.parts = append(s.parts, nil)
		if i > 0 {
			s.parts[i] = make([]float32, s.params)
		}
	}
	s.forward, s.backward, s.reduce, s.tangent = s.forwardShard, s.backwardShard, s.addChunk, s.tangentShard
	return s, nil
}

// blockOf is the rows of shard i: contiguous, the first ones a row longer where rows is no multiple of shards.
func blockOf(i, shards, rows int) (from, to int) {
	at := func(i int) int { return i*(rows/shards) + min(i, rows%shards) }
	return at(i), at(i + 1)
}

// Forward computes logits [rows, Actions] and values [rows] of obs [rows, Obs] under θ. The results are
// views of buffers of s, good until the next Forward.
func (s *Sharded) Forward(theta, obs []float32) (logits, values []float32) {
	s.check(len(theta) == s.params && len(obs) == s.rows*s.obsSize)
	s.theta, s.obs = theta, obs
	s.crew.each(len(s.plans), s.forward)
	return s.out.logits, s.out.values
}

// Backward writes the gradient of the last Forward, grad = Jᵀ·(dLogits, dValues), the whole of it. θ and
// obs must still be what that Forward saw.
func (s *Sharded) Backward(grad, dLogits, dValues []float32) {
	s.check(len(grad) == s.params && len(dLogits) == s.rows*s.actions && len(dValues) == s.rows)
	s.parts[0] = grad
	s.grad, s.dLogits, s.dValues = grad, dLogits, dValues
	s.crew.each(len(s.plans), s.backward)
	if len(s.plans) > 1 {
		s.crew.each((s.params+chunk-1)/chunk, s.reduce)
	}
}

// Tangent gives the directional derivative of the last Forward's outputs, J·u: how logits and values
// begin to move when θ moves along u. The results are views of buffers of s.
func (s *Sharded) Tangent(u []float32) (tLogits, tValues []float32) {
	s.check(len(u) == s.params)
	s.u = u
	s.crew.each(len(s.plans), s.tangent)
	return s.out.tLogits, s.out.tValues
}

// Close stops the helpers and lets the plans go. It may be called twice; nothing else may follow it.
func (s *Sharded) Close() {
	if s.plans != nil {
		s.crew.close()
	}
	s.plans, s.parts = nil, nil
}

// check panics here, in the caller's goroutine, rather than in a shard's where nobody could recover.
func (s *Sharded) check(fits bool) {
	if len(s.plans) == 0 {
		panic("graph: a closed Sharded was used")
	}
	if !fits {
		panic("graph: a vector has not the length its plan was made for")
	}
}

func (s *Sharded) forwardShard(i int) {
	from, to := blockOf(i, len(s.plans), s.rows)
	s.plans[i].Forward(s.theta, s.obs[from*s.obsSize:to*s.obsSize])
}

func (s *Sharded) backwardShard(i int) {
	from, to := blockOf(i, len(s.plans), s.rows)
	s.plans[i].Backward(s.parts[i], s.dLogits[from*s.actions:to*s.actions], s.dValues[from:to])
}

func (s *Sharded) tangentShard(i int) { s.plans[i].Tangent(s.u) }

// addChunk adds a stretch of the shards' gradients, in the order of the shards whoever does it.
func (s *Sharded) addChunk(i int) {
	from, to := i*chunk, min((i+1)*chunk, s.params)
	for _, part := range s.parts[1:] {
		kernel.Axpy(s.grad[from:to], part[from:to], 1)
	}
}
