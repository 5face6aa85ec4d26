package algo

import (
	"cmp"
	"fmt"
	"math"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Laser is the learner of LASER (Schmitt, Hessel and Simonyan, 2020), in the order of its Algorithm 1. Read it
// beside impala.go. What differs: most of a batch comes from the replay (the learner mixes it, by the share
// mix), every step has a mask that leaves out what is too far from π, entropy counts online only, and
// when the replay draws by priority each trajectory has a weight and says how much it surprised.
type Laser struct {
	Impala
	counts []float32 // [T, B] m_t·w_b
}

// NewLaser makes room for the batches of cfg.
func NewLaser(m *Machine, cfg *hyper.Config) *Laser {
	return &Laser{Impala: *NewImpala(m, cfg), counts: make([]float32, cfg.UnrollLen*cfg.BatchSize)}
}

// Update learns from one batch and describes it in out, unless that is nil. The mask is always there, under any
// correction; trust=inf lets every step pass. b.Surprise tells the replay how much each trajectory is worth.
func (a *Laser) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	actions := a.m.Spec.Actions
	correction, err1 := correct.LookupCorrection(cfg.Correction)
	relevance, err2 := correct.LookupRelevance(cfg.Relevance)
	advantage, err3 := correct.LookupAdvantage(cfg.Advantage)
	transform, err4 := loss.LookupReward(cfg.Reward)
	if err := cmp.Or(err1, err2, err3, err4); err != nil {
		return err
	}

	// "Evaluate the target policy π_k on the sampled transitions", and V at every x_t, x_T and cut.
	logits, values := a.m.Forward(b)
	tail := a.m.Tail(b)
	correct.Softmax(a.pi, a.logPi, logits, actions)
	a.returns(b, cfg, transform, tail)
	correct.RatiosFromLog(a.ratio, a.logPi, b.LogMu, b.Action, actions)

	// M_{b,t} = KL(π(·|s_{b,t})‖π̃_μ) < b: §4.3's distance; Algorithm 1 prints KL(π‖μ), which is relevance=behaviour.
	cut := truncation(cfg)
	correct.TrustMask(a.mask, a.kl, a.logPi, b.LogMu, actions, cut.RhoBar, float32(cfg.TrustKL), relevance)

	// The trust-region V-trace return, eq. 8: the trace stops where the mask does. IMPALA's advantage by default;
	// Algorithm 1's A = v_t − V_t is advantage=laser.
	unroll := correct.Unroll[float32]{
		T: b.T, B: b.B, Reward: a.reward, Discount: a.discount, Value: values, Bootstrap: tail[:b.B], Ratio: a.ratio, Mask: a.mask,
	}
	correct.Apply(a.targets, correction, &unroll, cut, advantage)
	a.m.pop.unitScale(a.targets.Advantage, b)
	a.surprise(b, values)

	// ∇ Σ_{t,b} [L_V + L_P]·M_{t,b}, each trajectory times its importance weight. Apply has put m_t into RhoPG.
	for i := range a.counts {
		w := b.Weight[i%b.B]
		a.counts[i] = a.mask[i] * w
		a.targets.RhoPG[i] *= w
	}
	scale := 1.0
	if cfg.Reduce == "mean" {
		scale = 1 / float64(b.T*b.B)
	}
	clear(a.dLogits)
	clear(a.dValues)
	policy := loss.Policy[float32]{Prob: a.pi, LogProb: a.logPi, Actions: actions}
	policyLoss := loss.PolicyGradient(a.dLogits, policy, b.Action, a.targets.RhoPG, a.targets.Advantage,
		float32(correction.LogEpsilon), float32(cfg.PolicyCost*scale))
	valueLoss := loss.Value(a.dValues, values, a.targets.VS, a.counts, float32(cfg.ValueCost*scale))

	// Entropy counts on the online data only: it "provided slightly better results", §5.1.
	a.entropyRows(b, a.mask)
	entropy := loss.Entropy(a.dLogits, policy, a.online, float32(cfg.Entropy*scale))
	if total := policyLoss + valueLoss + entropy; math.IsNaN(total) || math.IsInf(total, 0) {
		return Diverged(fmt.Sprintf("the loss is not finite (policy %g, value %g, entropy %g)", policyLoss, valueLoss, entropy))
	}

	grad := a.m.Backward(a.dLogits, a.dValues)
	norm, err := a.m.Descend(grad, cfg.Clip, lr)
	if err != nil {
		return err
	}
	a.m.pop.observe(a.m.Theta, a.targets.VS, a.mask, b)
	if out != nil {
		n := float32(b.T * b.B)
		out.PolicyLoss, out.ValueLoss, out.Entropy = float32(policyLoss)/n, float32(valueLoss)/n, -float32(entropy)/max(1, sum(a.online))
		out.GradNorm = float32(norm)
		a.describe(b, cfg, correct.InForce(correction, cut), a.mask, now, out)
	}
	return nil
}

// surprise is the mean |v_t − V_t| of each trajectory, its priority when the replay draws by one ("prioritization
// via the critic's loss", figure 4). A step outside the trust region has v_t = V_t: it surprises nobody.
func (a *Laser) surprise(b *traj.Batch, values []float32) {
	clear(b.Surprise)
	for i, v := range values {
		b.Surprise[i%b.B] += float32(math.Abs(float64(a.targets.VS[i]-v))) / float32(b.T)
	}
}
