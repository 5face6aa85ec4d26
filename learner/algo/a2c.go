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

// A2C is batched advantage actor-critic, which IMPALA is measured against (IMPALA table 1 and §5.1): all copies play
// with the present parameters, all wait, and nothing needs correcting. Read it beside impala.go: the returns are plain
// and every weight is 1. How the copies play, step by step together or each its whole trajectory, is the setting
// collect; the equations are the same.
type A2C struct{ Impala }

// NewA2C makes room for the batches of cfg.
func NewA2C(m *Machine, cfg *hyper.Config) *A2C { return &A2C{*NewImpala(m, cfg)} }

// Update learns from one batch of the present policy's own data and describes it in out, unless that is nil.
func (a *A2C) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	actions := a.m.Spec.Actions
	none, err1 := correct.LookupCorrection("none")
	transform, err2 := loss.LookupReward(cfg.Reward)
	if err := cmp.Or(err1, err2); err != nil {
		return err
	}
	logits, values := a.m.Forward(b)
	tail := a.m.Tail(b)
	correct.Softmax(a.pi, a.logPi, logits, actions)
	a.returns(b, cfg, transform, tail)
	correct.RatiosFromLog(a.ratio, a.logPi, b.LogMu, b.Action, actions) // for the x-ray: all 1

	// R_t = r_t + γ_t R_{t+1}, R_T = V(x_T), and A_t = R_t − V_t: constants of the step.
	unroll := correct.Unroll[float32]{
		T: b.T, B: b.B, Reward: a.reward, Discount: a.discount, Value: values, Bootstrap: tail[:b.B], Ratio: a.ratio,
	}
	correct.Apply(a.targets, none, &unroll, truncation(cfg), correct.AdvantageVTrace)
	a.m.pop.unitScale(a.targets.Advantage, b)

	// L = g_p Σ −A_t log π(a_t|x_t) + g_v Σ (R_t − V_t)² + g_e Σ Σ_a π log π, and its derivative in the heads.
	scale := 1.0
	if cfg.Reduce == "mean" {
		scale = 1 / float64(b.T*b.B)
	}
	clear(a.dLogits)
	clear(a.dValues)
	policy := loss.Policy[float32]{Prob: a.pi, LogProb: a.logPi, Actions: actions}
	var l terms
	l.policy = loss.PolicyGradient(a.dLogits, policy, b.Action, a.targets.RhoPG, a.targets.Advantage, 0, float32(cfg.PolicyCost*scale))
	l.value = loss.Value(a.dValues, values, a.targets.VS, nil, float32(cfg.ValueCost*scale))
	a.entropyRows(b, nil)
	l.entropy = loss.Entropy(a.dLogits, policy, a.online, float32(cfg.Entropy*scale))
	if total := l.policy + l.value + l.entropy; math.IsNaN(total) || math.IsInf(total, 0) {
		return Diverged(fmt.Sprintf("the loss is not finite (policy %g, value %g, entropy %g)", l.policy, l.value, l.entropy))
	}
	norm, err := a.m.Descend(a.m.Backward(a.dLogits, a.dValues), cfg.Clip, lr)
	if err != nil {
		return err
	}
	a.m.pop.observe(a.m.Theta, a.targets.VS, nil, b)
	if out != nil {
		a.cut, a.inside = correct.InForce(none, truncation(cfg)), nil
		a.report(b, cfg, l, norm, now, out)
	}
	return nil
}
