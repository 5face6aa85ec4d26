package correct

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// someLimits are limits at which every weight leaves steps out and keeps others.
var someLimits = Limits{Floor: 0.5, Ceiling: 2, ClipLow: 0.2, ClipHigh: 0.28, TaperLow: 0.15,
	TaperHigh: 1.4, Shift: 0.2, Moment: 0.04}

// weightsOf are c_t of a correction for a batch.
func weightsOf(method Method, in *Unroll[float64], rhoBar float64) []float64 {
	out := NewTargets[float64](in.T, in.B)
	Apply(out, &Corrections[method], in, Truncation[float64]{rhoBar, 1, rhoBar, 1, 1, 1}, AdvantageVTrace)
	return out.Weight
}

// slope differentiates f at 0 by a central difference of fourth order.
func slope(f func(x float64) float64) float64 {
	const h = 1e-4
	return (8*(f(h)-f(-h)) - f(2*h) + f(-2*h)) / (12 * h)
}

// Each weight is the slope of its published objective for a step, J(θ), in θ at fixed A and μ, where θ moves log π(a):
// π = π₀·e^θ and w = w₀·e^θ. c_t·A is dJ/dθ at 0. stop is a number without a slope, as the objectives print it.
func TestWeightsAreTheSlopesOfTheirObjectives(t *testing.T) {
	clamp := func(x, low, high float64) float64 { return max(low, min(high, x)) }
	const floor, ceiling, low, high, least, most, delta, rhoBar = 0.5, 2, 0.2, 0.28, 0.15, 1.4, 0.2, 1.7
	for _, c := range []struct {
		method Method
		// objective is J for w = π/μ, given the values at θ = 0, whose slope it stops.
		objective func(w, a, pi, stopW float64) float64
	}{
		{MethodOneStep, func(w, a, _, stopW float64) float64 { return min(stopW, rhoBar) * a * math.Log(w) }},
		{MethodBand, func(w, a, _, stopW float64) float64 {
			if stopW < floor || stopW > ceiling {
				return 0
			}
			return w * a
		}},
		{MethodClip, func(w, a, _, _ float64) float64 { return min(w*a, clamp(w, 1-low, 1+high)*a) }},
		{MethodTaper, func(w, a, _, stopW float64) float64 {
			if a >= 0 {
				return a * math.Log(w)
			}
			return clamp(stopW, least, most) * a * math.Log(w)
		}},
		{MethodShift, func(w, a, pi, stopW float64) float64 {
			mu := pi / stopW
			if a > 0 && pi-mu > delta || a < 0 && pi-mu < -delta {
				return 0
			}
			return w * a
		}},
	} {
		kept, cut := 0, 0
		for _, pi := range []float64{0.03, 0.2, 0.45, 0.9} {
			for _, w := range []float64{0.05, 0.3, 0.55, 0.79, 0.81, 1, 1.2, 1.27, 1.29, 1.9, 2.1, 40} {
				if pi/w > 1 {
					continue // μ is a probability
				}
				for _, a := range []float64{-3, -0.5, 0.7, 2} {
					in := &Unroll[float64]{T: 1, B: 1, Reward: []float64{a}, Discount: []float64{0}, Value: []float64{0},
						Bootstrap: []float64{0}, Ratio: []float64{w}, Pi: []float64{pi}, Limits: someLimits}
					got := weightsOf(c.method, in, rhoBar)[0] * a
					want := slope(func(x float64) float64 { return c.objective(w*math.Exp(x), a, pi, w) })
					if !near(got, want, 1e-6*(1+math.Abs(want))) {
						t.Errorf("%s, w %v, A %v, π %v: c·A is %v, the objective's slope %v", c.method, w, a, pi, got, want)
					}
					if got == 0 {
						cut++
					} else {
						kept++
					}
				}
			}
		}
		if kept == 0 || cut == 0 && c.method != MethodOneStep && c.method != MethodTaper {
			t.Errorf("%s: %d steps kept and %d left out: the limits are not tried", c.method, kept, cut)
		}
	}
}

// In one state the sum over all actions is exact: Σ_a μ(a)·c(a)·A(a)·∇log π(a), ∂/∂z_j log π(a) = [a=j] − π_j. The true
// policy gradient is the same with c = π/μ. One-step without a ceiling has it; a band that leaves nothing out, too; the
// others are off by what they remove.
func TestInOneStateTheBiasIsWhatTheWeightRemoves(t *testing.T) {
	pi, mu, advantage := []float64{0.6, 0.3, 0.1}, []float64{0.2, 0.3, 0.5}, []float64{1, -0.4, -1.5}
	gradient := func(c []float64) (g [3]float64) {
		for a := range pi {
			for j := range g {
				is := 0.0
				if a == j {
					is = 1
				}
				g[j] += mu[a] * c[a] * advantage[a] * (is - pi[j])
			}
		}
		return g
	}
	exact := gradient([]float64{3, 1, 0.2})
	batch := func(l Limits) *Unroll[float64] {
		return &Unroll[float64]{T: 1, B: 3, Reward: advantage, Discount: make([]float64, 3), Value: make([]float64, 3),
			Bootstrap: make([]float64, 3), Ratio: []float64{3, 1, 0.2}, Pi: pi, Limits: l}
	}
	for _, c := range []struct {
		method Method
		rhoBar float64
		limits Limits
		want   [3]float64 // by hand: the weights of the three actions
	}{
		{MethodOneStep, inf, Limits{}, [3]float64{3, 1, 0.2}},
		{MethodBand, 1, Limits{Ceiling: inf}, [3]float64{3, 1, 0.2}},
		{MethodBand, 1, Limits{Floor: 0.5, Ceiling: 2}, [3]float64{0, 1, 0}},
		{MethodOneStep, 2, Limits{}, [3]float64{2, 1, 0.2}},
		{MethodClip, 1, Limits{ClipLow: 0.2, ClipHigh: 0.28}, [3]float64{0, 1, 0}},
		{MethodTaper, 1, Limits{TaperHigh: 1}, [3]float64{1, 1, 0.2}},
		{MethodTaper, 1, Limits{TaperLow: 0.3, TaperHigh: 0.8}, [3]float64{1, 0.8, 0.3}},
		{MethodTaper, 1, Limits{TaperLow: 0.25, TaperHigh: 0.25}, [3]float64{1, 0.25, 0.25}}, // no ratio
		{MethodTaper, 1, Limits{Half: HalfGood, TaperHigh: 1}, [3]float64{1, 1, 1}},          // w = 3 is cut to 1
		{MethodTaper, 1, Limits{Half: HalfGood, TaperHigh: inf}, [3]float64{3, 1, 1}},
		{MethodShift, 1, Limits{Shift: 0.3}, [3]float64{0, 1, 0}}, // π − μ is .4, 0 and −.4
		{MethodShift, 1, Limits{Shift: 0.5}, [3]float64{3, 1, 0.2}},
		{MethodMoment, 1, Limits{Moment: 1.2}, [3]float64{0, 1, 0}}, // log² .2 is 2.59, log² 3 is 1.21; the 1 leads nowhere
		{MethodMoment, 1, Limits{Moment: 1.3}, [3]float64{3, 1, 0}},
		{MethodMoment, 1, Limits{Moment: 1.9}, [3]float64{3, 1, 0.2}},
		{MethodMoment, 1, Limits{Moment: 0.61, MomentOf: MomentAny}, [3]float64{3, 1, 0}}, // (1.21 + 0)/2
		{MethodMoment, 1, Limits{MomentOf: MomentAny}, [3]float64{0, 1, 0}},               // one is always kept
		{MethodNone, 1, Limits{}, [3]float64{1, 1, 1}},
	} {
		got := weightsOf(c.method, batch(c.limits), c.rhoBar)
		if !slices.EqualFunc(got, c.want[:], func(x, y float64) bool { return near(x, y, 1e-12) }) {
			t.Errorf("%s %+v: weights %v, want %v", c.method, c.limits, got, c.want)
			continue
		}
		var removed [3]float64
		for a := range removed {
			removed[a] = []float64{3, 1, 0.2}[a] - got[a]
		}
		g, bias := gradient(got), gradient(removed[:])
		for j := range g {
			if !near(g[j]+bias[j], exact[j], 1e-12) {
				t.Errorf("%s: the gradient %v and what is removed %v are not the true one %v", c.method, g, bias, exact)
			}
		}
	}
}

// limitless leaves nothing out.
var limitless = Limits{TaperHigh: 1, Ceiling: inf, ClipLow: inf, ClipHigh: inf, Shift: inf, Moment: inf}

func TestWeightsWithoutLimitsAreTheRatio(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := formsBatch(t)
		in.Limits = limitless
		for _, method := range []Method{MethodOneStep, MethodBand, MethodClip, MethodShift, MethodMoment} {
			same(t, method.String(), weightsOf(method, in, inf), weightsOf(MethodOneStep, in, inf))
		}
		for i := range in.Reward { // all steps are bad: taper is one-step with ρ̄ 1
			in.Reward[i], in.Value[i] = -1, 5
		}
		in.Bootstrap = make([]float64, in.B)
		same(t, "taper", weightsOf(MethodTaper, in, 1), weightsOf(MethodOneStep, in, 1))
	})
}

// On fresh data every weight is exactly 1, at every level.
func TestOnFreshDataEveryWeightIsOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := formsBatch(t)
		for i := range in.Ratio {
			in.Ratio[i] = 1
		}
		in.Limits = someLimits
		for method := range Corrections {
			if Corrections[method].TrustRegion {
				continue
			}
			for level := range LevelNames {
				in.Limits.Level = Level(level)
				for i, w := range weightsOf(Method(method), in, 1) {
					if w != 1 {
						t.Fatalf("%s at level %s: step %d weighs %v", Method(method), Level(level), i, w)
					}
				}
			}
		}
	})
}

// The level of a step is the product, or the geometric mean, over its episode's steps in the unroll, found here by
// walking from each step both ways.
func TestLevelsAreProductsAndMeansOverAStretch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := formsBatch(t)
		in.Limits = limitless
		for _, level := range []Level{LevelResponse, LevelMean} {
			in.Limits.Level = level
			got := weightsOf(MethodBand, in, inf)
			for _, method := range []Method{MethodOneStep, MethodClip} {
				same(t, method.String(), weightsOf(method, in, inf), got)
			}
			for i, w := range got {
				first, last := i, i
				for first-in.B >= 0 && in.Discount[first-in.B] != 0 {
					first -= in.B
				}
				for last+in.B < len(got) && in.Discount[last] != 0 {
					last += in.B
				}
				product, n := 1.0, 0.0
				for k := first; k <= last; k += in.B {
					product *= in.Ratio[k]
					n++
				}
				want := product
				if level == LevelMean {
					want = math.Pow(product, 1/n)
				}
				if !near(w, want, 1e-9*(1+want)) {
					t.Fatalf("%s of step %d: %v, want %v", level, i, w, want)
				}
			}
		}
	})
}

// M2PO as its paper and AReaL say it: while the mean of the squares of the variant's steps is above τ, leave out the
// largest.
func TestMomentIsThePapersLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := formsBatch(t)
		in.Limits = Limits{Moment: rapid.SampledFrom([]float64{0, 0.04, 0.5, 3}).Draw(t, "τ"),
			MomentOf: rapid.SampledFrom([]MomentOf{MomentOutward, MomentAny}).Draw(t, "of")}
		in.Mask = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 1}), len(in.Ratio), len(in.Ratio)).Draw(t, "mask")
		advantages := NewTargets[float64](in.T, in.B)
		NStep(advantages, in, AdvantageVTrace)
		inside := make([]bool, len(in.Ratio))
		for i := range inside {
			inside[i] = true
		}
		for {
			var left []float64
			worst := -1
			for i, w := range in.Ratio {
				a := advantages.Advantage[i]
				if in.Mask[i] == 0 || !inside[i] || in.Limits.MomentOf == MomentOutward && !(a > 0 && w > 1 || a < 0 && w < 1) {
					continue
				}
				square := math.Log(w) * math.Log(w)
				left = append(left, square)
				if worst < 0 || square > math.Pow(math.Log(in.Ratio[worst]), 2) {
					worst = i
				}
			}
			slices.Sort(left)
			sum, bound := 0.0, in.Limits.Moment*float64(len(left))
			for _, square := range left {
				sum += square
			}
			if len(left) == 0 || in.Limits.MomentOf == MomentOutward && sum <= bound ||
				in.Limits.MomentOf == MomentAny && (sum < bound || len(left) == 1) {
				break
			}
			inside[worst] = false
		}
		for i, w := range weightsOf(MethodMoment, in, 1) {
			want := in.Mask[i] * in.Ratio[i]
			if !inside[i] {
				want = 0
			}
			if w != want {
				t.Fatalf("step %d of ratios %v: weight %v, want %v", i, in.Ratio, w, want)
			}
		}
	})
}

func TestALiftIsTheMeanOfTheBatchsAdvantages(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	in := randomUnroll(rng, 5, 3)
	for method := range Corrections {
		c := &Corrections[method]
		plain, lifted := NewTargets[float64](5, 3), NewTargets[float64](5, 3)
		in.Pi, in.Limits = make([]float64, 15), someLimits
		clip := InForce(c, Truncation[float64]{1, 1, 1, 1, 1, 1})
		Apply(plain, c, in, clip, AdvantageVTrace)
		in.Limits.Lift = -0.5
		Apply(lifted, c, in, clip, AdvantageVTrace)
		sum, n := 0.0, 0.0
		for i, a := range plain.Advantage {
			sum += in.Mask[i] * math.Abs(a)
			n += in.Mask[i]
		}
		for i, a := range lifted.Advantage {
			if want := plain.Advantage[i] - 0.5*sum/n; !near(a, want, 1e-12) {
				t.Errorf("%s: A is %v, want %v", c.Name, a, want)
			}
		}
		if !slices.Equal(lifted.VS, plain.VS) {
			t.Errorf("%s: the lift moves the targets", c.Name)
		}
	}
}

// A part of a batch cannot have a weight of the whole.
func TestWeightsOfTheWholeBatchRefuseAPart(t *testing.T) {
	in := randomUnroll(rand.New(rand.NewPCG(5, 5)), 4, 2)
	for name, c := range map[string]struct {
		method Method
		limits Limits
	}{
		"moment": {MethodMoment, Limits{}}, "response": {MethodTaper, Limits{Level: LevelResponse}},
		"mean": {MethodOneStep, Limits{Level: LevelMean}}, "lift": {MethodVTrace, Limits{Lift: 1}},
	} {
		for _, part := range [][2]int{{2, 8}, {0, 6}} {
			in.Limits = c.limits
			if said := refusal(func() {
				ApplyRows(NewTargets[float64](4, 2), &Corrections[c.method], in, Truncation[float64]{1, 1, 1, 1, 1, 1},
					AdvantageVTrace, part[0], part[1])
			}); !strings.Contains(said, "all rows") {
				t.Errorf("%s: rows %v were not refused: %q", name, part, said)
			}
		}
	}
}

// formsBatch draws a batch of positive ratios with episodes that end inside.
func formsBatch(t *rapid.T) *Unroll[float64] {
	steps, copies := rapid.IntRange(1, 6).Draw(t, "T"), rapid.IntRange(1, 3).Draw(t, "B")
	n := steps * copies
	draw := func(name string, of []float64, k int) []float64 {
		return rapid.SliceOfN(rapid.SampledFrom(of), k, k).Draw(t, name)
	}
	return &Unroll[float64]{T: steps, B: copies, Reward: draw("reward", []float64{-1, 0, 0.3, 2}, n),
		Discount: draw("discount", []float64{0, 0.9}, n), Value: draw("value", []float64{-2, 0.1, 3}, n),
		Bootstrap: draw("bootstrap", []float64{1, -0.7}, copies), Ratio: draw("ratio", []float64{0.1, 0.7, 1, 1.3, 4}, n),
		Pi: draw("pi", []float64{0.1, 0.6}, n)}
}
