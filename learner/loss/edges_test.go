package loss_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"impalab/internal/oracle"
	"impalab/learner/loss"
)

// Whatever stands in a row of weight 0, nothing of it is seen.
func TestMaskedGaussianRowsAddNothing(t *testing.T) {
	nan := math.NaN()
	for _, squash := range []bool{false, true} {
		p := loss.Gaussian[float64]{Rows: []float64{nan, nan, 0.2, 0.5}, Dims: 1, Squash: squash}
		d, draw, w := make([]float64, 4), []float64{nan, 0.3}, []float64{0, 1}
		total := loss.GaussianPolicyGradient(d, p, draw, w, []float64{nan, 1}, 1) + loss.GaussianEntropy(d, p, w, 1) +
			loss.GaussianLikelihood(d, p, draw, w, 1)
		if math.IsNaN(total) || d[0] != 0 || d[1] != 0 || math.IsNaN(d[2]) || math.IsNaN(d[3]) {
			t.Errorf("a masked row makes the terms %v, the cotangents %v", total, d)
		}
	}
	d := make([]float64, 2)
	p := loss.Policy[float64]{Prob: []float64{nan, nan}, LogProb: []float64{nan, nan}, Actions: 2}
	if got := loss.Likelihood(d, p, []int32{1}, []float64{0}, 1); got != 0 || d[0] != 0 || d[1] != 0 {
		t.Errorf("a sample without weight adds %v and %v", got, d)
	}
}

// Σ −w·A·log π by densities; for a squashed policy, the density of the action tanh u.
func TestTheGaussianPolicyGradientIsOfTheLogDensity(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for range 100 {
		g := randomGaussians(rng)
		p := g.of(g.x)
		want := 0.0
		for i := range g.n {
			density := 1.0
			for k := range g.dims {
				at, u := 2*i*g.dims+k, g.draw[i*g.dims+k]
				density *= normal(u, p.Rows[at], p.Rows[at+g.dims])
				if g.squash {
					density /= 1 - math.Tanh(u)*math.Tanh(u)
				}
			}
			want -= g.w[i] * g.a[i] * math.Log(density)
		}
		near(t, "value", []float64{loss.GaussianPolicyGradient(make([]float64, len(g.x)), p, g.draw, g.w, g.a, 1)},
			[]float64{want}, 1e-9)
	}
}

// kl is overwritten, whatever it held, with each row's share of the sum.
func TestDivergencesAreOfEachRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for range 50 {
		g := randomGaussians(rng)
		p, old := g.of(g.x), g.of(g.old)
		for name, divergence := range map[string]func(d, kl []float64, old, p loss.Gaussian[float64], cost float64) float64{
			"mean": loss.MeanDivergence[float64], "spread": loss.SpreadDivergence[float64],
		} {
			kl, sum := make([]float64, g.n), 0.0
			for i := range kl {
				kl[i] = 1e3
			}
			total := divergence(make([]float64, len(g.x)), kl, old, p, 1)
			for i, each := range kl {
				w := 2 * g.dims
				one := loss.Gaussian[float64]{Rows: p.Rows[i*w:][:w], Dims: g.dims}
				was := loss.Gaussian[float64]{Rows: old.Rows[i*w:][:w], Dims: g.dims}
				near(t, name+" of a row", []float64{each},
					[]float64{divergence(make([]float64, w), make([]float64, 1), was, one, 1)}, 1e-12)
				sum += each
			}
			near(t, name, []float64{total}, []float64{sum}, 1e-12)
		}
	}
}

// Rounding can leave Σ q·(log q − log p) a little below zero; a divergence never is.
func TestADivergenceIsNeverNegative(t *testing.T) {
	q := loss.Policy[float32]{Prob: []float32{0.5, 0.5}, LogProb: []float32{-0.7, -0.7}, Actions: 2}
	p := loss.Policy[float32]{Prob: []float32{0.5, 0.5}, LogProb: []float32{-0.6999, -0.6999}, Actions: 2}
	kl := []float32{9}
	if sum := loss.Divergence(make([]float32, 2), kl, q, p, 1); sum != 0 || kl[0] != 0 {
		t.Errorf("KL %v and %v", sum, kl[0])
	}
}

// In three dimensions with covariances of any shape: μ = μ_old + L_old·z is ½‖z‖² away, and L_old = L·M leaves of the
// spread's part what M says alone.
func TestFullDivergenceThroughItsFactors(t *testing.T) {
	l := []float64{0.7, 0, 0, -0.4, 1.3, 0, 0.9, 0.2, 0.5}
	m := []float64{1.1, 0, 0, 0.3, 0.8, 0, -0.6, 0.5, 1.4}
	old, mean, z := make([]float64, 9), []float64{1, 2, 3}, []float64{0.4, -1, 0.7}
	spread := 0.0
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				old[3*i+j] += l[3*i+k] * m[3*k+j]
			}
			spread += m[3*i+j] * m[3*i+j] / 2
		}
		spread -= 0.5 + math.Log(m[3*i+i])
	}
	for i := range 3 {
		for k := range 3 {
			mean[i] += old[3*i+k] * z[k]
		}
	}
	ofMean, ofSpread := oracle.FullDivergence(make([]float64, 3), []float64{1, 2, 3}, old, mean, l)
	near(t, "mean", []float64{ofMean}, []float64{(0.16 + 1 + 0.49) / 2}, 1e-12)
	near(t, "spread", []float64{ofSpread}, []float64{spread}, 1e-12)
}

func TestTheTopShareStartsAfresh(t *testing.T) {
	chosen, scratch := []float64{1, 1, 1}, make([]float64, 3)
	if n := loss.TopShare(chosen, scratch, []float64{1, 3, 2}, nil, 0.5); n != 1 || chosen[0] != 0 || chosen[1] != 1 ||
		chosen[2] != 0 {
		t.Errorf("%d chosen: %v", n, chosen)
	}
	if n := loss.TopShare(chosen, scratch, []float64{1, 3, 2}, []float64{0, 0, 0}, 0.5); n != 0 || chosen[1] != 0 {
		t.Errorf("of no valid row %d are chosen: %v", n, chosen)
	}
}

// A sample left out, by the top half or by its weight, does not shift the exponents of the others, however large its
// advantage. A NaN in such a sample does not show.
func TestStepsLeftOutDoNotMoveTheTemperature(t *testing.T) {
	at := loss.Temperature{Eta: 1, Bound: 0.1}
	alone := make([]float64, 2)
	value, slope := loss.EStep(alone, []float64{1, 0}, []float64{1, 1}, nil, at)
	for _, junk := range []float64{1e4, -1e4, math.NaN()} {
		for _, c := range []struct{ chosen, weight []float64 }{
			{[]float64{1, 0, 1}, []float64{1, 1, 1}}, {[]float64{1, 1, 1}, []float64{1, 0, 1}}, {[]float64{1, 0, 1}, nil},
		} {
			psi := []float64{9, 9, 9}
			v, s := loss.EStep(psi, []float64{1, junk, 0}, c.chosen, c.weight, at)
			near(t, "ψ", psi, []float64{alone[0], 0, alone[1]}, 1e-12)
			near(t, "loss and slope", []float64{v, s}, []float64{value, slope}, 1e-12)
		}
	}
}

func TestWithoutAnyWeightThereIsNoTemperatureLoss(t *testing.T) {
	psi := []float64{9, 9}
	value, slope := loss.EStep(psi, []float64{1, 2}, []float64{1, 1}, []float64{0, 0},
		loss.Temperature{Eta: 1, Bound: 0.1})
	if value != 0 || slope != 0 || psi[0] != 0 || psi[1] != 0 {
		t.Errorf("loss %v, slope %v, ψ %v", value, slope, psi)
	}
}

// The directional derivative of L_inner, with everything that depends on a metaparameter moved by it, against its
// finite differences.
func TestTheMetagradientIsTheDerivativeInEveryMetaparameter(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	for range 100 {
		n := 1 + rng.IntN(6)
		row := func() []float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = rng.NormFloat64()
			}
			return x
		}
		in := loss.Terms[float64]{
			Weight: row(), Advantage: row(), Target: row(), Value: row(), DWeight: row(),
			DAdvantage: make([][loss.MetaValueCost]float64, n), DTarget: make([][loss.MetaValueCost]float64, n),
		}
		for i := range n {
			for k := range loss.MetaValueCost {
				in.DAdvantage[i][k], in.DTarget[i][k] = rng.NormFloat64(), rng.NormFloat64()
			}
		}
		if rng.IntN(2) == 0 {
			in.Mask, in.Count = row(), row()
		}
		motion := loss.Motion[float64]{LogProb: row(), Value: row(), Entropy: row()}
		costs := [3]float64{rng.Float64(), rng.Float64(), rng.Float64()} // g_v, g_p, g_e
		inner := func(by loss.Meta) (sum float64) {
			gv, gp, ge := costs[0]+by[loss.MetaValueCost], costs[1]+by[loss.MetaPolicyCost], costs[2]+by[loss.MetaEntropyCost]
			for i := range n {
				weight, advantage, target := in.Weight[i]+by[loss.MetaLeakRho]*in.DWeight[i], in.Advantage[i], in.Target[i]
				for k := range loss.MetaValueCost {
					advantage += by[k] * in.DAdvantage[i][k]
					target += by[k] * in.DTarget[i][k]
				}
				mask, count := 1.0, 1.0
				if in.Mask != nil {
					mask, count = in.Mask[i], in.Count[i]
				}
				sum += -gp*weight*advantage*motion.LogProb[i] + gv*mask*2*(in.Value[i]-target)*motion.Value[i] +
					ge*count*motion.Entropy[i]
			}
			return sum
		}
		got := loss.MetaGradient(&in, motion, costs[0], costs[1], costs[2])
		var want loss.Meta
		for k := range want {
			const h = 1e-5
			var up, down loss.Meta
			up[k], down[k] = h, -h
			want[k] = (inner(up) - inner(down)) / (2 * h)
		}
		near(t, "metagradient", got[:], want[:], 1e-7)
	}
}
