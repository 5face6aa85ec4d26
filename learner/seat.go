package learner

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

// seat is an actor of the run for which a remote actor may play. Twin's state is the end of the last accepted block, so
// twin can continue at any time, to the same bytes.
type seat struct {
	cfg    *hyper.Config
	spec   net.Spec
	twin   *actor.Actor
	stream uint64

	remote *Remote // nil: free
	placed bool    // remote has been told where twin stands
	open   []*Order
}

// offer gives the seat, where it is free, to an actor that waits for one.
func (s *seat) offer(to *Remotes) {
	if s.remote == nil {
		s.remote, s.placed = to.next(), false
	}
}

// order sends the remote actor an order with parameters that no longer change; false: the actor cannot take it.
func (s *seat) order(theta []float32, version uint64) bool {
	if s.remote == nil {
		return false
	}
	o := &Order{Version: version, Theta: theta}
	if !s.placed {
		o.Place = &actor.Place{Config: *s.cfg, Copies: s.twin.Len(), Stream: s.stream, State: s.twin.Save()}
		if s.cfg.Mode == hyper.Reference || !s.remote.trusted { // else its bytes are compared with nothing
			o.Place.Arithmetic = s.spec.Kernels.Arithmetic()
		}
	}
	if !s.remote.order(o) {
		return false
	}
	s.placed = true
	s.open = append(s.open, o)
	return true
}

// errUnsound dismisses an actor whose block no actor could have played.
var errUnsound = errors.New("the block does not fit its order: its shape is another, or no actor plays such numbers")

// take takes the answer to the oldest open order. Of a trusted actor its unrolls are the block's; twin plays for any
// other, and genuine says whether the block has the same bytes. After errUnsound twin stands where it stood.
func (s *seat) take(b *Block, done func(telemetry.Episode)) (unrolls []*traj.Unroll, genuine bool, err error) {
	o := s.open[0]
	s.open = s.open[1:]
	if s.remote.trusted {
		if !s.sound(b) || s.twin.Take(o.Version, b.Unrolls, b.After, done) != nil {
			return nil, false, errUnsound
		}
		return b.Unrolls, true, nil
	}
	unrolls = make([]*traj.Unroll, s.twin.Len())
	for i := range unrolls {
		unrolls[i] = traj.NewUnroll(s.cfg.UnrollLen, s.spec.Shape())
	}
	if err := s.twin.Play(o.Theta, o.Version, unrolls, done); err != nil {
		return nil, false, err
	}
	genuine = slices.EqualFunc(unrolls, b.Unrolls, (*traj.Unroll).SamePlay)
	return unrolls, genuine, nil
}

// sound reports whether a block of an actor that is trusted can be learned from.
func (s *seat) sound(b *Block) bool {
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

// free disconnects the remote actor and discards its outstanding blocks.
func (s *seat) free() {
	if s.remote != nil {
		s.remote.recall()
	}
	s.remote, s.open = nil, nil
}
