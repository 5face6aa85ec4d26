package actor

import (
	"errors"
	"fmt"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Place is an actor of a run in its present state. Another process can continue to play from it, to the same bytes.
type Place struct {
	Config     hyper.Config // of the run; world, network and seed follow from it
	Arithmetic string       // that it plays in; "": any
	Copies     int
	Stream     uint64 // of the run's seed
	State      State
}

// Actor makes the actor of the place.
func (p *Place) Actor() (*Actor, error) {
	if p.Copies < 1 || p.Copies > envs.MaxVector {
		return nil, fmt.Errorf("actor: a place of %d copies; want 1 to %d", p.Copies, envs.MaxVector)
	}
	spec, err := p.Config.Network()
	if err != nil {
		return nil, err
	}
	if p.Arithmetic != "" {
		if spec.Kernels, err = kernel.In(p.Arithmetic); err != nil {
			return nil, fmt.Errorf("the run wants %s arithmetic: %w; begin a run with arithmetic=%s, or with mode=live",
				p.Arithmetic, err, hyper.Plain)
		}
	}
	a, err := New(p.Config.World, spec, p.Copies, p.Config.Seed, p.Stream)
	if err != nil {
		return nil, err
	}
	a.Uniform, a.Forget = p.Config.Behave == hyper.BehaveUniform, p.Config.Forgets()
	if err := a.Load(p.State); err != nil {
		return nil, err
	}
	return a, nil
}

// Accept replaces Play if an actor of the same place has played elsewhere. unrolls are its play with the parameters of
// version, and after is its state now. Accept fills in the rest of the unrolls, and finds the episodes that ended. The
// unrolls must be sound. After an error the actor keeps its state.
func (a *Actor) Accept(version uint64, unrolls []*traj.Unroll, after State, done func(telemetry.Episode)) error {
	if len(unrolls) != a.n {
		panic("actor: one unroll for each copy")
	}
	before := a.Save()
	a.forget(0)
	for i, u := range unrolls {
		a.head(u, i, version)
	}
	var ended []telemetry.Episode
	for t := range unrolls[0].T {
		for i, u := range unrolls {
			a.returns[i] += u.Reward[t]
			a.lengths[i]++
			if envs.End(u.End[t]) != envs.Running {
				ended = append(ended, a.over(i))
			}
		}
	}
	after.Returns, after.Lengths, after.Played = a.returns, a.lengths, before.Played+1
	if err := a.Load(after); err != nil {
		return errors.Join(err, a.Load(before))
	}
	for _, e := range ended {
		done(e)
	}
	return nil
}

// head writes the owner of unroll u of copy i, and its start.
func (a *Actor) head(u *traj.Unroll, i int, version uint64) {
	u.Version = version
	u.Lane, u.Serial, u.First = a.lane+uint64(i), a.played, a.lengths[i] == 0
	u.Task = int32(a.task(i))
	copy(u.State, a.state[i*a.states:(i+1)*a.states])
}

// over is the episode of copy i that has ended; the next begins.
func (a *Actor) over(i int) telemetry.Episode {
	e := telemetry.Episode{Return: a.returns[i], Length: a.lengths[i], Task: int32(a.task(i))}
	a.returns[i], a.lengths[i] = 0, 0
	return e
}
