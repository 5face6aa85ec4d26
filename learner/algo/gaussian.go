package algo

import (
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/traj"
)

// gaussian is the head for real-valued actions: independent components, squashed by tanh or not. It takes ratios and
// divergences at the draw before squashing.
type gaussian struct {
	p      loss.Gaussian[float32]
	spread correct.Spread
	slope  []float32 // [n, 2·dims] of μ and log σ in the network's numbers
	d      []float32 // [n, 2·dims] ∂/∂(μ, log σ)
	dRaw   []float32 // [n, 2·dims] room for ∂/∂raw, and for motions
}

func (h *gaussian) read(raw []float32) {
	correct.Gaussian(h.p.Rows, h.slope, raw, h.p.Dims, h.spread)
	clear(h.d)
}

func (h *gaussian) ratios(ratio []float32, b *traj.Batch) {
	correct.GaussianRatios(ratio, h.p.Rows, b.Mu, b.Real, h.p.Dims)
}

func (h *gaussian) kl(kl []float32, b *traj.Batch) {
	correct.GaussianKL(kl, h.p.Rows, b.Mu, h.p.Dims)
}

func (h *gaussian) trust(mask, kl []float32, b *traj.Batch, rhoBar, bound float32, relevance correct.Relevance) {
	correct.GaussianMask(mask, kl, h.p.Rows, b.Mu, h.p.Dims, rhoBar, bound, relevance)
}

func (h *gaussian) gradient(b *traj.Batch, weight, advantage []float32, logEpsilon, cost float32) float64 {
	if logEpsilon > 0 {
		panic("algo: ε cannot be added to a density") // Config.Validate refuses it
	}
	return loss.GaussianPolicyGradient(h.d, h.p, b.Real, weight, advantage, cost)
}

func (h *gaussian) centre(*traj.Batch, []float32, []float32, correct.CentreOf, float32) float64 {
	panic("algo: densities have no mean score here") // Config.Validate refuses it
}

func (h *gaussian) chosen([]float32, *traj.Batch) {
	panic("algo: densities are not probabilities") // Config.Validate refuses it
}

func (h *gaussian) entropy(weight []float32, cost float32) float64 {
	return loss.GaussianEntropy(h.d, h.p, weight, cost)
}

func (h *gaussian) likelihood(b *traj.Batch, psi []float32, cost float32) float64 {
	return loss.GaussianLikelihood(h.d, h.p, b.Real, psi, cost)
}

func (h *gaussian) divergences(sums []float64, kl []float32, old head, costs []float32) {
	from := old.(*gaussian).p
	sums[0] = loss.MeanDivergence(h.d, kl, from, h.p, costs[0])
	sums[1] = loss.SpreadDivergence(h.d, kl, from, h.p, costs[1])
}

func (h *gaussian) divergenceFrom(fixed head, cost float32) float64 {
	return loss.KLFromGaussian(h.d, h.p, fixed.(*gaussian).p, cost)
}

// cotangent is the chain rule: the network does not give log σ itself.
func (h *gaussian) cotangent() []float32  { return h.chain(h.d) }
func (h *gaussian) derivative() []float32 { return h.dRaw }

func (h *gaussian) rows(from, to int) head {
	from, to = 2*from*h.p.Dims, 2*to*h.p.Dims
	v := *h
	v.p.Rows, v.slope, v.d, v.dRaw = h.p.Rows[from:to], h.slope[from:to], h.d[from:to], h.dRaw[from:to]
	return &v
}

func (h *gaussian) move(m loss.Motion[float32], b *traj.Batch, t []float32) {
	loss.MoveGaussian(m, h.p, b.Real, h.chain(t))
}

func (h *gaussian) chain(x []float32) []float32 {
	for i, s := range h.slope {
		h.dRaw[i] = x[i] * s
	}
	return h.dRaw
}

func (h *gaussian) bounds(cfg *hyper.Config) [maxParts]float64 {
	return [maxParts]float64{cfg.EpsMean, cfg.EpsSigma}
}
func (h *gaussian) parts() (n int, first float32) { return 2, firstPartWeight }
