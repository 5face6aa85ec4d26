package correct

import (
	"math"
	"math/rand/v2"
	"testing"
)

// tuned is a random unroll of float64 whose rewards and discounts depend on γ as a learner's do.
type tuned struct {
	in    Unroll[float64]
	goes  []float64 // 1 while the episode continues
	final []float64 // V of the state a cut left, 0 elsewhere
	bare  []float64 // rewards before folding
}

func randomTuned(r *rand.Rand, masked bool) *tuned {
	T, B := 1+r.IntN(7), 1+r.IntN(3)
	n := T * B
	noise := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	u := &tuned{goes: make([]float64, n), final: make([]float64, n), bare: noise(n)}
	u.in = Unroll[float64]{T: T, B: B, Value: noise(n), Bootstrap: noise(B), Ratio: make([]float64, n)}
	if masked {
		u.in.Mask = make([]float64, n)
	}
	for i := range n {
		u.in.Ratio[i] = math.Exp(r.NormFloat64())
		switch r.IntN(6) {
		case 0: // ended
		case 1:
			u.final[i] = r.NormFloat64()
		default:
			u.goes[i] = 1
		}
		if masked && r.IntN(4) > 0 {
			u.in.Mask[i] = 1
		}
	}
	return u
}

// at computes the targets under hyperparameters x: γ, λ, α_ρ, α_c.
func (u *tuned) at(x [Tuned]float64, clip Truncation[float64], adv Advantage) (*Targets[float64], *Unroll[float64],
	Truncation[float64]) {
	in := u.in
	in.Reward, in.Discount = make([]float64, len(u.bare)), make([]float64, len(u.bare))
	for i := range u.bare {
		in.Reward[i] = u.bare[i] + x[ByGamma]*u.final[i]
		in.Discount[i] = x[ByGamma] * u.goes[i]
	}
	clip.Lambda, clip.LeakRho, clip.LeakC = x[ByLambda], x[ByLeakRho], x[ByLeakC]
	out := NewTargets[float64](in.T, in.B)
	VTrace(out, &in, clip, adv)
	return out, &in, clip
}

func TestSlopesOfTheTargetsAreTheirDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 600 {
		u := randomTuned(r, trial%2 == 0)
		adv := Advantage(trial % len(AdvantageNames))
		bar := func() float64 { return []float64{0, 0.7, 1, 2, math.Inf(1)}[r.IntN(5)] }
		clip := Truncation[float64]{RhoBar: bar(), CBar: bar(), RhoBarPG: bar()}
		x := [Tuned]float64{0.9 * r.Float64(), r.Float64(), r.Float64(), r.Float64()}
		targets, in, clip := u.at(x, clip, adv)
		slopes := NewTargetSlopes[float64](in.T, in.B)
		VTraceSlopes(slopes, targets, in, GammaSlope[float64]{Reward: u.final, Discount: u.goes}, clip, adv)
		for k := range x {
			const h = 1e-4
			y := x
			y[k] = x[k] + h
			up, _, _ := u.at(y, clip, adv)
			y[k] = x[k] - h
			down, _, _ := u.at(y, clip, adv)
			for i := range targets.VS {
				check := func(what string, got, up, down float64) {
					t.Helper()
					if want := (up - down) / (2 * h); !(math.Abs(got-want) <= 1e-5*(1+math.Abs(want))) {
						t.Fatalf("trial %d: %s of step %d in hyperparameter %d: %v, finite differences say %v", trial, what, i, k, got,
							want)
					}
				}
				check("v", slopes.VS[i][k], up.VS[i], down.VS[i])
				check("A", slopes.Advantage[i][k], up.Advantage[i], down.Advantage[i])
				weight := 0.0
				if k == ByLeakRho {
					weight = slopes.Weight[i]
				}
				check("ρ_pg", weight, up.Weight[i], down.Weight[i])
			}
		}
	}
}

// A ratio beyond every bound must not end a run: its slopes are large, and numbers.
func TestSlopesOfInfiniteRatiosAreNumbers(t *testing.T) {
	inf := math.Inf(1)
	in := &Unroll[float32]{T: 2, B: 1, Reward: []float32{1, 1}, Discount: []float32{0.9, 0.9}, Value: []float32{0, 0},
		Bootstrap: []float32{1}, Ratio: []float32{float32(inf), float32(inf)}}
	for _, bar := range []float32{1, float32(inf)} {
		clip := Truncation[float32]{RhoBar: bar, CBar: bar, RhoBarPG: bar, Lambda: 1, LeakRho: 0.5, LeakC: 0.5}
		targets, slopes := NewTargets[float32](2, 1), NewTargetSlopes[float32](2, 1)
		VTrace(targets, in, clip, AdvantageVTrace)
		VTraceSlopes(slopes, targets, in, GammaSlope[float32]{Reward: []float32{0, 0}, Discount: []float32{1, 1}}, clip,
			AdvantageVTrace)
		for i := range slopes.VS {
			for k := range slopes.VS[i] {
				for _, v := range []float32{slopes.VS[i][k], slopes.Advantage[i][k], slopes.Weight[i]} {
					if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
						t.Errorf("ρ̄ = %v: step %d, hyperparameter %d: %v", bar, i, k, v)
					}
				}
			}
		}
	}
}
