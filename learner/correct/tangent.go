// How V-trace's targets move with its own hyperparameters: the derivatives that STAC's metagradient
// needs (Zahavy et al., 2020, §3 and Algorithm 1). Forward mode: each number carries its four
// derivatives back through the recursion. The ratios and every V inside it are constants here.
package correct

// Tuned are the hyperparameters the targets depend on, in the order of a Slope.
const (
	ByGamma   = iota // γ
	ByLambda         // λ
	ByLeakRho        // α_ρ
	ByLeakC          // α_c
	Tuned
)

// Slope is the derivative of one number with respect to γ, λ, α_ρ and α_c.
type Slope[F Float] = [Tuned]F

// TargetSlopes are the derivatives of Targets, all [T,B].
type TargetSlopes[F Float] struct {
	VS, Advantage []Slope[F]
	Weight        []F // in α_ρ, the only one it depends on; with the mask
}

// NewTargetSlopes makes room for T steps of B trajectories.
func NewTargetSlopes[F Float](T, B int) *TargetSlopes[F] {
	n := T * B
	return &TargetSlopes[F]{VS: make([]Slope[F], n), Advantage: make([]Slope[F], n), Weight: make([]F, n)}
}

// GammaSlope holds the derivatives of a step's reward and discount in γ, both [T,B]: 0 and 1 while the episode
// continues, 0 and 0 where it ended, and V(final) and 0 where FoldTruncation added γ·V(final) to the reward.
type GammaSlope[F Float] struct{ Reward, Discount []F }

// VTraceSlopes differentiates the results of VTrace: at must hold them, under the same clip and adv.
func VTraceSlopes[F Float](out *TargetSlopes[F], at *Targets[F], in *Unroll[F], gamma GammaSlope[F], clip Truncation[F],
	adv Advantage) {
	check(at, in)
	n := in.T * in.B
	sameLen(len(in.Ratio), n)
	sameLen(len(gamma.Reward), n)
	sameLen(len(gamma.Discount), n)
	sameLen(len(out.VS), n)
	sameLen(len(out.Advantage), n)
	sameLen(len(out.Weight), n)
	for b := range in.B {
		targetNext, valueNext := in.Bootstrap[b], in.Bootstrap[b] // v_T = V_T
		carry, dCarry := F(0), Slope[F]{}                         // v_{t+1} − V_{t+1}, and how it moves; V_{t+1} does not
		for i := (in.T-1)*in.B + b; i >= 0; i -= in.B {
			is, mask := in.Ratio[i], F(1)
			if in.Mask != nil {
				mask = in.Mask[i]
			}
			rho, c, discount := at.Rho[i], at.C[i], in.Discount[i]

			// ρ_t = α_ρ·min(ρ̄, IS) + (1−α_ρ)·IS;  c_t = λ·(α_c·min(c̄, IS) + (1−α_c)·IS)
			dRho := overBar(clip.RhoBar, is)
			cLambda := finite(leaky(clip.LeakC, clip.CBar, is))
			cLeak := clip.Lambda * overBar(clip.CBar, is)
			out.Weight[i] = mask * overBar(clip.RhoBarPG, is)

			// δ_t = r_t + γ_t·V_{t+1} − V_t
			delta := in.Reward[i] + discount*valueNext - in.Value[i]
			dDelta := gamma.Reward[i] + gamma.Discount[i]*valueNext

			// v_t − V_t = m_t·( ρ_t·δ_t + γ_t·c_t·(v_{t+1} − V_{t+1}) ): the product rule, term by term
			gap := Slope[F]{
				ByGamma:   rho*dDelta + gamma.Discount[i]*c*carry,
				ByLambda:  discount * cLambda * carry,
				ByLeakRho: dRho * delta,
				ByLeakC:   discount * cLeak * carry,
			}
			for k := range gap {
				gap[k] = mask * finite(gap[k]+discount*c*dCarry[k])
			}

			// A_t = r_t + γ_t·v_{t+1} − V_t, or one of the other two
			var dA Slope[F]
			switch adv {
			case AdvantageVTrace:
				for k := range dA {
					dA[k] = discount * dCarry[k]
				}
				dA[ByGamma] += gamma.Reward[i] + gamma.Discount[i]*targetNext
			case AdvantageBootstrap:
				dA[ByGamma] = dDelta
			case AdvantageLASER:
				dA = gap
			default:
				panic("correct: unknown kind of advantage")
			}
			out.VS[i], out.Advantage[i] = gap, dA
			targetNext, valueNext = at.VS[i], in.Value[i]
			carry, dCarry = mask*finite(finite(rho*delta)+finite(discount*c*carry)), gap // as in recur
		}
	}
}

// overBar is the derivative of leaky in its α: min(bar, IS) − IS.
func overBar[F Float](bar, is F) F {
	if !(is > bar) {
		return 0
	}
	return finite(bar - is)
}
