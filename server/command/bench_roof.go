package command

// What a machine can do at most, and so what each operation of a network can.

import (
	"slices"
	"sync"
	"time"

	"impalab/learner/kernel"
	"impalab/learner/program"
)

// reads are the sizes out of which reading is measured, in bytes of each core: those of caches, and more than they
// hold.
var reads = []int{32 << 10, 256 << 10, 1 << 20, 16 << 20, 128 << 20}

// roof is what a machine can do at most: each core, while all compute.
type roof struct {
	peak  float64   // multiplications and additions a second
	reads []float64 // bytes a second, out of as many as reads says
	tanh  float64   // seconds that one takes
	lanes int       // numbers that move at once
}

// machine measures what the roofs are made of.
func (b *Bench) machine() (over roof) {
	over.lanes = max(1, map[string]int{"avx512": 16, "avx2": 8}[kernel.Level()])
	for _, size := range reads {
		x := make([][]float32, b.Cores)
		for i := range x {
			x[i] = make([]float32, size/4)
		}
		over.reads = append(over.reads, float64(size)/b.fastest(1<<27/size, func(i int) { kernel.Auto.SumSq(x[i]) }))
	}
	const n = 4096
	x, y := make([]float32, n), make([]float32, n*b.Cores)
	for i := range x {
		x[i] = float32(i)/n - 0.5
	}
	over.tanh = b.fastest(4096, func(i int) { kernel.Auto.TanhOf(y[i*n:(i+1)*n], x) }) / n
	return over
}

// fastest is how many seconds one of n goes of f takes a core at best, while all do it.
func (b *Bench) fastest(n int, f func(core int)) float64 {
	best := make([]time.Duration, b.Cores)
	var all sync.WaitGroup
	for core := range b.Cores {
		all.Go(func() {
			for try := range 4 {
				began := time.Now()
				for range n {
					f(core)
				}
				if took := time.Since(began); try == 0 || took < best[core] {
					best[core] = took
				}
			}
		})
	}
	all.Wait()
	return slices.Max(best).Seconds() / float64(n)
}

// of is the roof over a step, in operations a second, and what makes it.
func (r *roof) of(s *program.Step) (float64, string) {
	flops := s.FLOPs()
	if flops == 0 {
		return 0, "no product"
	}
	at, bound := r.peak, "peak"
	if filled := r.peak * r.filled(s); filled < at {
		at, bound = filled, "columns"
	}
	bytes, level := touched(s), 0
	held := bytes
	if recurrent(s) {
		held /= s.Size[0] // a time step's
	}
	for level < len(reads)-1 && reads[level] < held {
		level++
	}
	if read := flops / float64(bytes) * r.reads[level]; read < at {
		at, bound = read, "reads"
	}
	if s.Op == program.Dense && s.Act == kernel.Tanh {
		product, tanh := flops/at, r.tanh*float64(s.Size[0]*s.Size[1])
		if at = flops / (product + tanh); tanh > product {
			bound = "tanh"
		}
	}
	return at, bound
}

// touched is how many bytes a step reads and writes; an LSTM reads its recurrent weights anew at each time step, where
// they are more than the first cache holds.
func touched(s *program.Step) (bytes int) {
	for _, n := range s.Extents() {
		bytes += 4 * n
	}
	if weights := 16 * s.Size[2] * s.Size[2]; recurrent(s) && weights > reads[0] {
		bytes += (s.Size[0] - 1) * weights
	}
	return bytes
}

func recurrent(s *program.Step) bool {
	return s.Op == program.LSTM || s.Op == program.LSTMBack || s.Op == program.LSTMTangent
}

// filled is how much of its vectors a product can use, which lie along columns, or along the rows of a narrow Aᵀ·B.
func (r *roof) filled(s *program.Step) float64 {
	part := func(n int) float64 { return float64(n) / float64((n+r.lanes-1)/r.lanes*r.lanes) }
	switch s.Op {
	case program.ProductAT:
		return max(part(s.Size[0]), part(s.Size[1]))
	case program.ConvInput:
		return part(s.Size[3])
	case program.ConvLayer, program.ConvForward, program.ConvWeights:
		return part(s.Size[4])
	case program.LSTM, program.LSTMBack, program.LSTMTangent:
		return part(s.Size[2])
	}
	return part(s.Size[1])
}
