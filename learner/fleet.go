package learner

import (
	"context"

	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// fleet is the actors of a run, as the learner sees them.
type fleet interface {
	// publish offers newer parameters; the slice stays the learner's.
	publish(theta []float32, update uint64)
	// collect fills the unrolls. It waits for the actors (before the learner, block).
	collect(ctx context.Context, p *past, unrolls []*traj.Unroll, done func(telemetry.Episode)) error
	close()
}

// lagged is the fleet of a reference run: one actor with a copy of the world for each fresh unroll, playing
// when it is told to, with the parameters of exactly Lag updates ago.
type lagged struct {
	cfg   *hyper.Config
	spec  net.Spec
	actor *actor.Actor
	built uint64 // actors built so far: each has a stream of its own
}

func newLagged(cfg *hyper.Config, spec net.Spec) (*lagged, error) {
	return &lagged{cfg: cfg, spec: spec}, nil
}

func (f *lagged) publish([]float32, uint64) {}
func (f *lagged) close()                    {}

func (f *lagged) collect(ctx context.Context, p *past, unrolls []*traj.Unroll, done func(telemetry.Episode)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.ready(len(unrolls)); err != nil {
		return err
	}
	theta, version := p.at(f.cfg.Lag)
	f.actor.Play(theta, version, unrolls, done)
	return nil
}

// ready makes an actor of n copies; another replay mix needs another number, and its episodes begin anew.
func (f *lagged) ready(n int) error {
	if f.actor != nil && f.actor.Len() == n {
		return nil
	}
	next, err := actor.New(f.cfg.World, f.spec, n, f.cfg.Seed, streamActors+f.built)
	if err != nil {
		return err
	}
	next.Uniform = f.cfg.Behave == "uniform"
	f.actor, f.built = next, f.built+1
	return nil
}
