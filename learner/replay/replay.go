// Package replay keeps old trajectories and hands them out again (LASER §4.1): whole unrolls, first in
// first out, drawn uniformly with replacement.
package replay

import (
	"impalab/envs"
	"impalab/learner/traj"
)

// Store is a ring of unrolls. It owns copies: what is added may be filled again by its actor at once.
type Store struct {
	ring  []*traj.Unroll
	limit int // unrolls the ring may hold
	next  int // where the next one goes once the ring is full
}

// New makes a store for capacity environment steps in unrolls of t; it holds at least one unroll.
// Memory is taken as unrolls arrive, not before.
func New(capacity, t int) *Store { return &Store{limit: max(1, capacity/t)} }

// Len is the number of unrolls held.
func (s *Store) Len() int { return len(s.ring) }

// Add copies u in; a full store forgets its oldest unroll.
func (s *Store) Add(u *traj.Unroll) {
	if len(s.ring) < s.limit {
		own := traj.NewUnroll(u.T, u.Size, u.Actions)
		own.CopyFrom(u)
		s.ring = append(s.ring, own)
		return
	}
	s.ring[s.next].CopyFrom(u)
	s.next = (s.next + 1) % s.limit
}

// Sample draws one unroll uniformly. It stays the store's: read it before the next Add.
func (s *Store) Sample(r *envs.Rand) *traj.Unroll { return s.at(r.IntN(len(s.ring))) }

// at is the unroll that age puts in place i, the oldest first; where the ring happens to begin decides nothing.
func (s *Store) at(i int) *traj.Unroll { return s.ring[(s.next+i)%len(s.ring)] }

// All lists the unrolls, oldest first, for a snapshot; Restore takes such a list back.
func (s *Store) All() []*traj.Unroll {
	out := make([]*traj.Unroll, 0, len(s.ring))
	for i := range s.ring {
		out = append(out, s.at(i))
	}
	return out
}

// Restore replaces the contents by unrolls, oldest first.
func (s *Store) Restore(unrolls []*traj.Unroll) { s.ring, s.next = unrolls, 0 }
