package algo

import (
	"fmt"
	"math"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/script"
	"impalab/learner/traj"
)

// rows is the working memory of some rows of a batch: of all rows, or of those whose losses one shard computes. Each
// slice has a number for each of these rows. So an algorithm's equations read the same for a part and for the whole.
type rows struct {
	*common
	from, to int        // which rows of the batch
	data     traj.Batch // what the batch in progress has of them

	pi               head      // π(·|x_t)
	reward, discount []float32 // as the learner sees them
	ratio, mask, kl  []float32 // IS_t, m_t and the divergence that m_t compares
	online           []float32 // 1 where entropy counts
	counts           []float32 // m_t times the weight of a replayed step (LASER)
	targets          *correct.Targets[float32]
	dValues          []float32 // ∂L/∂V; pi has ∂L/∂logits
}

// common is what all rows of a batch share: the batch in progress, its settings, and the memory of all rows, because
// the targets of a row need the rows behind it.
type common struct {
	m     *Machine
	batch *traj.Batch
	cfg   *hyper.Config
	now   uint64    // updates so far
	tail  []float32 // [B + cuts] V(x_T), then V of the states where a time limit cut

	correction *correct.Correction // with its truncation
	truncation correct.Truncation[float32]
	limits     correct.Limits
	inside     []float32        // m_t of all rows, or nil where every step counts
	compiled   function         // of the person's own correction
	function   *script.Function // nil under any other
	fault      error            // why its program is none

	all struct {
		reward, discount, ratio, mask []float32
		chosen                        []float32 // π(a_t|x_t)
		targets                       *correct.Targets[float32]
	}
}

// newRows makes room for the batches of cfg.
func newRows(m *Machine, cfg *hyper.Config) *rows {
	n := cfg.UnrollLen * cfg.BatchSize
	row := func() []float32 { return make([]float32, n) }
	r := &rows{
		common: &common{m: m}, to: n, pi: newHead(&m.Spec, n), reward: row(), discount: row(), ratio: row(), mask: row(),
		kl: row(), online: row(), counts: row(), dValues: row(),
		targets: correct.NewTargets[float32](cfg.UnrollLen, cfg.BatchSize),
	}
	all := &r.common.all
	all.reward, all.discount, all.ratio, all.mask, all.targets = r.reward, r.discount, r.ratio, r.mask, r.targets
	all.chosen = row()
	return r
}

// slice returns rows from to to−1, in the same memory.
func (r *rows) slice(from, to int) *rows {
	return &rows{
		common: r.common, from: from, to: to, pi: r.pi.rows(from, to), reward: r.reward[from:to],
		discount: r.discount[from:to], ratio: r.ratio[from:to], mask: r.mask[from:to], kl: r.kl[from:to],
		online: r.online[from:to], counts: r.counts[from:to], targets: r.targets.Rows(from, to),
		dValues: r.dValues[from:to],
	}
}

// parts slices r as the machine computes a batch: by shards, and within a shard by ranges.
func (r *rows) parts() [][]*rows {
	parts := make([][]*rows, len(r.m.parts))
	for i, ranges := range r.m.parts {
		for _, at := range ranges {
			parts[i] = append(parts[i], r.slice(at[0], at[1]))
		}
	}
	return parts
}

// begin prepares for a batch after now updates: the correction is method's, and if masks is true, steps outside the
// trust region do not count.
func (r *rows) begin(b *traj.Batch, cfg *hyper.Config, now uint64, method correct.Method, masks bool) {
	u := r.common
	u.batch, u.cfg, u.now, u.tail, u.inside, u.function = b, cfg, now, grow(u.tail, b.B+len(b.Cuts)), nil, nil
	u.fault = nil
	if method == correct.MethodOwn {
		u.function, u.fault = u.compiled.of(cfg)
	}
	u.correction = &correct.Corrections[method]
	u.truncation, u.limits = correct.InForce(u.correction, hyper.Truncation[float32](cfg)), cfg.Limits()
	if masks {
		u.inside = u.all.mask
	}
}

// read takes the policies of these rows from the network's logits, and their data from the batch.
func (r *rows) read(logits []float32) {
	r.pi.read(logits)
	r.data = r.batch.Rows(r.from, r.to)
}

// returns writes the rewards and discounts that the learner sees: an episode's end cuts the return, and a time limit
// adds the value of the state where it cut.
func (r *rows) returns() {
	loss.Transform(r.reward, r.data.Reward, r.cfg.Reward)
	gamma, scale := float32(r.cfg.Gamma), float32(r.cfg.RewardScale)
	for i := range r.reward {
		r.reward[i] *= scale
		r.discount[i] = gamma
		if envs.End(r.data.End[i]) == envs.Terminated {
			r.discount[i] = 0
		}
	}
	for k, at := range r.batch.Cuts {
		if r.from <= at && at < r.to {
			correct.FoldTruncation(r.reward, r.discount, at-r.from, gamma, r.tail[r.batch.B+k])
		}
	}
}

// trust writes m_t = 1 while the divergence of pi from the policy that acted is below the bound, else 0. It writes
// nothing where every step counts.
func (r *rows) trust(pi head) {
	if r.inside != nil {
		pi.trust(r.mask, r.kl, &r.data, float32(r.cfg.RhoBar), float32(r.cfg.TrustKL), r.cfg.Relevance)
	}
}

// part returns these rows of x, which has all rows. nil stays nil.
func (r *rows) part(x []float32) []float32 {
	if x == nil {
		return nil
	}
	return x[r.from:r.to]
}

// correct computes v_t, A_t and the weights of the policy gradient. values are V(x_t) of all rows; the targets of the
// rows behind these are present. PopArt updates its statistics and rescales the value head before any loss uses the
// targets (van Hasselt et al. 2016, algorithm 1).
func (r *rows) correct(advantage correct.Advantage, values []float32) {
	r.targetsOf(advantage, values)
	r.m.pop.observe(r.m.Theta, r.targets.VS, r.part(r.inside), r.batch)
	r.m.pop.unitScale(r.targets.Advantage, r.batch)
}

// targetsOf is correct without PopArt.
func (r *rows) targetsOf(advantage correct.Advantage, values []float32) {
	b, all := r.batch, &r.all
	if r.correction.Probabilities && !r.correction.Centred {
		r.pi.chosen(r.part(all.chosen), &r.data)
	}
	correct.ApplyRows(all.targets, r.correction, &correct.Unroll[float32]{
		T: b.T, B: b.B, Reward: all.reward, Discount: all.discount, Value: values, Bootstrap: r.tail[:b.B],
		Ratio: all.ratio, Mask: r.inside, Pi: all.chosen, Limits: r.limits,
	}, r.truncation, advantage, r.from, r.to)
}

// terms are the three losses, plain sums without their costs.
type terms struct{ policy, value, entropy float64 }

func (l *terms) add(o terms) {
	l.policy += o.policy
	l.value += o.value
	l.entropy += o.entropy
}

// terms computes the losses and their derivatives. counts weights the value loss of each step; nil is all ones.
func (r *rows) terms(values, counts []float32) (l terms, err error) {
	cfg, scale := r.cfg, scaleOf(r.batch, r.cfg)
	clear(r.dValues)
	l.policy = r.pi.gradient(&r.data, r.targets.Weight, r.targets.Advantage, float32(r.correction.LogEpsilon),
		float32(cfg.PolicyCost*scale))
	if r.correction.Centred {
		l.policy += r.pi.centre(&r.data, r.targets.Weight, r.targets.Advantage, r.limits.Centre,
			float32(cfg.PolicyCost*scale))
	}
	l.value = loss.Value(r.dValues, r.part(values), r.targets.VS, counts, float32(cfg.ValueCost*scale))
	r.entropyRows()
	l.entropy = r.pi.entropy(r.online, float32(cfg.Entropy*scale))
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

// entropyRows marks where entropy counts: on online data only (LASER §5.1), and within the trust region.
func (r *rows) entropyRows() {
	inside := r.part(r.inside)
	for i := range r.online {
		r.online[i] = 0
		if r.batch.Online[(r.from+i)%r.batch.B] {
			r.online[i] = 1
			if inside != nil {
				r.online[i] = inside[i]
			}
		}
	}
}
