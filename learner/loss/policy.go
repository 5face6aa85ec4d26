// Package loss holds each term of the actor-critic loss and its derivative in the network's outputs, written by hand
// beside the equation:
//
//	L = g_p·Σ −w_t·A_t·log π(a_t|x_t) + g_v·Σ (v_t − V_t)² + g_e·Σ Σ_a π log π
//
// Every term returns its plain sum, without its cost, and adds cost times its derivative to the caller's cotangents.
// For a mean, pass g/n as the cost and divide the result. Weights, advantages and targets are constants. A row with
// weight or mask 0 adds nothing, even if the row holds NaN.
package loss

import "math"

// Float is the type of the numbers: float32 in the learner, float64 in tests.
type Float interface{ ~float32 | ~float64 }

// Policy is n rows of a categorical policy, as its softmax and the logarithm of it. Both are
// passed in because both are needed and each costs an exponential for every action to make.
type Policy[F Float] struct {
	Prob, LogProb []F // [n,Actions]
	Actions       int
}

// PolicyGradient is Σ −w·A·log π(a|x) (IMPALA §4.2); with logEpsilon > 0 it is
// Σ −w·A·log(π(a|x) + ε), the ε-correction of IMPALA §5.2.2.
//
// dLogits [n,Actions] gains cost·∂/∂z; action, weight (m·ρ) and advantage are [n].
func PolicyGradient[F Float](dLogits []F, p Policy[F], action []int32, weight, advantage []F, logEpsilon,
	cost F) float64 {
	sameLen(len(action), p.rows(len(dLogits)))
	sameLen(len(weight), len(action))
	sameLen(len(advantage), len(action))
	sum := 0.0
	for i, a := range action {
		if weight[i] == 0 {
			continue
		}
		prob, d := p.Prob[i*p.Actions:][:p.Actions], dLogits[i*p.Actions:][:p.Actions]
		logp := float64(p.LogProb[i*p.Actions:][:p.Actions][a])
		slope := 1.0 // of log(π(a)+ε) in log π(a)
		if logEpsilon > 0 {
			// ∂log(π_a+ε)/∂z_j = π_a/(π_a+ε) · ([j=a] − π_j)
			q := float64(prob[a]) + float64(logEpsilon)
			logp, slope = math.Log(q), float64(prob[a])/q
		}
		gain := float64(weight[i]) * float64(advantage[i])
		sum -= finite(gain * finite(logp))

		// ∂log π_a/∂z_j = [j=a] − π_j
		k := F(finite(float64(cost) * gain * slope))
		for j, pj := range prob {
			d[j] += k * pj
		}
		d[a] -= k
	}
	return sum
}

// Entropy is Σ w·Σ_a π log π, the negative of the entropy, so that lowering the loss raises the
// entropy (STAC's eq. 1 as printed would lower it). weight [n] leaves replayed and masked rows out
// with 0; nil counts every row. dLogits [n,Actions] gains cost·∂/∂z.
func Entropy[F Float](dLogits []F, p Policy[F], weight []F, cost F) float64 {
	n := p.rows(len(dLogits))
	if weight != nil {
		sameLen(len(weight), n)
	}
	sum := 0.0
	for i := range n {
		w := F(1)
		if weight != nil {
			w = weight[i]
		}
		if w == 0 {
			continue
		}
		prob, logp := p.Prob[i*p.Actions:][:p.Actions], p.LogProb[i*p.Actions:][:p.Actions]
		d := dLogits[i*p.Actions:][:p.Actions]
		mean := F(0) // Σ π log π
		for j, pj := range prob {
			if pj != 0 { // 0·log 0 = 0
				mean += pj * logp[j]
			}
		}
		sum += float64(w) * float64(mean)

		// ∂/∂z_j Σ π log π = π_j·(log π_j − Σ π log π)
		k := cost * w
		for j, pj := range prob {
			if pj != 0 {
				d[j] += k * pj * (logp[j] - mean)
			}
		}
	}
	return sum
}

func (p Policy[F]) rows(cotangents int) int {
	if p.Actions < 1 || len(p.Prob)%p.Actions != 0 {
		panic("loss: rows are not a whole number of actions wide")
	}
	sameLen(len(p.LogProb), len(p.Prob))
	sameLen(cotangents, len(p.Prob))
	return len(p.Prob) / p.Actions
}

func sameLen(got, want int) {
	if got != want {
		panic("loss: slices of one batch differ in length")
	}
}

// finite stops at 1e30 so that an exploded weight stays a number: float32 ends at 3.4e38, and ∞·0
// would turn every parameter into NaN.
func finite(x float64) float64 {
	switch { // not min and max, which tell −0 from 0 and take longer for it
	case x > 1e30:
		return 1e30
	case x < -1e30:
		return -1e30
	}
	return x
}
