// Package exact solves finite worlds: the value of any policy, the destination and speed of leaky V-trace, and the best
// policy. Float64, dense, meant for up to a few hundred states. A problem has no time limit: values belong to the world
// without one.
package exact

import (
	"errors"
	"math"

	"impalab/envs"
)

// Problem is a finite decision process with its discount. Arrays are flat and row-major. A row of P sums to 1 less the
// probability that the episode ends there: states after an end are worth 0 and drop out of every sum.
type Problem struct {
	States, Actions int
	P               []float64 // [S, A, S]
	R               []float64 // [S, A] expected rewards
	Over            []bool    // [S] the episode is over here; nil: nowhere
	Start           []float64 // [S] probability that an episode begins in s
	Gamma           float64   // [0, 1]; 1 only where every episode ends
}

// Of writes a finite world's table as a problem. Over-states keep their numbers; their rows are zero, so their value is
// 0.
func Of(m *envs.MDP, gamma float64) *Problem {
	p := &Problem{
		States: m.States, Actions: m.Actions,
		P:    make([]float64, m.States*m.Actions*m.States),
		R:    make([]float64, m.States*m.Actions),
		Over: m.Over, Start: m.Start,
		Gamma: gamma,
	}
	for sa, branches := range m.Next {
		for _, b := range branches {
			p.R[sa] += b.P * float64(b.Reward)
			if !m.Over[b.To] {
				p.P[sa*m.States+b.To] += b.P
			}
		}
	}
	return p
}

// Mean is the average of v over the states in which episodes begin.
func (p *Problem) Mean(v []float64) float64 {
	sum := 0.0
	for s, share := range p.Start {
		sum += share * v[s]
	}
	return sum
}

// next is row (s, a) of P.
func (p *Problem) next(s, a int) []float64 {
	at := (s*p.Actions + a) * p.States
	return p.P[at : at+p.States]
}

// backup is r(s,a) + γ·Σ_s' P(s'|s,a)·V(s').
func (p *Problem) backup(v []float64, s, a int) float64 {
	return p.R[s*p.Actions+a] + p.Gamma*dot(p.next(s, a), v)
}

// Value writes V^π, the solution of V = r_π + γ·P_π·V. v: [S], policy: [S, A], rows sum to 1.
func (p *Problem) Value(v, policy []float64) error {
	n := p.States
	m := p.identityMinus(policy)
	for s := range n {
		v[s] = dot(policy[s*p.Actions:(s+1)*p.Actions], p.R[s*p.Actions:(s+1)*p.Actions])
	}
	return solve(m, v, 1)
}

// identityMinus is I − γ·W with W[s,s'] = Σ_a weight(s,a)·P(s'|s,a). weight: [S, A].
func (p *Problem) identityMinus(weight []float64) []float64 {
	n := p.States
	m := make([]float64, n*n)
	for s := range n {
		row := m[s*n : (s+1)*n]
		row[s] = 1
		for a := range p.Actions {
			w := p.Gamma * weight[s*p.Actions+a]
			for to, q := range p.next(s, a) {
				row[to] -= w * q
			}
		}
	}
	return m
}

// Optimal writes Q*, [S, A], by value iteration: Q ← r + γ·P·max_a Q until nothing moves by more than 1e-12 of
// the largest value. The rest that could still follow is below that times γ/(1−γ).
func (p *Problem) Optimal(q []float64) error {
	const rounds = 1_000_000 // γ = 0.99999 needs about this many
	v := make([]float64, p.States)
	for range rounds {
		moved, largest := 0.0, 1.0
		for s := range p.States {
			for a := range p.Actions {
				i := s*p.Actions + a
				was := q[i]
				q[i] = p.backup(v, s, a)
				moved = max(moved, math.Abs(q[i]-was))
				largest = max(largest, math.Abs(q[i]))
			}
		}
		p.Best(v, q)
		if moved <= 1e-12*largest {
			return nil
		}
	}
	return errors.New("exact: the optimal values do not settle: choose a discount below 1")
}

// Best writes V(s) = max_a Q(s,a).
func (p *Problem) Best(v, q []float64) {
	for s := range v {
		v[s] = math.Inf(-1)
		for _, x := range q[s*p.Actions : (s+1)*p.Actions] {
			v[s] = max(v[s], x)
		}
	}
}

// Soft writes the policy ∝ exp(Q(s,a)/τ), [S, A]: the sharper, the smaller τ > 0 is.
func (p *Problem) Soft(policy, q []float64, tau float64) {
	if !(tau > 0) {
		panic("exact: a soft policy needs a positive temperature")
	}
	for s := range p.States {
		row, values := policy[s*p.Actions:(s+1)*p.Actions], q[s*p.Actions:(s+1)*p.Actions]
		top, sum := math.Inf(-1), 0.0
		for _, x := range values {
			top = max(top, x)
		}
		for a, x := range values {
			row[a] = math.Exp((x - top) / tau)
			sum += row[a]
		}
		for a := range row {
			row[a] /= sum
		}
	}
}
