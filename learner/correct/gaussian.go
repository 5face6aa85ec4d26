// Rows of a Gaussian policy with independent components: parametrisation, ratios and divergences. A row is 2·dims
// numbers: first the means, then the standard deviations (or the network's raw numbers for them). A tanh-squashed
// Gaussian (STAC §9.2) has the ratios and divergences of the unsquashed Gaussian, at the draw before squashing: tanh is
// one to one, and its Jacobian cancels.
package correct

import "math"

// Spread says how a network's numbers become means and standard deviations.
type Spread uint8

const (
	// SpreadSoftplus is μ = x and σ = log(1 + e^y) + LeastSigma, as in MPO (Abdolmaleki et al., 2018), whose
	// Gaussian V-MPO inherits (appendix C) without printing it again.
	SpreadSoftplus Spread = iota
	// SpreadBounded is μ = tanh x and log σ = lo + ½·(hi − lo)·(tanh y + 1) (STAC §9.2). The paper does not print its
	// bounds; LogSigmaLow and LogSigmaHigh are ours, and begin at σ = 0.37.
	SpreadBounded
)

const (
	LeastSigma   = 1e-3 // a policy without any spread has infinite ratios
	LogSigmaLow  = -3
	LogSigmaHigh = 1
)

// Gaussian writes rows [n, 2·dims] of means and standard deviations from a network's raw numbers. Unless slope is nil,
// it receives the derivatives of the mean and of log σ in those numbers. rows may be raw.
func Gaussian[F Float](rows, slope, raw []F, dims int, s Spread) {
	rowsOf(len(raw), 2*dims)
	sameLen(len(rows), len(raw))
	if slope != nil {
		sameLen(len(slope), len(raw))
	}
	for i, v := range raw {
		x, d := float64(v), 1.0
		switch spread := i/dims%2 == 1; {
		case spread && s == SpreadSoftplus:
			y := x
			x = max(y, 0) + math.Log1p(math.Exp(-math.Abs(y))) + LeastSigma
			d = 1 / (1 + math.Exp(-y)) / x // ∂log σ/∂y = σ'(y)/σ
		case spread:
			t := math.Tanh(x)
			x = math.Exp(LogSigmaLow + (LogSigmaHigh-LogSigmaLow)/2*(t+1))
			d = (LogSigmaHigh - LogSigmaLow) / 2 * (1 - t*t)
		case s == SpreadBounded:
			x = math.Tanh(x)
			d = 1 - x*x
		}
		rows[i] = F(x)
		if slope != nil {
			slope[i] = F(d)
		}
	}
}

// GaussianRatios writes IS = π(u)/μ(u), one for each row; action [n, dims] is the draw u, before any squashing.
func GaussianRatios[F Float](ratio, pi, mu, action []F, dims int) {
	checkPair(len(ratio), len(ratio), len(pi), len(mu), 2*dims)
	sameLen(len(action), len(ratio)*dims)
	for i := range ratio {
		p, q, u := pi[i*2*dims:][:2*dims], mu[i*2*dims:][:2*dims], action[i*dims:][:dims]
		log := 0.0
		for k, x := range u {
			// log N(u; m, σ) = −½·((u − m)/σ)² − log σ − ½·log 2π
			sp, sq := float64(p[dims+k]), float64(q[dims+k])
			zp, zq := (float64(x)-float64(p[k]))/sp, (float64(x)-float64(q[k]))/sq
			log += (zq*zq-zp*zp)/2 + math.Log(sq/sp)
		}
		ratio[i] = F(math.Exp(log))
	}
}

// GaussianDensity is the density of the draw u [dims], before any squashing, under a row of means and standard
// deviations.
func GaussianDensity[F Float](row, u []F) float64 {
	dims := len(u)
	sameLen(len(row), 2*dims)
	log := 0.0
	for k, x := range u {
		sigma := float64(row[dims+k])
		z := (float64(x) - float64(row[k])) / sigma
		log -= z*z/2 + math.Log(sigma*math.Sqrt(2*math.Pi))
	}
	return math.Exp(log)
}

// GaussianKL writes KL(p‖q) of each row, in nats.
func GaussianKL[F Float](kl, p, q []F, dims int) {
	checkPair(len(kl), len(kl), len(p), len(q), 2*dims)
	for i := range kl {
		p, q := p[i*2*dims:][:2*dims], q[i*2*dims:][:2*dims]
		sum := 0.0
		for k := range dims {
			// log(σ_q/σ_p) + (σ_p² + (m_p − m_q)²)/2σ_q² − ½
			r := float64(p[dims+k]) / float64(q[dims+k])
			z := (float64(p[k]) - float64(q[k])) / float64(q[dims+k])
			sum += (r*r+z*z-1)/2 - math.Log(r)
		}
		kl[i] = F(max(0, sum)) // rounding alone can make it negative
	}
}

// GaussianMask is TrustMask of Gaussian policies, squashed or not: tanh is one to one, so it changes no divergence.
func GaussianMask[F Float](mask, kl, pi, mu []F, dims int, rhoBar, bound F, relevance Relevance) {
	sameLen(len(mask), len(kl))
	if !(bound >= 0) {
		panic("correct: a trust region's bound is zero or more")
	}
	switch relevance {
	case RelevanceImplied:
		checkPair(len(kl), len(kl), len(pi), len(mu), 2*dims)
		logRhoBar := logBar(rhoBar)
		for i := range kl {
			kl[i] = F(klImpliedGaussian(pi[i*2*dims:][:2*dims], mu[i*2*dims:][:2*dims], dims, logRhoBar))
		}
	case RelevanceBehaviour:
		GaussianKL(kl, pi, mu, dims)
	default:
		panic("correct: unknown kind of relevance")
	}
	for i, d := range kl {
		mask[i] = 0
		if d < bound {
			mask[i] = 1
		}
	}
}
