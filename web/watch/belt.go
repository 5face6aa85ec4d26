package watch

import (
	"math"
	"time"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/actor"
	"impalab/learner/correct"
	"impalab/learner/net"
	"impalab/web/wire"
)

// The belt is the queue between the actors and the learner: one step of each batch that was studied, as old as its
// batch. The page draws the step as a pose, and fills it by its weight.
//
// A reference run plays a batch when it is studied, with the parameters of Lag updates ago. So the batches studied in
// the last Lag updates waited when the acting parameters were the newest. The belt shows the queue at that update.

const (
	beltEvery = 250 * time.Millisecond
	beltLight = 1 << 15 // parameters of a network that weighs the steps of a belt
	beltInput = 72      // numbers of an observation that the belt copies
)

// belt holds the newest steps, the newest last.
type belt struct {
	past   []past
	update uint64 // the newest update whose step it has
}

// past is a copy of a studied step.
type past struct {
	obs, real, mu []float32
	action        int32
	version       uint64
}

// add copies the newest step of a learner, once for each update. Large observations and recurrent networks have no
// belt.
func (b *belt) add(l *learner.Learner) {
	spec := &l.Machine().Spec
	if l.Updates() == b.update || spec.Inputs() > beltInput || spec.States() > 0 {
		return
	}
	if l.Updates() != b.update+1 {
		b.past = b.past[:0] // another moment of the run
	}
	s, ok := l.Studied()
	if !ok {
		return
	}
	b.update = l.Updates()
	var one past
	if len(b.past) == wire.MaxBelt {
		one = b.past[0]
		b.past = append(b.past[:0], b.past[1:]...)
	}
	b.past = append(b.past, past{append(one.obs[:0], s.Obs...), append(one.real[:0], s.Real...),
		append(one.mu[:0], s.Mu...), s.Action, s.Version})
}

// copyFrom copies another belt, and uses the space of b.
func (b *belt) copyFrom(from *belt) {
	for len(b.past) < len(from.past) {
		b.past = append(b.past, past{})
	}
	b.past, b.update = b.past[:len(from.past)], from.update
	for i := range from.past {
		to, one := &b.past[i], &from.past[i]
		to.obs, to.real = append(to.obs[:0], one.obs...), append(to.real[:0], one.real...)
		to.mu = append(to.mu[:0], one.mu...)
		to.action, to.version = one.action, one.version
	}
}

// scale weighs the steps of belts.
type scale struct {
	spec    net.Spec
	world   envs.World
	forward *net.Forward
	pi      *actor.Policy
	next    time.Time
}

func newScale(spec net.Spec, world envs.World) *scale {
	return &scale{spec: spec, world: world, forward: net.NewForward(spec, 1), pi: actor.NewPolicy(spec, 1)}
}

// due reports whether it is time for a belt.
func (s *scale) due(now time.Time) bool {
	if now.Before(s.next) {
		return false
	}
	s.next = now.Add(beltEvery)
	return true
}

// weigh returns the belt under acting parameters, the newest step first.
func (s *scale) weigh(b *belt, theta []float32) *wire.Belt {
	m := &wire.Belt{Update: b.update}
	for i := len(b.past) - 1; i >= 0; i-- {
		one := &b.past[i]
		m.Poses = append(m.Poses, wire.Pose{Lean: envs.Lean(s.world, one.obs), Weight: s.weight(one, theta)})
	}
	return m
}

// weight is min(1, π/μ) of a step under parameters; NaN where the network is too large or the policy not finite.
func (s *scale) weight(one *past, theta []float32) float32 {
	unknown := float32(math.NaN())
	if len(theta) > beltLight {
		return unknown
	}
	logits, _ := s.forward.Run(theta, one.obs, nil, 1)
	if !s.pi.Read(logits) {
		return unknown
	}
	ratio := []float32{0}
	if s.spec.Reals() > 0 {
		correct.GaussianRatios(ratio, s.pi.Mu, one.mu, one.real, s.spec.Reals())
	} else {
		ratio[0] = float32(math.Exp(float64(s.pi.Mu[one.action] - one.mu[one.action])))
	}
	return min(1, ratio[0])
}
