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

	correction *correct.Correction // of the update in progress, with its truncation
	cut        correct.Truncation[float32]
	masks      bool // its trust region leaves steps out

	from, to int        // its rows of a batch
	rows     traj.Batch // a view of these
	whole    *Impala    // the memory for the whole batch: itself, unless it is a part
	parts    [][]part   // views of the memory, for the machine's parts of a batch

	cfg  *hyper.Config // of the pass in progress
	tail []float32     // [B + cuts] V
	sums []terms       // of each part, and why it failed
	errs []error
	pass pass
}

// part computes the losses of some rows of a batch.
type part interface {
	// losses computes them from the logits of its rows, the values of the whole batch and the values of its tail. The
	// values of its own rows are present, and all later values of their trajectories.
	losses(b *traj.Batch, cfg *hyper.Config, raw, values, tail []float32) (terms, error)
	// cotangents returns their derivatives in the logits and values of its rows.
	cotangents() (dLogits, dValues []float32)
}

// NewImpala makes room for the batches of cfg.
func NewImpala(m *Machine, cfg *hyper.Config) *Impala {
	n := cfg.UnrollLen * cfg.BatchSize
	row := func() []float32 { return make([]float32, n) }
	a := &Impala{
		m: m, pi: newHead(&m.Spec, n), reward: row(), discount: row(), ratio: row(), mask: row(), kl: row(), online: row(),
		dValues: row(), targets: correct.NewTargets[float32](cfg.UnrollLen, cfg.BatchSize), to: n,
	}
	a.whole, a.sums, a.errs = a, make([]terms, len(m.parts)), make([]error, len(m.parts))
	a.pass = pass{losses: a.partLosses, dLogits: a.pi.derivative(), dValues: a.dValues}
	a.pass.tail = func(from int, _, values []float32) { m.pop.realTail(a.tail[from:], values, a.pass.batch, from) }
	a.divide(func(from, to int) part { return a.view(from, to) })
	return a
}

// view returns a with the memory of rows from to to−1 alone.
func (a *Impala) view(from, to int) *Impala {
	return &Impala{
		m: a.m, pi: a.pi.rows(from, to), reward: a.reward[from:to], discount: a.discount[from:to], ratio: a.ratio[from:to],
		mask: a.mask[from:to], kl: a.kl[from:to], online: a.online[from:to], dValues: a.dValues[from:to],
		targets: a.targets.Rows(from, to), from: from, to: to, whole: a,
	}
}

// divide makes the parts by view.
func (a *Impala) divide(view func(from, to int) part) {
	a.parts = make([][]part, len(a.m.parts))
	for i, ranges := range a.m.parts {
		for _, rows := range ranges {
			a.parts[i] = append(a.parts[i], view(rows[0], rows[1]))
		}
	}
}

// begin sets the correction of a pass, and whether steps outside a trust region count.
func (a *Impala) begin(cfg *hyper.Config, method correct.Method, masks bool) {
	a.correction, a.masks = &correct.Corrections[method], masks
	a.cut = correct.InForce(a.correction, hyper.Truncation[float32](cfg))
}

// through runs the network on b, with the losses of every part. It returns their sums and all values.
func (a *Impala) through(b *traj.Batch, cfg *hyper.Config) (l terms, values []float32, err error) {
	a.cfg, a.pass.cfg, a.pass.batch, a.tail = cfg, cfg, b, room(a.tail, b.B+len(b.Cuts))
	values = a.m.Pass(&a.pass)
	for i := len(a.sums) - 1; i >= 0; i-- {
		l.add(a.sums[i])
		if a.errs[i] != nil {
			err = a.errs[i]
		}
	}
	return l, values, err
}

func (a *Impala) partLosses(i int, logits, values []float32) {
	a.sums[i], a.errs[i] = terms{}, nil
	for j, p := range a.parts[i] {
		from, to := a.m.parts[i][j][0]*a.m.Spec.Actions, a.m.parts[i][j][1]*a.m.Spec.Actions
		l, err := p.losses(a.pass.batch, a.cfg, logits[from:to], values, a.tail)
		a.sums[i].add(l)
		if err != nil {
			a.errs[i] = err
		}
		p.cotangents()
	}
}

func (a *Impala) cotangents() (dLogits, dValues []float32) { return a.pi.cotangent(), a.dValues }

// Acting is θ itself: IMPALA's actors have the learner's parameters, some updates old.
func (a *Impala) Acting() []float32 { return a.m.Theta }

// State is empty: θ and the optimiser are all there is.
func (a *Impala) State() [][]float32 { return nil }

// Update learns from one batch and describes it in out, unless that is nil. now is the number of updates so far.
// A loss or gradient that is not finite is Diverged, and the parameters stay as they were.
func (a *Impala) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	// π and V of the present parameters at every x_t; V alone at x_T and where a time limit cut.
	a.begin(cfg, cfg.Correction, correct.Corrections[cfg.Correction].TrustRegion)
	l, _, err := a.through(b, cfg)
	if err != nil {
		return err
	}
	return a.descend(b, cfg, l, lr, now, out)
}

// losses computes the loss of a's rows from the network's outputs, with its derivative in pi and dValues.
func (a *Impala) losses(b *traj.Batch, cfg *hyper.Config, raw, values, tail []float32) (l terms, err error) {
	a.pi.read(raw)
	a.returns(b, cfg, tail)

	// IS_t = π(a_t|x_t)/μ(a_t|x_t), and m_t = 1 while KL(π‖π̃_μ) < b.
	a.pi.ratios(a.ratio, &a.rows)
	if a.whole.masks {
		a.pi.trust(a.mask, a.kl, &a.rows, float32(cfg.RhoBar), float32(cfg.TrustKL), cfg.Relevance)
	}

	// v_t and A_t, constants of the step.
	a.correct(b, cfg.Advantage, values, tail)

	// L = g_p Σ −ρ_t A_t log π(a_t|x_t) + g_v Σ (v_t − V_t)² + g_e Σ Σ_a π log π, and its derivative in the heads.
	return a.terms(b, cfg, values[a.from:a.to], a.inside())
}

// inside is the mask, or nil if every step counts.
func (a *Impala) inside() []float32 {
	if a.whole.masks {
		return a.mask
	}
	return nil
}

// returns writes the rewards and discounts the learner sees, an episode's end and a time limit's cut included.
func (a *Impala) returns(b *traj.Batch, cfg *hyper.Config, tail []float32) {
	a.rows = b.Rows(a.from, a.to)
	loss.Transform(a.reward, a.rows.Reward, cfg.Reward)
	gamma, scale := float32(cfg.Gamma), float32(cfg.RewardScale)
	for i := range a.reward {
		a.reward[i] *= scale
		a.discount[i] = gamma
		if envs.End(a.rows.End[i]) == envs.Terminated {
			a.discount[i] = 0
		}
	}
	for k, at := range b.Cuts {
		if a.from <= at && at < a.to {
			correct.FoldTruncation(a.reward, a.discount, at-a.from, gamma, tail[b.B+k])
		}
	}
}

// correct computes the targets and advantages. PopArt updates its statistics and rescales the value head before any
// loss uses the targets (van Hasselt et al. 2016, algorithm 1).
func (a *Impala) correct(b *traj.Batch, advantage correct.Advantage, values, tail []float32) {
	w := a.whole // the recursion of a part begins where the rows behind it ended
	correct.ApplyRows(w.targets, w.correction, &correct.Unroll[float32]{
		T: b.T, B: b.B, Reward: w.reward, Discount: w.discount, Value: values, Bootstrap: tail[:b.B], Ratio: w.ratio,
		Mask: w.inside(),
	}, w.cut, advantage, a.from, a.to)
	a.m.pop.observe(a.m.Theta, a.targets.VS, a.inside(), b)
	a.m.pop.unitScale(a.targets.Advantage, b)
}

// terms are the three losses, plain sums without their costs.
type terms struct{ policy, value, entropy float64 }

func (l *terms) add(o terms) {
	l.policy += o.policy
	l.value += o.value
	l.entropy += o.entropy
}

// terms computes the losses. counts [T, B] weights the value loss of each step; nil is all ones.
func (a *Impala) terms(b *traj.Batch, cfg *hyper.Config, values, counts []float32) (l terms, err error) {
	scale := scaleOf(b, cfg)
	clear(a.dValues)
	l.policy = a.pi.gradient(&a.rows, a.targets.RhoPG, a.targets.Advantage, float32(a.whole.correction.LogEpsilon),
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

// scaleOf returns the factor of each step's loss: 1 for a sum, 1/(T·B) for a mean.
func scaleOf(b *traj.Batch, cfg *hyper.Config) float64 {
	if cfg.Reduce == hyper.Mean {
		return 1 / float64(b.T*b.B)
	}
	return 1
}

// entropyRows is where entropy counts: online data only (LASER §5.1), and within the trust region.
func (a *Impala) entropyRows(b *traj.Batch) {
	inside := a.inside()
	for i := range a.online {
		a.online[i] = 0
		if b.Online[(a.from+i)%b.B] {
			a.online[i] = 1
			if inside != nil {
				a.online[i] = inside[i]
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
