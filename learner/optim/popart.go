// PopArt keeps the value head's targets near unit scale without changing its predictions (van Hasselt et al., 2016;
// Hessel et al., 2018; V-MPO §4.1).
package optim

import "math"

// PopArt is the statistics of the targets, one set for each output (each task). The head works in normalised space:
// the real value is Scale·y + Shift.
type PopArt[F Float] struct {
	Rate      F // β, step of the moments; V-MPO: 1e-4
	Low, High F // limits of the scale; V-MPO: 1e-2 and 1e6

	Shift, Scale []F // m and σ of each output
	variance     []F // σ² before the limits
}

// NewPopArt begins with shift 0 and scale 1, which changes nothing.
func NewPopArt[F Float](outputs int, rate, low, high F) *PopArt[F] {
	p := &PopArt[F]{Rate: rate, Low: low, High: high, Shift: make([]F, outputs), Scale: make([]F, outputs),
		variance: make([]F, outputs)}
	for k := range outputs {
		p.Scale[k], p.variance[k] = 1, 1
	}
	return p
}

// State returns its memory for snapshots: the slices are its own.
func (p *PopArt[F]) State() [][]F { return [][]F{p.Shift, p.Scale, p.variance} }

// Observe takes the real targets, sample after sample as in the paper (summing a batch's steps instead is unstable when
// n·β > 2). It rescales the head so that no output moves: y = x·w + b with w [in, width], row-major, and b [width].
// Output k is column first + k. output [n] has the output of each target; nil: all are of output 0.
func (p *PopArt[F]) Observe(w, b []F, width, first int, target []F, output []int32) {
	if len(w)%width != 0 || len(b) != width || first+len(p.Shift) > width {
		panic("optim: PopArt's outputs do not lie in this layer")
	}
	if output != nil && len(output) != len(target) {
		panic("optim: PopArt needs to know whose each target is")
	}
	for k := range p.Shift {
		shift, scale := p.Shift[k], p.Scale[k]
		for i, g := range target {
			if output != nil && int(output[i]) != k || output == nil && k != 0 {
				continue
			}
			// m ← m + β·(G − m);  s ← s + β·(G² − s);  σ² = s − m². The same without s, whose difference from m² has no
			// correct digit in float32 where m is a thousand times σ: σ² ← (1 − β)·(σ² + β·(G − m)²)
			off := g - p.Shift[k]
			p.variance[k] = (1 - p.Rate) * (p.variance[k] + p.Rate*off*off)
			p.Shift[k] += p.Rate * off
		}
		// σ is held in [Low, High].
		p.Scale[k] = min(p.High, max(p.Low, F(math.Sqrt(float64(p.variance[k])))))

		// W ← W·σ_old/σ_new;  b ← (σ_old·b + m_old − m_new)/σ_new
		column := first + k
		for at := column; at < len(w); at += width {
			w[at] *= scale / p.Scale[k]
		}
		b[column] = (scale*b[column] + shift - p.Shift[k]) / p.Scale[k]
	}
}
