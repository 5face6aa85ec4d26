package command

// What bounds a run: the parts of its loop, each measured by itself on the same cores right after it, in processor
// time, so that parts, rest and waiting add up to what the cores had.

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

// parts are shares of the cores' time.
type parts struct {
	Passes     float64 `json:"passes"`         // the learner's network, there and back
	PassesPeak float64 `json:"passes_of_peak"` // how near they come to the peak while they run
	Policy     float64 `json:"policy"`         // the actors' network, and what they draw from it
	PolicyPeak float64 `json:"policy_of_peak"`
	Worlds     float64 `json:"worlds"`
	Rest       float64 `json:"rest"` // losses, targets, optimiser, copies
	Idle       float64 `json:"idle"` // nobody computed
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

// measureParts takes what r measured of a run apart: of one whose passes are this machine's, where processor time can
// be read.
func measureParts(cfg *hyper.Config, r *benchReport, length time.Duration) (*parts, error) {
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

// passes are the seconds of a core that a pass of zeros takes there and back, for each row of a batch.
func passes(spec net.Spec, cfg *hyper.Config, length time.Duration) (forward, back float64, err error) {
	t, b := cfg.UnrollLen, cfg.Share()
	var like *program.Program
	plan, err := program.NewSharded(spec.Kernels, func(t, b int) (*program.Program, error) {
		p, err := graph.Lower(spec.Flat(), t, b, false)
		like = p
		return p, err
	}, spec.LSTM > 0, t, b, program.Shards(t*b))
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

// copiesOf is about how many copies of the world one goroutine plays.
func copiesOf(cfg *hyper.Config, cores int) int {
	if cfg.Mode == hyper.Live {
		return max(1, min(16, cfg.BatchSize/cfg.Actors))
	}
	return max(1, cfg.Fresh()/cores)
}

// player plays unrolls as the run's actors do.
func player(spec net.Spec, cfg *hyper.Config, cores, i int) (round func(), steps int, err error) {
	n := copiesOf(cfg, cores)
	a, err := actor.New(cfg.World, spec, n, cfg.Seed, uint64(i))
	if err != nil {
		return nil, 0, err
	}
	theta, unrolls := make([]float32, spec.Params()), make([]*traj.Unroll, n)
	spec.Init(theta, cfg.Seed)
	for k := range unrolls {
		unrolls[k] = traj.NewUnroll(cfg.UnrollLen, spec.Shape())
	}
	heard := func(telemetry.Episode) {}
	return func() {
		if err := a.Play(theta, 0, unrolls, heard); err != nil {
			panic(err) // the first parameters are finite
		}
	}, n * cfg.UnrollLen, nil
}

// stepper steps the worlds alone, with the same few actions.
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

// perStep is how many seconds of a core a step takes where n goroutines do the same side by side for a while. A round
// has so many steps; the first is not counted.
func perStep(n int, length time.Duration, begin func(i int) (round func(), steps int, err error)) (float64, error) {
	rounds, each := make([]func(), n), make([]int, n)
	for i := range rounds {
		var err error
		if rounds[i], each[i], err = begin(i); err != nil {
			return 0, err
		}
		rounds[i]()
	}
	runtime.GC() // of what came before
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
	return *cpu() / float64(steps.Load()), nil // the caller has read the clock before
}
