package program

import "fmt"

// How a batch is dealt to shards, wherever they run. The shards decide in which order a gradient is added up.

const (
	shardRows = 128     // smaller blocks pack the weights too often: +6 % at 128 rows, +15 % at 64, +32 % at 32
	team      = 16      // trajectories that take a recurrent step at once: with fewer, a core waits for the weights
	maxShards = 64      // more would cost more in adding gradients up than they bring on any machine
	maxParts  = 1 << 28 // numbers in all the shards' gradients together: 1 GB
)

// Shards is how many shards suit a batch of t steps of b trajectories: a power of two, which 2, 4 or 8 cores share
// evenly. A shard of a recurrent network has sixteen trajectories or more, but there are two shards where the rows
// suffice for two. The number depends on nothing else: the shards decide in which order a gradient is added up, and the
// same configuration must give the same bytes on every machine.
func Shards(recurrent bool, t, b int) int {
	most := maxShards
	if recurrent {
		most = min(maxShards, max(2, b/team))
	}
	shards := 1
	for 2*shards <= most && t*b > shards*shardRows {
		shards *= 2
	}
	return shards
}

// Maker makes the program of a network for t steps of b trajectories: learner/graph's, or a stored one.
type Maker func(t, b int) (*Program, error)

// Part is one shard of a batch.
type Part struct {
	Program  *Program
	From, To int // its rows, or its trajectories where the network is recurrent
}

// Deal cuts a batch of t steps of b trajectories into shards blocks of rows, or of whole trajectories where the network
// is recurrent, of which there may be fewer. Parts of one size, of which there are two at most, share a program; the
// longer ones come first.
func Deal(program Maker, recurrent bool, t, b, shards int) ([]Part, error) {
	if t < 1 || b < 1 {
		return nil, fmt.Errorf("a plan for %d steps of %d trajectories: give at least 1 of each", t, b)
	}
	whole, steps := t*b, 1
	if recurrent {
		whole, steps, shards = b, t, min(shards, b)
	}
	if shards < 1 || shards > whole {
		return nil, fmt.Errorf("%d shards of %d rows: give 1 to %d", shards, whole, whole)
	}
	var parts []Part
	programs := map[int]*Program{} // by size
	for i := range shards {
		from, to := blockOf(i, shards, whole)
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
		if i == 0 && p.Params()*(shards-1) > maxParts {
			return nil, fmt.Errorf("%d shards of a network of %d parameters need too much memory for their gradients: use "+
				"fewer shards or a narrower network", shards, p.Params())
		}
		parts = append(parts, Part{p, from, to})
	}
	return parts, nil
}

// blockOf returns the range of shard i. Ranges are contiguous, and the first ones are one longer if shards does not
// divide the whole.
func blockOf(i, shards, whole int) (from, to int) {
	at := func(i int) int { return i*(whole/shards) + min(i, whole%shards) }
	return at(i), at(i + 1)
}

// Gather copies a part's trajectories out of the batch's rows of w values [t·b, w]; Return copies them back.
func (p *Part) Gather(dst, src []float32, t, b, w int) {
	n := (p.To - p.From) * w
	for step := range t {
		copy(dst[step*n:(step+1)*n], src[(step*b+p.From)*w:])
	}
}

// Return is the way back of Gather.
func (p *Part) Return(dst, src []float32, t, b, w int) {
	n := (p.To - p.From) * w
	for step := range t {
		copy(dst[(step*b+p.From)*w:(step*b+p.To)*w], src[step*n:])
	}
}
