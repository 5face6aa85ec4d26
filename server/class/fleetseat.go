package class

// A student's browser as an actor: it proves who it is by the student's secret, has one seat, and is not trusted with
// anything that it sends.

import (
	"context"
	"fmt"
	"strings"

	"impalab/learner/remote"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/server/store"
	"impalab/web/actorwire"
	"impalab/web/wire"
)

// ActsFor is how an actor names a room instead of a run: room:CODE. Its key is then a student's secret.
const ActsFor = "room:"

// seat is a member's actor in the fleet's run.
type seat struct {
	*lab.Seat
	room   *Room
	member int64
	ctx    context.Context // ends when it is sent away
	leave  context.CancelCauseFunc
}

// Act gives an actor its seat: in the fleet of a room, or in a run by the run's own key.
func (rs *Rooms) Act(join *wire.Join, address string) (actorwire.Seat, error) {
	code, inRoom := strings.CutPrefix(join.Run, ActsFor)
	switch {
	case rs.opts.Runs == nil:
		return nil, actorwire.Final{Reason: errNoFleets.Error()}
	case !inRoom:
		return rs.opts.Runs.Act(join, address)
	}
	if err := rs.opts.Runs.SameBuild(join); err != nil {
		return nil, err
	}
	r, who, err := rs.Known(rs.ctx, address, code, join.Key)
	switch {
	case errcode.Of(err) == errcode.TooFast:
		return nil, err
	case err != nil:
		return nil, actorwire.Final{Reason: err.Error()}
	case who.Teacher:
		return nil, actorwire.Final{Reason: "students act for their class, and this is its teacher's key"}
	}
	s, err := r.seated(who.Member)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// seated gives a member a seat, instead of one that the member may have had.
func (r *Room) seated(member int64) (*seat, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.fleet
	switch {
	case r.deleted, r.member(member) == nil:
		return nil, errNotHere
	case f == nil:
		return nil, errFleetOff
	case f.run == nil:
		return nil, errFleetWait
	}
	tally := r.tallies[member]
	if tally == nil {
		if r.tallies == nil {
			r.tallies = map[int64]*remote.Tally{}
		}
		tally = new(remote.Tally)
		r.tallies[member] = tally
	}
	f.dismiss(member, errElsewhere)
	at, err := f.run.Play(fmt.Sprintf("student %d", member), tally) // whoever may see the run reads no nickname
	if err != nil {
		return nil, err
	}
	s := &seat{Seat: at, room: r, member: member}
	s.ctx, s.leave = context.WithCancelCause(context.Background())
	f.seats[member] = s
	if f.run.Stands().State == store.Paused {
		f.run.Wait(false) // at once; pace would within a second
	}
	r.tell()
	return s, nil
}

// Next implements actorwire.Seat.
func (s *seat) Next(ctx context.Context) ([]wire.Message, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer context.AfterFunc(s.ctx, func() { end(context.Cause(s.ctx)) })()
	return s.Seat.Next(ctx)
}

// Take implements actorwire.Seat.
func (s *seat) Take(m *wire.Block) error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return s.Seat.Take(m)
}

// Leave implements actorwire.Seat.
func (s *seat) Leave() {
	s.leave(nil)
	s.Seat.Leave()
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if f := s.room.fleet; f != nil && f.seats[s.member] == s {
		delete(f.seats, s.member)
		s.room.tell()
	}
}
