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
	"impalab/web/wire"
)

// remoteShare of the lab's memory is for what remote actors have under way.
const remoteShare = 0.1

var errRemoteFull = errors.New("the actors of other processes have all the memory that is set aside for them here")

// Act gives an actor of another process a seat in the run that it names. Who has the run's key is trusted with what the
// run learns from. It counts as somebody who watches: the run goes on while it is there.
func (l *Lab) Act(join *wire.Join, _ string) (actorwire.Seat, error) {
	if err := l.SameBuild(join); err != nil {
		return nil, err
	}
	r, err := l.Owned(l.ctx, join.Run, join.Key)
	if errcode.Of(err) == errcode.NotFound {
		return nil, actorwire.Final{Reason: "no run here has this name and this key; who began the run was told both"}
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

// Play gives an actor that is not trusted a seat: the run plays its blocks again, and learns from equal bytes only.
// What comes of it is added to tally. Name is shown to whoever may look at the run.
func (r *Run) Play(name string, tally *remote.Tally) (*Seat, error) {
	r.join()
	return r.seat(name, false, tally)
}

// seat is for an actor that has joined the run, which it leaves with the seat.
func (r *Run) seat(name string, trusted bool, tally *remote.Tally) (s *Seat, err error) {
	defer func() {
		if err != nil {
			r.Leave()
		}
	}()
	if r.record.elsewhere != "" {
		return nil, actorwire.Final{Reason: errElsewhere.Error()}
	}
	r.mu.Lock()
	cfg := r.cfg
	r.mu.Unlock()
	if !trusted && cfg.Arithmetic != hyper.Plain {
		return nil, actorwire.Final{Reason: fmt.Sprintf("arithmetic=%s: a browser's actors are checked in arithmetic=%s; "+
			"begin a run with that", cfg.Arithmetic, hyper.Plain)}
	}
	copies := learner.RemoteCopies(&cfg)
	if err := actorwire.Admit(&cfg, copies); err != nil {
		return nil, actorwire.Final{Reason: err.Error()}
	}
	bytes := blockBytes(&cfg, copies) * remote.MostOrders
	if r.lab.remoteBytes.Add(bytes) > int64(remoteShare*float64(r.lab.opts.Memory)) {
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
	return &Seat{run: r, actor: actor, bytes: bytes, tally: tally}, nil
}

// Wait has the run pause until it is told to go on, as a person's hand would.
func (r *Run) Wait(on bool) error {
	verb := wire.VerbPlay
	if on {
		verb = wire.VerbPause
	}
	return r.enqueue(request{verb: verb})
}

// blockBytes is about what a block takes: what was sent, and what was read of it.
func blockBytes(cfg *hyper.Config, copies int) int64 {
	world, _, err := envs.Describe(cfg.World)
	if err != nil {
		return 0
	}
	const beside = 16 // numbers of a step beside what was seen
	return 2 * 4 * int64(copies*(cfg.UnrollLen+1)*(world.Size()+len(world.Actions)+2*len(world.Controls)+beside))
}

// Seat is a remote actor of a run. It is a actorwire.Seat.
type Seat struct {
	run   *Run
	actor *remote.Actor
	bytes int64
	tally *remote.Tally

	has  bool   // it has parameters, those of…
	sent uint64 // …this version; of Next
}

// Playing reports whether the actor has a place; else it waits for one.
func (s *Seat) Playing() bool { return s.actor.Playing() }

// Next implements actorwire.Seat.
func (s *Seat) Next(ctx context.Context) ([]wire.Message, error) {
	select {
	case o := <-s.actor.Orders():
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
	case <-s.actor.Gone():
		if why := s.actor.Why(); errors.Is(why, remote.ErrForger) {
			return nil, actorwire.Final{Reason: why.Error()}
		}
		return nil, s.actor.Why()
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
	return s.actor.Deliver(&remote.Block{Number: m.Number, Unrolls: unrolls, After: after})
}

// Leave implements actorwire.Seat.
func (s *Seat) Leave() {
	s.actor.Leave()
	s.run.lab.remoteBytes.Add(-s.bytes)
	s.run.Leave()
}
