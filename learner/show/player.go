// Package show plays one copy of a world for people to look at. The server and the page run the same code, so the same
// parameters and the same chance show the same episode on either. A policy plays it (Player), or a person does (Hand).
package show

import (
	"math"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/web/wire"
)

// Policies are the parameters that act and those that learn, and how the value head's number v is read:
// V = Scale·v + Shift, in the rewards the learner sees.
type Policies struct {
	Behaviour, Target []float32
	Scale, Shift      float32
}

// Player plays one copy of a world with a policy. It is for one goroutine.
type Player struct {
	world  envs.World
	chance envs.Rand
	spec   net.Spec
	pi, mu *net.Forward
	input  []float32 // what the networks see: the observation, and what was done last where they are shown it
	piCore []float32 // what each remembers of this episode
	muCore []float32
	frame  wire.Frame // the newest
}

// NewPlayer begins an episode. The network must be of this world.
func NewPlayer(world envs.World, spec net.Spec, chance envs.Rand) *Player {
	p := &Player{
		world: world, chance: chance, spec: spec, pi: net.NewForward(spec, 1), mu: net.NewForward(spec, 1),
		input: make([]float32, spec.Inputs()), piCore: make([]float32, spec.States()), muCore: make([]float32, spec.States()),
		frame: wire.Frame{World: world.Spec().Name},
	}
	world.Reset(&p.chance)
	return p
}

// Rate is the world's: steps a second that an eye can follow.
func (p *Player) Rate() float32 { return p.world.Spec().Rate }

// Step plays one step; after an episode's end, the first of the next. The frame belongs to whoever asked.
func (p *Player) Step(by *Policies, cfg *hyper.Config) *wire.Frame {
	f := &p.frame
	if f.End != uint8(envs.Running) {
		p.world.Reset(&p.chance)
		f.Return, f.Length = 0, 0
		clear(p.input)
		clear(p.piCore)
		clear(p.muCore)
	}
	p.world.Observe(p.input[:p.spec.Obs])
	target, values := p.pi.Run(by.Target, p.input, p.piCore, 1)
	behaviour, _ := p.mu.Run(by.Behaviour, p.input, p.muCore, 1)
	outcome := envs.Outcome{}
	if p.spec.Policy == net.Softmax {
		outcome = p.choose(f, target, behaviour, cfg.Behave == "uniform")
	} else {
		outcome = p.drive(f, target, behaviour)
	}
	f.Value = (by.Scale*values[0] + by.Shift) / float32(cfg.RewardScale) // in the world's own rewards
	f.Rho, f.C = weights(cfg, f.Ratio)
	return after(f, p.world, outcome)
}

// after counts a step, and copies what there is to see of it.
func after(f *wire.Frame, world envs.World, outcome envs.Outcome) *wire.Frame {
	f.Number++
	f.Reward, f.End = outcome.Reward, uint8(outcome.End)
	f.Return += outcome.Reward
	f.Length++
	f.State = world.State(nil)
	shown := *f
	return &shown
}

// choose draws a named action from μ and takes it, and notes in f what the two policies make of it.
func (p *Player) choose(f *wire.Frame, target, behaviour []float32, uniform bool) envs.Outcome {
	n := p.spec.Actions
	logPi, logMu := make([]float32, n), make([]float32, n)
	pi, mu := make([]float32, n), make([]float32, n)
	correct.Softmax(pi, logPi, target, n)
	if uniform {
		clear(behaviour)
	}
	correct.Softmax(mu, logMu, behaviour, n)
	action, left := n-1, p.chance.Float32()
	for i, q := range mu {
		if left -= q; left < 0 {
			action = i
			break
		}
	}
	outcome := p.world.Step(&p.chance, action)
	if p.spec.Feedback > 0 {
		net.WriteFeedback(p.input[p.spec.Obs:], action, outcome.Reward)
	}
	f.Action, f.Behaviour, f.Target = uint8(action), mu, pi
	f.Ratio = float32(math.Exp(float64(logPi[action] - logMu[action])))
	return outcome
}

// drive is choose for real numbers. A density over a control has no bar for each action: f is told the ratio and no
// probabilities.
func (p *Player) drive(f *wire.Frame, target, behaviour []float32) envs.Outcome {
	controls := p.world.Spec().Controls
	d := actor.NewDraw(1, len(controls))
	d.Draw(p.spec.Policy, behaviour, controls, &p.chance)
	outcome := p.world.(envs.Driven).Drive(&p.chance, d.Control)
	if p.spec.Feedback > 0 {
		net.WriteControls(p.input[p.spec.Obs:], d.Scaled, outcome.Reward)
	}
	pi, ratio := make([]float32, len(target)), make([]float32, 1)
	correct.Gaussian(pi, nil, target, len(controls), p.spec.Policy.Spread())
	correct.GaussianRatios(ratio, pi, d.Mu, d.Real, len(controls))
	f.Action, f.Behaviour, f.Target, f.Ratio = 0, nil, nil, ratio[0]
	return outcome
}

// weights is what the correction in force makes of a ratio: ρ_t and c_t.
func weights(cfg *hyper.Config, ratio float32) (rho, c float32) {
	correction, err := correct.LookupCorrection(cfg.Correction)
	if err != nil || correction.NStep {
		return 1, 1
	}
	cut := correct.InForce(correction, correct.Truncation[float32]{
		RhoBar: float32(cfg.RhoBar), CBar: float32(cfg.CBar), Lambda: float32(cfg.Lambda),
		LeakRho: float32(cfg.LeakRho), LeakC: float32(cfg.CLeak()),
	})
	return cut.Rho(ratio), cut.C(ratio)
}
