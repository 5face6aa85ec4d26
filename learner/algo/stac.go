package algo

import (
	"math"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/optim"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Stac is the self-tuning actor-critic (Zahavy et al., 2020): IMPALA whose hyperparameters descend a loss of their
// own. Each batch is seen twice: once to step with the hyperparameters η as they are, and once to ask how the
// parameters that came out would have been better (Algorithm 2). The settings of the run are those of the outer
// loss, which stay; η is where the inner loss takes its own from.
type Stac struct {
	inner, outer *Impala      // the same batch at θ and at θ'
	zeta         hyper.Config // the settings with η in their places
	tuning       hyper.Tuning

	logits, slope []float32 // η [Metas], and dL_outer/dη
	meta          *optim.Adam

	grad, u []float32 // ∇L_inner(θ; η) as the optimiser had it, and the direction (∂θ'/∂g)ᵀ·∇L_outer(θ')
	tail    []float32 // V at θ of the batch's tail
	slopes  *correct.TargetSlopes[float32]
	byGamma correct.GammaSlope[float32]
	motion  loss.Motion[float32]
}

// NewStac makes room for the batches of cfg, which must be valid. Every metaparameter starts at σ(cfg.MetaInit).
func NewStac(m *Machine, cfg *hyper.Config) *Stac {
	tuning, err := hyper.ParseTune(cfg.Tune)
	if err != nil {
		panic(err) // Set has read it before
	}
	n := cfg.UnrollLen * cfg.BatchSize
	row := func() []float32 { return make([]float32, n) }
	s := &Stac{
		inner: NewImpala(m, cfg), outer: NewImpala(m, cfg), tuning: tuning,
		logits: make([]float32, loss.Metas), slope: make([]float32, loss.Metas),
		meta: optim.NewAdam(loss.Metas, 0.9, 0.999, 1e-4), // STAC table 3
		grad: make([]float32, len(m.Theta)), u: make([]float32, len(m.Theta)),
		slopes:  correct.NewTargetSlopes[float32](cfg.UnrollLen, cfg.BatchSize),
		byGamma: correct.GammaSlope[float32]{Reward: row(), Discount: row()},
		motion:  loss.Motion[float32]{LogProb: row(), Entropy: row()},
	}
	for k := range s.logits {
		s.logits[k] = float32(cfg.MetaInit)
	}
	return s
}

// Acting is θ itself, as in IMPALA.
func (s *Stac) Acting() []float32 { return s.inner.Acting() }

// State is η and what its optimiser remembers of it.
func (s *Stac) State() [][]float32 { return append([][]float32{s.logits}, s.meta.State()...) }

// Update is one turn of Algorithm 2. An outer loss or a metagradient that is not finite is Diverged, and leaves θ
// and η as they were.
func (s *Stac) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	m := s.inner.m
	values, chain := s.inForce(cfg)

	// θ' = OPT(θ, ∇L_inner(θ; η)): IMPALA's own update, with η for settings.
	if err := s.inner.Update(b, &s.zeta, lr, now, out); err != nil {
		return err
	}
	copy(s.grad, m.grad)
	s.tail = append(s.tail[:0], m.values[:b.B+len(b.Cuts)]...)
	if out != nil {
		for k, v := range values {
			out.Meta[k] = float32(v)
		}
	}

	// L_outer = L(θ'; ζ) + g_kl·Σ KL(π_θ'‖π_θ), v and A constants: IMPALA's loss where the step has led.
	scale := 1.0
	if cfg.Reduce == "mean" {
		scale = 1 / float64(b.T*b.B)
	}
	if _, err := s.outer.losses(b, cfg); err != nil {
		return s.back(err)
	}
	after := loss.Policy[float32]{Prob: s.outer.pi, LogProb: s.outer.logPi, Actions: b.Actions}
	loss.KLFrom(s.outer.dLogits, after, s.inner.logPi, float32(cfg.OuterKL*scale))
	pull := m.Backward(s.outer.dLogits, s.outer.dValues)

	// u = (∂θ'/∂g)ᵀ·∇L_outer(θ'), through the optimiser and the clip.
	m.Opt.Slope(s.u, s.grad, float32(lr))
	for i, g := range pull {
		s.u[i] *= g
	}
	optim.PullClip(s.u, s.grad, float32(s.inner.norm), float32(cfg.Clip))

	// dL_outer/dη = ∂/∂η of the derivative of L_inner(θ; η) along u.
	zeta := s.differentiate(b)
	for k := range s.slope {
		s.slope[k] = 0
		if s.tuning.On[k] {
			s.slope[k] = float32(zeta[k] * scale * chain[k])
		}
	}
	if s.tuning.OneLeak {
		s.slope[loss.MetaLeakRho] += s.slope[loss.MetaLeakC]
		s.slope[loss.MetaLeakC] = 0
	}
	for _, d := range s.slope {
		if math.IsNaN(float64(d)) || math.IsInf(float64(d), 0) {
			return s.back(Diverged("the metagradient is not finite"))
		}
	}

	// η ← Adam(η, dL_outer/dη): one step an update, so that now counts them.
	*s.meta.Count() = now
	s.meta.Step(s.logits, s.slope, float32(cfg.MetaRate))
	return nil
}

// inForce writes the inner loss's settings and says what they are, and how each moves with its logit: σ(η) for γ, λ
// and α, σ(η) times the outer coefficient for the costs, and the outer loss's own value where nothing is tuned.
func (s *Stac) inForce(cfg *hyper.Config) (values, chain loss.Meta) {
	outer := truncation(cfg)
	if correction, err := correct.LookupCorrection(cfg.Correction); err == nil {
		outer = correct.InForce(correction, outer)
	}
	values = loss.Meta{cfg.Gamma, cfg.Lambda, float64(outer.LeakRho), float64(outer.LeakC), cfg.ValueCost, cfg.PolicyCost, cfg.Entropy}
	for k, on := range s.tuning.On {
		if !on {
			continue
		}
		from := k
		if k == loss.MetaLeakC && s.tuning.OneLeak {
			from = loss.MetaLeakRho
		}
		share, slope := loss.Squash(float64(s.logits[from]))
		of := 1.0
		if k >= loss.MetaValueCost {
			of = values[k]
		}
		values[k], chain[k] = share*of, slope*of
	}
	z := &s.zeta
	*z = *cfg
	z.Correction = "leaky"
	z.Gamma, z.Lambda, z.LeakRho, z.LeakC = values[loss.MetaGamma], values[loss.MetaLambda], values[loss.MetaLeakRho], values[loss.MetaLeakC]
	z.ValueCost, z.PolicyCost, z.Entropy = values[loss.MetaValueCost], values[loss.MetaPolicyCost], values[loss.MetaEntropyCost]
	return values, chain
}

// differentiate is ∂/∂ζ of the derivative of L_inner along u, at θ.
func (s *Stac) differentiate(b *traj.Batch) loss.Meta {
	in := s.inner
	_, value, tLogits, tValues := in.m.Along(s.u, b.Obs)
	for i, end := range b.End {
		s.byGamma.Reward[i], s.byGamma.Discount[i] = 0, 0
		if envs.End(end) == envs.Running {
			s.byGamma.Discount[i] = 1
		}
	}
	for k, at := range b.Cuts {
		s.byGamma.Reward[at] = s.tail[b.B+k] // V of the state the episode was cut in
	}
	unroll := correct.Unroll[float32]{
		T: b.T, B: b.B, Reward: in.reward, Discount: in.discount, Value: value, Bootstrap: s.tail[:b.B], Ratio: in.ratio,
	}
	advantage, _ := correct.LookupAdvantage(s.zeta.Advantage) // losses has looked it up before
	correct.VTraceSlopes(s.slopes, in.targets, &unroll, s.byGamma, in.cut, advantage)
	s.motion.Value = tValues
	loss.Move(s.motion, loss.Policy[float32]{Prob: in.pi, LogProb: in.logPi, Actions: b.Actions}, b.Action, tLogits)
	return loss.MetaGradient(&loss.Terms[float32]{
		Weight: in.targets.RhoPG, Advantage: in.targets.Advantage, Target: in.targets.VS, Value: value,
		DWeight: s.slopes.RhoPG, DAdvantage: s.slopes.Advantage, DTarget: s.slopes.VS, Count: in.online,
	}, s.motion, s.zeta.ValueCost, s.zeta.PolicyCost, s.zeta.Entropy)
}

// back undoes the inner step.
func (s *Stac) back(why error) error {
	copy(s.inner.m.Theta, s.inner.m.healthy)
	return why
}
