package lab

import (
	"context"
	"errors"
	"fmt"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/remote"
	"impalab/server/errcode"
	"impalab/web/actorwire"
	"impalab/web/runloop"
	"impalab/web/wire"
)

// remotePart of the lab's memory is for the blocks that remote actors have under way.
const remotePart = 0.1

var errRemoteFull = errors.New("the actors of other processes have all the memory that is set aside for them here")

// Act gives an actor of another process a seat in the run that it names. Who has the run's key is trusted with the data
// that the run learns from. The run continues while an actor is there, as with a viewer.
func (l *Lab) Act(join *wire.Join, _ string) (actorwire.Seat, error) {
	if err := l.SameBuild(join); err != nil {
		return nil, err
	}
	r, err := l.Owned(l.ctx, join.Run, join.Key)
	if errcode.Of(err) == errcode.NotFound {
		return nil, actorwire.Final{Reason: "no run here has this ID and this key; the answer that created the run has both"}
	}
	if err != nil {
		return nil, err
	}
	s, err := r.seat(join.Name, true, new(remote.Tally))
	if err != nil {
		return nil, err
	}
	return s, nil
}

// SameBuild refuses an actor of another build.
func (l *Lab) SameBuild(join *wire.Join) error {
	if join.Build == l.opts.Build {
		return nil
	}
	return actorwire.Final{Reason: fmt.Sprintf("this server is impalab %s and the actor is %s: start it from the "+
		"server's own build, or reload the page", l.opts.Build, join.Build)}
}

// Play gives an actor that is not trusted a seat: the run plays its blocks again, and learns from equal bytes only. The
// results are added to tally. Everybody who may look at the run reads the name.
func (r *Run) Play(name string, tally *remote.Tally) (*Seat, error) {
	r.Join()
	return r.seat(name, false, tally)
}

// seat is for an actor that has joined the run, and leaves the run with the seat.
func (r *Run) seat(name string, trusted bool, tally *remote.Tally) (s *Seat, err error) {
	defer func() {
		if err != nil {
			r.Leave()
		}
	}()
	if r.record.elsewhere {
		return nil, actorwire.Final{Reason: errElsewhere.Error()}
	}
	cfg := r.Config()
	if !trusted && cfg.Arithmetic != hyper.Plain {
		return nil, actorwire.Final{Reason: fmt.Sprintf("arithmetic=%s: a browser's actors are checked in arithmetic=%s; "+
			"begin a run with that", cfg.Arithmetic, hyper.Plain)}
	}
	copies := learner.RemoteCopies(&cfg)
	if err := actorwire.Admit(&cfg, copies); err != nil {
		return nil, actorwire.Final{Reason: err.Error()}
	}
	bytes := blockBytes(&cfg, copies) * remote.MostOrders
	if r.lab.remoteBytes.Add(bytes) > int64(remotePart*float64(r.lab.opts.Memory)) {
		r.lab.remoteBytes.Add(-bytes)
		return nil, errRemoteFull
	}
	if trusted {
		r.record.outside(name)
	}
	actor, err := r.remote.Join(name, trusted, tally)
	if err != nil {
		r.lab.remoteBytes.Add(-bytes)
		return nil, err
	}
	return &Seat{run: r, Actor: actor, bytes: bytes, tally: tally}, nil
}

// Wait pauses the run until it is told to continue.
func (r *Run) Wait(on bool) error {
	verb := wire.VerbPlay
	if on {
		verb = wire.VerbPause
	}
	return r.Ask(runloop.Request{Verb: verb})
}

// blockBytes estimates the size of a block: as it was sent, and as it was read.
func blockBytes(cfg *hyper.Config, copies int) int64 {
	world, _, err := envs.Describe(cfg.World)
	if err != nil {
		return 0
	}
	const others = 16 // numbers of a step besides the observation
	return 2 * 4 * int64(copies*(cfg.UnrollLen+1)*(world.Size()+len(world.Actions)+2*len(world.Controls)+others))
}

// Seat is a remote actor of a run. It implements actorwire.Seat.
type Seat struct {
	*remote.Actor
	run   *Run
	bytes int64
	tally *remote.Tally

	has  bool   // the actor has parameters…
	sent uint64 // …of this version
}

// Next implements actorwire.Seat.
func (s *Seat) Next(ctx context.Context) ([]wire.Message, error) {
	select {
	case o := <-s.Orders():
		var all []wire.Message
		if o.Place != nil {
			all, s.has = append(all, actorwire.Place(o.Place)), false
		}
		m := &wire.Order{Number: o.Number, Version: o.Version}
		if !s.has || s.sent != o.Version {
			m.Theta = o.Theta
		}
		s.sent, s.has = o.Version, true
		return append(all, m), nil
	case <-s.Gone():
		if why := s.Why(); errors.Is(why, remote.ErrForger) {
			return nil, actorwire.Final{Reason: why.Error()}
		}
		return nil, s.Why()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Take implements actorwire.Seat.
func (s *Seat) Take(m *wire.Block) error {
	unrolls, after, err := actorwire.Unpack(m, &s.run.spec.Config)
	if err != nil {
		s.tally.Forges()
		return actorwire.Final{Reason: err.Error()}
	}
	return s.Deliver(&remote.Block{Number: m.Number, Unrolls: unrolls, After: after})
}

// Leave implements actorwire.Seat.
func (s *Seat) Leave() {
	s.Actor.Leave()
	s.run.lab.remoteBytes.Add(-s.bytes)
	s.run.Leave()
}
