package run

import (
	"fmt"
	"math"

	"impalab/web/number"
	"impalab/web/wire"
)

// A run travels to the moment of its link, and a run beside another to the other's step: as fast as it can, and then at
// the speed that it had. Speed changes no result.

// goal returns where the run travels to and where it is, both in updates or both in steps, with the goal in words. It
// returns false if the run is there.
func (m *Run) goal() (to, at uint64, words string, ok bool) {
	first := m.Page()[0]
	if asked := m.Cursor.awaited(); m == first {
		if last := m.Return.Last(); last != nil {
			at = last.Update
		}
		return asked, at, "update " + number.Count(asked), asked > at
	}
	to, at = first.Steps(), m.Steps()
	return to, at, "step " + number.Count(to), at < to
}

// far reports whether the way to a goal takes seconds at the speed of the run.
func (m *Run) far(to, at uint64) bool {
	const seconds = 2
	steps := float64(to - at)
	if m == m.Page()[0] {
		steps *= float64(m.force.Advance())
	}
	return steps > seconds*m.force.Speed
}

// Travel returns the speed that the run needs next, or "": as fast as it goes while a goal is far, then its own again.
func (m *Run) Travel() string {
	to, at, _, away := m.goal()
	c := m.Control("speed")
	switch {
	case !m.Steers || m.State != wire.StateRunning || c.Pending():
	case m.pace != "" && !math.IsInf(m.force.Speed, 1): // a person has set another
		m.pace = ""
	case m.pace != "" && !away:
		pace := m.pace
		m.pace = ""
		return pace
	case m.pace == "" && away && !math.IsInf(m.force.Speed, 1) && m.far(to, at):
		m.pace = m.force.Get("speed")
		return "inf"
	}
	return ""
}

// way says how far the run has travelled; "" while it does not.
func (m *Run) way() string {
	to, at, words, away := m.goal()
	if m.pace == "" || !away {
		return ""
	}
	return fmt.Sprintf("on the way to %s: %d %%", words, 100*at/to)
}

// StopHere ends the way to the moment of the link. The run pauses where it is, and has its own speed when it continues.
func (m *Run) StopHere() {
	if m.way() != "" && m == m.Page()[0] {
		m.Cursor.Unpin()
	}
}
