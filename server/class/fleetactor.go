package class

// A student's browser as an actor. The student's secret admits it. Nothing that it sends is trusted.

import (
	"fmt"
	"strings"

	"impalab/learner/remote"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/server/store"
	"impalab/web/actorwire"
	"impalab/web/wire"
)

// ActsFor precedes a room's code where an actor names its run: room:CODE. The actor's key is then a student's secret.
const ActsFor = "room:"

// actor is a member's actor in the fleet's run.
type actor struct {
	*lab.Peer
	room   *Room
	member int64
}

// Act admits an actor to the fleet of a room, or to a run by the run's own key.
func (rs *Rooms) Act(join *wire.Join, address string) (actorwire.Peer, error) {
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
	return r.admitActor(who.Member, address)
}

// admitActor connects a member's actor and disconnects the member's earlier one.
func (r *Room) admitActor(member int64, address string) (actorwire.Peer, error) {
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
	seat, err := f.run.Play(fmt.Sprintf("student %d", member), address, tally) // no nickname: strangers may watch the run
	if err != nil {
		return nil, err
	}
	a := &actor{Peer: seat, room: r, member: member}
	f.actors[member] = a
	if f.run.Status().State == store.Paused {
		f.run.Wait(false) // at once; watchRun would within a second
	}
	r.notify()
	return a, nil
}

// Leave implements actorwire.Peer.
func (a *actor) Leave() {
	a.Peer.Leave()
	a.room.mu.Lock()
	defer a.room.mu.Unlock()
	if f := a.room.fleet; f != nil && f.actors[a.member] == a {
		delete(f.actors, a.member)
		a.room.notify()
	}
}
