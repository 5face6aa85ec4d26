package exact

import "errors"

// Extremes are the values, averaged over the states in which episodes begin, of the worst and of the best policy there
// is: no policy's value lies outside. An error where some policy's value has no bound, as it may with γ = 1.
func (p *Problem) Extremes() (worst, best float64, err error) {
	v := make([]float64, p.States)
	if err = p.iterate(v, -1); err != nil {
		return 0, 0, err
	}
	worst = p.Mean(v)
	if err = p.iterate(v, 1); err != nil {
		return 0, 0, err
	}
	return worst, p.Mean(v), nil
}

// iterate writes the value of the policy that is best for rewards of that sign: policy iteration (Howard, 1960), which
// needs a handful of solves however close γ is to 1.
func (p *Problem) iterate(v []float64, sign float64) error {
	choice, policy := make([]int, p.States), make([]float64, p.States*p.Actions)
	for s := range choice {
		policy[s*p.Actions] = 1
	}
	for range 10 * (p.States + 1) {
		if err := p.Value(v, policy); err != nil {
			return err
		}
		settled := true
		for s, now := range choice {
			top := sign*p.backup(v, s, now) + rounding*max(1, v[s], -v[s]) // a tie changes nothing
			for a := range p.Actions {
				if q := sign * p.backup(v, s, a); q > top {
					policy[s*p.Actions+choice[s]], policy[s*p.Actions+a] = 0, 1
					choice[s], top, settled = a, q, false
				}
			}
		}
		if settled {
			return nil
		}
	}
	return errors.New("exact: the best policy does not settle: choose a discount below 1")
}
