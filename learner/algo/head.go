package algo

import (
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/loss"
	"impalab/learner/net"
	"impalab/learner/traj"
)

// head turns the policy's columns of the network into the policies of a batch's rows, and gives the derivative of the
// losses in those columns. With this interface an algorithm reads the same for named and for real-valued actions. All
// [n] are T·B rows.
type head interface {
	// read makes the policies of rows of the network's numbers, and forgets the derivative.
	read(raw []float32)
	// ratios writes IS = π(a|x)/μ(a|x), kl KL(π‖μ) in nats.
	ratios(ratio []float32, b *traj.Batch)
	kl(kl []float32, b *traj.Batch)
	// trust writes the divergence of the relevance and m = 1 where that is below bound, else 0.
	trust(mask, kl []float32, b *traj.Batch, rhoBar, bound float32, relevance correct.Relevance)

	// gradient is Σ −w·A·log π(a|x). entropy is Σ w·Σ_a π log π, or its counterpart for densities. likelihood is Σ
	// −ψ·log π(a|x). Each adds cost times its derivative.
	gradient(b *traj.Batch, weight, advantage []float32, logEpsilon, cost float32) float64
	// centre is Σ w·A·Σ_b μ(b)·log π(b|x) over the steps whose A is in of, μ a constant. Only policies with probabilities
	// have it, and chosen, which writes π(a|x).
	entropy(weight []float32, cost float32) float64
	centre(b *traj.Batch, weight, advantage []float32, of correct.CentreOf, cost float32) float64
	chosen(pi []float32, b *traj.Batch)
	likelihood(b *traj.Batch, psi []float32, cost float32) float64
	// divergences writes the parts of Σ KL(old‖π) that V-MPO bounds, each with a cost of its own; kl is scratch.
	divergences(sums []float64, kl []float32, old head, costs []float32)
	// divergenceFrom is Σ KL(π‖fixed).
	divergenceFrom(fixed head, cost float32) float64
	// cotangent is the derivative so far, [n, width], in the memory that derivative returns. A head of rows has a part of
	// this memory.
	cotangent() []float32
	derivative() []float32
	// rows is a view of rows from to to−1.
	rows(from, to int) head

	// move writes how log π(a|x) and entropy's rows begin to move when the network's numbers move along t.
	move(m loss.Motion[float32], b *traj.Batch, t []float32)
	// bounds returns the bounds of the divergences; parts returns their number and the initial value of their
	// multipliers.
	bounds(cfg *hyper.Config) [maxParts]float64
	parts() (n int, first float32)
}

// maxParts is the most parts that V-MPO's bound on the policy has.
const maxParts = 2

// newHead makes room for n rows.
func newHead(spec *net.Spec, n int) head {
	width := n * spec.Actions
	if spec.Policy == net.Softmax {
		p := loss.Policy[float32]{Prob: make([]float32, width), LogProb: make([]float32, width), Actions: spec.Actions}
		return &softmax{spec.Kernels, p, make([]float32, n), make([]float32, width)}
	}
	return &gaussian{
		p:      loss.Gaussian[float32]{Rows: make([]float32, width), Dims: spec.Reals(), Squash: spec.Policy == net.Tanh},
		spread: spec.Policy.Spread(),
		slope:  make([]float32, width), d: make([]float32, width), dRaw: make([]float32, width),
	}
}

// softmax has a logit for each named action.
type softmax struct {
	kernels kernel.Set
	p       loss.Policy[float32]
	sum     []float32 // [n] scratch
	d       []float32 // ∂/∂logits
}

func (h *softmax) read(raw []float32) {
	h.kernels.LogSoftmax(h.p.LogProb, h.p.Prob, h.sum, raw, h.p.Actions)
	for i, sum := range h.sum {
		scale, row := 1/sum, h.p.Prob[i*h.p.Actions:][:h.p.Actions]
		for j := range row {
			row[j] *= scale
		}
	}
	clear(h.d)
}

func (h *softmax) ratios(ratio []float32, b *traj.Batch) {
	correct.RatiosFromLog(ratio, h.p.LogProb, b.Mu, b.Action, h.p.Actions)
}

func (h *softmax) kl(kl []float32, b *traj.Batch) { correct.KL(kl, h.p.LogProb, b.Mu, h.p.Actions) }

func (h *softmax) trust(mask, kl []float32, b *traj.Batch, rhoBar, bound float32, relevance correct.Relevance) {
	correct.TrustMask(mask, kl, h.p.LogProb, b.Mu, h.p.Actions, rhoBar, bound, relevance)
}

func (h *softmax) gradient(b *traj.Batch, weight, advantage []float32, logEpsilon, cost float32) float64 {
	return loss.PolicyGradient(h.d, h.p, b.Action, weight, advantage, logEpsilon, cost)
}

func (h *softmax) centre(b *traj.Batch, weight, advantage []float32, of correct.CentreOf, cost float32) float64 {
	return loss.Centre(h.d, h.p, b.Mu, weight, advantage, of, cost)
}

func (h *softmax) chosen(pi []float32, b *traj.Batch) {
	for i, a := range b.Action {
		pi[i] = h.p.Prob[i*h.p.Actions+int(a)]
	}
}

func (h *softmax) entropy(weight []float32, cost float32) float64 {
	return loss.Entropy(h.d, h.p, weight, cost)
}

func (h *softmax) likelihood(b *traj.Batch, psi []float32, cost float32) float64 {
	return loss.Likelihood(h.d, h.p, b.Action, psi, cost)
}

func (h *softmax) divergences(sums []float64, kl []float32, old head, costs []float32) {
	sums[0] = loss.Divergence(h.d, kl, old.(*softmax).p, h.p, costs[0])
}

func (h *softmax) divergenceFrom(fixed head, cost float32) float64 {
	return loss.KLFrom(h.d, h.p, fixed.(*softmax).p.LogProb, cost)
}

func (h *softmax) cotangent() []float32  { return h.d }
func (h *softmax) derivative() []float32 { return h.d }

func (h *softmax) rows(from, to int) head {
	sum := h.sum[from:to]
	from, to = from*h.p.Actions, to*h.p.Actions
	p := loss.Policy[float32]{Prob: h.p.Prob[from:to], LogProb: h.p.LogProb[from:to], Actions: h.p.Actions}
	return &softmax{h.kernels, p, sum, h.d[from:to]}
}

func (h *softmax) move(m loss.Motion[float32], b *traj.Batch, t []float32) {
	loss.Move(m, h.p, b.Action, t)
}

func (h *softmax) bounds(cfg *hyper.Config) [maxParts]float64 { return [maxParts]float64{cfg.EpsKL} }
func (h *softmax) parts() (n int, first float32)              { return 1, firstKLWeight }
