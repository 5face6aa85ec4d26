// Package algo holds the algorithms, each in a file beside its paper, and the Machine they run on.
package algo

import (
	"fmt"
	"math"

	"impalab/envs"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/optim"
)

// Machine owns the network: its parameters, the plan that runs it forwards and backwards, and the optimiser.
// It belongs to the learner's goroutine.
type Machine struct {
	Spec  net.Spec
	Theta []float32 // the parameters, flat
	Opt   optim.Optimiser

	// Reduce makes a sum over this machine's trajectories the one over all learners' (several.go); nil: it learns alone.
	Reduce func(part []float32) error

	plan    *graph.Sharded // [T·B] rows, for learning
	grad    []float32
	healthy []float32    // θ before the last step
	forward *net.Forward // for the rows that only lend their value
	values  []float32
}

// maxTail is how many rows Values takes at once.
const maxTail = 256

// SpecOf is the network a configuration asks for.
func SpecOf(cfg *hyper.Config) (net.Spec, error) {
	entry, err := envs.Lookup(cfg.World)
	if err != nil {
		return net.Spec{}, err
	}
	world := entry.Spec
	hidden, err := hyper.ParseHidden(cfg.Hidden)
	if err != nil {
		return net.Spec{}, err
	}
	activation := kernel.Tanh
	if cfg.Activation == "relu" {
		activation = kernel.ReLU
	}
	spec := net.Spec{
		Obs: world.Size(), Hidden: hidden, Activation: activation,
		Actions: len(world.Actions), HeadScale: float32(cfg.HeadScale),
	}
	if cfg.Algo == "stacx" {
		spec.Heads = cfg.Heads
	}
	return spec, spec.Validate()
}

// NewMachine builds the network of cfg with its first parameters.
func NewMachine(cfg *hyper.Config) (*Machine, error) {
	spec, err := SpecOf(cfg)
	if err != nil {
		return nil, err
	}
	rows := cfg.UnrollLen * cfg.Share()
	plan, err := graph.NewSharded(spec.Flat(), rows, graph.Shards(rows))
	if err != nil {
		return nil, fmt.Errorf("the network cannot be built: %w", err)
	}
	m := &Machine{
		Spec: spec, Theta: make([]float32, spec.Params()), plan: plan, grad: make([]float32, spec.Params()),
		healthy: make([]float32, spec.Params()),
		forward: net.NewForward(spec.Flat(), maxTail),
	}
	spec.Init(m.Theta, cfg.Seed)
	if cfg.Init == "soft-optimal" {
		if err := softOptimal(m, cfg); err != nil {
			return nil, err
		}
	}
	m.Opt = newOptimiser(cfg, len(m.Theta))
	return m, nil
}

func newOptimiser(cfg *hyper.Config, n int) optim.Optimiser {
	if cfg.Optimiser == "adam" {
		return optim.NewAdam(n, float32(cfg.Beta1), float32(cfg.Beta2), float32(cfg.OptEps))
	}
	return optim.NewRMSProp(n, float32(cfg.OptDecay), float32(cfg.OptEps), float32(cfg.Momentum), float32(cfg.OptStart))
}

// Forward computes logits [T·B, A] and values [T·B] of obs, ready for Backward.
func (m *Machine) Forward(obs []float32) (logits, values []float32) {
	return m.plan.Forward(m.Theta, obs)
}

// Values computes V of rows of obs that no gradient passes through: bootstraps and the ends of cut episodes.
func (m *Machine) Values(obs []float32, rows int) []float32 {
	if rows > len(m.values) {
		m.values = make([]float32, rows)
	}
	for at := 0; at < rows; at += maxTail {
		n := min(maxTail, rows-at)
		_, v := m.forward.Run(m.Theta, obs[at*m.Spec.Obs:], n)
		copy(m.values[at:], v)
	}
	return m.values[:rows]
}

// Backward carries the cotangents of the last Forward back to the parameters.
func (m *Machine) Backward(dLogits, dValues []float32) []float32 {
	m.plan.Backward(m.grad, dLogits, dValues)
	return m.grad
}

// Descend takes one optimiser step along grad, shortened to clip, and returns the norm it had before. When the
// gradient, or what a step along it would leave, is not finite, the error is Diverged and θ stays as it was.
func (m *Machine) Descend(grad []float32, clip, lr float64) (norm float64, err error) {
	if err := m.reduce(grad); err != nil {
		return 0, err
	}
	norm = math.Sqrt(float64(kernel.SumSq(grad)))
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		return norm, Diverged(fmt.Sprintf("the gradient's norm is %g", norm))
	}
	if norm > clip {
		kernel.Scale(grad, float32(clip/norm))
	}
	copy(m.healthy, m.Theta)
	m.Opt.Step(m.Theta, grad, float32(lr))
	if size := float64(kernel.SumSq(m.Theta)); math.IsNaN(size) || math.IsInf(size, 0) {
		copy(m.Theta, m.healthy)
		return norm, Diverged(fmt.Sprintf("a step of learning rate %g along a gradient of norm %g leaves parameters that are not finite", lr, norm))
	}
	return norm, nil
}

func (m *Machine) reduce(part []float32) error {
	if m.Reduce == nil {
		return nil
	}
	return m.Reduce(part)
}

// Close stops the plan's workers.
func (m *Machine) Close() { m.plan.Close() }
