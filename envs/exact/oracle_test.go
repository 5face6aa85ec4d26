package exact

// OperatorN is Operator for unrolls of n steps, bootstrapped with V: V + Σ_{t<n} (γW_c)ᵗ·E_μ[ρδ].
func (p *Problem) OperatorN(out, v []float64, n int, target, behaviour []float64, k Correction) {
	rho, c, _ := p.weights(target, behaviour, k)
	d := p.errors(v, rho)
	sum, next := make([]float64, p.States), make([]float64, p.States)
	for range n { // sum ← E_μ[ρδ] + γ·W_c·sum
		for s := range next {
			next[s] = d[s]
			for a := range p.Actions {
				next[s] += p.Gamma * c[s*p.Actions+a] * dot(p.next(s, a), sum)
			}
		}
		sum, next = next, sum
	}
	for s := range out {
		out[s] = v[s] + sum[s]
	}
}
