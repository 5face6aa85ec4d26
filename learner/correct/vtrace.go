// Package correct is the off-policy mathematics: importance weights, the V-trace family, the
// implied policy and the trust region. Plain Go on slices, so that the learner, the browser and
// the tests run the same lines.
//
// Every batch is time-major and flat: step t of trajectory b is at t·B+b, and a row of logits is
// that index times the number of actions. Ratios are IS_t = π(a_t|x_t)/μ(a_t|x_t).
package correct

import (
	"fmt"
	"math"
)

// Float is the type of the numbers: float32 in the learner and the browser, float64 in tests.
type Float interface{ ~float32 | ~float64 }

// Truncation holds the bounds and leaks of the importance weights (IMPALA eq. 1, STAC eq. 5). +Inf means no truncation.
// Check rejects the zero value, which would cut every weight to 0.
type Truncation[F Float] struct {
	RhoBar   F // ρ̄ ≥ 0: decides which policy is evaluated
	CBar     F // c̄ ≥ 0: decides how fast the values settle
	RhoBarPG F // ρ̄ of the policy gradient's weight; usually ρ̄
	Lambda   F // λ in [0,1], IMPALA's Remark 2
	LeakRho  F // α_ρ in [0,1]: 1 truncates fully, 0 not at all
	LeakC    F // α_c in [0,1]
}

// Rho is ρ_t = α_ρ·min(ρ̄, IS_t) + (1−α_ρ)·IS_t.
func (t Truncation[F]) Rho(is F) F { return leaky(t.LeakRho, t.RhoBar, is) }

// C is c_t = λ·(α_c·min(c̄, IS_t) + (1−α_c)·IS_t).
func (t Truncation[F]) C(is F) F {
	if t.Lambda == 0 { // 0·∞ is 0 here
		return 0
	}
	return t.Lambda * leaky(t.LeakC, t.CBar, is)
}

// RhoPG weights the policy gradient: ρ_t with the truncation ρ̄_pg.
func (t Truncation[F]) RhoPG(is F) F { return leaky(t.LeakRho, t.RhoBarPG, is) }

// leaky is α·min(bar, IS) + (1−α)·IS, written so that neither 0·∞ nor ∞−∞ arises, and so that a NaN ratio stays NaN
// instead of becoming bar.
func leaky[F Float](alpha, bar, is F) F {
	if !(is > bar) {
		return is // both terms are the ratio
	}
	if alpha == 1 {
		return bar
	}
	return alpha*bar + (1-alpha)*is
}

// Unsound names the conditions of the theory that t breaks; it is empty when t is sound. The contraction proof needs
// ρ_t ≥ c_t for every ratio. Both are linear in IS below and above their bounds, so it suffices to compare them at IS =
// c̄ and to compare their slopes for large IS. STAC prints α_ρ ≥ α_c; since α = 1 truncates most, the right order is
// the reverse.
func (t Truncation[F]) Unsound() []string {
	var broken []string
	if !math.IsInf(float64(t.CBar), 1) && t.Rho(t.CBar) < t.C(t.CBar) {
		broken = append(broken, fmt.Sprintf("ρ̄ = %v is below c̄ = %v: some ρ_t are smaller than c_t, and the update need "+
			"not contract", t.RhoBar, t.CBar))
	}
	slopeRho, slopeC := 1-effective(t.LeakRho, t.RhoBar), t.Lambda*(1-effective(t.LeakC, t.CBar))
	if slopeRho < slopeC {
		if math.IsInf(float64(t.CBar), 1) && t.LeakC > 0 {
			broken = append(broken, fmt.Sprintf("c̄ = ∞ is above ρ̄ = %v: large ratios make c_t exceed ρ_t, and the update "+
				"need not contract", t.RhoBar))
		} else {
			broken = append(broken, fmt.Sprintf("α_ρ = %v is above α_c = %v: large ratios make c_t exceed ρ_t, and the "+
				"update need not contract", t.LeakRho, t.LeakC))
		}
	}
	if t.RhoBar == 0 && t.LeakRho == 1 {
		broken = append(broken, "ρ̄ = 0 makes every ρ_t zero: the values do not move at all")
	}
	return broken
}

// effective returns the leak that applies: an infinite bound truncates nothing for any α.
func effective[F Float](alpha, bar F) F {
	if math.IsInf(float64(bar), 1) {
		return 0
	}
	return alpha
}

// ceiling limits weights and targets. It is not part of the mathematics: without truncation a product of ratios exceeds
// float32's range, and ∞−∞ or 0·∞ would end a run.
const ceiling = 1e30

func finite[F Float](x F) F {
	switch { // not min and max, which distinguish −0 from 0 and are slower
	case x > ceiling:
		return ceiling
	case x < -ceiling:
		return -ceiling
	}
	return x
}

// The V-trace family: one recursion for V-trace, leaky V-trace, importance sampling, n-step
// returns and LASER's trust region. They differ only in the weights that go in.

// Unroll is the recursion's input: T steps of B trajectories. The recursion does not modify it.
type Unroll[F Float] struct {
	T, B      int
	Reward    []F // [T,B]
	Discount  []F // [T,B] γ_t: γ while the episode continues, 0 if it ended at t
	Value     []F // [T,B] V(x_t)
	Bootstrap []F // [B] V(x_T)
	Ratio     []F // [T,B] IS_t; NStep does not use it
	Mask      []F // [T,B] m_t, 0 or 1; nil is all ones

	Pi     []F    // [T,B] π(a_t|x_t), for corrections that compare probabilities
	Limits Limits // of the weights in forms.go
}

// Advantage selects the A_t of the policy gradient.
type Advantage uint8

const (
	AdvantageVTrace    Advantage = iota // r_t + γ_t·v_{t+1} − V_t   IMPALA §4.2
	AdvantageBootstrap                  // r_t + γ_t·V_{t+1} − V_t   IMPALA appendix E.3
	AdvantageLASER                      // v_t − V_t                 LASER Algorithm 1
)

// AdvantageNames are the advantages as settings and links spell them.
var AdvantageNames = []string{AdvantageVTrace: "vtrace", AdvantageBootstrap: "bootstrap", AdvantageLASER: "laser"}

func (a Advantage) String() string { return AdvantageNames[a] }

// Targets is the recursion's output, all [T,B]. The losses treat it as constant: no gradient passes through.
type Targets[F Float] struct {
	VS        []F // v_t, the value target
	Gap       []F // v_t − V_t
	Advantage []F // A_t, not weighted
	Rho, C    []F // ρ_t, c_t as used, without the mask
	Weight    []F // factor of the policy gradient of step t: m_t·ρ_t with ρ̄_pg, or m_t·c_t of forms.go

	level  []F       // [T,B] scratch of levels
	order  []int32   // scratch of moments: steps by (log w)²
	square []float64 // and these
}

// NewTargets allocates targets for T steps of B trajectories.
func NewTargets[F Float](T, B int) *Targets[F] {
	n := T * B
	room := make([]F, 6*n)
	part := func(i int) []F { return room[i*n : (i+1)*n : (i+1)*n] }
	return &Targets[F]{VS: part(0), Gap: part(1), Advantage: part(2), Rho: part(3), C: part(4), Weight: part(5)}
}

// Rows returns a view of the targets of rows from to to−1.
func (t *Targets[F]) Rows(from, to int) *Targets[F] {
	return &Targets[F]{VS: t.VS[from:to], Gap: t.Gap[from:to], Advantage: t.Advantage[from:to], Rho: t.Rho[from:to],
		C: t.C[from:to], Weight: t.Weight[from:to]}
}

// VTrace computes targets and advantages of leaky V-trace with λ and mask (IMPALA eq. 1 and Remarks 1 and 2, STAC eq.
// 5, LASER eq. 8). With λ < 1 the advantage bootstraps from v_{t+1}, as in the paper, not from a mixture with V_{t+1}.
// The learner computes the same by ApplyRows, whose correction names the recursion.
func VTrace[F Float](out *Targets[F], in *Unroll[F], clip Truncation[F], adv Advantage) {
	vTrace(out, in, clip, adv, 0, in.T*in.B)
}

func vTrace[F Float](out *Targets[F], in *Unroll[F], clip Truncation[F], adv Advantage, from, to int) {
	check(out, in)
	sameLen(len(in.Ratio), in.T*in.B)
	for i := from; i < to; i++ {
		is := in.Ratio[i]
		out.Rho[i] = finite(clip.Rho(is))
		out.C[i] = finite(clip.C(is))
		out.Weight[i] = finite(clip.RhoPG(is))
	}
	maskWeights(out, in, from, to)
	recur(out, in, adv, from, to)
}

// nStep is vTrace without a correction: every weight is 1, v_t is the n-step return.
func nStep[F Float](out *Targets[F], in *Unroll[F], adv Advantage, from, to int) {
	check(out, in)
	for i := from; i < to; i++ {
		out.Rho[i], out.C[i], out.Weight[i] = 1, 1, 1
	}
	maskWeights(out, in, from, to)
	recur(out, in, adv, from, to)
}

func maskWeights[F Float](out *Targets[F], in *Unroll[F], from, to int) {
	if in.Mask != nil {
		for i := from; i < to; i++ {
			out.Weight[i] *= in.Mask[i]
		}
	}
}

// recur runs IMPALA's Remark 1 backwards through rows to−1 to from of all trajectories, after the rows behind these. It
// carries v_{t+1} − V_{t+1}, because subtracting the two again would cost float32 its last digits.
func recur[F Float](out *Targets[F], in *Unroll[F], adv Advantage, from, to int) {
	for i := to - 1; i >= from; i-- {
		var targetNext, valueNext, carry F // v_{t+1}, V_{t+1} and their difference
		if next := i + in.B; next < in.T*in.B {
			targetNext, valueNext, carry = out.VS[next], in.Value[next], out.Gap[next]
		} else { // v_T = V_T
			targetNext, valueNext = in.Bootstrap[i%in.B], in.Bootstrap[i%in.B]
		}
		reward, discount, value := in.Reward[i], in.Discount[i], in.Value[i]

		// δ_t = r_t + γ_t·V_{t+1} − V_t
		delta := reward + discount*valueNext - value
		// v_t − V_t = m_t·( ρ_t·δ_t + γ_t·c_t·(v_{t+1} − V_{t+1}) )
		own, later := finite(out.Rho[i]*delta), finite(discount*out.C[i]*carry)
		gap := finite(own + later)
		if in.Mask != nil {
			gap *= in.Mask[i]
		}

		switch adv {
		case AdvantageVTrace:
			out.Advantage[i] = reward + discount*targetNext - value
		case AdvantageBootstrap:
			out.Advantage[i] = delta
		case AdvantageLASER:
			out.Advantage[i] = gap
		default:
			panic("correct: unknown kind of advantage")
		}
		out.VS[i], out.Gap[i] = value+gap, gap
	}
}

// FoldTruncation turns a step at which a time limit cut the episode into a step that the recursion treats as an end. at
// is a flat index, t·B+b. finalValue is V of the state in which the episode was cut, not of the next episode's first
// state. Call FoldTruncation again whenever V changes.
//
// The recursion is unchanged: δ_t = (r_t + γ·V(final)) + 0·V_{t+1} − V_t is the δ_t of a step into the final state, and
// 0·c_t·(v_{t+1}−V_{t+1}) is its carry, since v = V where the data end.
func FoldTruncation[F Float](reward, discount []F, at int, gamma, finalValue F) {
	reward[at] += gamma * finalValue
	discount[at] = 0
}

func check[F Float](out *Targets[F], in *Unroll[F]) {
	n := in.T * in.B
	if in.T < 1 || in.B < 1 {
		panic("correct: an unroll has at least one step and one trajectory")
	}
	sameLen(len(in.Reward), n)
	sameLen(len(in.Discount), n)
	sameLen(len(in.Value), n)
	sameLen(len(in.Bootstrap), in.B)
	if in.Mask != nil {
		sameLen(len(in.Mask), n)
	}
	sameLen(len(out.VS), n)
	sameLen(len(out.Gap), n)
	sameLen(len(out.Advantage), n)
	sameLen(len(out.Rho), n)
	sameLen(len(out.C), n)
	sameLen(len(out.Weight), n)
}
