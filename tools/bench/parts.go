package main

// The parts of a run, each measured alone on the same cores right after the run, in processor time.

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/algo"
	"impalab/learner/device"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/program"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
	"impalab/learner/trial"
)

// parts are shares of the cores' time. They add up to 1.
type parts struct {
	Passes     float64 `json:"passes"`         // the learner's network, forward and backward
	PassesPeak float64 `json:"passes_of_peak"` // the share of the peak that they reach while they run
	Policy     float64 `json:"policy"`         // the actors' network, and drawing from it
	PolicyPeak float64 `json:"policy_of_peak"`
	Worlds     float64 `json:"worlds"`
	Rest       float64 `json:"rest"` // losses, targets, optimiser, copies
	Idle       float64 `json:"idle"` // no core computed
}

// text names the parts for people.
func (p *parts) text() string {
	if p == nil {
		return ""
	}
	percent := func(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }
	return strings.Join([]string{"passes " + percent(p.Passes) + " at " + percent(p.PassesPeak),
		"policy " + percent(p.Policy) + " at " + percent(p.PolicyPeak), "worlds " + percent(p.Worlds),
		"rest " + percent(p.Rest), "idle " + percent(p.Idle)}, ", ")
}

// measureParts returns the parts of a run. It returns nil if a device computed the passes, or if this system does not
// report processor time.
func measureParts(cfg *hyper.Config, r *report, length time.Duration) (*parts, error) {
	if r.Device != device.CPU || r.CPU == nil {
		return nil, nil
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(r.Cores))
	spec, err := cfg.Network()
	if err == nil {
		spec.Kernels, err = cfg.Kernels("")
	}
	if err != nil {
		return nil, err
	}
	forward, back, err := passes(spec, cfg, length)
	if err != nil {
		return nil, err
	}
	playing, err := perStep(r.Cores, length, func(i int) (func(), int, error) { return player(spec, cfg, r.Cores, i) })
	if err != nil {
		return nil, err
	}
	worlds, err := perStep(r.Cores, length, func(i int) (func(), int, error) { return stepper(cfg, r.Cores, i) })
	if err != nil {
		return nil, err
	}
	step := float64(r.Cores) / r.PerSec // seconds of the cores
	rows, of := float64(cfg.BatchSize)/float64(cfg.Fresh()), algo.PassesOf(cfg)
	learning := rows * (float64(of.Forward)*forward + float64(of.Back)*back)
	policy := max(0, playing-worlds)
	p := &parts{Passes: learning / step, Policy: policy / step, Worlds: worlds / step,
		Idle: max(0, 1-*r.CPU/(r.Wall*float64(r.Cores)))}
	p.Rest = max(0, 1-p.Idle-p.Passes-p.Policy-p.Worlds)
	acting := 0.0
	for _, layer := range spec.Layers() {
		acting += layer.FLOPs()
	}
	peak := r.Peak * 1e9 / float64(r.Cores)
	p.PassesPeak = (r.GFLOPS*1e9/r.PerSec - acting) / learning / peak
	if policy > 0 {
		p.PolicyPeak = acting / policy / peak
	}
	return p, nil
}

// passes returns the seconds of a core that a pass of zeros takes for each row of a batch, forward and backward.
func passes(spec net.Spec, cfg *hyper.Config, length time.Duration) (forward, back float64, err error) {
	t, b := cfg.UnrollLen, cfg.Share()
	var like *program.Program
	plan, err := program.NewSharded(spec.Kernels, func(t, b int) (*program.Program, error) {
		p, err := graph.Lower(spec.Flat(), t, b, false)
		like = p
		return p, err
	}, spec.States() > 0, t, b, program.Shards(spec.States() > 0, t, b))
	if err != nil {
		return 0, 0, err
	}
	defer plan.Close()
	of := func(s program.Segment, n int) []float32 { return make([]float32, n*like.Width(s)) }
	theta, grad := make([]float32, spec.Params()), make([]float32, spec.Params())
	spec.Init(theta, cfg.Seed)
	input, state, keep := of(program.Input, t*b), of(program.State, b), of(program.Keep, t*b)
	dLogits, dValues := of(program.DLogits, t*b), of(program.DValues, t*b)
	there := func() { plan.Forward(theta, input, state, keep) }
	back, err = perStep(1, length, func(int) (func(), int, error) {
		there()
		return func() { plan.Backward(grad, dLogits, dValues) }, t * b, nil
	})
	if err == nil {
		forward, err = perStep(1, length, func(int) (func(), int, error) { return there, t * b, nil })
	}
	return forward, back, err
}

// copiesOf returns about how many copies of the world one goroutine plays.
func copiesOf(cfg *hyper.Config, cores int) int {
	if cfg.Mode == hyper.Live {
		return max(1, min(16, cfg.BatchSize/cfg.Actors))
	}
	return max(1, cfg.Fresh()/cores)
}

// player returns a function that plays unrolls as the run's actors do.
func player(spec net.Spec, cfg *hyper.Config, cores, i int) (round func(), steps int, err error) {
	n := copiesOf(cfg, cores)
	a, err := actor.New(cfg.World, spec, n, cfg.Seed, uint64(i))
	if err != nil {
		return nil, 0, err
	}
	theta, unrolls := make([]float32, spec.Params()), traj.NewUnrolls(n, cfg.UnrollLen, spec.Shape())
	spec.Init(theta, cfg.Seed)
	return func() {
		if err := a.Play(theta, 0, unrolls, func(telemetry.Episode) {}); err != nil {
			panic(err) // the first parameters are finite
		}
	}, n * cfg.UnrollLen, nil
}

// stepper returns a function that steps only the worlds.
func stepper(cfg *hyper.Config, cores, i int) (round func(), steps int, err error) {
	n := copiesOf(cfg, cores)
	worlds, err := envs.NewVector(cfg.World, n, uint64(i))
	if err != nil {
		return nil, 0, err
	}
	spec := worlds.Spec()
	obs, out := make([]float32, n*spec.Size()), make([]envs.Outcome, n)
	actions, controls := make([]int32, n), make([]float32, n*len(spec.Controls))
	turn := 0
	return func() {
		turn++
		for k := range actions {
			actions[k] = int32((turn*7 + k) % max(1, len(spec.Actions)))
		}
		if len(controls) > 0 {
			worlds.Drive(controls, out)
		} else {
			worlds.Step(actions, out)
		}
		worlds.Observe(obs)
	}, n, nil
}

// perStep returns the seconds of a core that a step takes while n goroutines work side by side. begin returns the work
// of a goroutine as a function that does some steps. The first round is not counted.
func perStep(n int, length time.Duration, begin func(i int) (round func(), steps int, err error)) (float64, error) {
	rounds, each := make([]func(), n), make([]int, n)
	for i := range rounds {
		var err error
		if rounds[i], each[i], err = begin(i); err != nil {
			return 0, err
		}
		rounds[i]()
	}
	runtime.GC() // so that no garbage of earlier parts is collected meanwhile
	var all sync.WaitGroup
	var steps atomic.Int64
	cpu, began := trial.StartCPU(), time.Now()
	for i, round := range rounds {
		all.Go(func() {
			for done := false; !done; done = time.Since(began) >= length {
				round()
				steps.Add(int64(each[i]))
			}
		})
	}
	all.Wait()
	return *cpu() / float64(steps.Load()), nil // measureParts has checked that the clock can be read
}
