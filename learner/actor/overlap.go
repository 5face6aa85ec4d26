package actor

import (
	"fmt"

	"impalab/learner/traj"
)

// overlap repeats the last steps of a copy's unroll at the start of its next unroll, with the policies and the states
// that they were played with (STAC table 3: unrolls of 40 steps that overlap by 30). A copy's first unroll repeats
// none.
type overlap struct {
	steps int
	ends  []*traj.Unroll // [n] the last steps of each copy's unroll
	trail []float32      // [n, steps, states] the recurrent state before each of them
}

// Overlap makes each unroll repeat that many last steps of the copy's unroll before it, fewer than an unroll has. Call
// it before Split and before the first Play.
func (a *Actor) Overlap(steps int) {
	if steps == 0 {
		return
	}
	a.overlap = overlap{steps: steps, trail: make([]float32, a.n*steps*a.states),
		ends: traj.NewUnrolls(a.n, steps, a.spec.Shape())}
}

// part returns the states of copies from to to−1. Only the whole actor uses the tails.
func (o overlap) part(from, to, states int) overlap {
	return overlap{steps: o.steps, trail: o.trail[from*o.steps*states : to*o.steps*states]}
}

// repeat writes the start of unroll u of copy i, which the copy has played already.
func (a *Actor) repeat(u *traj.Unroll, i int) {
	o := &a.overlap
	u.Again = 0
	if o.steps == 0 || a.played == 0 {
		return
	}
	u.Again, u.First = o.steps, o.ends[i].First
	u.CopySteps(0, o.ends[i], 0, o.steps)
	trail := o.trail[i*o.steps*a.states : (i+1)*o.steps*a.states]
	copy(u.State, trail)
	if forgotten := (u.T - o.steps) * a.states; forgotten < len(trail) {
		copy(trail, trail[forgotten:]) // remember writes the rest
	}
}

// remember keeps the states [n, states] before a step, if the next unroll repeats the step. fromEnd is the step's place
// after the unroll's end, and negative.
func (o *overlap) remember(fromEnd int, state []float32, states int) {
	at := o.steps + fromEnd
	if at < 0 || states == 0 {
		return
	}
	for i := range len(state) / states {
		copy(o.trail[(i*o.steps+at)*states:(i*o.steps+at+1)*states], state[i*states:])
	}
}

// save copies the end of unroll u of copy i.
func (o *overlap) save(u *traj.Unroll, i int) {
	if o.steps == 0 {
		return
	}
	tail, at := o.ends[i], u.T-o.steps
	tail.Begin(u.Version)
	tail.First = u.End[at-1] != 0
	tail.CopySteps(0, u, at, o.steps)
}

// fits returns an error if a state comes from an actor that repeats another number of steps.
func (o *overlap) fits(s *State, shape traj.Shape) error {
	if len(s.Overlap) != len(o.ends) || len(s.Trail) != len(o.trail) {
		return fmt.Errorf("actor: the state has %d repeated unrolls and %d of their recurrent values where %d and %d belong",
			len(s.Overlap), len(s.Trail), len(o.ends), len(o.trail))
	}
	for _, tail := range s.Overlap {
		if !tail.Fits(o.steps, shape) {
			return fmt.Errorf("actor: the state's repeated steps are not %d of this network's shape", o.steps)
		}
	}
	return nil
}
