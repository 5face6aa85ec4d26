// Package correct is the off-policy mathematics: importance weights, the V-trace family, the
// implied policy and the trust region. Plain Go on slices, so that the learner, the browser and
// the tests run the same lines.
//
// Every batch is time-major and flat: step t of trajectory b is at t·B+b, and a row of logits is
// that index times the number of actions. Ratios are IS_t = π(a_t|x_t)/μ(a_t|x_t).
package correct

import (
	"errors"
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

// Check rejects invalid values. Unsound reports valid values that break the theory.
func (t Truncation[F]) Check() error {
	if t == (Truncation[F]{}) {
		return errors.New("correct: the truncation was never set; V-trace's is ρ̄ = c̄ = ρ̄_pg = λ = α = 1")
	}
	for _, bar := range []struct {
		name  string
		value F
	}{{"ρ̄", t.RhoBar}, {"c̄", t.CBar}, {"ρ̄_pg", t.RhoBarPG}} {
		if !(bar.value >= 0) {
			return fmt.Errorf("correct: %s is %v; it must be 0 or more (infinity does not truncate)", bar.name, bar.value)
		}
	}
	for _, share := range []struct {
		name  string
		value F
	}{{"λ", t.Lambda}, {"α_ρ", t.LeakRho}, {"α_c", t.LeakC}} {
		if !(share.value >= 0 && share.value <= 1) {
			return fmt.Errorf("correct: %s is %v; it must lie in [0, 1]", share.name, share.value)
		}
	}
	return nil
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
