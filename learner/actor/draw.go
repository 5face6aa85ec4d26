package actor

import (
	"math"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/net"
)

// Draws makes actions of real numbers from a Gaussian policy's columns. Numbers are in units of each control's range,
// ±1 at its ends, so that a policy means the same on every world; the world cuts what lies beyond.
type Draws struct {
	policy   net.Policy
	controls []envs.Control
	normal   []float32 // [dims + 1]: normals come in pairs
}

// NewDraws is for the controls of a world.
func NewDraws(spec *net.Spec, controls []envs.Control) Draws {
	if spec.Reals() != len(controls) && spec.Reals() > 0 {
		panic("actor: a Gaussian policy has a mean and a spread for each control")
	}
	return Draws{policy: spec.Policy, controls: controls, normal: make([]float32, len(controls)+1)}
}

// Draw reads one row of a network's numbers as μ, the means and standard deviations [2·dims], and draws from it: u
// [dims] is the draw itself, action the same in units of the range, control what the world is told.
func (d *Draws) Draw(mu, u, action, control, raw []float32, chance *envs.Rand) {
	n := len(d.controls)
	correct.Gaussian(mu, nil, raw, n, d.policy.Spread())
	for k := 0; k < n; k += 2 {
		// Box and Muller (1958): two uniforms make two independent normals. 1 − u is never 0.
		r, angle := math.Sqrt(-2*math.Log(1-chance.Float64())), 2*math.Pi*chance.Float64()
		d.normal[k], d.normal[k+1] = float32(r*math.Cos(angle)), float32(r*math.Sin(angle))
	}
	for k, c := range d.controls {
		u[k] = mu[k] + mu[n+k]*d.normal[k]
		action[k] = u[k]
		if d.policy == net.Tanh {
			action[k] = float32(math.Tanh(float64(u[k])))
		}
		control[k] = c.Low + (c.High-c.Low)*(action[k]+1)/2
	}
}
