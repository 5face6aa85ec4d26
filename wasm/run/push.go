package run

import (
	"impalab/envs"
	"impalab/envs/bodies"
)

// A person may push a body of the watched world. The learner's bodies do not feel it: no message leaves the page.

// A push changes the speed of a body's root, in m/s.
const (
	pushAlong = 2
	pushUp    = .5
)

const (
	pushed     = "You pushed the copy that you watch. The learner trains on others, and does not feel it."
	pushedAway = "Watch the world here, in the page: then a click pushes the body."
)

// Pushable reports whether the world in force has a body, and the picture shows its newest moment.
func (m *Run) Pushable() bool {
	if m.Covered || m.framed() != nil {
		return false
	}
	world, err := envs.New(m.force.World)
	return err == nil && bodies.Of(world) != nil
}

// Push pushes the watched body forward or back. The first push says whom it reaches. Push reports whether there is a
// body.
func (m *Run) Push(forward bool) bool {
	if !m.Pushable() {
		return false
	}
	if m.local.player == nil || !m.Lively() {
		m.Notice(pushedAway)
		return true
	}
	along := float32(pushAlong)
	if !forward {
		along = -along
	}
	bodies.Of(m.local.player.World()).Push(along, pushUp)
	away := pushedAway
	m.Withdraw(&away)
	if !m.warned {
		m.warned = true
		m.Notice(pushed)
	}
	return true
}
