package main

// The highest speed of a machine, and the resulting limit for each operation of a network.

import (
	"math"
	"slices"
	"sync"
	"time"

	"impalab/learner/kernel"
	"impalab/learner/program"
)

// reads are the sizes in bytes from which each core reads: sizes of caches, and one that exceeds them.
var reads = []int{32 << 10, 256 << 10, 1 << 20, 16 << 20, 128 << 20}

// roof holds the limits of a machine: of each core, while all compute.
type roof struct {
	peak  float64   // multiplications and additions a second
	reads []float64 // bytes a second, for each size in reads
	tanh  float64   // seconds of one tanh
	lanes int       // numbers in a vector register

	// The work of all cores at once, relative to the work of one core while the others rest.
	ofOne      float64   // multiplications and additions
	readsOfOne []float64 // reads, for each size
}

// measureRoof measures all limits except the peak.
func measureRoof(cores int) (over roof) {
	over.lanes = max(1, map[string]int{"avx512": 16, "avx2": 8, "neon": 4}[kernel.Level()])
	_, over.ofOne = atOnce(cores, 2000, func(int) { kernel.Auto.FMALoop(peakRounds) })
	for _, size := range reads {
		x := make([][]float32, cores)
		for i := range x {
			x[i] = make([]float32, size/4)
		}
		took, ofOne := atOnce(cores, 1<<27/size, func(i int) { kernel.Auto.SumSq(x[i]) })
		over.reads, over.readsOfOne = append(over.reads, float64(size)/took), append(over.readsOfOne, ofOne)
	}
	const n = 4096
	x, y := make([]float32, n), make([]float32, n*cores)
	for i := range x {
		x[i] = float32(i)/n - 0.5
	}
	over.tanh = fastest(cores, 4096, func(i int) { kernel.Auto.TanhOf(y[i*n:(i+1)*n], x) }) / n
	return over
}

// atOnce returns the seconds of one call of f while all cores call it, and how many calls all make in the time of one
// call of a core alone.
func atOnce(cores, n int, f func(core int)) (took, ofOne float64) {
	took, alone := math.Inf(1), math.Inf(1)
	for range 4 { // by turns, because the machine varies
		alone = min(alone, fastest(1, n, f))
		took = min(took, fastest(cores, n, f))
	}
	return took, float64(cores) * alone / took
}

// fastest returns the seconds of one call of f in the best of four rounds of n calls, on the slowest core, while all
// cores call it.
func fastest(cores, n int, f func(core int)) float64 {
	best := make([]time.Duration, cores)
	var all sync.WaitGroup
	for core := range cores {
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

// of returns the roof of a step, in operations a second, and the name of the limit.
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

// touched returns the bytes that a step reads and writes. An LSTM reads its recurrent weights again at each time step
// if they exceed the first cache.
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

// filled returns the share of its vectors that a product uses. Vectors lie along columns, or along the rows of a narrow
// Aᵀ·B.
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
