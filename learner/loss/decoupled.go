// V-MPO's M-step for continuous actions: a Gaussian policy whose divergence from the old one is split into a part
// of the mean and a part of the covariance, each with a bound of its own (Song et al., 2020, appendix C). The mean's
// is measured with the old covariance (eq. 24), so the parts add up to KL(old‖new) only where the covariances agree.
package loss

import "math"

// GaussianLikelihood is −Σ ψ·log π(a|x). d [n, 2·Dims] gains cost·∂/∂(μ, log σ); draw is [n, Dims] and psi [n].
func GaussianLikelihood[F Float](d []F, p Gaussian[F], draw, psi []F, cost F) (sum float64) {
	sameLen(len(psi), p.rows(len(d)))
	sameLen(len(draw), len(psi)*p.Dims)
	for i, w := range psi {
		if w == 0 {
			continue
		}
		mean, sigma, dMean, dLogSigma := p.row(d, i)
		u := draw[i*p.Dims:][:p.Dims]
		sum -= float64(w) * p.logProb(mean, sigma, u)
		for j, s := range sigma {
			z := (u[j] - mean[j]) / s
			dMean[j] -= cost * w * z / s
			dLogSigma[j] += cost * w * (1 - z*z)
		}
	}
	return sum
}

// MeanDivergence returns Σ ½·(μ − μ_old)ᵀ Σ_old⁻¹ (μ − μ_old) (eq. 24), writes each row's term to kl [n], and adds
// cost·∂/∂μ to d.
func MeanDivergence[F Float](d, kl []F, old, p Gaussian[F], cost F) (sum float64) {
	sameLen(len(kl), p.rows(len(d), len(old.Rows)))
	clear(kl)
	for i := range kl {
		mean, _, dMean, _ := p.row(d, i)
		meanOld, sigmaOld, _, _ := old.row(d, i)
		for j, m := range mean {
			z := (m - meanOld[j]) / sigmaOld[j]
			kl[i] += z * z / 2
			sum += float64(z*z) / 2
			dMean[j] += cost * z / sigmaOld[j]
		}
	}
	return sum
}

// SpreadDivergence returns Σ ½·[tr(Σ⁻¹Σ_old) − d + log(|Σ|/|Σ_old|)] (eq. 25), with d the number of dimensions. It
// writes each row's term to kl [n], and adds cost·∂/∂log σ to the argument d.
func SpreadDivergence[F Float](d, kl []F, old, p Gaussian[F], cost F) (sum float64) {
	sameLen(len(kl), p.rows(len(d), len(old.Rows)))
	clear(kl)
	for i := range kl {
		_, sigma, _, dLogSigma := p.row(d, i)
		_, sigmaOld, _, _ := old.row(d, i)
		for j, s := range sigma {
			r := sigmaOld[j] / s
			each := (float64(r*r)-1)/2 - math.Log(float64(r))
			kl[i] += F(each)
			sum += each
			dLogSigma[j] += cost * (1 - r*r)
		}
	}
	return sum
}
