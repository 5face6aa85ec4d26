package hyper

import (
	"fmt"
	"hash/crc32"

	"impalab/envs"
	"impalab/learner/kernel"
	"impalab/learner/learned"
	"impalab/learner/net"
)

var (
	activations = map[Activation]kernel.Activation{Tanh: kernel.Tanh, ReLU: kernel.ReLU}
	policies    = map[Policy]net.Policy{Softmax: net.Softmax, Gaussian: net.Gaussian, Squashed: net.Tanh}
	torsos      = map[Torso]net.Torso{FlatTorso: net.Flat, ShallowTorso: net.Shallow, DeepTorso: net.Deep}
)

// Network returns the network that the configuration asks for.
func (c *Config) Network() (net.Spec, error) {
	world, tasks, err := envs.Describe(c.World)
	if err != nil {
		return net.Spec{}, err
	}
	hidden, err := ParseWidths("hidden", c.Hidden)
	if err != nil {
		return net.Spec{}, err
	}
	headHidden, err := ParseWidths("head-hidden", c.HeadHidden)
	if err != nil {
		return net.Spec{}, err
	}
	spec := net.Spec{
		Obs: world.Size(), Hidden: hidden, Activation: activations[c.Activation], LSTM: c.LSTM,
		TrXL: c.TrXL, CoreLayers: c.CoreLayers, CoreHeads: c.CoreHeads, CoreMemory: c.CoreMemory,
		Separate: c.Torsos == Separate,
		Actions:  len(world.Actions), HeadScale: float32(c.HeadScale), HeadHidden: headHidden,
	}
	spec.Policy, spec.Torso = policies[c.Policy], torsos[c.Torso]
	if c.Policy != Softmax {
		spec.Actions = 2 * len(world.Controls)
	}
	if spec.Torso != net.Flat || c.PixelControl > 0 {
		switch len(world.Obs) {
		case 2: // one channel
			spec.Image = [3]int{world.Obs[0], world.Obs[1], 1}
		case 3:
			spec.Image = [3]int(world.Obs)
		default:
			return net.Spec{}, fmt.Errorf("torso=%s with world=%s: an observation of %d numbers is not an image; set torso=flat",
				c.Torso, c.World, spec.Obs)
		}
	}
	if c.PixelControl > 0 {
		spec.CellSide = c.PixelCell
	}
	if c.Feedback == On {
		spec.Feedback = len(world.Actions) + 1
		if n := spec.Reals(); n > 0 {
			spec.Feedback = n + 1
		}
	}
	if c.Algorithm().SeveralHeads {
		spec.Heads = c.Heads
	}
	if c.PopArt != PopArtOff {
		spec.Values = len(tasks) // each with statistics of its own (V-MPO §4.1)
	}
	return spec, spec.Validate()
}

// NetworkKey returns a short name of the network. Configurations of one key learn from the same stored programs, even
// with different unrolls and batches.
func (c *Config) NetworkKey() (string, error) {
	spec, err := c.Network()
	if err != nil {
		return "", err
	}
	flat := spec.Flat()
	key := fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(flat.Text())))
	if c.Algorithm().TunesItself { // its programs have a third list
		key += "t"
	}
	return key, nil
}

// Learned returns the agent of this build that has learned the world with the network, or nil.
func (c *Config) Learned() *learned.Agent {
	key, err := c.NetworkKey()
	if err != nil {
		return nil
	}
	return learned.Lookup(c.World, key)
}

// Kernels returns the kernels of the configured arithmetic. With arithmetic=auto they have the arithmetic named like if
// this machine has it, and otherwise the process's own.
func (c *Config) Kernels(like string) (kernel.Set, error) {
	if c.Arithmetic == AutoArithmetic {
		if set, err := kernel.In(like); err == nil {
			return set, nil
		}
		return kernel.Auto, nil
	}
	set, err := kernel.In(string(c.Arithmetic))
	if err != nil {
		return set, fmt.Errorf("arithmetic=%s: %w; set arithmetic=%s", c.Arithmetic, err, AutoArithmetic)
	}
	return set, nil
}
