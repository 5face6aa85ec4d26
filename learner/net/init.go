// The first θ: uniform weights of a chosen variance. Orthogonal weights are not better for networks of this depth, and
// making them takes cubic time in a layer's width.
package net

import (
	"cmp"
	"math"
	"math/rand/v2"
)

// The spread of a weight is gain/√In, so that a unit's input has about gain times the spread of the
// layer's inputs, whatever the width.
const (
	torsoGain = math.Sqrt2 // ReLU halves the variance (He et al. 2015); the usual choice for tanh as well
	coreGain  = 1.0        // of the gates, whose input is of unit size or less
	headGain  = 1.0        // of the policy, before HeadScale
	valueGain = 0.1        // first values near 0, yet the torso feels the value loss from the first update
)

// Init writes a first θ, len Params(), that depends on the seed alone: biases 0 but for an LSTM's forget gate
// and a Transformer-XL's gates,
// weights uniform in ±gain·√(3/n) with n inputs to a unit. The policy head's weights are multiplied by HeadScale (0.01
// is usual), so the first policy is close to uniform.
func (s *Spec) Init(theta []float32, seed uint64) {
	if len(theta) != s.Params() {
		panic("net: Init wants a θ of Params() values")
	}
	random := rand.NewPCG(seed, 0x6e65742e696e6974) // a stream of its own, whatever else uses the seed
	layers := s.Layers()
	for i := range layers {
		l := &layers[i]
		w := l.Weights(theta)
		bound := math.Sqrt(3 / float64(max(1, cmp.Or(l.fan, l.rows))))
		for j := range w {
			gain := l.gain
			if l.valueColumns != nil && l.valueColumns(j%l.cols) {
				gain = valueGain
			}
			w[j] = float32(gain * bound * uniform(random))
		}
		clear(l.Bias(theta))
		if l.gateBias != 0 {
			for j := range l.Bias(theta) {
				l.Bias(theta)[j] = l.gateBias
			}
		}
		if l.Kind == Attend {
			clear(w[len(w)-l.Out:]) // v − u
		}
		if l.Kind == LSTM {
			gates := &layers[l.From[0]]
			forget := gates.Bias(theta)[l.Out : 2*l.Out]
			for j := range forget {
				forget[j] = 1 // a cell that remembers until it learns to forget (Jozefowicz et al. 2015)
			}
		}
	}
}

// uniform draws from [−1, 1): 53 bits, spelled out so that the same seed gives the same θ with any Go.
func uniform(random *rand.PCG) float64 {
	return float64(random.Uint64()>>11)/(1<<52) - 1
}
