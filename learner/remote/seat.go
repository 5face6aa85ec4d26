package remote

import (
	"errors"
	"math"
	"slices"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Seat is an actor of the run for which a remote actor may play. Twin's state is the end of the last accepted block, so
// twin can continue at any time, to the same bytes.
type Seat struct {
	*Actor // nil: the seat is free

	cfg    *hyper.Config
	spec   net.Spec
	twin   *actor.Actor
	stream uint64
	placed bool // the actor knows twin's state
	open   []*Order
}

// NewSeat returns a free seat for twin, which has a stream of the run's seed.
func NewSeat(cfg *hyper.Config, spec net.Spec, twin *actor.Actor, stream uint64) Seat {
	return Seat{cfg: cfg, spec: spec, twin: twin, stream: stream}
}

// Offer gives a free seat to an actor that waits for a place. It reports whether the seat is now taken.
func (s *Seat) Offer(to *Actors) (taken bool) {
	if s.Actor == nil {
		s.Sit(to.Next())
	}
	return s.Actor != nil
}

// Sit gives the seat to an actor.
func (s *Seat) Sit(r *Actor) { s.Actor, s.placed = r, false }

// Order asks the remote actor for a block with parameters that no longer change. It returns false if the actor cannot
// take the order.
func (s *Seat) Order(theta []float32, version uint64) bool {
	if s.Actor == nil {
		return false
	}
	o := &Order{Version: version, Theta: theta}
	if !s.placed {
		o.Place = &actor.Place{Config: *s.cfg, Copies: s.twin.Len(), Stream: s.stream, State: s.twin.Save()}
		if s.cfg.Mode == hyper.Reference || !s.trusted { // else its bytes are compared with nothing
			o.Place.Arithmetic = s.spec.Kernels.Arithmetic()
		}
	}
	if !s.order(o) {
		return false
	}
	s.placed = true
	s.open = append(s.open, o)
	return true
}

// Waits reports whether an order of the seat is still open.
func (s *Seat) Waits() bool { return len(s.open) > 0 }

// Trusted reports whether the run believes the actor's blocks without playing them again.
func (s *Seat) Trusted() bool { return s.trusted }

// Blocks returns the answers of the seat's actor, in the order of its orders.
func (s *Seat) Blocks() <-chan *Block { return s.blocks }

// ErrUnsound dismisses an actor whose block no actor could have played.
var ErrUnsound = errors.New("the block does not fit its order: its shape is another, or no actor plays such numbers")

// Accept reads the answer to the oldest open order, and counts it. A trusted actor's unrolls are the block's. For any
// other actor twin plays the block again, and genuine reports whether the block has the same bytes. A forger is
// dismissed after too many blocks, and the actor of an error at once. After ErrUnsound twin's state is unchanged.
func (s *Seat) Accept(b *Block, done func(telemetry.Episode)) (unrolls []*traj.Unroll, genuine bool, err error) {
	o := s.open[0]
	s.open = s.open[1:]
	var ended []telemetry.Episode
	hear := func(e telemetry.Episode) {
		ended = append(ended, e)
		done(e)
	}
	if s.trusted {
		unrolls, genuine = b.Unrolls, true
		if !s.sound(b) || s.twin.Accept(o.Version, b.Unrolls, b.After, hear) != nil {
			err = ErrUnsound
		}
	} else {
		unrolls = traj.NewUnrolls(s.twin.Len(), s.cfg.UnrollLen, s.spec.Shape())
		err = s.twin.Play(o.Theta, o.Version, unrolls, hear)
		genuine = slices.EqualFunc(unrolls, b.Unrolls, (*traj.Unroll).SamePlay)
	}
	switch {
	case err != nil:
		s.Dismiss(err)
	case genuine:
		s.tally.count(ended)
	default:
		if forger := s.tally.Forges(); forger != nil {
			s.Dismiss(forger)
		}
	}
	return unrolls, genuine, err
}

// LearnedFrom counts an unroll of the actor that the learner has used at an update.
func (r *Actor) LearnedFrom(u *traj.Unroll, updates uint64) { r.tally.learnedFrom(u, updates) }

// sound reports whether a trusted actor's block can be learned from.
func (s *Seat) sound(b *Block) bool {
	if len(b.Unrolls) != s.twin.Len() {
		return false
	}
	for _, u := range b.Unrolls {
		if !u.Fits(s.cfg.UnrollLen, s.spec.Shape()) || !finite(u.Obs) || !finite(u.Mu) || !finite(u.Reward) {
			return false
		}
		cuts := u.Cuts
		for t, end := range u.End {
			switch {
			case end > uint8(envs.Truncated):
				return false
			case end != uint8(envs.Truncated):
			case len(cuts) == 0 || cuts[0].T != t || !finite(cuts[0].Obs):
				return false
			default:
				cuts = cuts[1:]
			}
		}
		if len(cuts) > 0 {
			return false
		}
	}
	return true
}

func finite(x []float32) bool {
	return !slices.ContainsFunc(x, func(v float32) bool { return !(math.Abs(float64(v)) <= math.MaxFloat32) })
}

// Free disconnects the remote actor and discards its outstanding blocks.
func (s *Seat) Free() {
	if s.Actor != nil {
		s.recall()
	}
	s.Actor, s.open = nil, nil
}
