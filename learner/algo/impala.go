package algo

import (
	"cmp"
	"fmt"
	"math"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Impala is the learner of IMPALA (Espeholt et al., 2018): one pass over a batch of unrolls that older
// policies played, with the off-policy correction the configuration names (§4.1, §5.2.2) and LASER's trust
// region (Schmitt et al., 2020, §4.3) among them.
type Impala struct {
	m *Machine

	reward, discount []float32 // [T, B] as the learner sees them
	logPi, pi        []float32 // [T·B, A]
	ratio, mask, kl  []float32 // [T, B]
	online           []float32 // [T, B] 1 where entropy counts
	dLogits, dValues []float32 // [T·B, A], [T·B]
	targets          *correct.Targets[float32]

	cut    correct.Truncation[float32] // in force in the last losses
	inside []float32                   // mask, or nil where there is no trust region
}

// NewImpala makes room for the batches of cfg.
func NewImpala(m *Machine, cfg *hyper.Config) *Impala {
	n := cfg.UnrollLen * cfg.BatchSize
	row := func() []float32 { return make([]float32, n) }
	rows := func() []float32 { return make([]float32, n*m.Spec.Actions) }
	return &Impala{
		m: m, reward: row(), discount: row(), logPi: rows(), pi: rows(), ratio: row(), mask: row(), kl: row(), online: row(),
		dLogits: rows(), dValues: row(), targets: correct.NewTargets[float32](cfg.UnrollLen, cfg.BatchSize),
	}
}

// Acting is θ itself: IMPALA's actors have the learner's parameters, some updates old.
func (a *Impala) Acting() []float32 { return a.m.Theta }

// State is empty: θ and the optimiser are all there is.
func (a *Impala) State() [][]float32 { return nil }

// Update learns from one batch and describes it in out, unless that is nil. now is the number of updates so far.
// A loss or gradient that is not finite is Diverged, and the parameters stay as they were.
func (a *Impala) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	// π and V of the present parameters at every x_t; V alone at x_T and where a time limit cut.
	logits, values := a.m.Forward(b)
	tail := a.m.Tail(b)
	l, err := a.losses(b, cfg, logits, values, tail)
	if err != nil {
		return err
	}

	// θ ← θ − lr·RMSProp(∇L), the norm of ∇L at most clip.
	grad := a.m.Backward(a.dLogits, a.dValues)
	norm, err := a.m.Descend(grad, cfg.Clip, lr)
	if err != nil {
		return err
	}
	a.m.pop.observe(a.m.Theta, a.targets.VS, a.inside, b)

	if out != nil {
		a.report(b, cfg, l, norm, now, out)
	}
	return nil
}

// terms are the three losses, plain sums without their costs.
type terms struct{ policy, value, entropy float64 }

// losses computes the loss of a batch from what the network makes of it, with the derivative in dLogits and dValues.
func (a *Impala) losses(b *traj.Batch, cfg *hyper.Config, logits, values, tail []float32) (l terms, err error) {
	actions := a.m.Spec.Actions
	correction, err1 := correct.LookupCorrection(cfg.Correction)
	relevance, err2 := correct.LookupRelevance(cfg.Relevance)
	advantage, err3 := correct.LookupAdvantage(cfg.Advantage)
	transform, err4 := loss.LookupReward(cfg.Reward)
	if err := cmp.Or(err1, err2, err3, err4); err != nil {
		return l, err
	}

	correct.Softmax(a.pi, a.logPi, logits, actions)
	a.returns(b, cfg, transform, tail)

	// IS_t = π(a_t|x_t)/μ(a_t|x_t), and m_t = 1 while KL(π‖π̃_μ) < b.
	correct.RatiosFromLog(a.ratio, a.logPi, b.LogMu, b.Action, actions)
	cut := truncation(cfg)
	a.cut, a.inside = correct.InForce(correction, cut), nil
	unroll := correct.Unroll[float32]{
		T: b.T, B: b.B, Reward: a.reward, Discount: a.discount, Value: values, Bootstrap: tail[:b.B], Ratio: a.ratio,
	}
	if correction.TrustRegion {
		correct.TrustMask(a.mask, a.kl, a.logPi, b.LogMu, actions, cut.RhoBar, float32(cfg.TrustKL), relevance)
		a.inside = a.mask
		unroll.Mask = a.mask
	}

	// v_t and A_t, constants of the step.
	correct.Apply(a.targets, correction, &unroll, cut, advantage)
	a.m.pop.unitScale(a.targets.Advantage, b)

	// L = g_p Σ −ρ_t A_t log π(a_t|x_t) + g_v Σ (v_t − V_t)² + g_e Σ Σ_a π log π, and its derivative in the heads.
	scale := 1.0
	if cfg.Reduce == "mean" {
		scale = 1 / float64(b.T*b.B)
	}
	clear(a.dLogits)
	clear(a.dValues)
	policy := loss.Policy[float32]{Prob: a.pi, LogProb: a.logPi, Actions: actions}
	l.policy = loss.PolicyGradient(a.dLogits, policy, b.Action, a.targets.RhoPG, a.targets.Advantage,
		float32(correction.LogEpsilon), float32(cfg.PolicyCost*scale))
	l.value = loss.Value(a.dValues, values, a.targets.VS, unroll.Mask, float32(cfg.ValueCost*scale))
	a.entropyRows(b, unroll.Mask)
	l.entropy = loss.Entropy(a.dLogits, policy, a.online, float32(cfg.Entropy*scale))
	if total := l.policy + l.value + l.entropy; math.IsNaN(total) || math.IsInf(total, 0) {
		return l, Diverged(fmt.Sprintf("the loss is not finite (policy %g, value %g, entropy %g)", l.policy, l.value, l.entropy))
	}
	return l, nil
}

// returns writes the rewards and discounts the learner sees, an episode's end and a time limit's cut included.
func (a *Impala) returns(b *traj.Batch, cfg *hyper.Config, transform loss.Reward, tail []float32) {
	loss.Transform(a.reward, b.Reward, transform)
	gamma, scale := float32(cfg.Gamma), float32(cfg.RewardScale)
	for i := range a.reward {
		a.reward[i] *= scale
		a.discount[i] = gamma
		if envs.End(b.End[i]) == envs.Terminated {
			a.discount[i] = 0
		}
	}
	for k, at := range b.Cuts {
		correct.FoldTruncation(a.reward, a.discount, at, gamma, tail[b.B+k])
	}
}

// entropyRows is where entropy counts: online data only (LASER §5.1), and within the trust region.
func (a *Impala) entropyRows(b *traj.Batch, mask []float32) {
	for i := range a.online {
		a.online[i] = 0
		if b.Online[i%b.B] {
			a.online[i] = 1
			if mask != nil {
				a.online[i] = mask[i]
			}
		}
	}
}

// report says what the last losses and the step along them came to.
func (a *Impala) report(b *traj.Batch, cfg *hyper.Config, l terms, norm float64, now uint64, out *telemetry.Update) {
	n := float32(b.T * b.B)
	out.PolicyLoss, out.ValueLoss, out.Entropy = float32(l.policy)/n, float32(l.value)/n, -float32(l.entropy)/max(1, sum(a.online))
	out.GradNorm = float32(norm)
	a.describe(b, cfg, a.cut, a.inside, now, out)
}

// describe fills in what the page's x-ray shows of this batch.
func (a *Impala) describe(b *traj.Batch, cfg *hyper.Config, cut correct.Truncation[float32], mask []float32, now uint64, out *telemetry.Update) {
	correct.KL(a.kl, a.logPi, b.LogMu, a.m.Spec.Actions)
	out.KL = mean(a.kl)
	out.ClippedRho = float32(correct.ShareAbove(a.ratio, cut.RhoBar))
	out.ClippedC = float32(correct.ShareAbove(a.ratio, cut.CBar))
	out.EffectiveSample = float32(correct.EffectiveSample(a.targets.Rho))
	if mask != nil {
		out.Rejected = 1 - mean(mask)
	}
	out.ValueError = float32(math.Sqrt(float64(out.ValueLoss)))
	correct.RatioHistogram(out.Ratios[:], a.ratio, telemetry.RatioLogLo, telemetry.RatioLogHi)

	ages(out, b.Version, now)
}

// ages says how many updates old the trajectories of a batch are.
func ages(out *telemetry.Update, versions []uint64, now uint64) {
	oldest, total := uint64(0), uint64(0)
	for _, v := range versions {
		oldest, total = max(oldest, now-v), total+now-v
	}
	out.AgeMean, out.AgeMax = float32(total)/float32(len(versions)), float32(oldest)
	for _, v := range versions {
		bin := int((now - v) * telemetry.AgeBins / (oldest + 1))
		out.Ages[bin]++
	}
}

func truncation(cfg *hyper.Config) correct.Truncation[float32] {
	return correct.Truncation[float32]{
		RhoBar: float32(cfg.RhoBar), CBar: float32(cfg.CBar), RhoBarPG: float32(cfg.PGRhoBar()), Lambda: float32(cfg.Lambda),
		LeakRho: float32(cfg.LeakRho), LeakC: float32(cfg.CLeak()),
	}
}

func sum(x []float32) (s float32) {
	for _, v := range x {
		s += v
	}
	return s
}

func mean(x []float32) float32 { return sum(x) / float32(len(x)) }
