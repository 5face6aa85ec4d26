package correct

import (
	"math"
	"math/cmplx"
)

// KL(π‖π̃_μ) of two Gaussians. π̃_μ ∝ min(ρ̄·μ, π) is not a Gaussian, but with L = log(ρ̄·μ/π) and w = min(1, exp L)
//
//	KL(π‖π̃) = log E_π[w] − E_π[log w].
//
// L is a sum of quadratics of independent normal numbers. Of one component both means are closed forms. Of several
// components they are integrals of M(s) = E_π[exp(s·L)], which has a closed form, along Re s = ½:
//
//	E_π[w] = 1/2πi ∫ M(s)/(s·(1−s)) ds,   E_π[max(0, L)] = 1/2πi ∫ M(s)/s² ds.
//
// (The quotients of M are the two-sided Laplace transforms of min(1, exp L) and of max(0, L).)

// klImpliedGaussian is KL(π‖π̃_μ) of rows p of π and q of μ, never below 0.
func klImpliedGaussian[F Float](p, q []F, dims int, logRhoBar float64) float64 {
	far := 0.0 // KL(π‖μ) = log ρ̄ − E_π[L]
	for k := range dims {
		r, e := float64(p[dims+k])/float64(q[dims+k]), (float64(p[k])-float64(q[k]))/float64(q[dims+k])
		far += (r*r+e*e-1)/2 - math.Log(r)
	}
	spread := math.Sqrt(2 * max(0, far)) // about the standard deviation of L
	switch {
	case spread < 1e-7, logRhoBar > 12*spread+12: // ρ̄·μ > π everywhere that matters
		return 0
	case logRhoBar < -12*spread-12: // π̃ is μ
		return far
	case dims == 1:
		less, weight := quadraticOf(p, q, logRhoBar).means()
		return divergence(less, weight)
	}
	more, weight := contour(p, q, dims, logRhoBar, spread)
	return divergence(far-logRhoBar+more, weight)
}

// contour returns E_π[max(0, L)] and E_π[w] by the trapezoidal rule. Where L varies little, M decays slowly. So the
// rule integrates M's difference from the transform of a normal L with the same mean and the same E[exp L] = ρ̄, whose
// own two means are closed forms. The difference has no pole at 0 or 1.
func contour[F Float](p, q []F, dims int, logRhoBar, spread float64) (more, weight float64) {
	half := spread * spread / 2
	m := logRhoBar - half
	above := between(-m/spread, math.Inf(1))
	more = m*above + spread*density(m/spread)
	weight = above + math.Exp(logRhoBar)*between(math.Inf(-1), -(m+2*half)/spread)
	step := 2 * math.Pi / (math.Abs(logRhoBar) + 16*spread)
	nodes := min(256, int(max(12/spread, 3)/step)+1)
	for n := range nodes {
		s := complex(0.5, (float64(n)+0.5)*step)
		power, root := s*complex(logRhoBar, 0), complex(1, 0)
		for k := range dims {
			sp, sq, d := float64(p[dims+k]), float64(q[dims+k]), float64(p[k])-float64(q[k])
			// ∫ π^(1−s)·μ^s = σ_p^s·σ_q^(1−s)/√D · exp(−½·s·(1−s)·(m_p−m_q)²/D),  D = s·σ_p² + (1−s)·σ_q²
			mixed := 1 + s*complex(sp*sp/(sq*sq)-1, 0) // D/σ_q²
			root *= cmplx.Sqrt(mixed)
			power += s*complex(math.Log(sp/sq), 0) - s*(1-s)*complex(d*d/(2*sq*sq), 0)/mixed
		}
		difference := cmplx.Exp(power)/root - cmplx.Exp(s*complex(logRhoBar, 0)-s*(1-s)*complex(half, 0))
		more += step / math.Pi * real(difference/(s*s))
		weight += step / math.Pi * real(difference/(s*(1-s)))
	}
	return more, weight
}

// quadratic is L = a + b·z + c·z² of one component, where the draw from π is m_p + σ_p·z; c < ½.
type quadratic struct{ a, b, c float64 }

func quadraticOf[F Float](p, q []F, logRhoBar float64) quadratic {
	r, e := float64(p[1])/float64(q[1]), (float64(p[0])-float64(q[0]))/float64(q[1])
	return quadratic{a: logRhoBar + math.Log(r) - e*e/2, b: -r * e, c: (1 - r*r) / 2}
}

// means returns −E[log w] and E[w] where log w = min(0, L).
func (q quadratic) means() (less, weight float64) {
	// log w < 0 between its roots x and y, or outside them.
	x, y, outside := math.Inf(-1), math.Inf(1), false
	if disc := q.b*q.b - 4*q.a*q.c; disc > 0 {
		root := -(q.b + math.Copysign(math.Sqrt(disc), q.b)) / 2 // no difference of two near numbers
		x, y, outside = root/q.c, q.a/root, q.c < 0
		if x > y {
			x, y = y, x
		}
	} else if q.c > 0 || q.c == 0 && q.a >= 0 {
		return 0, 1
	}
	// exp L times the normal density is another normal density, of mean m and spread s, and a factor.
	s := 1 / math.Sqrt(1-2*q.c)
	m, factor := q.b*s*s, math.Exp(q.a+q.b*q.b*s*s/2)*s
	p, p1, p2 := between(x, y), density(x)-density(y), edge(x)-edge(y)
	cut := between((x-m)/s, (y-m)/s)
	p2 += p
	if outside {
		p, p1, p2 = between(math.Inf(-1), x)+between(y, math.Inf(1)), -p1, 1-p2
		cut = between(math.Inf(-1), (x-m)/s) + between((y-m)/s, math.Inf(1))
	}
	if cut > 0 { // else the factor may be infinite
		cut = math.Min(p, cut*factor)
	}
	return max(0, -(q.a*p + q.b*p1 + q.c*p2)), 1 - p + cut
}

// between is the normal probability of [x, y], precise in both tails.
func between(x, y float64) float64 {
	if x > 0 {
		x, y = -y, -x
	}
	return (math.Erfc(-y/math.Sqrt2) - math.Erfc(-x/math.Sqrt2)) / 2
}

func density(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }

// edge is x·density(x), with its limit 0.
func edge(x float64) float64 {
	if math.IsInf(x, 0) {
		return 0
	}
	return x * density(x)
}

// divergence is log E[w] − E[log w]. A weight too small for a number gives a large divergence.
func divergence(less, weight float64) float64 {
	return max(0, less+math.Log(max(weight, math.SmallestNonzeroFloat64)))
}
