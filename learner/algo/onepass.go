package algo

import (
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// losses computes the losses of r and their derivatives in r.pi and r.dValues: what makes an algorithm IMPALA, LASER
// or A2C. logits are the network's for these rows, values V(x_t) of all rows of the batch.
type losses func(r *rows, logits, values []float32) (terms, error)

// onePass is an update of one pass through the network, forward and back, and one step of the optimiser. The machine
// cuts the batch into parts, computes their outputs, asks for the losses of each, and continues back.
type onePass struct {
	*rows
	split     [][]*rows // the same memory by the machine's parts
	undivided []*rows   // and in one part
	losses    losses
	pass      pass
	sums      []terms // of each part, and why it failed
	errs      []error
	values    []float32 // V(x_t) of the last pass
}

func newOnePass(m *Machine, cfg *hyper.Config, losses losses) *onePass {
	r := newRows(m, cfg)
	a := &onePass{rows: r, split: r.parts(), undivided: []*rows{r}, losses: losses, sums: make([]terms, len(m.parts)),
		errs: make([]error, len(m.parts))}
	a.pass = pass{losses: a.partLosses, dLogits: r.pi.derivative(), dValues: r.dValues}
	a.pass.tail = func(from int, _, values []float32) { m.pop.realTail(a.tail[from:], values, a.batch, from) }
	return a
}

// through takes b through the network and its losses. method is the correction, and masks says whether steps outside
// the trust region are left out.
func (a *onePass) through(b *traj.Batch, cfg *hyper.Config, now uint64, method correct.Method, masks bool) (l terms,
	err error) {
	a.begin(b, cfg, now, method, masks)
	a.pass.batch, a.pass.cfg, a.pass.whole = b, cfg, a.correction.WholeBatch(&a.limits)
	a.values = a.m.Pass(&a.pass)
	sums := len(a.sums)
	if a.pass.whole {
		sums = 1
	}
	for i := sums - 1; i >= 0; i-- {
		l.add(a.sums[i])
		if a.errs[i] != nil {
			err = a.errs[i]
		}
	}
	return l, err
}

// partLosses computes the losses of part i of the batch.
func (a *onePass) partLosses(i int, logits, values []float32) {
	a.sums[i], a.errs[i] = terms{}, nil
	parts := a.split[i]
	if a.pass.whole {
		parts = a.undivided
	}
	for _, r := range parts {
		l, err := a.losses(r, logits[r.from*a.m.Spec.Actions:r.to*a.m.Spec.Actions], values)
		a.sums[i].add(l)
		if err != nil {
			a.errs[i] = err
		}
		r.pi.cotangent()
	}
}

// descend takes one step of the optimiser along ∇L, shortened to the norm clip. Learn needs the derivatives in the
// outputs only where through has not computed ∇L already.
func (a *onePass) descend(l terms, lr float64, now uint64, out *telemetry.Update) error {
	norm, err := a.m.Learn(a.pi.cotangent(), a.dValues, a.cfg, lr)
	if err != nil {
		return err
	}
	if out != nil {
		a.report(l, norm, now, out)
	}
	return nil
}

// Acting is θ itself: the actors have the learner's parameters, some updates old.
func (a *onePass) Acting() []float32 { return a.m.Theta }

// State is empty: θ and the optimiser are all there is.
func (a *onePass) State() [][]float32 { return nil }
