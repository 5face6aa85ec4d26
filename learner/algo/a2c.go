package algo

import (
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// A2C is batched advantage actor-critic, which IMPALA is measured against (IMPALA table 1 and §5.1): all copies play
// with the present parameters, all wait, and nothing needs correcting. Read it beside impala.go: the returns are plain
// and every weight is 1. How the copies play, step by step together or each its whole trajectory, is the setting
// collect; the equations are the same.
type A2C struct{ *Impala }

// NewA2C makes room for the batches of cfg.
func NewA2C(m *Machine, cfg *hyper.Config) *A2C {
	a := &A2C{NewImpala(m, cfg)}
	a.divide(func(from, to int) part { return &A2C{a.view(from, to)} })
	return a
}

// Update learns from one batch of the present policy's own data and describes it in out, unless that is nil.
func (a *A2C) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	a.begin(cfg, correct.MethodNone, false)
	l, _, err := a.through(b, cfg)
	if err != nil {
		return err
	}
	return a.descend(b, cfg, l, lr, now, out)
}

// losses computes the loss of a's rows from the network's outputs, with its derivative in pi and dValues.
func (a *A2C) losses(b *traj.Batch, cfg *hyper.Config, raw, values, tail []float32) (terms, error) {
	a.pi.read(raw)
	a.returns(b, cfg, tail)
	a.pi.ratios(a.ratio, &a.rows) // for the x-ray: all 1

	// R_t = r_t + γ_t R_{t+1}, R_T = V(x_T), and A_t = R_t − V_t, constants of the step; no ratio is in them.
	a.correct(b, correct.AdvantageVTrace, values, tail)

	// L = g_p Σ −A_t log π(a_t|x_t) + g_v Σ (R_t − V_t)² + g_e Σ Σ_a π log π, and its derivative in the heads.
	return a.terms(b, cfg, values[a.from:a.to], nil)
}
