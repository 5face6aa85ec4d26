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
type Laser struct {
	*Impala
	counts []float32 // [T, B] m_t·w_b
}

// NewLaser makes room for the batches of cfg.
func NewLaser(m *Machine, cfg *hyper.Config) *Laser {
	a := &Laser{Impala: NewImpala(m, cfg), counts: make([]float32, cfg.UnrollLen*cfg.BatchSize)}
	a.divide(func(from, to int) part { return &Laser{a.view(from, to), a.counts[from:to]} })
	return a
}

// Update learns from one batch and describes it in out, unless that is nil. The mask is always there, under any
// correction; trust=inf lets every step pass. b.Surprise tells the replay how much each trajectory is worth.
func (a *Laser) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	// "Evaluate the target policy π_k on the sampled transitions", and V at every x_t, x_T and cut.
	a.begin(cfg, cfg.Correction, true)
	l, values, err := a.through(b, cfg)
	if err != nil {
		return err
	}
	a.surprise(b, values)
	return a.descend(b, cfg, l, lr, now, out)
}

// losses computes the loss of a's rows from the network's outputs, with its derivative in pi and dValues.
func (a *Laser) losses(b *traj.Batch, cfg *hyper.Config, raw, values, tail []float32) (terms, error) {
	a.pi.read(raw)
	a.returns(b, cfg, tail)
	a.pi.ratios(a.ratio, &a.rows)

	// M_{b,t} = KL(π(·|s_{b,t})‖π̃_μ) < b: §4.3's distance; Algorithm 1 prints KL(π‖μ), which is relevance=behaviour.
	a.pi.trust(a.mask, a.kl, &a.rows, float32(cfg.RhoBar), float32(cfg.TrustKL), cfg.Relevance)

	// The trust-region V-trace return, eq. 8: the trace stops where the mask does. IMPALA's advantage by default;
	// Algorithm 1's A = v_t − V_t is advantage=laser.
	a.correct(b, cfg.Advantage, values, tail)

	// ∇ Σ_{t,b} [L_V + L_P]·M_{t,b}, each trajectory times its importance weight; correct has put m_t into RhoPG.
	// Entropy counts on the online data only: it "provided slightly better results", §5.1.
	for i := range a.counts {
		w := b.Weight[a.from+i]
		a.counts[i] = a.mask[i] * w
		a.targets.RhoPG[i] *= w
	}
	return a.terms(b, cfg, values[a.from:a.to], a.counts)
}

// surprise writes the mean |v_t − V_t| of each trajectory, its priority if the replay draws by priority
// ("prioritization via the critic's loss", figure 4). With PopArt it has the scale of that loss. A step outside the
// trust region has v_t = V_t, a surprise of 0. An episode's priority takes the errors of its own steps.
func (a *Laser) surprise(b *traj.Batch, values []float32) {
	clear(b.Surprise)
	for i, v := range values {
		b.Errors[i] = float32(math.Abs(float64(a.targets.VS[i] - v)))
		b.Surprise[i%b.B] += b.Errors[i] / float32(b.T)
	}
	a.m.pop.unitScale(b.Surprise, b)
	a.m.pop.unitScale(b.Errors, b)
}
