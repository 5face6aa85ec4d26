package algo

import (
	"cmp"
	"fmt"
	"math"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/net"
	"impalab/learner/optim"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// VMPO is V-MPO (Song et al., 2020, algorithm 1): no policy gradient. The E-step weighs the better half of a batch by
// exp(A/η); the M-step makes those actions likelier, held near the target network by α. The target network acts.
type VMPO struct {
	*Impala // its returns, its room for a batch and its x-ray

	target  []float32    // θ_T
	forward *net.Forward // of the target network
	dual    []float32    // η, α
	slope   []float32    // of the losses in them
	adam    *optim.Adam  // theirs

	pi, logPi            []float32 // [T·B, A] π_θ
	old, logOld          []float32 // [T·B, A] π_T
	oldLogits            []float32 // [T·B, A]
	chosen, psi, scratch []float32 // [T·B]
	last                 Constraints
}

// Constraints is how V-MPO's two constraints stood at the last update (fig. 7): they should not only hold but bind.
type Constraints struct {
	Temperature, KLWeight float64 // η and α, which that update used
	OfWeights, OfPolicy   float64 // KL(ψ‖w) against ε_η, mean KL(π_T‖π_θ) against ε_α; nats
}

// First values of the multipliers (table 1), and what they are projected to (§4.2.2).
const (
	firstTemperature = 1
	firstKLWeight    = 5
	leastDual        = 1e-8
)

// NewVMPO makes room for the batches of cfg and a target network that equals the online one.
func NewVMPO(m *Machine, cfg *hyper.Config) *VMPO {
	n := cfg.UnrollLen * cfg.BatchSize
	row := func() []float32 { return make([]float32, n) }
	rows := func() []float32 { return make([]float32, n*m.Spec.Actions) }
	base := NewImpala(m, cfg)
	return &VMPO{
		Impala: base, target: append([]float32(nil), m.Theta...), forward: net.NewForward(m.Spec, max(cfg.BatchSize, min(n, maxTail))),
		dual: []float32{firstTemperature, firstKLWeight}, slope: make([]float32, 2), adam: optim.NewAdam(2, 0.9, 0.999, 1e-8),
		pi: base.pi, logPi: base.logPi, old: rows(), logOld: rows(), oldLogits: rows(), chosen: row(), psi: row(), scratch: row(),
	}
}

// Acting is the target network.
func (a *VMPO) Acting() []float32 { return a.target }

// State is the target network, the multipliers and their Adam. How many steps that has taken is the number of updates.
func (a *VMPO) State() [][]float32 { return append([][]float32{a.target, a.dual}, a.adam.State()...) }

// Constraints tells how they stood at the last update.
func (a *VMPO) Constraints() Constraints { return a.last }

// Update learns from one batch and describes it in out, unless that is nil. now is the number of updates so far.
// A loss or gradient that is not finite is Diverged, and the parameters stay as they were.
func (a *VMPO) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	actions, n := a.m.Spec.Actions, b.T*b.B
	correction, err1 := correct.LookupCorrection(cfg.Correction)
	relevance, err2 := correct.LookupRelevance(cfg.Relevance)
	advantage, err3 := correct.LookupAdvantage(cfg.Advantage)
	transform, err4 := loss.LookupReward(cfg.Reward)
	if err := cmp.Or(err1, err2, err3, err4); err != nil {
		return err
	}

	// π_θ and V of the online network; π_T of the target network, which acted.
	logits, values := a.m.Forward(b)
	tail := a.m.Tail(b)
	a.forward.Through(a.oldLogits, a.target, b.Obs, b.State, b.Keep, b.T, b.B)
	a.returns(b, cfg, transform, tail)
	correct.Softmax(a.pi, a.logPi, logits, actions)
	correct.Softmax(a.old, a.logOld, a.oldLogits, actions)
	online := loss.Policy[float32]{Prob: a.pi, LogProb: a.logPi, Actions: actions}
	target := loss.Policy[float32]{Prob: a.old, LogProb: a.logOld, Actions: actions}

	// G_t and A_t of π_T (§4.1). On its own data IS_t = π_T(a_t|x_t)/μ(a_t|x_t) = 1, and V-trace is the n-step return.
	correct.RatiosFromLog(a.ratio, a.logOld, b.LogMu, b.Action, actions)
	cut := truncation(cfg)
	unroll := correct.Unroll[float32]{
		T: b.T, B: b.B, Reward: a.reward, Discount: a.discount, Value: values, Bootstrap: tail[:b.B], Ratio: a.ratio,
	}
	if correction.TrustRegion {
		correct.TrustMask(a.mask, a.kl, a.logOld, b.LogMu, actions, cut.RhoBar, float32(cfg.TrustKL), relevance)
		unroll.Mask = a.mask
	}
	correct.Apply(a.targets, correction, &unroll, cut, advantage)
	a.m.pop.unitScale(a.targets.Advantage, b)

	// E-step. ψ_i = ρ_i·exp(A_i/η) / Σ over the top half D̃, 0 outside; ρ = min(1, π_T/μ) as eq. 34 with ρ̄ = 1.
	temperature, klWeight := float64(a.dual[0]), float64(a.dual[1])
	loss.TopShare(a.chosen, a.scratch, a.targets.Advantage, unroll.Mask, cfg.TopShare)
	bound := loss.Temperature{Eta: temperature, Bound: cfg.EpsTemperature, ByCount: cfg.EtaMean == "count"}
	temperatureLoss, dTemperature := loss.EStep(a.psi, a.targets.Advantage, a.chosen, a.targets.RhoPG, bound)
	if cfg.Psi == "uniform" {
		loss.UniformStep(a.psi, a.chosen, a.targets.RhoPG)
		temperatureLoss, dTemperature = 0, 0
	}

	// M-step. L = −Σ ψ log π_θ(a|x) + α·KL(π_T‖π_θ) + ½·(V − G)², the last two means over all of D (eq. 1, 12, 14).
	clear(a.dLogits)
	clear(a.dValues)
	each, alpha := 1/float64(n), klWeight
	if cfg.KLBound == "off" {
		alpha = 0
	}
	policyLoss := loss.Likelihood(a.dLogits, online, b.Action, a.psi, float32(cfg.PolicyCost))
	kl := loss.Divergence(a.dLogits, a.kl, target, online, float32(alpha*each)) * each
	valueLoss := loss.Value(a.dValues, values, a.targets.VS, unroll.Mask, float32(cfg.ValueCost*each))
	a.entropyRows(b, unroll.Mask)
	entropy := loss.Entropy(a.dLogits, online, a.online, float32(cfg.Entropy*each)) // not the paper's: g_e = 0 there
	klLoss, dKLWeight := loss.Multiplier(alpha, cfg.EpsKL, kl)
	if cfg.KLBound == "off" {
		dKLWeight = 0
	}
	if total := policyLoss + temperatureLoss + klLoss + valueLoss + entropy; math.IsNaN(total) || math.IsInf(total, 0) {
		return Diverged(fmt.Sprintf("the loss is not finite (policy %g, temperature %g, KL %g, value %g)", policyLoss, temperatureLoss, kl, valueLoss))
	}
	norm, err := a.m.Descend(a.m.Backward(a.dLogits, a.dValues), cfg.Clip, lr)
	if err != nil {
		return err
	}

	a.m.pop.observe(a.m.Theta, a.targets.VS, unroll.Mask, b)
	a.last = Constraints{temperature, klWeight, cfg.EpsTemperature - dTemperature, kl}

	// η ← max(η, 1e-8), α ← max(α, 1e-8) after a step along L_η and L_α.
	a.slope[0], a.slope[1] = float32(dTemperature), float32(dKLWeight)
	*a.adam.Count() = now
	a.adam.Step(a.dual, a.slope, float32(cfg.DualRate))
	for i := range a.dual {
		a.dual[i] = max(a.dual[i], leastDual)
	}

	// π_T ← π_θ every T_target updates.
	if (now+1)%uint64(cfg.TargetEvery) == 0 {
		copy(a.target, a.m.Theta)
	}

	if out != nil {
		out.PolicyLoss, out.ValueLoss = float32(policyLoss), float32(valueLoss*each)
		out.Entropy, out.GradNorm = -float32(entropy)/max(1, sum(a.online)), float32(norm)
		a.describe(b, cfg, correct.InForce(correction, cut), unroll.Mask, now, out)
	}
	return nil
}
