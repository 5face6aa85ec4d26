package learner

import (
	"slices"
	"time"

	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/remote"
	"impalab/learner/schedule"
	"impalab/learner/stream"
	"impalab/learner/telemetry"
)

// RemoteCopies returns how many copies of the world a remote actor of a run of cfg plays.
func RemoteCopies(cfg *hyper.Config) int {
	if cfg.Mode == hyper.Live {
		return blockCopies(cfg)
	}
	tasks := cfg.Tasks()
	hands := cfg.Fresh() / tasks
	if cfg.Collect == hyper.CollectStep {
		return hands * tasks
	}
	actors := min(cfg.Actors, hands)
	return (hands + actors - 1) / actors * tasks
}

// host gives the remote actors of a live run places beside the actors of the run's own process. Each plays with the
// newest parameters at the time of its order, so its lag depends on the network and the queue. If an actor is lost, its
// place waits for another, which continues after the last accepted block.
type host struct {
	*liveActors
	cfg     *hyper.Config
	spec    net.Spec
	copies  int
	remotes *remote.Actors

	made uint64            // seats so far
	idle chan *remote.Seat // seats without an actor
}

// run seats actors until the run closes.
func (h *host) run() error {
	select {
	case <-h.ready:
	case <-h.ctx.Done():
		return nil
	}
	for {
		for r := h.remotes.Next(); r != nil; r = h.remotes.Next() {
			s, err := h.seat()
			if err != nil {
				return err
			}
			s.Sit(r)
			h.gone.Go(func() { // ends when close cancels ctx, or when the actor goes
				if err := schedule.Catch(func() error { return h.serve(s) }); err != nil {
					h.stop(err)
				}
				s.Free()
				select {
				case h.idle <- s:
				default: // there are enough
				}
			})
		}
		select {
		case <-h.remotes.Arrivals():
		case <-h.ctx.Done():
			return nil
		}
	}
}

// seat returns a free seat.
func (h *host) seat() (*remote.Seat, error) {
	select {
	case s := <-h.idle:
		return s, nil
	default:
	}
	number := stream.Actors + uint64(h.cfg.Actors) + h.made
	h.made++
	twin, err := actor.New(h.cfg.World, h.spec, h.copies, h.cfg.Seed, number)
	if err != nil {
		return nil, err
	}
	twin.Cores = h.cores
	s := remote.NewSeat(h.cfg, h.spec, twin, number)
	return &s, nil
}

// serve lets the actor of s play: one order for each block that the learner is not reading. After a forged block, the
// next order waits for the next update, as if the learner had read the block.
func (h *host) serve(s *remote.Seat) error {
	blocks := make(chan *block, remote.MostOrders)
	for range remote.MostOrders {
		blocks <- &block{home: blocks, remote: s.Actor}
	}
	var open, forged []*block
	var at uint64 // the update when the last of them came
	var look <-chan time.Time
	for {
		select {
		case <-look:
			if look = nil; h.newest().Version == at {
				look = time.After(ownLook)
				continue
			}
			for _, b := range forged {
				blocks <- b // never waits: there is room for all
			}
			forged = forged[:0]
		case b := <-blocks:
			newest := h.newest()
			if !s.Order(newest.Theta, newest.Version) {
				return nil
			}
			open = append(open, b)
		case in := <-s.Blocks():
			b := open[0]
			open = open[1:]
			genuine, err := h.accept(s, in, b)
			switch {
			case err == remote.ErrUnsound, err == nil && !genuine && s.Why() != nil: // it was dismissed, or left
				return nil
			case err != nil:
				return err
			case !genuine:
				forged, at, look = append(forged, b), h.newest().Version, time.After(ownLook)
				continue
			}
			if !s.Trusted() {
				h.checked.Store(time.Now().UnixNano())
			}
			select {
			case h.full <- b: // waits while the learner is behind: before the learner, block
			case <-h.ctx.Done():
				return nil
			}
		case <-s.Done():
			return nil
		case <-h.ctx.Done():
			return nil
		}
	}
}

// accept copies an actor's answer to b, on a core if the run plays the block again.
func (h *host) accept(s *remote.Seat, in *remote.Block, b *block) (genuine bool, err error) {
	if !s.Trusted() {
		h.cores.Acquire()
		defer h.cores.Release()
	}
	b.episodes = b.episodes[:0]
	b.unrolls, genuine, err = s.Accept(in, func(e telemetry.Episode) { b.episodes = append(b.episodes, e) })
	return genuine, err
}

// newest returns the newest parameters. All orders before the next update share them.
func (f *liveActors) newest() *remote.Order {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shared == nil || f.shared.Version != f.update {
		f.shared = &remote.Order{Theta: slices.Clone(f.theta), Version: f.update}
	}
	return f.shared
}
