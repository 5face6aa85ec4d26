package oracle

import "math"

// FullDivergence returns the two parts of a row with full covariances, V-MPO eq. 24 and 25. factorOld and factor are
// lower-triangular Cholesky factors [d,d], row-major: Σ = L·Lᵀ. scratch is [d].
func FullDivergence[F Float](scratch, meanOld, factorOld, mean, factor []F) (ofMean, ofSpread float64) {
	d := len(mean)
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

// solvedSquare returns ‖L⁻¹x‖², by forward substitution in place of x.
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
