package loss

import (
	"math"

	"impalab/learner/correct"
)

// Centre is Σ w·A·Σ_b μ(b|x)·log π(b|x), with μ a constant: added to PolicyGradient's Σ −w·A·log π(a|x), it subtracts
// from each step's slope of log π the mean slope under the policy that acted. On fresh data that mean is 0. Only
// steps whose A is in of count.
//
// dLogits [n,Actions] gains cost·∂/∂z; logMu is [n,Actions], weight and advantage are [n].
func Centre[F Float](dLogits []F, p Policy[F], logMu, weight, advantage []F, of correct.CentreOf,
	cost F) float64 {
	sameLen(len(logMu), len(dLogits))
	sameLen(len(weight), p.rows(len(dLogits)))
	sameLen(len(advantage), len(weight))
	sum := 0.0
	for i, w := range weight {
		if w == 0 || !of.Has(float64(advantage[i])) {
			continue
		}
		from, to := i*p.Actions, (i+1)*p.Actions
		logp, mu, d := p.LogProb[from:to], logMu[from:to], dLogits[from:to]
		gain := float64(w) * float64(advantage[i])
		k := F(finite(float64(cost) * gain))
		mean := 0.0
		for j, lm := range mu {
			m := math.Exp(float64(lm))
			mean += m * finite(float64(logp[j]))
			// ∂/∂z_j Σ_b μ(b)·log π(b) = μ_j − π_j, as Σ_b μ(b) = 1. Both from logarithms: 0 on fresh data, to the bit.
			d[j] += k * (F(m) - F(math.Exp(float64(logp[j]))))
		}
		sum += finite(gain * mean)
	}
	return sum
}
