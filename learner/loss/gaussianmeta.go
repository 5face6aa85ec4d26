// What STAC's metagradient needs of a Gaussian policy (see meta.go).
package loss

import "math"

// MoveGaussian writes the motion of the policy's numbers. t [n, 2·Dims] is the motion of (μ, log σ), draw is [n, Dims].
// It writes the motion of GaussianEntropy's summands to Motion.Entropy and leaves Motion.Value.
func MoveGaussian[F Float](m Motion[F], p Gaussian[F], draw, t []F) {
	n := p.rows(len(t))
	sameLen(len(draw), n*p.Dims)
	sameLen(len(m.LogProb), n)
	sameLen(len(m.Entropy), n)
	for i := range n {
		mean, sigma, tMean, tLogSigma := p.row(t, i)
		logProb, entropy := F(0), F(0)
		for j, s := range sigma {
			// d log N = z/σ·dμ + (z² − 1)·d log σ
			z := (draw[i*p.Dims+j] - mean[j]) / s
			logProb += z/s*tMean[j] + (z*z-1)*tLogSigma[j]
			if p.Squash {
				entropy += mean[j]*tMean[j] + (s*s-1)*tLogSigma[j] // of KL(N(μ, σ)‖N(0, 1))
			} else {
				entropy -= tLogSigma[j] // of −H
			}
		}
		m.LogProb[i], m.Entropy[i] = logProb, entropy
	}
}

// KLFromGaussian is Σ KL(π‖π₀), how far π has come from a policy that stays where it is, in nats. d [n, 2·Dims] gains
// cost·∂/∂(μ, log σ).
func KLFromGaussian[F Float](d []F, p, fixed Gaussian[F], cost F) (sum float64) {
	n := p.rows(len(d), len(fixed.Rows))
	for i := range n {
		mean, sigma, dMean, dLogSigma := p.row(d, i)
		mean0, sigma0, _, _ := fixed.row(d, i)
		for j, s := range sigma {
			// KL = log(σ₀/σ) + (σ² + (μ − μ₀)²)/2σ₀² − ½
			r, z := s/sigma0[j], (mean[j]-mean0[j])/sigma0[j]
			sum += float64(r*r+z*z-1)/2 - math.Log(float64(r))
			dMean[j] += cost * z / sigma0[j]
			dLogSigma[j] += cost * (r*r - 1)
		}
	}
	return sum
}
