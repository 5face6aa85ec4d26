package correct_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"impalab/learner/correct"
)

// implied is KL(π‖π̃) of Gaussian rows by GaussianMask.
func implied(p, q []float64, rhoBar float64) float64 {
	kl, mask := []float64{-1}, []float64{0}
	correct.GaussianMask(mask, kl, p, q, len(p)/2, rhoBar, math.Inf(1), correct.RelevanceImplied)
	return kl[0]
}

// grid is the same by LASER's definition, KL(π‖c/Σc) of c = min(ρ̄·μ, π), summed over a grid of draws, 9 standard
// deviations of π to each side. squash makes them draws after tanh, with the densities that its Jacobian gives.
func grid(p, q []float64, rhoBar float64, steps int, squash bool) float64 {
	dims := len(p) / 2
	log := func(u, m, s float64) float64 { return -(u-m)*(u-m)/(2*s*s) - math.Log(s*math.Sqrt(2*math.Pi)) }
	at := make([]int, dims)
	total, sum, kl := 0.0, 0.0, 0.0
	for done := false; !done; {
		pi, mu, volume := 0.0, math.Log(rhoBar), 1.0
		for k := range dims {
			width := 18 * p[dims+k] / float64(steps)
			u := p[k] - 9*p[dims+k] + (float64(at[k])+0.5)*width
			a, b := log(u, p[k], p[dims+k]), log(u, q[k], q[dims+k])
			if squash {
				jacobian := math.Log(1 - math.Pow(math.Tanh(u), 2))
				a, b, width = a-jacobian, b-jacobian, math.Tanh(u+width/2)-math.Tanh(u-width/2)
			}
			pi, mu, volume = pi+a, mu+b, volume*width
		}
		c := math.Min(mu, pi)
		total, sum, kl = total+math.Exp(c)*volume, sum+math.Exp(pi)*volume, kl+math.Exp(pi)*volume*(pi-c)
		done = true
		for k := 0; done && k < dims; k++ {
			if at[k]++; at[k] < steps {
				done = false
			} else {
				at[k] = 0
			}
		}
	}
	return kl/sum + math.Log(total/sum)
}

// pair is rows of π and μ that are about so many standard deviations apart.
func pair(rng *rand.Rand, dims int, apart float64) (p, q []float64) {
	p, q = make([]float64, 2*dims), make([]float64, 2*dims)
	for k := range dims {
		q[k], q[dims+k] = rng.NormFloat64(), math.Exp(rng.NormFloat64()/2)
		p[k] = q[k] + apart*q[dims+k]*rng.NormFloat64()
		p[dims+k] = q[dims+k] * math.Exp(apart/2*rng.NormFloat64())
	}
	return p, q
}

func TestTheDivergenceFromAGaussiansImpliedPolicyIsItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	worst := 0.0
	for _, c := range []struct{ dims, steps, pairs int }{{1, 20_000, 10}, {2, 400, 2}, {3, 90, 1}} {
		largest := 0.0
		for range c.pairs {
			for _, apart := range []float64{0.03, 0.2, 0.6, 1.5} {
				p, q := pair(rng, c.dims, apart)
				for _, rhoBar := range []float64{0.5, 1, 2} {
					got, want := implied(p, q, rhoBar), grid(p, q, rhoBar, c.steps, false)
					largest = max(largest, math.Abs(got-want)/(0.01+want))
					if !(math.Abs(got-want) < 0.003*(0.01+want)) {
						t.Errorf("π %v, μ %v, ρ̄ %v: %v, the definition %v", p, q, rhoBar, got, want)
					}
				}
			}
		}
		t.Logf("%d components: largest deviation %.2g of .01 + KL", c.dims, largest)
		worst = max(worst, largest)
	}
	if worst == 0 {
		t.Error("nothing was compared")
	}
}

// In six dimensions a grid is too large: the definition's means are taken over draws of π.
func TestTheDivergenceInSixDimensionsIsTheMeanOverDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const dims, n = 6, 200_000
	for _, apart := range []float64{0.1, 0.3, 0.6} {
		p, q := pair(rng, dims, apart)
		rows := [2][]float64{p, q}
		logs, weights, squares := 0.0, 0.0, 0.0
		u := make([]float64, dims)
		for range n {
			for k := range u {
				u[k] = p[k] + p[dims+k]*rng.NormFloat64()
			}
			w := math.Min(1, correct.GaussianDensity(rows[1], u)/correct.GaussianDensity(rows[0], u))
			logs, weights, squares = logs+math.Log(w), weights+w, squares+math.Log(w)*math.Log(w)
		}
		want := math.Log(weights/n) - logs/n
		off := 4 * math.Sqrt(squares/n/n) // four standard errors
		if got := implied(p, q, 1); !(math.Abs(got-want) < off) {
			t.Errorf("%v apart: %v, the draws %v ± %v", apart, got, want, off)
		}
	}
}

// Squashing by tanh changes no divergence (STAC §9.3's policies).
func TestTheDivergenceIsTheSquashedPolicysToo(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 10 {
		p, q := pair(rng, 1, 0.5)
		p[0], q[0], p[1], q[1] = p[0]/2, q[0]/2, min(p[1], 0.8), min(q[1], 0.9)
		got, want := implied(p, q, 1), grid(p, q, 1, 40_000, true)
		if !(math.Abs(got-want) < 1e-4) {
			t.Errorf("π %v, μ %v: %v, after tanh %v", p, q, got, want)
		}
	}
}

// The limits: π itself, ρ̄ without a bound, ρ̄ of 0 with π̃ = μ, a rotation of equal spreads, and policies far apart.
func TestTheDivergenceAtItsLimits(t *testing.T) {
	p, q := []float64{0.3, -1, 0.5, 2}, []float64{0.1, -1.2, 0.7, 1.5}
	kl := []float64{0}
	correct.GaussianKL(kl, p, q, 2)
	even := func(x, y float64) []float64 { return []float64{x, y, 1, 1} }
	line := implied([]float64{0.5, 1}, []float64{0, 1}, 1)
	for what, c := range map[string][2]float64{
		"π itself":          {implied(p, p, 1), 0},
		"no bound":          {implied(p, q, math.Inf(1)), 0},
		"ρ̄ of 0":           {implied(p, q, 0), kl[0]},
		"along one axis":    {implied(even(0.5, 0), even(0, 0), 1), line},
		"along both":        {implied(even(0.3, 0.4), even(0, 0), 1), line},
		"five apart":        {implied(even(3, 4), even(0, 0), 1), implied([]float64{5, 1}, []float64{0, 1}, 1)},
		"twelve apart":      {implied(even(7.2, 9.6), even(0, 0), 1), implied([]float64{12, 1}, []float64{0, 1}, 1)},
		"far apart, capped": {math.Min(implied(even(80, 0), even(0, 0), 1), 1000), 1000},
	} {
		if math.Abs(c[0]-c[1]) > 2e-6 || math.IsNaN(c[0]) {
			t.Errorf("%s: %v, want %v", what, c[0], c[1])
		}
	}
	// The bound decides the mask, strictly.
	d, mask := []float64{0}, []float64{9}
	for _, c := range []struct{ bound, want float64 }{{line, 0}, {math.Nextafter(line, 1), 1}} {
		correct.GaussianMask(mask, d, []float64{0.5, 1}, []float64{0, 1}, 1, 1, c.bound, correct.RelevanceImplied)
		if mask[0] != c.want {
			t.Errorf("KL %v, bound %v: mask %v", d[0], c.bound, mask[0])
		}
	}
}
