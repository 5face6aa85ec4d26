package algo

import (
	"math"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/optim"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Stac is the self-tuning actor-critic (Zahavy et al., 2020): IMPALA whose hyperparameters descend a loss of their own.
// Each batch is used twice: once to step with the current hyperparameters η, and once to ask how other η would have led
// to better parameters (Algorithm 2). The run's settings belong to the outer loss and stay; the inner loss uses η in
// their places.
//
// With more than one head it is STACX (§3.2): every head learns with its own η, the first one acts, and the outer loss
// uses only the first. A head's inner loss is IMPALA's, so each head is an Impala with its own settings.
type Stac struct {
	m      *Machine
	heads  []selfTuning
	outer  *Impala // the first head at θ'
	tuning hyper.Tuning

	eta, slope []float32 // [heads, Metas] logits of the metaparameters, and dL_outer/dη
	meta       *optim.Adam

	dWide, dLast []float32 // the cotangents of all heads together
	grad, u      []float32 // ∇L_inner(θ; η) as the optimiser had it, and the direction (∂θ'/∂g)ᵀ·∇L_outer(θ')
	tail         []float32 // V at θ' of the batch's tail
	logits, vals []float32 // the first head's at θ', then the motion of each head
	slopes       *correct.TargetSlopes[float32]
	byGamma      correct.GammaSlope[float32]
	motion       loss.Motion[float32]
}

// selfTuning is one head: its outputs for the batch at θ, and the hyperparameters it learns with.
type selfTuning struct {
	in           *Impala
	zeta         hyper.Config // the settings with η in their places
	value, chain loss.Meta    // ζ(η) and dζ/dη
	logits, vals []float32    // [T·B, A], [T·B]
	tail         []float32    // [B + cuts] V
}

// NewStac makes room for the batches of cfg, which must be valid. Every metaparameter starts at σ(cfg.MetaInit).
func NewStac(m *Machine, cfg *hyper.Config) *Stac {
	tuning, err := hyper.ParseTune(cfg.Tune)
	if err != nil {
		panic(err) // Set has read it before
	}
	n, heads := cfg.UnrollLen*cfg.BatchSize, m.heads()
	row := func() []float32 { return make([]float32, n) }
	rows := func() []float32 { return make([]float32, n*m.Spec.Actions) }
	s := &Stac{
		m: m, outer: NewImpala(m, cfg), tuning: tuning,
		eta: make([]float32, heads*loss.Metas), slope: make([]float32, heads*loss.Metas),
		meta:  optim.NewAdam(heads*loss.Metas, 0.9, 0.999, 1e-4), // STAC table 3
		dWide: make([]float32, n*m.Spec.Flat().Actions), dLast: row(),
		grad: make([]float32, len(m.Theta)), u: make([]float32, len(m.Theta)),
		logits: rows(), vals: row(),
		slopes:  correct.NewTargetSlopes[float32](cfg.UnrollLen, cfg.BatchSize),
		byGamma: correct.GammaSlope[float32]{Reward: row(), Discount: row()},
		motion:  loss.Motion[float32]{LogProb: row(), Entropy: row()},
	}
	for range heads {
		s.heads = append(s.heads, selfTuning{in: NewImpala(m, cfg), logits: rows(), vals: row()})
	}
	for k := range s.eta {
		s.eta[k] = float32(cfg.MetaInit)
	}
	s.meta.Kernels = m.Spec.Kernels
	return s
}

// Acting is θ itself, as in IMPALA.
func (s *Stac) Acting() []float32 { return s.m.Theta }

// State is η and the state of its optimiser.
func (s *Stac) State() [][]float32 { return append([][]float32{s.eta}, s.meta.State()...) }

// Update is one turn of Algorithm 2. An outer loss or a metagradient that is not finite is Diverged, and leaves θ
// and η as they were.
func (s *Stac) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	m, share, scale := s.m, 1/float32(len(s.heads)), scaleOf(b, cfg)

	// ∇L_inner(θ; η): the mean over the heads, each with its own η (lines 10 and 11).
	wide, last := m.Forward(b)
	clear(s.dWide)
	clear(s.dLast)
	var first terms
	for i := range s.heads {
		h := &s.heads[i]
		s.inForce(h, s.eta[i*loss.Metas:], cfg)
		m.split(h.logits, h.vals, wide, last, i)
		h.tail = room(h.tail, b.B+len(b.Cuts))
		m.tailOf(h.tail, b, i)
		l, err := h.in.losses(b, &h.zeta, h.logits, h.vals, h.tail)
		if err != nil {
			return err
		}
		if i == 0 {
			first = l
		}
		m.join(s.dWide, s.dLast, h.in.pi.cotangent(), h.in.dValues, i, share)
	}

	// θ' = OPT(θ, ∇L_inner(θ; η)) (line 12).
	norm, err := m.Descend(m.Backward(s.dWide, s.dLast), cfg, lr)
	if err != nil {
		return err
	}
	copy(s.grad, m.grad)

	// L_outer = L(θ'; ζ) + g_kl·Σ KL(π_θ'‖π_θ), of the first head, v and A constants (lines 13 and 14).
	wide, last = m.Forward(b)
	m.split(s.logits, s.vals, wide, last, 0)
	s.tail = room(s.tail, b.B+len(b.Cuts))
	m.tailOf(s.tail, b, 0)
	if _, err := s.outer.losses(b, cfg, s.logits, s.vals, s.tail); err != nil {
		return s.back(err)
	}
	s.outer.pi.divergenceFrom(s.heads[0].in.pi, float32(cfg.OuterKL*scale))
	clear(s.dWide)
	clear(s.dLast)
	m.join(s.dWide, s.dLast, s.outer.pi.cotangent(), s.outer.dValues, 0, 1)
	pull := m.Backward(s.dWide, s.dLast)
	if err := m.reduce(pull); err != nil {
		return s.back(err)
	}

	// u = (∂θ'/∂g)ᵀ·∇L_outer(θ'), back through the optimiser and the clip.
	m.Opt.Jacobian(s.u, s.grad, float32(lr))
	for i, g := range pull {
		s.u[i] *= g
	}
	optim.PullClip(s.u, s.grad, float32(norm), float32(cfg.Clip))

	// dL_outer/dη = ∂/∂η of the derivative of L_inner(θ; η) along u.
	m.plan.Forward(m.healthy, b.Obs, b.State, b.Keep)
	wide, last = m.plan.Tangent(s.u)
	for i := range s.heads {
		m.split(s.logits, s.vals, wide, last, i)
		s.differentiate(s.slope[i*loss.Metas:][:loss.Metas], &s.heads[i], b, scale/float64(len(s.heads)))
	}
	if err := m.reduce(s.slope); err != nil {
		return s.back(err)
	}
	for _, d := range s.slope {
		if math.IsNaN(float64(d)) || math.IsInf(float64(d), 0) {
			return s.back(Diverged("the metagradient is not finite"))
		}
	}

	// η ← Adam(η, dL_outer/dη) (line 15): one step an update, so now counts the steps.
	*s.meta.Count() = now
	s.meta.Step(s.eta, s.slope, float32(cfg.MetaRate))

	if out != nil {
		s.heads[0].in.report(b, first, norm, now, out)
		for k, v := range s.heads[0].value {
			if s.tuning.On[k] && !(k == loss.MetaLeakC && s.tuning.OneLeak) {
				out.Traces.Add(telemetry.Gamma+k, v, math.Inf(1))
			}
		}
	}
	return nil
}

// back undoes the inner step.
func (s *Stac) back(why error) error {
	copy(s.m.Theta, s.m.healthy)
	return why
}
