// Package replay keeps old trajectories and hands them out again (LASER §5.1): whole unrolls, first in
// first out, drawn with replacement, uniformly or by priority (priority.go).
package replay

import (
	"impalab/envs"
	"impalab/learner/traj"
)

// Store is a ring of unrolls. It copies each unroll that is added, so the actor may refill its own at once.
type Store struct {
	ring  []*traj.Unroll
	limit int                    // unrolls the ring may hold
	next  int                    // where the next one goes once the ring is full
	by    *priorities            // nil: all equally likely
	known map[owner]*traj.Unroll // the ring's unrolls, by actor and time
	whole *episodes              // nil: whole episodes are not looked for
}

// owner says which unroll of which copy of a world it is.
type owner struct{ lane, serial uint64 }

func ownerOf(u *traj.Unroll) owner { return owner{u.Lane, u.Serial} }

// Before is the unroll that the same copy played before u, if the store still holds it.
func (s *Store) Before(u *traj.Unroll) (*traj.Unroll, bool) {
	before, ok := s.known[owner{u.Lane, u.Serial - 1}]
	return before, ok && u.Serial > 0
}

// New makes a store for capacity environment steps in unrolls of t; it holds at least one unroll.
// Memory is taken as unrolls arrive, not before.
func New(capacity, t int) *Store {
	return &Store{limit: max(1, capacity/t), known: map[owner]*traj.Unroll{}}
}

// Len is the number of unrolls held.
func (s *Store) Len() int { return len(s.ring) }

// Add copies u in; a full store forgets its oldest unroll.
func (s *Store) Add(u *traj.Unroll) {
	if len(s.ring) < s.limit {
		own := traj.NewUnroll(u.T, u.Shape)
		own.CopyFrom(u)
		s.ring = append(s.ring, own)
		s.known[ownerOf(own)] = own
		s.welcome(len(s.ring) - 1)
		s.whole.add(own)
		return
	}
	own := s.ring[s.next]
	delete(s.known, ownerOf(own))
	s.whole.forget(own)
	own.CopyFrom(u)
	s.known[ownerOf(own)] = own
	s.welcome(s.next)
	s.whole.add(own)
	s.next = (s.next + 1) % s.limit
}

// welcome gives the new unroll in a place the largest priority so far.
func (s *Store) welcome(place int) {
	if s.by != nil {
		s.by.tree.set(place, s.by.top)
	}
}

// Draw is the place of one unroll, drawn at random. The store must not be empty.
func (s *Store) Draw(r *envs.Rand) int {
	if s.by != nil {
		return s.by.draw(r, len(s.ring))
	}
	return (s.next + r.IntN(len(s.ring))) % len(s.ring) // by age: where the ring happens to begin decides nothing
}

// At is the unroll in a place. It stays the store's: read it before the next Add.
func (s *Store) At(place int) *traj.Unroll { return s.ring[place] }

// All lists the unrolls, oldest first, for a snapshot; Load takes such a list back.
func (s *Store) All() []*traj.Unroll {
	out := make([]*traj.Unroll, 0, len(s.ring))
	for i := range s.ring {
		out = append(out, s.ring[(s.next+i)%len(s.ring)])
	}
	return out
}
