// V-MPO's M-step for continuous actions: a Gaussian policy whose divergence from the old one is split into a part
// of the mean and a part of the covariance, each with a bound of its own (Song et al., 2020, appendix C). The mean's
// is measured with the old covariance (eq. 24), so the parts add up to KL(old‖new) only where the covariances agree.
package loss

import "math"

// Gaussian is n rows of a Gaussian policy with independent components.
type Gaussian[F Float] struct {
	Mean, Sigma []F // [n,Dims]; Sigma > 0 is the standard deviation
	Dims        int
}

// GaussianLikelihood is −Σ ψ·log N(a; μ, σ). dMean and dLogSigma [n,Dims] gain cost·∂/∂μ and cost·∂/∂log σ;
// action is [n,Dims] and psi [n].
func GaussianLikelihood[F Float](dMean, dLogSigma []F, p Gaussian[F], action, psi []F, cost F) float64 {
	sameLen(len(psi), p.rows(len(dMean), len(dLogSigma)))
	sameLen(len(action), len(p.Mean))
	sum := 0.0
	for i, mean := range p.Mean {
		w := psi[i/p.Dims]
		if w == 0 {
			continue
		}
		sigma := p.Sigma[i]
		z := (action[i] - mean) / sigma
		// log N = −½·z² − log σ − ½·log 2π
		sum += float64(w) * (0.5*float64(z*z) + math.Log(float64(sigma)) + 0.5*math.Log(2*math.Pi))
		dMean[i] -= cost * w * z / sigma
		dLogSigma[i] += cost * w * (1 - z*z)
	}
	return sum
}

// MeanDivergence is Σ ½·(μ − μ_old)ᵀ Σ_old⁻¹ (μ − μ_old) (eq. 24). kl [n] is overwritten; dMean gains cost·∂/∂μ.
func MeanDivergence[F Float](dMean, kl []F, old, p Gaussian[F], cost F) float64 {
	sameLen(len(kl), p.rows(len(dMean), len(old.Mean)))
	clear(kl)
	sum := 0.0
	for i, mean := range p.Mean {
		z := (mean - old.Mean[i]) / old.Sigma[i]
		kl[i/p.Dims] += z * z / 2
		sum += float64(z*z) / 2
		dMean[i] += cost * z / old.Sigma[i]
	}
	return sum
}

// SpreadDivergence is Σ ½·[tr(Σ⁻¹Σ_old) − d + log(|Σ|/|Σ_old|)] (eq. 25). kl [n] is overwritten; dLogSigma gains
// cost·∂/∂log σ.
func SpreadDivergence[F Float](dLogSigma, kl []F, old, p Gaussian[F], cost F) float64 {
	sameLen(len(kl), p.rows(len(dLogSigma), len(old.Sigma)))
	clear(kl)
	sum := 0.0
	for i, sigma := range p.Sigma {
		r := old.Sigma[i] / sigma
		each := (float64(r*r)-1)/2 - math.Log(float64(r))
		kl[i/p.Dims] += F(each)
		sum += each
		dLogSigma[i] += cost * (1 - r*r)
	}
	return sum
}

func (p Gaussian[F]) rows(lengths ...int) int {
	if p.Dims < 1 || len(p.Mean)%p.Dims != 0 {
		panic("loss: rows are not a whole number of dimensions wide")
	}
	sameLen(len(p.Sigma), len(p.Mean))
	for _, n := range lengths {
		sameLen(n, len(p.Mean))
	}
	return len(p.Mean) / p.Dims
}

// FullDivergence is the two parts for one row with full covariances, given by their lower-triangular Cholesky
// factors [d,d], row-major: Σ = L·Lᵀ. scratch is [d].
func FullDivergence[F Float](scratch, meanOld, factorOld, mean, factor []F) (ofMean, ofSpread float64) {
	d := len(mean)
	sameLen(len(scratch), d)
	sameLen(len(meanOld), d)
	sameLen(len(factorOld), d*d)
	sameLen(len(factor), d*d)
	for i := range d {
		scratch[i] = mean[i] - meanOld[i]
	}
	// (μ − μ_old)ᵀ Σ_old⁻¹ (μ − μ_old) = ‖L_old⁻¹ (μ − μ_old)‖²
	ofMean = solvedSquare(scratch, factorOld) / 2
	// tr(Σ⁻¹Σ_old) = Σ_columns ‖L⁻¹ L_old‖²; log|Σ| = 2·Σ log L_ii
	for column := range d {
		for i := range d {
			scratch[i] = factorOld[i*d+column]
		}
		ofSpread += (solvedSquare(scratch, factor) - 1) / 2
		ofSpread += math.Log(float64(factor[column*d+column])) - math.Log(float64(factorOld[column*d+column]))
	}
	return ofMean, ofSpread
}

// solvedSquare is ‖L⁻¹x‖², by forward substitution in place of x.
func solvedSquare[F Float](x, l []F) (sum float64) {
	d := len(x)
	for i := range d {
		for j := range i {
			x[i] -= l[i*d+j] * x[j]
		}
		x[i] /= l[i*d+i]
		sum += float64(x[i]) * float64(x[i])
	}
	return sum
}
