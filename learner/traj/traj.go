// Package traj is the data that travel from the actors to the learner: the unroll that one actor filled, and the batch
// that a learner makes of several. It holds raw events: rewards are untransformed, and the learner decides the
// discount.
package traj

import (
	"bytes"
	"math"
	"slices"
)

// Shape describes the rows of an unroll or a batch.
type Shape struct {
	Size    int // values of one input: the observation, and the last action and reward if the network sees them
	Actions int // numbers that describe the policy
	States  int // values of a recurrent state; 0 without one
	Reals   int // real numbers of an action; 0 where actions are names
}

// Unroll is T steps of one copy of a world, played by one policy.
type Unroll struct {
	T int
	Shape

	Obs     []float32 // [T+1, Size]: the last one bootstraps
	Action  []int32   // [T]; 0 where actions are numbers
	Real    []float32 // [T, Reals] a Gaussian policy's draws before squashing; 1 is the end of a control's range
	Reward  []float32 // [T] raw
	End     []uint8   // [T] envs.End
	Mu      []float32 // [T, Actions] μ(·|x_t) as its head has it, all of it: log μ, or means and standard deviations
	State   []float32 // [States] of the policy that acted, before step 0
	Version uint64    // updates behind the parameters that acted

	Lane, Serial uint64 // the copy that played it, and the number of the copy's earlier unrolls
	First        bool   // an episode begins at step 0
	Again        int    // the first steps, which the copy's earlier unroll has too
	Task         int32  // of a suite of worlds

	Cuts []Cut // episodes that a time limit cut inside the unroll, in order
}

// Cut is where an episode was truncated: the observation after step T, which Obs does not hold, because the
// next episode has begun there.
type Cut struct {
	T   int
	Obs []float32 // [Size]
}

// NewUnroll makes room for T steps.
func NewUnroll(t int, s Shape) *Unroll {
	return &Unroll{
		T: t, Shape: s,
		Obs:    make([]float32, (t+1)*s.Size),
		Action: make([]int32, t), Reward: make([]float32, t), End: make([]uint8, t),
		Mu: make([]float32, t*s.Actions), Real: make([]float32, t*s.Reals), State: make([]float32, s.States),
	}
}

// NewUnrolls makes n unrolls of T steps.
func NewUnrolls(n, t int, s Shape) []*Unroll {
	all := make([]*Unroll, n)
	for i := range all {
		all[i] = NewUnroll(t, s)
	}
	return all
}

// Begin clears the unroll before an actor fills it again.
func (u *Unroll) Begin(version uint64) {
	u.Version = version
	u.Cuts = u.Cuts[:0]
}

// Cut adds a truncation at step t and returns where its last observation goes.
func (u *Unroll) Cut(t int) []float32 {
	if len(u.Cuts) < cap(u.Cuts) {
		u.Cuts = u.Cuts[:len(u.Cuts)+1]
	} else {
		u.Cuts = append(u.Cuts, Cut{})
	}
	cut := &u.Cuts[len(u.Cuts)-1]
	if cut.Obs == nil { // new, or a place that append made beyond the one asked for
		cut.Obs = make([]float32, u.Size)
	}
	cut.T = t
	return cut.Obs
}

// CopyFrom copies the contents of from to u.
func (u *Unroll) CopyFrom(from *Unroll) {
	copy(u.Obs, from.Obs)
	copy(u.Action, from.Action)
	copy(u.Real, from.Real)
	copy(u.Reward, from.Reward)
	copy(u.End, from.End)
	copy(u.Mu, from.Mu)
	copy(u.State, from.State)
	u.Lane, u.Serial, u.First, u.Again, u.Task = from.Lane, from.Serial, from.First, from.Again, from.Task
	u.Begin(from.Version)
	for i := range from.Cuts {
		copy(u.Cut(from.Cuts[i].T), from.Cuts[i].Obs)
	}
}

// CopySteps makes n steps of u from step to on the steps of from that begin at step at, with the observation after them
// and the cuts inside them. u has begun, and has no cuts at step to or later.
func (u *Unroll) CopySteps(to int, from *Unroll, at, n int) {
	copy(u.Obs[to*u.Size:], from.Obs[at*u.Size:(at+n+1)*u.Size])
	copy(u.Action[to:], from.Action[at:at+n])
	copy(u.Real[to*u.Reals:], from.Real[at*u.Reals:(at+n)*u.Reals])
	copy(u.Reward[to:], from.Reward[at:at+n])
	copy(u.End[to:], from.End[at:at+n])
	copy(u.Mu[to*u.Actions:], from.Mu[at*u.Actions:(at+n)*u.Actions])
	for i := range from.Cuts {
		if t := from.Cuts[i].T - at; t >= 0 && t < n {
			copy(u.Cut(to+t), from.Cuts[i].Obs)
		}
	}
}

// Begins reports whether an episode begins at step t.
func (u *Unroll) Begins(t int) bool {
	if t == 0 {
		return u.First
	}
	return u.End[t-1] != 0
}

// Fits reports whether an unroll that came from outside is whole and of this shape.
func (u *Unroll) Fits(t int, s Shape) bool {
	if u == nil || u.T != t || u.Shape != s || len(u.Obs) != (t+1)*s.Size || len(u.Action) != t ||
		len(u.Real) != t*s.Reals || len(u.State) != s.States ||
		len(u.Reward) != t || len(u.End) != t || len(u.Mu) != t*s.Actions || u.Again < 0 || u.Again >= t {
		return false
	}
	for _, a := range u.Action {
		if a < 0 || int(a) >= s.Actions {
			return false
		}
	}
	for _, x := range u.Real {
		if !(math.Abs(float64(x)) <= math.MaxFloat32) {
			return false
		}
	}
	for _, c := range u.Cuts {
		if c.T < 0 || c.T >= t || len(c.Obs) != s.Size {
			return false
		}
	}
	return true
}

// SamePlay reports whether both hold the same play to the last bit: observations, actions, rewards and policies. It
// does not compare the fields that do not travel: the owner, and the policy's memory before the unroll.
func (u *Unroll) SamePlay(other *Unroll) bool {
	same := u.T == other.T && u.Shape == other.Shape && slices.Equal(u.Action, other.Action) &&
		bytes.Equal(u.End, other.End) && sameBits(u.Obs, other.Obs) && sameBits(u.Real, other.Real) &&
		sameBits(u.Reward, other.Reward) && sameBits(u.Mu, other.Mu)
	sameCut := func(a, b Cut) bool { return a.T == b.T && sameBits(a.Obs, b.Obs) }
	return same && slices.EqualFunc(u.Cuts, other.Cuts, sameCut)
}

// sameBits tells 0 from −0, and takes a NaN for itself.
func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}
