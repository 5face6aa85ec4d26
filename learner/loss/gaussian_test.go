package loss_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"impalab/internal/oracle"
	"impalab/learner/correct"
	"impalab/learner/loss"
)

// gaussianOf joins means and standard deviations [n, dims] into rows.
func gaussianOf(mean, sigma []float64, dims int) loss.Gaussian[float64] {
	p := loss.Gaussian[float64]{Dims: dims}
	for i := 0; i < len(mean); i += dims {
		p.Rows = append(append(p.Rows, mean[i:i+dims]...), sigma[i:i+dims]...)
	}
	return p
}

// halves takes rows apart again.
func halves(rows []float64, dims int) (first, second []float64) {
	for i := 0; i < len(rows); i += 2 * dims {
		first, second = append(first, rows[i:i+dims]...), append(second, rows[i+dims:i+2*dims]...)
	}
	return first, second
}

// gaussians is a few rows x of (μ, log σ), from which each call makes a policy, and a policy to compare with.
type gaussians struct {
	n, dims               int
	squash                bool
	x, draw, w, a, t, old []float64
}

func randomGaussians(rng *rand.Rand) *gaussians {
	g := &gaussians{n: 1 + rng.IntN(3), dims: 1 + rng.IntN(3), squash: rng.IntN(2) == 0}
	normal := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = 0.7 * rng.NormFloat64()
		}
		return x
	}
	g.x, g.old, g.t = normal(2*g.n*g.dims), normal(2*g.n*g.dims), normal(2*g.n*g.dims)
	g.draw, g.w, g.a = normal(g.n*g.dims), normal(g.n), normal(g.n)
	return g
}

func (g *gaussians) of(x []float64) loss.Gaussian[float64] {
	p := loss.Gaussian[float64]{Rows: append([]float64(nil), x...), Dims: g.dims, Squash: g.squash}
	for i := range p.Rows {
		if i/g.dims%2 == 1 {
			p.Rows[i] = math.Exp(x[i])
		}
	}
	return p
}

// terms are all that have a derivative in (μ, log σ), each with a cost of its own.
func (g *gaussians) terms() map[string]func(d []float64, p loss.Gaussian[float64]) (value, cost float64) {
	kl := make([]float64, g.n)
	return map[string]func(d []float64, p loss.Gaussian[float64]) (float64, float64){
		"policy gradient": func(d []float64, p loss.Gaussian[float64]) (float64, float64) {
			return loss.GaussianPolicyGradient(d, p, g.draw, g.w, g.a, 0.3), 0.3
		},
		"entropy": func(d []float64, p loss.Gaussian[float64]) (float64, float64) {
			return loss.GaussianEntropy(d, p, g.w, 0.5), 0.5
		},
		"likelihood": func(d []float64, p loss.Gaussian[float64]) (float64, float64) {
			return loss.GaussianLikelihood(d, p, g.draw, g.w, 0.7), 0.7
		},
		"divergence of the mean": func(d []float64, p loss.Gaussian[float64]) (float64, float64) {
			return loss.MeanDivergence(d, kl, g.of(g.old), p, 0.9), 0.9
		},
		"divergence of the spread": func(d []float64, p loss.Gaussian[float64]) (float64, float64) {
			return loss.SpreadDivergence(d, kl, g.of(g.old), p, 1.1), 1.1
		},
		"divergence from a fixed policy": func(d []float64, p loss.Gaussian[float64]) (float64, float64) {
			return loss.KLFromGaussian(d, p, g.of(g.old), 1.3), 1.3
		},
	}
}

func TestGaussianTermsAreTheSlopes(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	for range 200 {
		g := randomGaussians(rng)
		for name, term := range g.terms() {
			d, void := make([]float64, len(g.x)), make([]float64, len(g.x))
			_, cost := term(d, g.of(g.x))
			near(t, name, d, slopes(g.x, func() float64 { v, _ := term(void, g.of(g.x)); return cost * v }), 1e-5)
		}
	}
}

func TestGaussianMotionsAreDirectionalDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	for range 200 {
		g := randomGaussians(rng)
		m := loss.Motion[float64]{LogProb: make([]float64, g.n), Entropy: make([]float64, g.n)}
		loss.MoveGaussian(m, g.of(g.x), g.draw, g.t)
		for i := range g.n {
			one := make([]float64, g.n)
			one[i] = 1
			at := func(h float64) (logProb, entropy float64) {
				x, void := append([]float64(nil), g.x...), make([]float64, len(g.x))
				for k := range x {
					x[k] += h * g.t[k]
				}
				return -loss.GaussianLikelihood(void, g.of(x), g.draw, one, 1), loss.GaussianEntropy(void, g.of(x), one, 1)
			}
			const h = 1e-5
			upP, upH := at(h)
			downP, downH := at(-h)
			near(t, "motion", []float64{m.LogProb[i], m.Entropy[i]}, []float64{(upP - downP) / (2 * h), (upH - downH) / (2 * h)},
				1e-5)
		}
	}
}

// integral is ∫f over all that a Gaussian of mean m and deviation s reaches, by the rectangle rule, which for smooth
// functions that vanish at both ends is exact to the last digits.
func integral(m, s float64, f func(u float64) float64) (sum float64) {
	const steps = 4000
	h := 24 * s / steps
	for k := range steps {
		sum += h * f(m-12*s+h*float64(k))
	}
	return sum
}

func normal(u, m, s float64) float64 {
	return math.Exp(-(u-m)*(u-m)/(2*s*s)) / (s * math.Sqrt(2*math.Pi))
}

func TestEntropyAndDivergencesAreTheirIntegrals(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for range 100 {
		m, s, m0, s0 := rng.NormFloat64(), math.Exp(0.5*rng.NormFloat64()), rng.NormFloat64(), math.Exp(0.5*rng.NormFloat64())
		p, q := gaussianOf([]float64{m}, []float64{s}, 1), gaussianOf([]float64{m0}, []float64{s0}, 1)
		void := make([]float64, 2)
		against := func(m0, s0 float64) float64 {
			return integral(m, s, func(u float64) float64 {
				return normal(u, m, s) * ((u-m0)*(u-m0)/(2*s0*s0) + math.Log(s0) - (u-m)*(u-m)/(2*s*s) - math.Log(s))
			})
		}
		entropy := integral(m, s, func(u float64) float64 {
			d := normal(u, m, s)
			if d == 0 {
				return 0
			}
			return d * math.Log(d)
		})
		near(t, "Σ π log π", []float64{loss.GaussianEntropy(void, p, nil, 1)}, []float64{entropy}, 1e-6)
		near(t, "KL(π‖π₀)", []float64{loss.KLFromGaussian(void, p, q, 1)}, []float64{against(m0, s0)}, 1e-6)
		kl := make([]float64, 1)
		correct.GaussianKL(kl, p.Rows, q.Rows, 1)
		near(t, "KL of rows", kl, []float64{against(m0, s0)}, 1e-6)
		p.Squash = true
		near(t, "KL to a standard normal", []float64{loss.GaussianEntropy(void, p, nil, 1)}, []float64{against(0, 1)}, 1e-6)
	}
}

// The density of a = tanh u integrates to 1 over (−1, 1): the Jacobian is the right one.
func TestSquashedDensityHasMassOne(t *testing.T) {
	p := gaussianOf([]float64{0.3}, []float64{0.6}, 1)
	p.Squash = true
	void, sum := make([]float64, 2), 0.0
	const steps = 20000
	for k := range steps {
		a := -1 + 2*(float64(k)+0.5)/steps
		sum += 2.0 / steps * math.Exp(-loss.GaussianLikelihood(void, p, []float64{math.Atanh(a)}, []float64{1}, 0))
	}
	near(t, "mass", []float64{sum}, []float64{1}, 1e-4)
	for _, u := range []float64{-80, 80} { // tanh u is 1 to the last bit, its Jacobian is not 0
		if v := loss.GaussianLikelihood(void, p, []float64{u}, []float64{1}, 0); math.IsInf(v, 0) || math.IsNaN(v) {
			t.Errorf("−log π of a draw of %v is %v", u, v)
		}
	}
}

// With one covariance for both, the two parts are all of KL(old‖new), which the full form knows too.
func TestDiagonalIsFullWithADiagonalFactor(t *testing.T) {
	old, p := gaussianOf([]float64{0.3, -1}, []float64{0.5, 2}, 2), gaussianOf([]float64{-0.2, 0.4}, []float64{0.7, 1.5},
		2)
	d, kl := make([]float64, 4), make([]float64, 1)
	mean, spread := oracle.FullDivergence(d[:2], old.Rows[:2], []float64{0.5, 0, 0, 2}, p.Rows[:2],
		[]float64{0.7, 0, 0, 1.5})
	near(t, "mean", []float64{mean}, []float64{loss.MeanDivergence(d, kl, old, p, 1)}, 1e-12)
	near(t, "spread", []float64{spread}, []float64{loss.SpreadDivergence(d, kl, old, p, 1)}, 1e-12)
}

func TestGaussianFloat32FollowsFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	for range 100 {
		g := randomGaussians(rng)
		p, old := g.of(g.x), g.of(g.old)
		d, kl := make([]float64, len(g.x)), make([]float64, g.n)
		wide := []float64{
			loss.GaussianPolicyGradient(d, p, g.draw, g.w, g.a, 1), loss.GaussianEntropy(d, p, g.w, 1),
			loss.GaussianLikelihood(d, p, g.draw, g.w, 1),
			loss.MeanDivergence(d, kl, old, p, 1), loss.SpreadDivergence(d, kl, old, p, 1), loss.KLFromGaussian(d, p, old, 1),
		}
		small := func(p loss.Gaussian[float64]) loss.Gaussian[float32] {
			return loss.Gaussian[float32]{Rows: narrow(p.Rows), Dims: p.Dims, Squash: p.Squash}
		}
		p32, old32, draw, w, a := small(p), small(old), narrow(g.draw), narrow(g.w), narrow(g.a)
		d32, kl32 := make([]float32, len(g.x)), make([]float32, g.n)
		got := []float64{
			loss.GaussianPolicyGradient(d32, p32, draw, w, a, 1), loss.GaussianEntropy(d32, p32, w, 1),
			loss.GaussianLikelihood(d32, p32, draw, w, 1),
			loss.MeanDivergence(d32, kl32, old32, p32, 1), loss.SpreadDivergence(d32, kl32, old32, p32, 1),
			loss.KLFromGaussian(d32, p32, old32, 1),
		}
		near(t, "values", got, wide, 2e-5)
		near(t, "derivatives", widen(d32), d, 2e-5)
	}
}

func TestGaussianTermsAllocateNothing(t *testing.T) {
	g := randomGaussians(rand.New(rand.NewPCG(12, 13)))
	p, old := g.of(g.x), g.of(g.old)
	d, kl := make([]float64, len(g.x)), make([]float64, g.n)
	m := loss.Motion[float64]{LogProb: make([]float64, g.n), Entropy: make([]float64, g.n)}
	if n := testing.AllocsPerRun(10, func() {
		loss.GaussianPolicyGradient(d, p, g.draw, g.w, g.a, 1)
		loss.GaussianEntropy(d, p, g.w, 1)
		loss.GaussianLikelihood(d, p, g.draw, g.w, 1)
		loss.MeanDivergence(d, kl, old, p, 1)
		loss.SpreadDivergence(d, kl, old, p, 1)
		loss.KLFromGaussian(d, p, old, 1)
		loss.MoveGaussian(m, p, g.draw, g.t)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
