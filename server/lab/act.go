package lab

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/remote"
	"impalab/server/errcode"
	"impalab/web/actorwire"
	"impalab/web/runloop"
	"impalab/web/wire"
)

// remotePart of the lab's memory is for the blocks that remote actors have under way. One address may have all of it
// but the spare part, which is for addresses without an actor: a class has one address.
const remotePart = 0.1

// blocksOfActor is the memory of a remote actor, in blocks: a frame while it grows, its message, and unrolls of the
// orders that are open.
const blocksOfActor = 2 + 1 + remote.MostOrders

// remoteMemory is the memory that remote actors may take, by the address of each.
type remoteMemory struct {
	mu sync.Mutex
	of map[string]int64
}

// reserve counts bytes for an actor of an address, or returns why it may not have them. The actor may try again.
func (m *remoteMemory) reserve(address string, bytes int64, memory float64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := bytes
	for _, n := range m.of {
		all += n
	}
	most := int64(remotePart * memory)
	mine := int64((1 - spare) * float64(most))
	switch {
	case m.of[address] > 0 && m.of[address]+bytes > mine:
		return fmt.Errorf("actors at your address take %s, and one address may have %s for actors here; end one, or "+
			"start a run with a smaller unroll or batch", runloop.FormatBytes(float64(m.of[address])),
			runloop.FormatBytes(float64(mine)))
	case all > most:
		return fmt.Errorf("the actors of other processes take all the %s that they may have here; try again in a minute, "+
			"or start the server with a higher --max-memory", runloop.FormatBytes(float64(most)))
	}
	m.of[address] += bytes
	return nil
}

// release ends the reservation of an actor's bytes.
func (m *remoteMemory) release(address string, bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of[address] -= bytes; m.of[address] == 0 {
		delete(m.of, address)
	}
}

// Act gives an actor of another process a seat in the run that it names. Who has the run's key is trusted with the data
// that the run learns from. The run continues while an actor is there, as with a viewer.
func (l *Lab) Act(join *wire.Join, address string) (actorwire.Peer, error) {
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
	s, err := r.newPeer(join.Name, address, true, new(remote.Tally))
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
func (r *Run) Play(name, address string, tally *remote.Tally) (*Peer, error) {
	r.Join()
	return r.newPeer(name, address, false, tally)
}

// newPeer is for an actor that has joined the run, and leaves the run with the seat.
func (r *Run) newPeer(name, address string, trusted bool, tally *remote.Tally) (s *Peer, err error) {
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
	largest, err := actorwire.Largest(&cfg, copies)
	if err != nil {
		return nil, err
	}
	s = &Peer{run: r, tally: tally, address: address, largest: largest}
	if err := r.lab.remote.reserve(address, s.bytes(), float64(r.lab.opts.Memory)); err != nil {
		return nil, err
	}
	if trusted {
		r.record.outside(name)
	}
	if s.Actor, err = r.remote.Join(name, trusted, tally); err != nil {
		r.lab.remote.release(address, s.bytes())
		return nil, err
	}
	return s, nil
}

// Wait pauses the run until it is told to continue.
func (r *Run) Wait(on bool) error {
	verb := wire.VerbPlay
	if on {
		verb = wire.VerbPause
	}
	return r.Ask(runloop.Request{Verb: verb})
}

// Peer is a remote actor of a run. It implements actorwire.Peer.
type Peer struct {
	*remote.Actor
	run     *Run
	address string
	largest int64 // bytes of the frame of a block
	tally   *remote.Tally

	has  bool   // the actor has parameters…
	sent uint64 // …of this version
}

// bytes is the memory that the actor may take.
func (s *Peer) bytes() int64 { return s.largest * blocksOfActor }

// Largest implements actorwire.Peer.
func (s *Peer) Largest() int64 { return s.largest }

// Next implements actorwire.Peer.
func (s *Peer) Next(ctx context.Context) ([]wire.Message, error) {
	select {
	case o := <-s.Orders():
		var all []wire.Message
		if o.Place != nil {
			all, s.has = append(all, actorwire.PlaceMessage(o.Place)), false
		}
		m := &wire.Order{Number: o.Number, Version: o.Version}
		if !s.has || s.sent != o.Version {
			m.Theta = o.Theta
		}
		s.sent, s.has = o.Version, true
		return append(all, m), nil
	case <-s.Done():
		if why := s.Why(); errors.Is(why, remote.ErrForger) {
			return nil, actorwire.Final{Reason: why.Error()}
		}
		return nil, s.Why()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Accept implements actorwire.Peer.
func (s *Peer) Accept(m *wire.Block) error {
	unrolls, after, err := actorwire.Unpack(m, &s.run.spec.Config)
	if err != nil {
		s.tally.Forges()
		return actorwire.Final{Reason: err.Error()}
	}
	return s.Deliver(&remote.Block{Number: m.Number, Unrolls: unrolls, After: after})
}

// Leave implements actorwire.Peer.
func (s *Peer) Leave() {
	s.Actor.Leave()
	s.run.lab.remote.release(s.address, s.bytes())
	s.run.Leave()
}
