package correct_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"impalab/learner/correct"
)

func density(u, m, s float64) float64 {
	return math.Exp(-(u-m)*(u-m)/(2*s*s)) / (s * math.Sqrt(2*math.Pi))
}

func TestGaussianRatiosAreDensitiesDivided(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n, dims = 50, 2
	pi, mu, u := make([]float64, 2*n*dims), make([]float64, 2*n*dims), make([]float64, n*dims)
	for i := range pi {
		pi[i], mu[i] = rng.NormFloat64(), rng.NormFloat64()
		if i/dims%2 == 1 {
			pi[i], mu[i] = 0.5+math.Abs(pi[i]), 0.5+math.Abs(mu[i])
		}
	}
	for i := range u {
		u[i] = rng.NormFloat64()
	}
	ratio := make([]float64, n)
	correct.GaussianRatios(ratio, pi, mu, u, dims)
	for i, got := range ratio {
		want, squashed := 1.0, 1.0
		for k := range dims {
			at := 2 * i * dims
			p, q := density(u[i*dims+k], pi[at+k], pi[at+dims+k]), density(u[i*dims+k], mu[at+k], mu[at+dims+k])
			want *= p / q
			jacobian := 1 - math.Pow(math.Tanh(u[i*dims+k]), 2)
			squashed *= (p / jacobian) / (q / jacobian)
		}
		if math.Abs(got-want) > 1e-9*(1+want) || math.Abs(got-squashed) > 1e-9*(1+want) {
			t.Errorf("ratio %d is %v, the densities say %v, those of tanh u %v", i, got, want, squashed)
		}
	}
	correct.GaussianRatios(ratio, pi, pi, u, dims)
	for i, got := range ratio {
		if got != 1 {
			t.Errorf("ratio %d of a policy to itself is %v", i, got)
		}
	}
}

func TestGaussianSlopesAreDerivatives(t *testing.T) {
	const dims = 2
	raw := []float64{-2, 0.5, -30, 40, 0.1, 3, -0.4, 1.2}
	for _, s := range []correct.Spread{correct.SpreadSoftplus, correct.SpreadBounded} {
		rows, slope := make([]float64, len(raw)), make([]float64, len(raw))
		correct.Gaussian(rows, slope, raw, dims, s)
		at := func(i int, h float64) float64 {
			x, out := append([]float64(nil), raw...), make([]float64, len(raw))
			x[i] += h
			correct.Gaussian(out, nil, x, dims, s)
			if i/dims%2 == 1 {
				return math.Log(out[i])
			}
			return out[i]
		}
		for i := range raw {
			const h = 1e-5
			if want := (at(i, h) - at(i, -h)) / (2 * h); math.Abs(slope[i]-want) > 1e-7 {
				t.Errorf("spread %d: the slope of number %d is %v, finite differences say %v", s, i, slope[i], want)
			}
			if i/dims%2 == 1 && !(rows[i] >= correct.LeastSigma) {
				t.Errorf("spread %d: σ of %v is %v", s, raw[i], rows[i])
			}
		}
	}
}

// The parametrisations as their comments print them, with their limits for large numbers and their values at 0.
func TestGaussianRowsAreWhatTheNetworkSays(t *testing.T) {
	raw := []float64{-3, 0, 2, -1e3, 0, 1.5} // three dimensions: means, then spreads
	rows := make([]float64, 6)
	correct.Gaussian(rows, nil, raw, 3, correct.SpreadSoftplus)
	for i, want := range []float64{-3, 0, 2, 1e-3, math.Log(2) + 1e-3, math.Log(1+math.Exp(1.5)) + 1e-3} {
		if math.Abs(rows[i]-want) > 1e-12 {
			t.Errorf("softplus: number %d is %v, want %v", i, rows[i], want)
		}
	}
	correct.Gaussian(rows, nil, raw, 3, correct.SpreadBounded)
	bounded := func(y float64) float64 { return math.Exp(-3 + 4*(math.Tanh(y)+1)/2) } // between e^−3 and e
	for i, want := range []float64{math.Tanh(-3), 0, math.Tanh(2), math.Exp(-3), math.Exp(-1), bounded(1.5)} {
		if math.Abs(rows[i]-want) > 1e-12 {
			t.Errorf("bounded: number %d is %v, want %v", i, rows[i], want)
		}
	}
}

// KL of independent components is the sum of the components', and each of these is its integral.
func TestGaussianKLIsTheSumOfItsComponents(t *testing.T) {
	p := []float64{0.3, -1, 0.5, 1.5 /* row 2 */, 2, 0, 0.7, 1}
	q := []float64{-0.2, 0, 1.2, 0.8 /* row 2 */, 1, 0.4, 0.9, 2}
	kl := make([]float64, 2)
	correct.GaussianKL(kl, p, q, 2)
	for row, got := range kl {
		want := 0.0
		for k := range 2 {
			mp, sp, mq, sq := p[4*row+k], p[4*row+2+k], q[4*row+k], q[4*row+2+k]
			const steps = 4000
			for n := range steps {
				u := mp + 12*sp*(2*float64(n)/steps-1)
				want += 24 * sp / steps * density(u, mp, sp) * math.Log(density(u, mp, sp)/density(u, mq, sq))
			}
		}
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("row %d: KL %v, its integrals come to %v", row, got, want)
		}
	}
}

// LASER's bound is strict, as for named actions: a policy no distance away is outside a bound of 0.
func TestAGaussianAtItsBoundIsOutside(t *testing.T) {
	same, mask, kl := []float64{0.5, 2}, []float64{9}, []float64{9}
	if correct.GaussianMask(mask, kl, same, same, 1, 1, 0, correct.RelevanceBehaviour); mask[0] != 0 || kl[0] != 0 {
		t.Errorf("KL %v, mask %v", kl[0], mask[0])
	}
}

func TestGaussianMaskIsTheDivergenceBelowItsBound(t *testing.T) {
	pi, mu := []float64{0, 1, 0, 1, 0, 1}, []float64{0, 1, 0.1, 1, 3, 1}
	mask, kl := make([]float64, 3), make([]float64, 3)
	correct.GaussianMask(mask, kl, pi, mu, 1, 1, 0.1, correct.RelevanceBehaviour)
	for i, want := range []float64{0, 0.005, 4.5} { // ½·(m_p − m_q)² where both σ are 1
		if math.Abs(kl[i]-want) > 1e-12 || mask[i] != map[bool]float64{true: 1}[want < 0.1] {
			t.Errorf("row %d: KL %v, mask %v, want KL %v", i, kl[i], mask[i], want)
		}
	}
}

func TestGaussianRowsAllocateNothing(t *testing.T) {
	raw, rows, slope := make([]float32, 12), make([]float32, 12), make([]float32, 12)
	for i := range raw {
		raw[i] = 1 + float32(i)/12
	}
	ratio, kl, mask := make([]float32, 3), make([]float32, 3), make([]float32, 3)
	if n := testing.AllocsPerRun(10, func() {
		correct.Gaussian(rows, slope, raw, 2, correct.SpreadBounded)
		correct.GaussianRatios(ratio, rows, rows, raw[:6], 2)
		correct.GaussianMask(mask, kl, rows, raw, 2, 1, 1, correct.RelevanceImplied)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A density of one at its mean is 1/(σ·√2π), and two densities have the ratio that GaussianRatios says.
func TestDensitiesHaveTheRatiosOfTheirGaussians(t *testing.T) {
	got, want := correct.GaussianDensity([]float64{3, 2}, []float64{3}), 1/(2*math.Sqrt(2*math.Pi))
	if math.Abs(got-want) > 1e-15 {
		t.Errorf("the density at the mean is %v, want %v", got, want)
	}
	rng := rand.New(rand.NewPCG(21, 22))
	for range 200 {
		pi, mu, u, ratio := make([]float64, 4), make([]float64, 4), make([]float64, 2), make([]float64, 1)
		for i := range 2 {
			pi[i], mu[i], u[i] = rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
			pi[2+i], mu[2+i] = 0.2+rng.Float64(), 0.2+rng.Float64()
		}
		correct.GaussianRatios(ratio, pi, mu, u, 2)
		if got := correct.GaussianDensity(pi, u) / correct.GaussianDensity(mu, u); math.Abs(got-ratio[0]) > 1e-9*ratio[0] {
			t.Errorf("densities have the ratio %v, the policies %v", got, ratio[0])
		}
	}
}
