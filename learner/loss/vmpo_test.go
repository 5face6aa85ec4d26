package loss_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"impalab/learner/loss"
)

// weights draws importance weights, some of them 0.
func weights(rng *rand.Rand, n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = float64(min(1, rng.IntN(5))) * rng.Float64()
	}
	return w
}

func TestTemperatureLossIsTheSlope(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for range 500 {
		n := 1 + rng.IntN(20)
		adv, psi := make([]float64, n), make([]float64, n)
		for i := range adv {
			adv[i] = 3 * rng.NormFloat64()
		}
		chosen, _ := half(adv, nil, rng.Float64())
		for _, w := range [][]float64{nil, weights(rng, n)} {
			for _, byCount := range []bool{false, true} {
				eta, bound := []float64{0.05 + rng.ExpFloat64()}, rng.Float64()
				value := func() float64 { // as printed, unshifted
					sum, among := 0.0, 0.0
					for i, c := range chosen {
						weight := c
						if w != nil {
							weight *= w[i]
						}
						sum += weight * math.Exp(adv[i]/eta[0])
						if byCount {
							weight = c
						}
						among += weight
					}
					return eta[0]*bound + eta[0]*math.Log(sum/among)
				}
				got, slope := loss.EStep(psi, adv, chosen, w, loss.Temperature{Eta: eta[0], Bound: bound, ByCount: byCount})
				if math.IsInf(value(), 0) || math.IsNaN(value()) { // no weight in D̃, or an exponential too large to print
					continue
				}
				near(t, "value", []float64{got}, []float64{value()}, 1e-9)
				near(t, "slope", []float64{slope}, slopes(eta, value), 1e-4)
			}
		}
	}
}

func TestWeightsAddUpToOneOverTheBetterHalf(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	for range 500 {
		n := 1 + rng.IntN(30)
		adv, psi, flat := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range adv {
			adv[i] = float64(rng.IntN(6)) // ties are common
		}
		chosen, count := half(adv, nil, 0.5)
		if count < max(1, n/2) {
			t.Fatalf("%d of %d chosen", count, n)
		}
		w := weights(rng, n)
		_, slope := loss.EStep(psi, adv, chosen, w, loss.Temperature{Eta: 0.5, Bound: 0.1})
		loss.UniformStep(flat, chosen, w)
		total, even, worst, best := 0.0, 0.0, math.Inf(1), math.Inf(-1)
		for i := range psi {
			total, even = total+psi[i], even+flat[i]
			if chosen[i] != 0 {
				worst = min(worst, adv[i])
			} else {
				best = max(best, adv[i])
			}
			if psi[i] != 0 && chosen[i]*w[i] == 0 {
				t.Fatalf("sample %d counts, and is outside", i)
			}
		}
		if worst <= best {
			t.Fatalf("a sample of advantage %v is out, one of %v in", best, worst)
		}
		if total == 0 { // all weights in the half are 0: nothing to learn
			if slope != 0 || even != 0 {
				t.Fatalf("no weight, and still a slope of %v and a sum of %v", slope, even)
			}
			continue
		}
		near(t, "Σψ", []float64{total, even}, []float64{1, 1}, 1e-12)
	}
}

// The printed loss divides by the count: if the mean weight is below exp(−ε_η), it falls for every η. Our loss divides
// by the weights and has a minimum.
func TestTheCorrectedTemperatureLossHasAMinimum(t *testing.T) {
	adv, w := []float64{3, 2, 1, 0}, []float64{0.1, 0.2, 0.3, 0.1}
	chosen, psi := []float64{1, 1, 1, 1}, make([]float64, 4)
	at := func(byCount bool, eta float64) float64 {
		_, slope := loss.EStep(psi, adv, chosen, w, loss.Temperature{Eta: eta, Bound: 0.1, ByCount: byCount})
		return slope
	}
	for eta := 1e-3; eta < 1e6; eta *= 2 {
		if at(true, eta) >= 0 {
			t.Fatalf("by count: slope %v at η = %v", at(true, eta), eta)
		}
	}
	if !(at(false, 0.01) < 0 && at(false, 100) > 0) {
		t.Errorf("by weight: slopes %v and %v", at(false, 0.01), at(false, 100))
	}
}

func TestVMPOTermsAreTheSlopesInTheLogits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for range 300 {
		b := randomBatch(rng)
		old := randomBatch(rng)
		old.logits = make([]float64, len(b.logits))
		for i, z := range b.logits {
			old.logits[i] = z + rng.NormFloat64() // forbidden stays forbidden
		}
		was := policyOf(old.logits, b.actions)
		const cost, pull = 0.7, 0.4
		likely := func() float64 {
			p, sum := policyOf(b.logits, b.actions), 0.0
			for i, a := range b.action {
				sum -= b.weight[i] * math.Log(p.Prob[i*b.actions+int(a)])
			}
			return sum
		}
		apart := func() float64 {
			p, sum := policyOf(b.logits, b.actions), 0.0
			for i, q := range was.Prob {
				if q > 0 {
					sum += q * math.Log(q/p.Prob[i])
				}
			}
			return sum
		}
		d, kl := make([]float64, len(b.logits)), make([]float64, b.n)
		now := policyOf(b.logits, b.actions)
		got := []float64{loss.Likelihood(d, now, b.action, b.weight, cost), loss.Divergence(d, kl, was, now, pull)}
		near(t, "value", got, []float64{likely(), apart()}, 1e-9)
		near(t, "derivative", d, slopes(b.logits, func() float64 { return cost*likely() + pull*apart() }), 1e-6)
	}
}

func TestAMultiplierFollowsItsBound(t *testing.T) {
	if _, slope := loss.Multiplier(5, 0.01, 0.02); !(slope < 0) {
		t.Error("KL above its bound must raise α")
	}
	if _, slope := loss.Multiplier(5, 0.01, 0.005); !(slope > 0) {
		t.Error("KL below its bound must lower α")
	}
}
