package quantity

import (
	"errors"
	"math"

	"impalab/envs/exact"
)

// settling limits the number of updates.
const settling = 10_000

// settle applies the expected update from V = 0 until every state is within a share of the largest value from the fixed
// point.
func (r *house) settle(g args, share float64) (updates int, v []float64, err error) {
	k := updating(g)
	implied, goal := make([]float64, len(r.pi)), make([]float64, r.p.States)
	r.p.Implied(implied, r.pi, r.mu, k)
	if err := r.p.Value(goal, implied); err != nil {
		return 0, nil, err
	}
	v = make([]float64, r.p.States)
	for updates = range settling {
		off, largest := 0.0, 0.0
		for s := range v {
			off, largest = max(off, math.Abs(v[s]-goal[s])), max(largest, math.Abs(goal[s]))
		}
		if off <= share*largest {
			return updates, v, nil
		}
		if err := r.p.Operator(v, v, r.pi, r.mu, k); err != nil {
			return 0, nil, err
		}
	}
	return 0, nil, errors.New("the values do not settle")
}

// updates returns the number of updates until one per cent is left.
func (r *house) updates(g args) (float64, error) {
	n, _, err := r.settle(g, .01)
	return float64(n), err
}

// settled returns the mean of the values after the updates.
func (r *house) settled(g args) (float64, error) {
	_, v, err := r.settle(g, 1e-9)
	if err != nil {
		return 0, err
	}
	return r.p.Mean(v), nil
}

// contraction measures the expected update.
func (r *house) contraction(g args, of func(*exact.Contraction) float64) (float64, error) {
	k, err := r.p.Contraction(r.pi, r.mu, updating(g))
	if err != nil {
		return 0, err
	}
	return of(k), nil
}

// halfWay returns the ceiling for which the values converge half-way between V^μ and V^π.
func (r *house) halfWay() (float64, error) {
	low, err := r.value(r.mu)
	if err != nil {
		return 0, err
	}
	high, err := r.value(r.pi)
	if err != nil {
		return 0, err
	}
	return bisect(.5, 2, func(rho float64) float64 {
		v, _ := r.destination(args{"rho": rho, "alpha": 1}) // halfWay has checked both ends
		return r.p.Mean(v) - (low+high)/2
	}), nil
}

// twoStates returns a quantity of the expected update in a world of two states. In state 0, action 1 leads to state 1
// and action 2 stays, with μ = (.1, .9) and π = (.9, .1). State 1 leads back, with π = μ. γ = .9.
func twoStates(of func(*exact.Contraction) float64) func(args) (float64, error) {
	return func(g args) (float64, error) {
		p := &exact.Problem{
			States: 2, Actions: 2, Gamma: .9, Start: []float64{1, 0}, R: make([]float64, 4),
			P: []float64{0, 1, 1, 0, 1, 0, 1, 0},
		}
		r := &house{p, []float64{.9, .1, .5, .5}, []float64{.1, .9, .5, .5}}
		g["rho"] = 1
		return r.contraction(g, of)
	}
}

// bisect returns the zero of f, which rises, between low and high.
func bisect(low, high float64, f func(float64) float64) float64 {
	for range 200 {
		if middle := (low + high) / 2; f(middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
