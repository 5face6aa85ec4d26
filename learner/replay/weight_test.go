package replay

import (
	"math"
	"math/rand/v2"
	"testing"

	"impalab/envs"
)

// Priorities say which old trajectories a batch has, not what replay counts for beside fresh data: drawn by priority,
// the weights of a full correction are 1 on average, however uneven the surprises are.
func TestPrioritisedWeightsAre1OnAverage(t *testing.T) {
	const n, draws, batch = 2000, 350_000, 7
	for _, spread := range []float64{0.5, 1, 1.5} {
		s := NewPrioritised(4*n, 4, Priority{Exponent: 0.6, Correction: 1, Uniform: 0.1})
		surprises, chance := rand.New(rand.NewPCG(1, 2)), envs.NewRand(3, 0)
		for i := range n {
			s.Add(numbered(uint64(i)))
			s.Visit(i, math.Exp(spread*surprises.NormFloat64()))
		}
		sum, most := 0.0, float32(0)
		places, weights := make([]int, batch), make([]float32, batch)
		for range draws / batch {
			for i := range places {
				places[i] = s.Draw(&chance)
			}
			s.Weigh(weights, places)
			for _, w := range weights {
				sum, most = sum+float64(w), max(most, w)
			}
		}
		if mean := sum / draws; math.Abs(mean-1) > 0.02 {
			t.Errorf("surprises e^(%g·N): the mean weight is %.3f, want 1 within 2 %%", spread, mean)
		}
		if most > 1/0.1 {
			t.Errorf("surprises e^(%g·N): a weight is %v, above 1/ε", spread, most)
		}
	}
}
