package learner

import (
	"slices"
	"time"

	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/schedule"
	"impalab/learner/stream"
	"impalab/learner/telemetry"
)

// host gives the remote actors of a live run places beside the actors of the run's own process. Each plays with the
// newest parameters at the time of its order, so its lag depends on the network and the queue. If an actor is lost, its
// place waits for another, which continues after the last accepted block.
type host struct {
	*liveActors
	cfg     *hyper.Config
	spec    net.Spec
	copies  int
	remotes *Remotes

	made uint64     // seats so far
	idle chan *seat // that have no actor
}

// run seats actors until the run closes.
func (h *host) run() error {
	select {
	case <-h.ready:
	case <-h.ctx.Done():
		return nil
	}
	h.idle = make(chan *seat, mostRemotes)
	for {
		for r := h.remotes.next(); r != nil; r = h.remotes.next() {
			s, err := h.seat()
			if err != nil {
				return err
			}
			s.remote, s.placed = r, false
			h.gone.Go(func() { // ends when close cancels ctx, or when the actor goes
				if err := schedule.Catch(func() error { return h.serve(s) }); err != nil {
					h.stop(err)
				}
				s.free()
				select {
				case h.idle <- s:
				default: // there are as many as can be wanted
				}
			})
		}
		select {
		case <-h.remotes.came:
		case <-h.ctx.Done():
			return nil
		}
	}
}

// seat returns a free seat.
func (h *host) seat() (*seat, error) {
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
	return &seat{cfg: h.cfg, twin: twin, stream: number, spec: h.spec}, nil
}

// serve has the actor of s play: one order for each block that the learner is not reading. A block that was forged is
// ordered anew after the next update, as if the learner had read it.
func (h *host) serve(s *seat) error {
	blocks := make(chan *block, MostOrders)
	for range MostOrders {
		blocks <- &block{home: blocks, remote: s.remote}
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
			if !s.order(newest.Theta, newest.Version) {
				return nil
			}
			open = append(open, b)
		case in := <-s.remote.blocks:
			b := open[0]
			open = open[1:]
			genuine, err := h.take(s, in, b)
			switch {
			case err == errUnsound:
				s.remote.dismiss(err)
				return nil
			case err != nil:
				return err
			case !genuine:
				if err := s.remote.tally.Forges(); err != nil {
					s.remote.dismiss(err)
					return nil
				}
				forged, at, look = append(forged, b), h.newest().Version, time.After(ownLook)
				continue
			}
			s.remote.tally.took(b.episodes)
			if !s.remote.trusted {
				h.checked.Store(time.Now().UnixNano())
			}
			select {
			case h.full <- b: // waits while the learner is behind: before the learner, block
			case <-h.ctx.Done():
				return nil
			}
		case <-s.remote.gone:
			return nil
		case <-h.ctx.Done():
			return nil
		}
	}
}

// take copies an actor's answer to b, on a core if the block is played again.
func (h *host) take(s *seat, in *Block, b *block) (genuine bool, err error) {
	if !s.remote.trusted {
		h.cores.Hold()
		defer h.cores.Release()
	}
	b.episodes = b.episodes[:0]
	b.unrolls, genuine, err = s.take(in, func(e telemetry.Episode) { b.episodes = append(b.episodes, e) })
	return genuine, err
}

// newest is θ as it is, shared by all orders that are given before the next update.
func (f *liveActors) newest() *Order {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shared == nil || f.shared.Version != f.update {
		f.shared = &Order{Theta: slices.Clone(f.theta), Version: f.update}
	}
	return f.shared
}
