// Package design says which network a configuration asks for. It stands apart from the learner, because the
// page builds the same one to play with and must not carry the graph.
package design

import (
	"fmt"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/net"
)

// Of is the network a configuration asks for.
func Of(cfg *hyper.Config) (net.Spec, error) {
	world, tasks, err := envs.Describe(cfg.World)
	if err != nil {
		return net.Spec{}, err
	}
	hidden, err := hyper.ParseWidths("hidden", cfg.Hidden)
	if err != nil {
		return net.Spec{}, err
	}
	headHidden, err := hyper.ParseWidths("head-hidden", cfg.HeadHidden)
	if err != nil {
		return net.Spec{}, err
	}
	activation := kernel.Tanh
	if cfg.Activation == hyper.ReLU {
		activation = kernel.ReLU
	}
	spec := net.Spec{
		Obs: world.Size(), Hidden: hidden, Activation: activation, LSTM: cfg.LSTM, Separate: cfg.Torsos == hyper.Separate,
		Actions: len(world.Actions), HeadScale: float32(cfg.HeadScale), HeadHidden: headHidden,
	}
	if cfg.Policy != hyper.Softmax {
		spec.Policy, spec.Actions = net.Gaussian, 2*len(world.Controls)
		if cfg.Policy == hyper.Squashed {
			spec.Policy = net.Tanh
		}
	}
	switch cfg.Torso {
	case hyper.ShallowTorso:
		spec.Torso = net.Shallow
	case hyper.DeepTorso:
		spec.Torso = net.Deep
	}
	if spec.Torso != net.Flat {
		switch len(world.Obs) {
		case 2: // one channel
			spec.Image = [3]int{world.Obs[0], world.Obs[1], 1}
		case 3:
			spec.Image = [3]int(world.Obs)
		default:
			return net.Spec{}, fmt.Errorf("torso=%s with world=%s: an observation of %d numbers is no image; set torso=flat",
				cfg.Torso, cfg.World, spec.Obs)
		}
	}
	if cfg.Feedback == hyper.On {
		spec.Feedback = len(world.Actions) + 1
		if n := spec.Reals(); n > 0 {
			spec.Feedback = n + 1
		}
	}
	if cfg.Algorithm().SeveralHeads {
		spec.Heads = cfg.Heads
	}
	if cfg.PopArt == hyper.On {
		spec.Values = len(tasks) // each with statistics of its own (V-MPO §4.1)
	}
	return spec, spec.Validate()
}
