package actor

import (
	"fmt"

	"impalab/learner/traj"
)

// State determines all further play of an actor.
type State struct {
	Worlds  []byte
	Chance  [2]uint64
	Returns []float32
	Lengths []uint32
	Core    []float32 // recurrent states
	Last    []float32 // inputs, for the feedback
	Played  uint64
	Overlap []*traj.Unroll // the steps of each copy that its next unroll repeats
	Trail   []float32      // the recurrent states before these steps
}

// Save copies the actor's state out.
func (a *Actor) Save() (s State) {
	a.SaveTo(&s)
	return s
}

// SaveTo is Save into the memory of s.
func (a *Actor) SaveTo(s *State) {
	s.Worlds, s.Chance, s.Played = a.worlds.State(s.Worlds[:0]), a.chance.State(), a.played
	s.Returns, s.Lengths = append(s.Returns[:0], a.returns...), append(s.Lengths[:0], a.lengths...)
	s.Core, s.Last = append(s.Core[:0], a.state...), append(s.Last[:0], a.input...)
	s.Trail = append(s.Trail[:0], a.overlap.trail...)
	s.Overlap = s.Overlap[:min(len(s.Overlap), len(a.overlap.ends))]
	for len(s.Overlap) < len(a.overlap.ends) {
		s.Overlap = append(s.Overlap, traj.NewUnroll(a.overlap.steps, a.spec.Shape()))
	}
	for i, tail := range a.overlap.ends {
		s.Overlap[i].CopyFrom(tail)
	}
}

// Load takes a state of an actor of the same world and number of copies.
func (a *Actor) Load(s State) error {
	if len(s.Returns) != a.n || len(s.Lengths) != a.n {
		return fmt.Errorf("actor: the state has %d returns and %d lengths for %d copies", len(s.Returns), len(s.Lengths), a.n)
	}
	if len(s.Core) != len(a.state) || len(s.Last) != len(a.input) {
		return fmt.Errorf("actor: the state has %d recurrent values and %d inputs where %d and %d belong", len(s.Core),
			len(s.Last), len(a.state), len(a.input))
	}
	if err := a.overlap.fits(&s, a.spec.Shape()); err != nil {
		return err
	}
	if err := a.worlds.SetState(s.Worlds); err != nil {
		return err
	}
	if a.parts != nil {
		a.parts.deal(a.worlds)
	}
	if err := a.chance.SetState(s.Chance); err != nil {
		return err
	}
	copy(a.returns, s.Returns)
	copy(a.lengths, s.Lengths)
	copy(a.state, s.Core)
	copy(a.input, s.Last)
	copy(a.overlap.trail, s.Trail)
	for i, tail := range a.overlap.ends {
		tail.CopyFrom(s.Overlap[i])
	}
	a.played = s.Played
	a.observe()
	return nil
}
