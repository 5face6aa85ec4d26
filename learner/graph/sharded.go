package graph

import (
	"fmt"

	"impalab/learner/kernel"
	"impalab/learner/net"
)

const (
	shardRows = 128     // smaller blocks pack the weights too often: +6 % at 128 rows, +15 % at 64, +32 % at 32
	maxShards = 64      // more would cost more in adding gradients up than they bring on any machine
	chunk     = 4096    // parameters added up at once: 16 kB
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

	logits, values []float32 // [rows, Actions], [rows]: each plan's outputs are its rows of these

	params, obsSize, actions int

	theta, obs, grad, dLogits, dValues []float32 // of the call in progress

	forward, backward, reduce func(i int) // bound once, so that a call allocates nothing
	crew                      *crew
}

// NewSharded builds the plans of spec for rows rows in shards blocks. Where rows is no multiple of shards,
// the first blocks have a row more.
func NewSharded(spec net.Spec, rows, shards int) (*Sharded, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if shards < 1 || shards > rows {
		return nil, fmt.Errorf("%d shards of %d rows: give 1 to %d", shards, rows, rows)
	}
	s := &Sharded{
		logits: make([]float32, rows*spec.Actions), values: make([]float32, rows),
		params: spec.Params(), obsSize: spec.Obs, actions: spec.Actions,
	}
	if s.params*(shards-1) > maxParts {
		return nil, fmt.Errorf("%d shards of a network of %d parameters need too much memory for their gradients: use fewer shards or a narrower network", shards, s.params)
	}
	networks := map[int]*network{} // by rows: two sizes at most
	for i, at := 0, 0; i < shards; i++ {
		n := (rows + shards - 1 - i) / shards
		if networks[n] == nil {
			nw, err := newNetwork(spec, n)
			if err != nil {
				return nil, err
			}
			networks[n] = nw
		}
		p, err := networks[n].plan(s.logits[at*s.actions:(at+n)*s.actions], s.values[at:at+n])
		if err != nil {
			return nil, err
		}
		s.plans = append(s.plans, p)
		s.parts = append(s.parts, nil)
		if i > 0 {
			s.parts[i] = make([]float32, s.params)
		}
		at += n
	}
	s.forward, s.backward, s.reduce = s.forwardShard, s.backwardShard, s.addChunk
	s.crew = newCrew()
	return s, nil
}

// Forward computes logits [rows, Actions] and values [rows] of obs [rows, Obs] under θ. The results are
// views of buffers of s, good until the next Forward.
func (s *Sharded) Forward(theta, obs []float32) (logits, values []float32) {
	s.check(len(theta) == s.params && len(obs) == len(s.values)*s.obsSize)
	s.theta, s.obs = theta, obs
	s.crew.each(len(s.plans), s.forward)
	return s.logits, s.values
}

// Backward writes the gradient of the last Forward, grad = Jᵀ·(dLogits, dValues), the whole of it. θ and
// obs must still be what that Forward saw.
func (s *Sharded) Backward(grad, dLogits, dValues []float32) {
	s.check(len(grad) == s.params && len(dLogits) == len(s.logits) && len(dValues) == len(s.values))
	s.parts[0] = grad
	s.grad, s.dLogits, s.dValues = grad, dLogits, dValues
	s.crew.each(len(s.plans), s.backward)
	if len(s.plans) > 1 {
		s.crew.each((s.params+chunk-1)/chunk, s.reduce)
	}
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

// rows are the shard's block of rows.
func (s *Sharded) rows(i int) (from, to int) {
	n, k := len(s.values), len(s.plans)
	from = i*(n/k) + min(i, n%k)
	return from, from + len(s.plans[i].values)
}

func (s *Sharded) forwardShard(i int) {
	from, to := s.rows(i)
	s.plans[i].Forward(s.theta, s.obs[from*s.obsSize:to*s.obsSize])
}

func (s *Sharded) backwardShard(i int) {
	from, to := s.rows(i)
	s.plans[i].Backward(s.parts[i], s.dLogits[from*s.actions:to*s.actions], s.dValues[from:to])
}

// addChunk adds a stretch of the shards' gradients, in the order of the shards whoever does it.
func (s *Sharded) addChunk(i int) {
	from, to := i*chunk, min((i+1)*chunk, s.params)
	for _, part := range s.parts[1:] {
		kernel.Axpy(s.grad[from:to], part[from:to], 1)
	}
}
