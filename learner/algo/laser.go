package algo

import (
	"math"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Laser is the learner of LASER (Schmitt, Hessel and Simonyan, 2020), in the order of its Algorithm 1. Read it beside
// impala.go. Four things differ. Most of a batch comes from the replay (the learner mixes it, by the share mix). A mask
// leaves out every step that is too far from π. Entropy counts online only. If the replay draws by priority, each
// trajectory has a weight and reports its surprise.
type Laser struct{ *onePass }

// NewLaser makes room for the batches of cfg.
func NewLaser(m *Machine, cfg *hyper.Config) *Laser { return &Laser{newOnePass(m, cfg, laserLosses)} }

// Update learns from one batch and describes it in out, unless that is nil. The mask is always there, under any
// correction; trust=inf lets every step pass. b.Surprise tells the replay how much each trajectory is worth.
func (a *Laser) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	// "Evaluate the target policy π_k on the sampled transitions", and V at every x_t, x_T and cut.
	l, err := a.through(b, cfg, now, cfg.Correction, true)
	if err != nil {
		return err
	}
	a.surprise()
	return a.descend(l, lr, now, out)
}

// laserLosses computes LASER's losses of r.
func laserLosses(r *rows, logits, values []float32) (terms, error) {
	r.read(logits)
	r.returns()
	r.pi.ratios(r.ratio, &r.data)

	// M_{b,t} = KL(π(·|s_{b,t})‖π̃_μ) < b: §4.3's distance; Algorithm 1 prints KL(π‖μ), which is relevance=behaviour.
	r.trust(r.pi)

	// The trust-region V-trace return, eq. 8: the trace stops where the mask does. IMPALA's advantage by default;
	// Algorithm 1's A = v_t − V_t is advantage=laser.
	r.correct(r.cfg.Advantage, values)
	if err := r.ownWeights(); err != nil {
		return terms{}, err
	}

	// ∇ Σ_{t,b} [L_V + L_P]·M_{t,b}, each trajectory times its importance weight; correct has put m_t into Weight.
	// Entropy counts on the online data only: it "provided slightly better results", §5.1.
	for i := range r.counts {
		w := r.batch.Weight[r.from+i]
		r.counts[i] = r.mask[i] * w
		r.targets.Weight[i] *= w
	}
	return r.terms(values, r.counts)
}

// surprise writes the mean |v_t − V_t| of each trajectory, its priority if the replay draws by priority
// ("prioritization via the critic's loss", figure 4). With PopArt it has the scale of that loss. A step outside the
// trust region has v_t = V_t, a surprise of 0. An episode's priority takes the errors of its own steps.
func (a *Laser) surprise() {
	b := a.batch
	clear(b.Surprise)
	for i, v := range a.values {
		b.Errors[i] = float32(math.Abs(float64(a.targets.VS[i] - v)))
		b.Surprise[i%b.B] += b.Errors[i] / float32(b.T)
	}
	a.m.pop.unitScale(b.Surprise, b)
	a.m.pop.unitScale(b.Errors, b)
}
