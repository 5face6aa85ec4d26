package run

import "impalab/envs"

// A person may push the agent of the watched world: a body, or a pole. The learner's agents do not feel it: no message
// leaves the page.

// A push changes the agent's speed, in m/s.
const (
	pushAlong = 2
	pushUp    = .5
)

const (
	pushed     = "You pushed the copy that you watch. The learner trains on others, and does not feel it."
	pushedAway = "Watch the world here, in the page: then a click pushes the agent."
)

// Pushable reports whether the world in force has an agent that can be pushed, and the picture shows its newest moment.
func (m *Run) Pushable() bool {
	if m.Covered || m.framed() != nil {
		return false
	}
	world, err := envs.New(m.force.World)
	return err == nil && envs.PushOf(world) != nil
}

// Push pushes the watched agent forward or back. The first push says whom it reaches. Push reports whether there is
// such an agent.
func (m *Run) Push(forward bool) bool {
	if !m.Pushable() {
		return false
	}
	switch {
	case m.local.player == nil || !m.Lively():
		m.Notice(pushedAway)
		return true
	case m.Tumble.Falls():
		return true // it lies already
	}
	along := float32(pushAlong)
	if !forward {
		along = -along
	}
	envs.PushOf(m.local.player.World()).Push(along, pushUp)
	away := pushedAway
	m.Withdraw(&away)
	if !m.warned {
		m.warned = true
		m.Notice(pushed)
	}
	return true
}
