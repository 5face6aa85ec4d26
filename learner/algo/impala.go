package algo

import (
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Impala is the learner of IMPALA (Espeholt et al., 2018): one pass over a batch of unrolls that older policies played,
// with the off-policy correction that the settings name (§4.1, §5.2.2), LASER's trust region (Schmitt et al., 2020,
// §4.3) among them.
//
// An update reads in this order:
//
//  1. Update, below: a batch, its losses, a step.
//  2. impalaLosses, below: from logits and values to the three losses, in the paper's order.
//  3. rows.go: the memory of a batch, and the equations of its steps. head.go has π and IS_t.
//  4. learner/correct/vtrace.go: v_t, A_t and ρ_t. correction.go chooses the recursion and the weight.
//  5. learner/loss/policy.go and value.go: each loss and its derivative.
//  6. onepass.go: through the network and back. pass.go runs it in one job (learner/program/update.go) or in two calls.
//  7. machine.go: the step of the optimiser.
//
// The other algorithms say what differs: a2c.go, laser.go, vmpo.go, stac.go.
type Impala struct{ *onePass }

// NewImpala makes room for the batches of cfg.
func NewImpala(m *Machine, cfg *hyper.Config) *Impala {
	return &Impala{newOnePass(m, cfg, impalaLosses)}
}

// Update learns from one batch and describes it in out, unless that is nil. now is the number of updates so far.
// A loss or gradient that is not finite is Diverged, and the parameters stay as they were.
func (a *Impala) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	// π and V of the present parameters at every x_t; V alone at x_T and where a time limit cut. Then L and ∇L.
	l, err := a.through(b, cfg, now, cfg.Correction, correct.Corrections[cfg.Correction].TrustRegion)
	if err != nil {
		return err
	}
	return a.descend(l, lr, now, out)
}

// impalaLosses computes IMPALA's losses of r (§4.2), with the correction of the settings.
func impalaLosses(r *rows, logits, values []float32) (terms, error) {
	// π(·|x_t), r_t and γ_t.
	r.read(logits)
	r.returns()

	// IS_t = π(a_t|x_t)/μ(a_t|x_t), and m_t = 1 while KL(π‖π̃_μ) < b.
	r.pi.ratios(r.ratio, &r.data)
	r.trust(r.pi)

	// v_t and A_t, constants of the step.
	r.correct(r.cfg.Advantage, values)
	if err := r.ownWeights(); err != nil {
		return terms{}, err
	}

	// L = g_p Σ −ρ_t A_t log π(a_t|x_t) + g_v Σ (v_t − V_t)² + g_e Σ Σ_a π log π, and its derivative in the outputs.
	return r.terms(values, r.part(r.inside))
}
