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
// uses only the first. Each head's losses are IMPALA's (impalaLosses) with settings of its own.
type Stac struct {
	m      *Machine
	heads  []selfTuning
	outer  selfTuning // the first head at θ', with the run's settings
	tuning hyper.Tuning

	eta, slope []float32 // [heads, Metas] logits of the metaparameters, and dL_outer/dη
	meta       *optim.Adam

	dWide, dLast []float32 // the cotangents of all heads together
	grad, u      []float32 // ∇L_inner(θ; η) as the optimiser had it, and the direction (∂θ'/∂g)ᵀ·∇L_outer(θ')
	logits, vals []float32 // the motion of each head; before, the first head's outputs at θ'
	inner, again pass      // at θ and at θ'
	first        []terms   // the first head's losses, of each part of a batch, and why a part failed
	errs         []error
	slopes       *correct.TargetSlopes[float32]
	byGamma      correct.GammaSlope[float32]
	motion       loss.Motion[float32]
}

// selfTuning is one head: its memory of the batch, its outputs at θ, and the hyperparameters it learns with.
type selfTuning struct {
	*rows
	split        [][]*rows    // the same memory by the machine's parts
	zeta         hyper.Config // the settings with η in their places
	value, chain loss.Meta    // ζ(η) and dζ/dη
	logits, vals []float32    // [T·B, A], [T·B]
}

func newSelfTuning(m *Machine, cfg *hyper.Config, logits, vals []float32) selfTuning {
	r := newRows(m, cfg)
	return selfTuning{rows: r, split: r.parts(), logits: logits, vals: vals}
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
		m: m, tuning: tuning,
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
		s.heads = append(s.heads, newSelfTuning(m, cfg, rows(), row()))
	}
	for k := range s.eta {
		s.eta[k] = float32(cfg.MetaInit)
	}
	s.outer = newSelfTuning(m, cfg, s.logits, s.vals)
	s.meta.Kernels = m.Spec.Kernels
	s.first, s.errs = make([]terms, len(m.parts)), make([]error, len(m.parts))
	s.inner = pass{tail: s.innerTail, losses: s.innerLosses, dLogits: s.dWide, dValues: s.dLast}
	s.again = pass{tail: s.outerTail, losses: s.outerLosses, dLogits: s.dWide, dValues: s.dLast}
	return s
}

// Acting is θ itself, as in IMPALA.
func (s *Stac) Acting() []float32 { return s.m.Theta }

// State is η and the state of its optimiser.
func (s *Stac) State() [][]float32 { return append([][]float32{s.eta}, s.meta.State()...) }

// Update is one turn of Algorithm 2. An outer loss or a metagradient that is not finite is Diverged, and leaves θ
// and η as they were.
func (s *Stac) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	m := s.m

	// ∇L_inner(θ; η): the mean over the heads, each with its own η (lines 10 and 11).
	for i := range s.heads {
		s.inForce(&s.heads[i], s.eta[i*loss.Metas:], cfg)
		s.heads[i].start(b, now)
	}
	first, err := s.through(&s.inner, b)
	if err != nil {
		return err
	}

	// θ' = OPT(θ, ∇L_inner(θ; η)) (line 12).
	norm, err := m.Descend(m.gradient(s.dWide, s.dLast, cfg), cfg, lr)
	if err != nil {
		return err
	}
	copy(s.grad, m.grad)

	// L_outer = L(θ'; ζ) + g_kl·Σ KL(π_θ'‖π_θ), of the first head, v and A constants (lines 13 and 14).
	s.outer.zeta = *cfg
	s.outer.start(b, now)
	if _, err := s.through(&s.again, b); err != nil {
		return s.back(err)
	}
	pull := m.gradient(s.dWide, s.dLast, cfg)
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
	m.plan.Forward(m.before, b.Obs, b.State, b.Keep)
	wide, last := m.plan.Tangent(s.u)
	share := scaleOf(b, cfg) / float64(len(s.heads))
	for i := range s.heads {
		m.split(s.logits, s.vals, wide, last, i)
		s.differentiate(s.slope[i*loss.Metas:][:loss.Metas], &s.heads[i], b, share)
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
		s.heads[0].report(first, norm, now, out)
		for k, v := range s.heads[0].value {
			if s.tuning.On[k] && !(k == loss.MetaLeakC && s.tuning.OneLeak) {
				out.AlgoValues.Add(telemetry.Gamma+k, v, math.Inf(1))
			}
		}
	}
	return nil
}

// start prepares a head for a batch under its settings, after now updates.
func (h *selfTuning) start(b *traj.Batch, now uint64) {
	h.begin(b, &h.zeta, now, h.zeta.Correction, correct.Corrections[h.zeta.Correction].TrustRegion)
}

// through runs the network on b with the losses of p, and returns the sums of the first head.
func (s *Stac) through(p *pass, b *traj.Batch) (first terms, err error) {
	p.batch = b
	s.m.Pass(p)
	for i := len(s.first) - 1; i >= 0; i-- {
		first.add(s.first[i])
		if s.errs[i] != nil {
			err = s.errs[i]
		}
	}
	return first, err
}

func (s *Stac) innerTail(from int, wide, last []float32) {
	for k := range s.heads {
		s.m.valuesOf(s.heads[k].tail[from:], wide, last, k)
	}
}

func (s *Stac) outerTail(from int, wide, last []float32) {
	s.m.valuesOf(s.outer.tail[from:], wide, last, 0)
}

// innerLosses computes the losses of every head for the rows of m.parts[i].
func (s *Stac) innerLosses(i int, wide, last []float32) {
	s.first[i], s.errs[i] = terms{}, nil
	for j := range s.m.parts[i] {
		for k := range s.heads {
			h := &s.heads[k]
			l, err := s.losses(h, h.split[i][j], k, wide, last)
			if k == 0 {
				s.first[i].add(l)
			}
			if err != nil {
				s.errs[i] = err
			}
			s.join(h.split[i][j], k, 1/float32(len(s.heads)))
		}
	}
}

// outerLosses computes the outer loss for the same rows.
func (s *Stac) outerLosses(i int, wide, last []float32) {
	s.errs[i] = nil
	for j, r := range s.outer.split[i] {
		if _, err := s.losses(&s.outer, r, 0, wide, last); err != nil {
			s.errs[i] = err
		}
		before := s.heads[0].split[i][j]
		r.pi.divergenceFrom(before.pi, float32(r.cfg.OuterKL*scaleOf(r.batch, r.cfg)))
		s.join(r, 0, 1)
	}
}

// losses takes head k's outputs for r, rows of h, and computes their losses.
func (s *Stac) losses(h *selfTuning, r *rows, k int, wide, last []float32) (terms, error) {
	actions, width := s.m.Spec.Actions, s.m.Spec.Flat().Actions
	logits := h.logits[r.from*actions : r.to*actions]
	s.m.split(logits, h.vals[r.from:r.to], wide[r.from*width:r.to*width], last[r.from:r.to], k)
	return impalaLosses(r, logits, h.vals)
}

// join adds share of a head's derivatives to the derivatives of all heads. The first head comes first.
func (s *Stac) join(r *rows, k int, share float32) {
	width := s.m.Spec.Flat().Actions
	dWide, dLast := s.dWide[r.from*width:r.to*width], s.dLast[r.from:r.to]
	if k == 0 {
		clear(dWide)
		clear(dLast)
	}
	s.m.join(dWide, dLast, r.pi.cotangent(), r.dValues, k, share)
}

// back undoes the inner step.
func (s *Stac) back(why error) error {
	copy(s.m.Theta, s.m.before)
	return why
}
