package correct

import (
	"math"
	"testing"
)

// The reason of a step agrees with its weight, under each correction, for steps on both sides of each limit.
func TestTheReasonOfAStepAgreesWithItsWeight(t *testing.T) {
	const rho = 1.5
	told := map[Fate]map[Method]bool{}
	for i := range Corrections {
		m, c := Method(i), &Corrections[i]
		for i, half := range []Half{HalfBad, HalfGood, HalfGood} {
			l := Limits{Floor: 0.5, Ceiling: 3, ClipLow: 0.2, ClipHigh: 0.28, Half: half, Shift: 0.15, Moment: 0.3,
				TaperLow: 0.5 * float64(i+1), TaperHigh: 1 + float64(i), Centre: CentreOf(i)}
			for _, w := range []float64{0, 0.3, 0.79, 0.81, 1, 1.27, 1.29, 2, 4} {
				for _, a := range []float64{-2, 0, 1} {
					in := &Unroll[float64]{T: 1, B: 1, Reward: []float64{a}, Discount: []float64{0}, Value: []float64{0},
						Bootstrap: []float64{0}, Ratio: []float64{w}, Pi: []float64{min(0.9, w*0.3)}, Limits: l}
					if c.TrustRegion {
						in.Mask = []float64{1}
					}
					out := NewTargets[float64](1, 1)
					clip := InForce(c, Truncation[float64]{rho, rho, rho, 1, 0.5, 0.5})
					Apply(out, c, in, clip, AdvantageVTrace) // a person's own leaves every weight 1
					got := out.Weight[0]
					why := m.Why(l, rho, Step{Ratio: w, Advantage: a, Pi: in.Pi[0]}, got)
					want := map[Fate]bool{Kept: got == w, Cut: 0 < got && got < w, LeftOut: got == 0 && w > 0,
						Tapered: got == max(l.TaperLow, min(l.TaperHigh, w)), Whole: got == 1, Raised: got > w}[why.Fate]
					if !want || why.Words == "" {
						t.Errorf("%s: a ratio of %v, A %v, weight %v: %v, because %q", c.Name, w, a, got, why.Fate, why.Words)
					}
					if told[why.Fate] == nil {
						told[why.Fate] = map[Method]bool{}
					}
					told[why.Fate][m] = true
				}
			}
		}
	}
	for fate, of := range map[Fate][]Method{
		Kept: {MethodVTrace, MethodIS, MethodClip, MethodBand, MethodMoment, MethodShift}, Cut: {MethodOneStep, MethodLeaky},
		LeftOut: {MethodClip, MethodBand, MethodMoment, MethodShift}, Tapered: {MethodTaper},
		Whole: {MethodNone, MethodTaper, MethodCentred},
	} {
		for _, m := range of {
			if !told[fate][m] {
				t.Errorf("no step is %v under %v", fate, m)
			}
		}
	}
}

// Where a reason names a limit, the next number beyond it has another reason.
func TestAReasonNamesTheLimitThatDecides(t *testing.T) {
	l := Limits{Floor: 0.5, Ceiling: 5, ClipLow: 0.2, ClipHigh: 0.28, Shift: 0.2}
	for _, c := range []struct {
		m     Method
		a     float64
		bound float64
		up    bool // steps beyond are left out
	}{
		{MethodClip, 1, 1.28, true}, {MethodClip, -1, 0.8, false}, {MethodBand, 1, 5, true}, {MethodBand, -1, 0.5, false},
	} {
		inside, beyond := c.bound*(1-1e-9), c.bound*(1+1e-9)
		if !c.up {
			inside, beyond = beyond, inside
		}
		for _, w := range []float64{inside, beyond} {
			s := Step{Ratio: w, Advantage: c.a}
			why := c.m.Why(l, 1, s, Corrections[c.m].Form(l, s))
			if want := map[bool]Fate{true: LeftOut, false: Kept}[w == beyond]; why.Fate != want ||
				want == LeftOut && math.Abs(why.Bound-c.bound) > 1e-12 {
				t.Errorf("%v at %v: %v with %v, want %v with %v", c.m, w, why.Fate, why.Bound, want, c.bound)
			}
		}
	}
}
