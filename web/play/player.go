// Package play plays a copy of a world for people to look at. The server and the page use the same code, so the same
// parameters and the same randomness show the same episode. A policy plays it (Player) or a person (Hand). Start with
// Player.Step.
package play

import (
	"slices"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/web/wire"
)

// Policies are the acting and the learning parameters. The value head's number v means V = Scale·v + Shift, in the
// rewards that the learner sees, for each task of a suite.
type Policies struct {
	Behaviour, Target []float32
	Scale, Shift      []float32 // [tasks]
}

// Player plays a world with a policy, or an episode of each task of a suite in turn. One goroutine may use it.
type Player struct {
	shown             *envs.Spec   // spec that the network sees: the world's or the suite's
	worlds            []envs.World // of a suite's tasks
	task              int          // number of the current or next task
	world             envs.World   // current world
	chance            envs.Rand
	spec              net.Spec
	target, behaviour *net.Forward
	cells             *cells        // nil without pixel control
	pi, mu            *actor.Policy // learning and acting policy at the newest step
	input             []float32     // input of the networks: the observation and, for some networks, the last action
	piCore            []float32     // recurrent states of the current episode
	muCore            []float32
	frame             wire.Frame // newest frame
}

// NewPlayer starts an episode of a world, or of a suite's first world. The network must fit it.
func NewPlayer(name string, spec net.Spec, chance envs.Rand) (*Player, error) {
	shown, tasks, err := envs.Describe(name)
	if err != nil {
		return nil, err
	}
	var worlds []envs.World
	for _, t := range tasks {
		world, err := envs.New(t.World)
		if err != nil {
			return nil, err
		}
		worlds = append(worlds, world)
	}
	p := &Player{
		shown: shown, worlds: worlds, world: worlds[0], chance: chance, spec: spec, cells: newCells(&spec),
		behaviour: net.NewForward(spec, 1), pi: actor.NewPolicy(spec, 1), mu: actor.NewPolicy(spec, 1),
		input: make([]float32, spec.Inputs()), piCore: make([]float32, spec.States()), muCore: make([]float32, spec.States()),
		frame: wire.Frame{World: worlds[0].Spec().Name, Policy: uint8(spec.Policy)},
	}
	wide := spec
	if p.cells != nil {
		wide = spec.Flat() // pixel control is computed too
	}
	p.target = net.NewForward(wide, 1)
	p.world.Reset(&p.chance)
	return p, nil
}

// Tasks returns the number of worlds.
func (p *Player) Tasks() int { return len(p.worlds) }

// World returns the current world.
func (p *Player) World() envs.World { return p.world }

// Rate returns the steps a second of the next step's world.
func (p *Player) Rate() float32 { return p.worlds[p.task].Spec().Rate }

// Step plays one step, or the first step of the next episode. The frame belongs to the caller. If a policy is not
// finite, it takes no step and returns actor.ErrNotFinite.
func (p *Player) Step(by *Policies, cfg *hyper.Config) (*wire.Frame, error) {
	f := &p.frame
	if f.End != uint8(envs.Running) {
		p.world = p.worlds[p.task]
		p.world.Reset(&p.chance)
		f.World = p.world.Spec().Name
		f.Return, f.Length = 0, 0
		clear(p.input)
		clear(p.piCore)
		clear(p.muCore)
	}
	if forgets := cfg.Forgets(); forgets > 0 && int(f.Length)%forgets == 0 {
		clear(p.piCore)
		clear(p.muCore)
	}
	world := p.world.Spec()
	p.world.Observe(p.input[:world.Size()])
	envs.Fit(p.input[:p.shown.Size()], world, p.shown)
	wide, values := p.target.Run(by.Target, p.input, p.piCore, 1)
	target := wide[:p.spec.Actions]
	behaviour, _ := p.behaviour.Run(by.Behaviour, p.input, p.muCore, 1)
	if !finite(target) || !finite(behaviour) {
		return nil, actor.ErrNotFinite
	}
	p.mu.Uniform = cfg.Behave == hyper.BehaveUniform
	if !p.pi.Read(target) || !p.mu.Choose(behaviour, world.Controls, &p.chance) {
		return nil, actor.ErrNotFinite
	}
	f.Cells = p.cells.see(p.input, wide[p.spec.Actions:])
	outcome := p.act(f)
	value := values[p.task%len(values)]                                              // one, or one for each task
	f.Value = (by.Scale[p.task]*value + by.Shift[p.task]) / float32(cfg.RewardScale) // in the world's own rewards
	if outcome.End != envs.Running {
		p.task = (p.task + 1) % len(p.worlds)
	}
	f.Rho, f.C = weights(cfg, f.Ratio)
	return after(f, p.world, outcome), nil
}

func finite(x []float32) bool {
	rest := float32(0) // v−v is 0, or NaN if v is not finite
	for _, v := range x {
		rest += v - v
	}
	return rest == 0
}

// after counts a step and returns a copy of its frame.
func after(f *wire.Frame, world envs.World, outcome envs.Outcome) *wire.Frame {
	f.Number++
	f.Reward, f.End = outcome.Reward, uint8(outcome.End)
	f.Return += outcome.Reward
	f.Length++
	f.State = world.State(nil)
	shown := *f
	return &shown
}

// act takes the action drawn from μ, and writes both policies into f.
func (p *Player) act(f *wire.Frame) (outcome envs.Outcome) {
	n := len(p.world.Spec().Actions)
	if p.spec.Reals() > 0 {
		outcome = p.world.(envs.Driven).Drive(&p.chance, p.mu.Draw.Control)
		f.Control = slices.Clone(p.mu.Draw.Scaled) // in units of each control's range
	} else {
		f.Action = uint8(actor.MapAction(int(p.mu.Action[0]), n))
		outcome = p.world.Step(&p.chance, int(f.Action))
	}
	p.mu.Feedback(p.input[p.spec.Obs:], 0, outcome.Reward)
	f.Behaviour, f.Target, f.Ratio = p.mu.Shown(0, n), p.pi.Shown(0, n), p.pi.Ratio(p.mu, 0)
	return outcome
}

// weights returns the ρ_t and c_t of a ratio under the correction in force.
func weights(cfg *hyper.Config, ratio float32) (rho, c float32) {
	if correct.Corrections[cfg.Correction].NStep {
		return 1, 1
	}
	clip := hyper.InForce[float32](cfg)
	return clip.Rho(ratio), clip.C(ratio)
}
