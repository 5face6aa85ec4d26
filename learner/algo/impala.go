package algo

import (
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
	m  *Machine
	pi head // π(·|x_t) of a batch

	reward, discount []float32 // [T, B] as the learner sees them
	ratio, mask, kl  []float32 // [T, B]
	online           []float32 // [T, B] 1 where entropy counts
	dValues          []float32 // [T·B]
	targets          *correct.Targets[float32]

	correction *correct.Correction // of the last losses, with its truncation
	cut        correct.Truncation[float32]
	inside     []float32 // mask, or nil without a trust region
}

// NewImpala makes room for the batches of cfg.
func NewImpala(m *Machine, cfg *hyper.Config) *Impala {
	n := cfg.UnrollLen * cfg.BatchSize
	row := func() []float32 { return make([]float32, n) }
	return &Impala{
		m: m, pi: newHead(&m.Spec, n), reward: row(), discount: row(), ratio: row(), mask: row(), kl: row(), online: row(),
		dValues: row(), targets: correct.NewTargets[float32](cfg.UnrollLen, cfg.BatchSize),
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
	raw, values := a.m.Forward(b)
	tail := a.m.Tail(b)
	l, err := a.losses(b, cfg, raw, values, tail)
	if err != nil {
		return err
	}
	return a.descend(b, cfg, l, lr, now, out)
}

// losses computes the loss of a batch from the network's outputs, with its derivative in pi and dValues.
func (a *Impala) losses(b *traj.Batch, cfg *hyper.Config, raw, values, tail []float32) (l terms, err error) {
	a.pi.read(raw)
	a.returns(b, cfg, tail)

	// IS_t = π(a_t|x_t)/μ(a_t|x_t), and m_t = 1 while KL(π‖π̃_μ) < b.
	a.pi.ratios(a.ratio, b)
	a.inside = nil
	if correct.Corrections[cfg.Correction].TrustRegion {
		a.pi.trust(a.mask, a.kl, b, float32(cfg.RhoBar), float32(cfg.TrustKL), cfg.Relevance)
		a.inside = a.mask
	}

	// v_t and A_t, constants of the step.
	a.correct(b, cfg, cfg.Correction, cfg.Advantage, values, tail)

	// L = g_p Σ −ρ_t A_t log π(a_t|x_t) + g_v Σ (v_t − V_t)² + g_e Σ Σ_a π log π, and its derivative in the heads.
	return a.terms(b, cfg, values, a.inside)
}

// returns writes the rewards and discounts the learner sees, an episode's end and a time limit's cut included.
func (a *Impala) returns(b *traj.Batch, cfg *hyper.Config, tail []float32) {
	loss.Transform(a.reward, b.Reward, cfg.Reward)
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

// correct computes the targets and advantages. PopArt updates its statistics and rescales the value head before any
// loss uses the targets (van Hasselt et al. 2016, algorithm 1).
func (a *Impala) correct(b *traj.Batch, cfg *hyper.Config, method correct.Method, advantage correct.Advantage,
	values, tail []float32) {
	a.correction = &correct.Corrections[method]
	a.cut = correct.InForce(a.correction, hyper.Truncation[float32](cfg))
	correct.Apply(a.targets, a.correction, &correct.Unroll[float32]{
		T: b.T, B: b.B, Reward: a.reward, Discount: a.discount, Value: values, Bootstrap: tail[:b.B], Ratio: a.ratio,
		Mask: a.inside,
	}, a.cut, advantage)
	a.m.pop.observe(a.m.Theta, a.targets.VS, a.inside, b)
	a.m.pop.unitScale(a.targets.Advantage, b)
}

// terms are the three losses, plain sums without their costs.
type terms struct{ policy, value, entropy float64 }

// terms takes the losses. counts [T, B] is what each step's value counts for; nil: one.
func (a *Impala) terms(b *traj.Batch, cfg *hyper.Config, values, counts []float32) (l terms, err error) {
	scale := scaleOf(b, cfg)
	clear(a.dValues)
	l.policy = a.pi.gradient(b, a.targets.RhoPG, a.targets.Advantage, float32(a.correction.LogEpsilon),
		float32(cfg.PolicyCost*scale))
	l.value = loss.Value(a.dValues, values, a.targets.VS, counts, float32(cfg.ValueCost*scale))
	a.entropyRows(b)
	l.entropy = a.pi.entropy(a.online, float32(cfg.Entropy*scale))
	if total := l.policy + l.value + l.entropy; math.IsNaN(total) || math.IsInf(total, 0) {
		return l, Diverged(fmt.Sprintf("the loss is not finite (policy %g, value %g, entropy %g)", l.policy, l.value,
			l.entropy))
	}
	return l, nil
}

// scaleOf is what each step's loss is multiplied by: 1, or 1/T·B for a mean.
func scaleOf(b *traj.Batch, cfg *hyper.Config) float64 {
	if cfg.Reduce == hyper.Mean {
		return 1 / float64(b.T*b.B)
	}
	return 1
}

// entropyRows is where entropy counts: online data only (LASER §5.1), and within the trust region.
func (a *Impala) entropyRows(b *traj.Batch) {
	for i := range a.online {
		a.online[i] = 0
		if b.Online[i%b.B] {
			a.online[i] = 1
			if a.inside != nil {
				a.online[i] = a.inside[i]
			}
		}
	}
}

// descend is θ ← θ − lr·RMSProp(∇L), the norm of ∇L at most clip.
func (a *Impala) descend(b *traj.Batch, cfg *hyper.Config, l terms, lr float64, now uint64,
	out *telemetry.Update) error {
	norm, err := a.m.Learn(a.pi.cotangent(), a.dValues, cfg, lr)
	if err != nil {
		return err
	}
	if out != nil {
		a.report(b, l, norm, now, out)
	}
	return nil
}
