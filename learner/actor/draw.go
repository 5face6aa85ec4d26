package actor

import (
	"math"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/net"
)

// Draw is one action of real numbers, a number for each of a world's controls.
type Draw struct {
	Mu      []float32 // [2·controls] the policy: means, then standard deviations
	Real    []float32 // the draw, before squashing
	Scaled  []float32 // the same in units of each control's range, ±1 at its ends; beyond, the world cuts
	Control []float32 // the world's input
}

// Draw reads a row of the network's numbers and draws an action, or takes the mean where chance is nil. In units of
// the range a policy means the same on every world. False says that the policy or a control is not finite.
func (d *Draw) Draw(policy net.Policy, raw []float32, controls []envs.Control, chance *envs.Rand) (finite bool) {
	n := len(controls)
	rest := float32(0) // x−x: 0, or NaN where x is not finite
	correct.Gaussian(d.Mu, nil, raw, n, policy.Spread())
	for k, c := range controls {
		u := d.Mu[k]
		if chance != nil {
			u += d.Mu[n+k] * float32(chance.Norm())
		}
		d.Real[k], d.Scaled[k] = u, u
		if policy == net.Tanh {
			d.Scaled[k] = float32(math.Tanh(float64(u)))
		}
		d.Control[k] = c.Low + (c.High-c.Low)*(d.Scaled[k]+1)/2
		rest += (d.Mu[k] - d.Mu[k]) + (d.Mu[n+k] - d.Mu[n+k]) + (u - u) + (d.Control[k] - d.Control[k])
	}
	return rest == 0
}

// NewDraw makes room for n actions of some controls side by side.
func NewDraw(n, controls int) Draw {
	row := func() []float32 { return make([]float32, n*controls) }
	return Draw{Mu: make([]float32, 2*n*controls), Real: row(), Scaled: row(), Control: row()}
}

// row returns the i-th of several actions side by side.
func (d *Draw) row(i, controls int) Draw {
	from, to := i*controls, (i+1)*controls
	return Draw{Mu: d.Mu[2*from : 2*to], Real: d.Real[from:to], Scaled: d.Scaled[from:to], Control: d.Control[from:to]}
}
