// Package algo holds the algorithms, each in a file beside its paper, and the Machine they run on.
package algo

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"impalab/learner/device"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/optim"
	"impalab/learner/program"
	"impalab/learner/schedule"
	"impalab/learner/traj"
)

// Machine owns the network: its parameters, the plan that runs it forwards and backwards, and the optimiser.
// It belongs to the learner's goroutine.
type Machine struct {
	Spec  net.Spec
	Theta []float32 // the parameters, flat
	Opt   optim.Optimiser

	// Reduce replaces a sum over this machine's trajectories by the sum over all learners' (DataParallel). nil: this
	// machine is alone.
	Reduce func(part []float32) error

	Device device.Choice // where the plan runs

	lower         Lower
	devices       *device.Selection // nil: the cores alone
	cores         *schedule.Share   // nil: all cores
	crew          *schedule.Pool    // for computations outside the plan
	plan          device.Plan       // [T·B] rows, for learning
	onDevice      device.OnDevice   // the plan if it is on another device than the cores, else nil
	grad          []float32
	before        []float32        // θ before the last step
	stepsOnDevice bool             // the plan's device takes the optimiser's steps
	oneJob        *program.Sharded // the plan, if it takes an update in one job; else nil
	parts         [][][2]int       // ranges of rows whose losses are computed together, by shards
	job           program.Update   // its functions are bound once
	pass          *pass            // in progress
	hasGrad       bool             // grad has the gradient of the last Pass
	tails         []*tail          // compute V(x_T) and V at cuts: one for all rows, or one a shard
	values        []float32        // V of these rows
	pop           popArt
	control       pixelControl
}

// Lower makes the program of a network for t steps of b trajectories, with its directional derivative if tangent is
// true. learner/graph makes any program; Stored finds existing ones and needs no graph.
type Lower func(spec net.Spec, t, b int, tangent bool) (*program.Program, error)

// NewMachine builds the network of cfg with its first parameters, from programs that lower makes.
func NewMachine(lower Lower, cfg *hyper.Config) (*Machine, error) {
	kernels, err := cfg.Kernels("")
	if err != nil {
		return nil, err
	}
	return NewMachineOn(nil, kernels, lower, cfg)
}

// NewMachineOn is NewMachine with the given kernels instead of cfg's, and with its plan on one of devices.
func NewMachineOn(devices *device.Selection, kernels kernel.Set, lower Lower, cfg *hyper.Config) (*Machine, error) {
	spec, err := cfg.Network()
	if err != nil {
		return nil, err
	}
	spec.Kernels = kernels
	if lower == nil {
		return nil, errors.New("nothing makes the network's program: give the engine learner/graph's Lower, or stored " +
			"programs")
	}
	plan, choice, err := devices.Plan(kernels, func(t, b int) (*program.Program, error) {
		return lower(spec.Flat(), t, b, cfg.Algorithm().TunesItself)
	}, spec.States() > 0, cfg.UnrollLen, cfg.Share(), program.Shards(spec.States() > 0, cfg.UnrollLen, cfg.Share()))
	if err != nil {
		return nil, fmt.Errorf("the network cannot be built: %w", err)
	}
	m := &Machine{
		Spec: spec, crew: schedule.NewPool(), Device: choice, lower: lower, devices: devices,
		Theta: make([]float32, spec.Params()), plan: plan,
		grad: make([]float32, spec.Params()), before: make([]float32, spec.Params()),
	}
	if cfg.PopArt != hyper.PopArtOff {
		m.pop = newPopArt(&spec, cfg.UnrollLen*cfg.Share(), cfg.PopArt == hyper.PopArtFixed)
	}
	err = m.assignDevices(cfg)
	if err == nil && spec.CellSide > 0 {
		m.control = newControl(&spec, cfg, len(m.parts))
	}
	if err != nil {
		m.Close()
		return nil, fmt.Errorf("the network cannot be built: %w", err)
	}
	spec.Init(m.Theta, cfg.Seed)
	switch cfg.Init {
	case hyper.SoftOptimal:
		err = softOptimal(m, cfg)
	case hyper.InitLearned:
		var theta []float32
		theta, err = cfg.Learned().Parameters(len(m.Theta))
		copy(m.Theta, theta)
	}
	if err != nil {
		m.Close()
		return nil, err
	}
	m.Opt = newOptimiser(cfg, kernels, len(m.Theta))
	if m.stepsOnDevice {
		m.Opt.On(m.onDevice)
	}
	return m, nil
}

// assignDevices decides which computations run with the plan, on a device or on the cores: always the passes without a
// gradient. The optimiser steps on the cores, along gradients in this process, also for several learners, and where a
// metagradient goes back through the step. On the cores an update is one job, except with PopArt, whose statistics
// need the targets of the whole batch before any loss.
func (m *Machine) assignDevices(cfg *hyper.Config) (err error) {
	rows, b := cfg.UnrollLen*cfg.Share(), cfg.Share()
	m.parts = [][][2]int{{{0, rows}}}
	if m.onDevice, _ = m.plan.(device.OnDevice); m.onDevice != nil {
		m.stepsOnDevice = cfg.Learners == 1 && !cfg.Algorithm().TunesItself
		n := min(maxTail, b) // a device always computes n rows
		forward, err := m.rows(n, false)
		m.tails = []*tail{newTail(m, forward, n, 0, b)}
		return err
	}
	m.tails = []*tail{newTail(m, net.NewForward(m.Spec.Flat(), maxTail), maxTail, 0, b)}
	sharded, onCores := m.plan.(*program.Sharded)
	if !onCores || m.pop.stats != nil {
		return nil
	}
	m.oneJob, m.parts = sharded, sharded.Rows()
	m.job = program.Update{Grad: m.grad, Theta: m.Theta, First: m.beforeLosses, Losses: m.lossesOf}
	if m.Spec.States() == 0 || len(m.parts) == 1 {
		return nil
	}
	m.tails = nil // of each shard, after whose steps they come
	for _, ranges := range m.parts {
		from, to := ranges[len(ranges)-1][0], ranges[len(ranges)-1][1] // of the first step: its trajectories
		m.tails = append(m.tails, newTail(m, net.NewForward(m.Spec.Flat(), to-from), to-from, from, to))
	}
	return nil
}

// rows is the network's forward pass alone on the plan's device, for up to n rows, in turns with it or beside it.
func (m *Machine) rows(n int, beside bool) (device.Rows, error) {
	make := func(t, b int) (*program.Program, error) { return m.lower(m.Spec.Flat(), t, b, false) }
	return m.onDevice.Rows(make, n, beside)
}

func newOptimiser(cfg *hyper.Config, kernels kernel.Set, n int) optim.Optimiser {
	if cfg.Optimiser == hyper.Adam {
		adam := optim.NewAdam(n, float32(cfg.Beta1), float32(cfg.Beta2), float32(cfg.OptEps))
		adam.Hat, adam.Kernels = cfg.OptForm == hyper.FormTensorFlow, kernels
		return adam
	}
	rms := optim.NewRMSProp(n, float32(cfg.OptDecay), float32(cfg.OptEps), float32(cfg.Momentum), float32(cfg.OptStart))
	rms.Outside, rms.Kernels = cfg.OptForm == hyper.FormPyTorch, kernels
	return rms
}

// Forward computes logits [T·B, A] and values [T·B] at every x_t of b, ready for Backward. With PopArt the values are
// the real ones.
func (m *Machine) Forward(b *traj.Batch) (logits, values []float32) {
	m.control.begin(b, m.crew)
	wide, values := m.plan.Forward(m.Theta, b.Obs, b.State, b.Keep)
	m.control.wide = wide
	return m.control.policy(wide, 0, b.T*b.B), m.pop.real(values, b)
}

// Backward carries the cotangents of the last Forward back to the parameters. If Learn has computed pixel control, its
// cotangents are included. dValues are the cotangents of the real values.
func (m *Machine) Backward(dLogits, dValues []float32) []float32 {
	m.plan.Backward(m.grad, m.control.widen(dLogits, 0, len(dValues)), m.pop.cotangent(dValues))
	return m.grad
}

// gradient returns the last Pass's gradient, or runs Backward if Pass did not.
func (m *Machine) gradient(dLogits, dValues []float32, cfg *hyper.Config) []float32 {
	if m.hasGrad {
		m.hasGrad = false
		return m.grad
	}
	m.control.learn(cfg)
	return m.Backward(dLogits, dValues)
}

// Learn takes one optimiser step, as Descend does, along the gradient of the last Forward. It computes this gradient
// from the cotangents, unless Pass has done so. If the device of the plan takes the steps, the gradient stays there.
func (m *Machine) Learn(dLogits, dValues []float32, cfg *hyper.Config, lr float64) (norm float64, err error) {
	if !m.stepsOnDevice {
		return m.Descend(m.gradient(dLogits, dValues, cfg), cfg, lr)
	}
	m.control.learn(cfg)
	lanes := m.onDevice.Gradient(m.control.widen(dLogits, 0, len(dValues)), m.pop.cotangent(dValues))
	if err := m.Err(); err != nil {
		return 0, err
	}
	return m.step(nil, kernel.SumOf(lanes), cfg, lr)
}

// Descend takes one optimiser step along grad, shortened to cfg.Clip, and returns the norm before clipping. If the
// gradient or the resulting parameters are not finite, the error is Diverged and θ is unchanged.
func (m *Machine) Descend(grad []float32, cfg *hyper.Config, lr float64) (norm float64, err error) {
	if err := m.Err(); err != nil {
		return 0, err
	}
	if err := m.reduce(grad); err != nil {
		return 0, err
	}
	return m.step(grad, m.Spec.Kernels.SumSq(grad), cfg, lr)
}

// step is Descend along grad, whose squares sum to square. If grad is nil, it steps along the device's gradient.
func (m *Machine) step(grad []float32, square float64, cfg *hyper.Config, lr float64) (norm float64, err error) {
	norm = math.Sqrt(square)
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		return norm, Diverged(fmt.Sprintf("the gradient's norm is %g", norm))
	}
	if norm > cfg.Clip {
		if by := float32(cfg.Clip / norm); grad == nil {
			m.onDevice.Shorten(by)
		} else {
			kernel.Scale(grad, by)
		}
	}
	copy(m.before, m.Theta)
	m.Opt.SetEps(float32(cfg.OptEps))
	m.Opt.Step(m.Theta, grad, float32(lr))
	if size := float64(m.Spec.Kernels.SumSq(m.Theta)); math.IsNaN(size) || math.IsInf(size, 0) {
		copy(m.Theta, m.before)
		return norm, Diverged(fmt.Sprintf(
			"a step of learning rate %g along a gradient of norm %g leaves parameters that are not finite", lr, norm))
	}
	return norm, nil
}

// Help computes parts of the network's passes, if they are in progress on the cores. Live actors do so between two
// steps: the learner comes first.
func (m *Machine) Help() {
	if s, ok := m.plan.(*program.Sharded); ok {
		s.Help()
	}
}

func (m *Machine) reduce(part []float32) error {
	if m.Reduce == nil {
		return nil
	}
	return m.Reduce(part)
}

// State returns PopArt's statistics, the machine's memory apart from θ and the optimiser, for snapshots. The slices are
// its own.
func (m *Machine) State() [][]float32 {
	if m.pop.stats == nil {
		return nil
	}
	return m.pop.stats.State()
}

// Plain returns θ for the same network without PopArt: its values are in units of reward.
func (m *Machine) Plain() []float32 {
	theta := slices.Clone(m.Theta)
	if m.pop.stats != nil {
		m.pop.fold(theta)
	}
	return theta
}

// RealValue converts the value head's number for a task to units of reward.
func (m *Machine) RealValue(normal float32, task int) float32 {
	if m.pop.stats == nil {
		return normal
	}
	return m.pop.stats.Scale[task]*normal + m.pop.stats.Shift[task]
}

// On restricts m, and the algorithm made on it afterwards, to cores. The caller holds one of these.
func (m *Machine) On(cores *schedule.Share) {
	m.cores, m.crew.Cores = cores, cores
	m.plan.On(cores)
	for _, t := range m.tails {
		if rows, ok := t.forward.(device.Rows); ok {
			rows.On(cores)
		}
	}
}

// Err returns the failure of the network's device. After a failure, do not use the results.
func (m *Machine) Err() error { return cmp.Or(device.Err(m.plan), device.Err(m.tails[0].forward)) }

// Close stops the workers. It may be called twice.
func (m *Machine) Close() {
	m.plan.Close()
	for _, t := range m.tails {
		if rows, ok := t.forward.(device.Rows); ok {
			rows.Close()
		}
	}
	if m.crew != nil {
		m.crew.Close()
	}
	m.crew = nil
}

// grow is x with n places, grown where it was shorter.
func grow(x []float32, n int) []float32 {
	if cap(x) < n {
		return make([]float32, n, 2*n)
	}
	return x[:n]
}
