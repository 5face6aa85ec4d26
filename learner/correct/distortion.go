// LASER's Propositions 2 and 3, exact for one state: how V-trace's truncation distorts action values, and how much
// online data corrects them. A row holds the probabilities of one state.
package correct

import "math"

// Omega writes ω(a) = min(1, ρ̄·μ(a)/π(a)), by which truncation scales Q(a) (LASER eq. 10).
func Omega[F Float](omega, pi, mu []F, rhoBar F) {
	for a := range omega {
		omega[a] = 1
		if rhoBar*mu[a] < pi[a] {
			omega[a] = rhoBar * mu[a] / pi[a]
		}
	}
}

// ExpectedGradient writes the exact policy gradient E_μ[ρ·(Q−baseline)·∇log π], which is E_π[ω·(Q−baseline)·∇log π],
// with respect to the logits of π:
//
//	g_j = π_j·( ω_j·(Q_j − baseline) − Σ_a π_a·ω_a·(Q_a − baseline) )
//
// ω depends on the action, so the baseline changes the expectation.
func ExpectedGradient[F Float](grad, pi, omega, q []F, baseline F) {
	mean := F(0)
	for a := range pi {
		mean += pi[a] * omega[a] * (q[a] - baseline)
	}
	for a := range pi {
		grad[a] = pi[a] * (omega[a]*(q[a]-baseline) - mean)
	}
}

// Ascent is gradient ascent on the logits of one state without a baseline (Proposition 2). If Step recomputes ω each
// time, the ascent does not end where the paper says. With ω frozen at the first π it does.
type Ascent[F Float] struct {
	Q, Mu  []F
	RhoBar F
	Rate   F
	Frozen bool // keep the first ω

	Pi                         []F // the policy now
	logits, omega, grad, logPi []F
}

// NewAscent starts at pi. Every entry of pi must be above zero: the ascent cannot raise a probability of zero.
func NewAscent[F Float](q, mu, pi []F, rhoBar, rate F, frozen bool) *Ascent[F] {
	n := len(pi)
	sameLen(len(q), n)
	sameLen(len(mu), n)
	s := &Ascent[F]{Q: q, Mu: mu, RhoBar: rhoBar, Rate: rate, Frozen: frozen, Pi: append([]F(nil), pi...),
		logits: make([]F, n), omega: make([]F, n), grad: make([]F, n), logPi: make([]F, n)}
	for a, p := range pi {
		s.logits[a] = F(math.Log(float64(p)))
	}
	Omega(s.omega, pi, mu, rhoBar)
	return s
}

// Step takes one exact gradient step.
func (s *Ascent[F]) Step() {
	if !s.Frozen {
		Omega(s.omega, s.Pi, s.Mu, s.RhoBar)
	}
	ExpectedGradient(s.grad, s.Pi, s.omega, s.Q, 0)
	for a, g := range s.grad {
		s.logits[a] += s.Rate * g
	}
	Softmax(s.Pi, s.logPi, s.logits, len(s.logits))
}

// Best returns the first action of the highest value.
func Best[F Float](q []F) int {
	best := 0
	for a := range q {
		if q[a] > q[best] {
			best = a
		}
	}
	return best
}

// MixedQ writes Q^α = Q·d^π·α + Q^ω·d^μ·(1−α), the action values under a share α of online data (LASER eq. 11).
func MixedQ[F Float](mixed, q, omega []F, visitMu, visitPi, online F) {
	for a := range q {
		mixed[a] = q[a]*visitPi*online + q[a]*omega[a]*visitMu*(1-online)
	}
}

// OnlineBound returns the right side of LASER eq. 13. The best action stays best when α/(1−α) is above
//
//	max over b ∉ A* of (Q^ω(b) − Q^ω(a*)) / (Q(a*) − Q(b)) · d^μ/d^π
//
// If several actions are best, the worst a* counts. The bound is −Inf when all actions are equally good.
func OnlineBound[F Float](q, omega []F, visitMu, visitPi F) F {
	bound, top := F(math.Inf(-1)), q[Best(q)]
	for star := range q {
		if q[star] != top {
			continue
		}
		for b := range q {
			if q[b] != top {
				bound = max(bound, (q[b]*omega[b]-top*omega[star])/(top-q[b])*visitMu/visitPi)
			}
		}
	}
	return bound
}

// OnlineShare returns the α at which α/(1−α) reaches bound. Any larger share keeps the right argmax.
func OnlineShare[F Float](bound F) F {
	if !(bound > 0) {
		return 0
	}
	if math.IsInf(float64(bound), 1) {
		return 1
	}
	return bound / (1 + bound)
}
