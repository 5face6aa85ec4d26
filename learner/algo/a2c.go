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
type A2C struct{ *onePass }

// NewA2C makes room for the batches of cfg.
func NewA2C(m *Machine, cfg *hyper.Config) *A2C { return &A2C{newOnePass(m, cfg, a2cLosses)} }

// Update learns from one batch of the present policy's own data and describes it in out, unless that is nil.
func (a *A2C) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	l, err := a.through(b, cfg, now, correct.MethodNone, false)
	if err != nil {
		return err
	}
	return a.descend(l, lr, now, out)
}

// a2cLosses computes A2C's losses of r.
func a2cLosses(r *rows, logits, values []float32) (terms, error) {
	r.read(logits)
	r.returns()
	r.pi.ratios(r.ratio, &r.data) // for the x-ray: all 1

	// R_t = r_t + γ_t R_{t+1}, R_T = V(x_T), and A_t = R_t − V_t, constants of the step; no ratio is in them.
	r.correct(correct.AdvantageVTrace, values)

	// L = g_p Σ −A_t log π(a_t|x_t) + g_v Σ (R_t − V_t)² + g_e Σ Σ_a π log π, and its derivative in the heads.
	return r.terms(values, nil)
}
