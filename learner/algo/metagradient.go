package algo

import (
	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/traj"
)

// inForce writes a head's hyperparameters and their derivatives in its logits: σ(η) for γ, λ and α, σ(η) times the
// outer coefficient for the costs, and the outer loss's own value for each that is not tuned.
func (s *Stac) inForce(h *selfTuning, eta []float32, cfg *hyper.Config) {
	outer := hyper.InForce[float32](cfg)
	h.value = loss.Meta{cfg.Gamma, cfg.Lambda, float64(outer.LeakRho), float64(outer.LeakC), cfg.ValueCost, cfg.PolicyCost,
		cfg.Entropy}
	for k, on := range s.tuning.On {
		if !on {
			continue
		}
		from := k
		if k == loss.MetaLeakC && s.tuning.OneLeak {
			from = loss.MetaLeakRho
		}
		share, slope := loss.Squash(float64(eta[from]))
		of := 1.0
		if k >= loss.MetaValueCost {
			of = h.value[k]
		}
		h.value[k], h.chain[k] = share*of, slope*of
	}
	z, v := &h.zeta, &h.value
	*z = *cfg
	z.Correction = correct.MethodLeaky
	z.Gamma, z.Lambda, z.LeakRho, z.LeakC = v[loss.MetaGamma], v[loss.MetaLambda], v[loss.MetaLeakRho], v[loss.MetaLeakC]
	z.ValueCost, z.PolicyCost, z.Entropy = v[loss.MetaValueCost], v[loss.MetaPolicyCost], v[loss.MetaEntropyCost]
}

// differentiate writes ∂/∂η of share times the derivative of a head's L_inner along u; s.logits and s.vals are how
// its outputs begin to move.
func (s *Stac) differentiate(slope []float32, h *selfTuning, b *traj.Batch, share float64) {
	for i, end := range b.End {
		s.byGamma.Reward[i], s.byGamma.Discount[i] = 0, 0
		if envs.End(end) == envs.Running {
			s.byGamma.Discount[i] = 1
		}
	}
	for k, at := range b.Cuts {
		s.byGamma.Reward[at] = h.tail[b.B+k] // V of the state the episode was cut in
	}
	unroll := correct.Unroll[float32]{
		T: b.T, B: b.B, Reward: h.reward, Discount: h.discount, Value: h.vals, Bootstrap: h.tail[:b.B], Ratio: h.ratio,
	}
	correct.VTraceSlopes(s.slopes, h.targets, &unroll, s.byGamma, h.truncation, h.zeta.Advantage)
	s.motion.Value = s.vals
	h.pi.move(s.motion, b, s.logits)
	zeta := loss.MetaGradient(&loss.Terms[float32]{
		Weight: h.targets.Weight, Advantage: h.targets.Advantage, Target: h.targets.VS, Value: h.vals,
		DWeight: s.slopes.Weight, DAdvantage: s.slopes.Advantage, DTarget: s.slopes.VS, Count: h.online,
	}, s.motion, h.zeta.ValueCost, h.zeta.PolicyCost, h.zeta.Entropy)
	for k := range slope {
		slope[k] = float32(zeta[k] * share * h.chain[k]) // chain is 0 where nothing is tuned
	}
	if s.tuning.OneLeak {
		slope[loss.MetaLeakRho] += slope[loss.MetaLeakC]
		slope[loss.MetaLeakC] = 0
	}
}
