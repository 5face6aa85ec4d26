// The actor-critic's terms for actions of real numbers: a Gaussian policy with independent components, squashed by
// tanh or not. All is given the draw, before any squashing.
package loss

import "math"

// Gaussian is n rows of a Gaussian policy with independent components: the means, then the standard deviations.
// Derivatives have the same shape: in the means, then in log σ. With Squash the action is tanh of the draw. The terms
// take the draw: the Jacobian changes log π but does not depend on the parameters.
type Gaussian[F Float] struct {
	Rows   []F // [n, 2·Dims]
	Dims   int
	Squash bool
}

// row is the means and standard deviations of row i, and where their derivatives go.
func (p Gaussian[F]) row(d []F, i int) (mean, sigma, dMean, dLogSigma []F) {
	at, w := i*2*p.Dims, p.Dims
	return p.Rows[at:][:w], p.Rows[at+w:][:w], d[at:][:w], d[at+w:][:w]
}

// logProb is log π of one row's draw.
func (p Gaussian[F]) logProb(mean, sigma, draw []F) (sum float64) {
	for k, u := range draw {
		// log N(u; μ, σ) = −½·z² − log σ − ½·log 2π
		z := (float64(u) - float64(mean[k])) / float64(sigma[k])
		sum -= z*z/2 + math.Log(float64(sigma[k])) + math.Log(2*math.Pi)/2
		if p.Squash {
			// log π(tanh u) = log N(u) − log(1 − tanh² u) (Haarnoja et al., 2018, appendix C), written so that no
			// large u underflows: 1 − tanh² u = 4/(e^u + e^−u)²
			v := math.Abs(float64(u))
			sum -= 2 * (math.Ln2 - v - math.Log1p(math.Exp(-2*v)))
		}
	}
	return sum
}

// GaussianPolicyGradient is Σ −w·A·log π(a|x) (IMPALA §4.2). d [n, 2·Dims] gains cost·∂/∂(μ, log σ); draw is
// [n, Dims], weight (m·ρ) and advantage are [n].
func GaussianPolicyGradient[F Float](d []F, p Gaussian[F], draw, weight, advantage []F, cost F) (sum float64) {
	n := p.rows(len(d))
	sameLen(len(draw), n*p.Dims)
	sameLen(len(weight), n)
	sameLen(len(advantage), n)
	for i := range n {
		if weight[i] == 0 {
			continue
		}
		mean, sigma, dMean, dLogSigma := p.row(d, i)
		u := draw[i*p.Dims:][:p.Dims]
		gain := float64(weight[i]) * float64(advantage[i])
		sum -= finite(gain * finite(p.logProb(mean, sigma, u)))

		// ∂log N/∂μ = z/σ, ∂log N/∂log σ = z² − 1
		k := F(finite(float64(cost) * gain))
		for j, s := range sigma {
			z := (u[j] - mean[j]) / s
			dMean[j] -= k * z / s
			dLogSigma[j] -= k * (z*z - 1)
		}
	}
	return sum
}

// GaussianEntropy is Σ w·E[log π], the negative of the entropy, so that lowering the loss raises the entropy. A
// squashed Gaussian's has no closed form: in its place stands Σ w·KL(N(μ, σ)‖N(0, 1)) (STAC §4.2), which lowering keeps
// it spread out as well. weight [n] leaves rows out with 0; nil counts every row.
func GaussianEntropy[F Float](d []F, p Gaussian[F], weight []F, cost F) (sum float64) {
	n := p.rows(len(d))
	if weight != nil {
		sameLen(len(weight), n)
	}
	for i := range n {
		w := F(1)
		if weight != nil {
			w = weight[i]
		}
		if w == 0 {
			continue
		}
		mean, sigma, dMean, dLogSigma := p.row(d, i)
		for j, s := range sigma {
			m, log := mean[j], math.Log(float64(s))
			if p.Squash {
				// KL = ½·(σ² + μ² − 1) − log σ
				sum += float64(w) * (float64(s*s+m*m-1)/2 - log)
				dMean[j] += cost * w * m
				dLogSigma[j] += cost * w * (s*s - 1)
				continue
			}
			// −H = −log σ − ½·log 2πe
			sum -= float64(w) * (log + math.Log(2*math.Pi*math.E)/2)
			dLogSigma[j] -= cost * w
		}
	}
	return sum
}

func (p Gaussian[F]) rows(lengths ...int) int {
	if p.Dims < 1 || len(p.Rows)%(2*p.Dims) != 0 {
		panic("loss: rows are not a whole number of dimensions wide")
	}
	for _, n := range lengths {
		sameLen(n, len(p.Rows))
	}
	return len(p.Rows) / (2 * p.Dims)
}
