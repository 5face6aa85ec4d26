package exact

import "math"

// The expected effect of leaky V-trace, for every state at once: IMPALA §4 and appendix A, STAC §3.1 and appendix.

// Correction is how the ratio IS = π/μ is cut. The zero value cuts everything away: nothing is learned.
type Correction struct {
	RhoBar, CBar   float64 // ρ̄, c̄ ≥ 0, +Inf: uncut
	LeakRho, LeakC float64 // α_ρ, α_c in [0, 1]; 1: V-trace, 0: plain importance sampling
	Lambda         float64 // [0, 1]
}

// cut is μ·(α·min(bar, IS) + (1−α)·IS), written without the ratio so that nothing overflows. Where μ is 0 there are no
// data, and the expectation over μ leaves 0.
func cut(target, behaviour, bar, leak float64) float64 {
	if behaviour == 0 {
		return 0
	}
	return leak*min(bar*behaviour, target) + (1-leak)*target
}

// weigh returns μ·ρ and μ·c of one action: the weights as the expectation over μ sees them.
func (k Correction) weigh(target, behaviour float64) (rho, c float64) {
	return cut(target, behaviour, k.RhoBar, k.LeakRho), k.Lambda * cut(target, behaviour, k.CBar, k.LeakC)
}

// Implied writes π_ρ̄,α ∝ α_ρ·min(ρ̄·μ, π) + (1−α_ρ)·π (IMPALA eq. 3), the policy whose value the correction leads
// to. Actions that μ never takes have no data and get 0. Where all is cut away it is μ, the limit for ρ̄ → 0.
// out, target, behaviour: [S, A].
func (p *Problem) Implied(out, target, behaviour []float64, k Correction) {
	for s := range p.States {
		sum := 0.0
		row := out[s*p.Actions : (s+1)*p.Actions]
		for a := range row {
			i := s*p.Actions + a
			row[a], _ = k.weigh(target[i], behaviour[i])
			sum += row[a]
		}
		if sum == 0 {
			copy(row, behaviour[s*p.Actions:])
			continue
		}
		for a := range row {
			row[a] /= sum
		}
	}
}

// weights are μ·ρ and μ·c for all (s, a), and E_μ ρ for all s.
func (p *Problem) weights(target, behaviour []float64, k Correction) (rho, c, mean []float64) {
	rho, c, mean = make([]float64, len(target)), make([]float64, len(target)), make([]float64, p.States)
	for i := range target {
		rho[i], c[i] = k.weigh(target[i], behaviour[i])
		mean[i/p.Actions] += rho[i]
	}
	return rho, c, mean
}

// errors is the expected first term, E_μ[ρ·δ](s) = Σ_a μ·ρ·(r + γ·P·V − V).
func (p *Problem) errors(v, rho []float64) []float64 {
	d := make([]float64, p.States)
	for s := range d {
		for a := range p.Actions {
			d[s] += rho[s*p.Actions+a] * (p.backup(v, s, a) - v[s])
		}
	}
	return d
}

// Operator applies the expected V-trace operator once, unrolls without end (IMPALA eq. 2 of appendix A):
//
//	RV = V + (I − γW_c)⁻¹·E_μ[ρδ],  W_c = Σ_a μ·c·P
//
// out, v: [S]; they may be the same.
func (p *Problem) Operator(out, v, target, behaviour []float64, k Correction) error {
	rho, c, _ := p.weights(target, behaviour, k)
	d := p.errors(v, rho)
	if err := solve(p.identityMinus(c), d, 1); err != nil {
		return err
	}
	for s := range out {
		out[s] = v[s] + d[s]
	}
	return nil
}

// Contraction is the speed at which the operator pulls values to its fixed point: one application shrinks the largest
// error at least by the factor Max, if RhoDominatesC.
type Contraction struct {
	PerState []float64 // [S] η started at s (IMPALA theorem 1); 0 where the episode is over
	Max      float64
	Norm     float64 // sup norm of the operator's linear part: Max, unless a coefficient is negative
	Beta     float64 // min_s E_μ ρ, with the leak
	Bound    float64 // 1 − (1−γ)·β
	// LeakyBound is STAC's form of Bound: 1 − (1−γ)·(α_ρ·β₀ + 1 − α_ρ), β₀ = min_s E_μ min(ρ̄, IS).
	LeakyBound    float64
	Nonnegative   bool // no coefficient of the linear part is below 0
	RhoDominatesC bool // ρ ≥ c everywhere, which the proof needs
	// Printed is STAC's condition as printed, ρ̄ ≥ c̄ and α_ρ ≥ α_c. It has the second part the wrong way round.
	Printed bool

	linear []float64 // [S, S]
}

// SpectralRadius is the rate at which errors shrink in the end. It costs sixty products of matrices.
func (c *Contraction) SpectralRadius() float64 { return spectralRadius(c.linear, len(c.PerState)) }

// rounding is how far sums that agree in theory may lie apart.
const rounding = 1e-12

// Contraction measures the operator. Its linear part is A = I − (I − γW_c)⁻¹·(E_μρ − γW_ρ), W_ρ = Σ_a μ·ρ·P.
func (p *Problem) Contraction(target, behaviour []float64, k Correction) (*Contraction, error) {
	n := p.States
	rho, c, mean := p.weights(target, behaviour, k)
	out := &Contraction{
		PerState:      make([]float64, n),
		Beta:          math.Inf(1),
		Nonnegative:   true,
		RhoDominatesC: true,
		Printed:       k.RhoBar >= k.CBar && k.LeakRho >= k.LeakC,
	}
	// A: solve for all columns of E_μρ − γW_ρ at once, then take it from I.
	a := p.identityMinus(rho)
	for s := range n {
		a[s*n+s] += mean[s] - 1
	}
	if err := solve(p.identityMinus(c), a, n); err != nil {
		return nil, err
	}
	plain := math.Inf(1)
	for s := range n {
		row := a[s*n : (s+1)*n]
		if p.Over != nil && p.Over[s] {
			clear(row)
			continue
		}
		for to := range row {
			row[to] = -row[to]
			if to == s {
				row[to]++
			}
			out.Nonnegative = out.Nonnegative && row[to] >= -rounding
			// Summed: η(s) = 1 − (1−γ)·[(I−γW_c)⁻¹·E_μρ](s) where no episode ends, less where one may.
			out.PerState[s] += row[to]
		}
		beta := 0.0
		for i := s * p.Actions; i < (s+1)*p.Actions; i++ {
			beta += cut(target[i], behaviour[i], k.RhoBar, 1)
			out.RhoDominatesC = out.RhoDominatesC && rho[i] >= c[i]-rounding
		}
		plain = min(plain, beta)
		out.Beta = min(out.Beta, mean[s])
		out.Max = max(out.Max, out.PerState[s])
	}
	out.linear = a
	out.Norm = normInf(a, n)
	out.Bound = 1 - (1-p.Gamma)*out.Beta
	out.LeakyBound = 1 - (1-p.Gamma)*(k.LeakRho*plain+1-k.LeakRho)
	return out, nil
}
