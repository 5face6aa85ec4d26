package envs

import (
	"errors"

	"impalab/envs/world"
)

// The challenges of Dulac-Arnold et al. (2020, 2021), An empirical investigation of the challenges of real-world
// reinforcement learning, on which STAC is tested (its §5.2): delays, noise, failing sensors, actions that are held,
// bodies that differ and values that mean nothing, combined in three difficulties. The numbers are
// get_combined_challenge's in realworldrl_suite/environments/realworld_env.py.
var challenges = [3]map[string]float64{
	{
		"act-delay": 3, "obs-delay": 3, "reward-delay": 10, "act-noise": .1, "obs-noise": .1,
		"drop": .01, "drop-steps": 1, "stuck": .01, "stuck-steps": 1, "hold": 1, "perturb": 1, "extra": 10,
	},
	{
		"act-delay": 6, "obs-delay": 6, "reward-delay": 20, "act-noise": .3, "obs-noise": .3,
		"drop": .05, "drop-steps": 5, "stuck": .05, "stuck-steps": 5, "hold": 2, "perturb": 1, "extra": 20,
	},
	{
		"act-delay": 9, "obs-delay": 9, "reward-delay": 40, "act-noise": 1, "obs-noise": 1,
		"drop": .1, "drop-steps": 10, "stuck": .1, "stuck-steps": 10, "hold": 3, "perturb": 1, "extra": 50,
	},
}

// challenged are the values of options that a difficulty sets, the others as they were. A world whose body cannot
// change keeps it.
func (e *Entry) challenged(options []Option, values []float64, difficulty int) {
	if difficulty == 0 {
		return
	}
	for i := range options {
		key := options[i].Key
		v, set := challenges[difficulty-1][key]
		if _, able := e.New().(perturbable); set && (key != "perturb" || able) {
			values[i] = v
		}
	}
}

// perturbable is a world whose body can be changed.
type perturbable interface {
	// perturb sets the body for an episode, from one end of its range at 0 to the other at 1.
	perturb(x float64)
}

// perturbed draws the body for each episode, uniformly.
type perturbed struct {
	layer
	world perturbable
	x     float64
}

func putPerturb(b *wrapping, _ float64) error {
	if _, able := b.bare.New().(perturbable); !able {
		return errors.New("its body cannot be changed: leave perturb out, or choose cartpole")
	}
	b.layers = append(b.layers, func(inner layer, w World) layer {
		l := &perturbed{layer: inner, world: w.(perturbable)}
		l.world.perturb(l.x)
		return l
	})
	return nil
}

func (l *perturbed) reset(r *Rand) {
	l.x = r.Float64()
	l.world.perturb(l.x)
	l.layer.reset(r)
}

func (l *perturbed) state(dst []byte) []byte { return l.layer.state(world.AppendFloat(dst, l.x)) }

func (l *perturbed) restore(b *world.Blob) {
	l.x = b.Within(1)
	if l.x < 0 {
		b.Fail("holds a number out of range")
		return
	}
	l.world.perturb(l.x)
	l.layer.restore(b)
}
