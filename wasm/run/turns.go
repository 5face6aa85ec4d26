package run

import (
	"slices"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

// A link may carry turns: t=80000:lag=64,115000:correction=vtrace. They are made at their steps, so that whoever opens
// it sees what the one who shared it saw.

// Shared is the link to what was seen here: the settings that the run began with, and every change with its step; and
// the same of the runs in the columns beside it. It opens at the moment that is held.
func (m *Run) Shared(others ...*Run) string { return m.together((*Run).shared, m.at(), others) }

// shared is the link to what was seen of this run.
func (m *Run) shared() Link {
	first := m.force
	for _, c := range slices.Backward(m.changes) {
		first.Set(c.Key, c.From) // it was in force
	}
	was := m.force
	defer func() { m.force = was }()
	m.force = first
	return m.link(hyper.FormatTurns(m.Turned()))
}

// Turned are the turns that the run has taken, and those that its link still plans.
func (m *Run) Turned() (turns []hyper.Turn) {
	for _, c := range m.changes {
		if change, err := hyper.ParseChange(c.Key, c.To); err == nil {
			turns = append(turns, hyper.Turn{Step: c.Step, Change: change})
		}
	}
	made := m.steps()
	if n := len(m.changes); n > 0 {
		made = max(made, m.changes[n-1].Step)
	}
	for _, t := range m.Link.Turns() { // still to come
		if t.Step > made {
			turns = append(turns, t)
		}
	}
	return turns
}

// note keeps a change for the link, unless it changes no result or there are more than a link may carry.
func (m *Run) note(c *wire.Changed) {
	if c.Key != "speed" && c.From != c.To && len(m.changes) < hyper.MaxTurns {
		m.changes = append(m.changes, *c)
	}
}

// Waits reports whether a setting was changed since the run paused: it applies once the run continues.
func (m *Run) Waits(key string) bool {
	return m.State == wire.StatePaused && slices.ContainsFunc(m.changes, func(c wire.Changed) bool {
		return c.Key == key && c.Step >= m.steps()
	})
}

// Turns are those that the link plans; none where they cannot be read, which the server says.
func (l *Link) Turns() (turns []hyper.Turn) {
	for _, s := range l.Settings {
		if s.Key == hyper.TurnsKey {
			more, _ := hyper.ParseTurns(s.Value)
			turns = append(turns, more...)
		}
	}
	return turns
}

// TurnedLike reports whether another run, whose settings are the same now, had the same at each step before.
func (m *Run) TurnedLike(other *Run) bool {
	return slices.EqualFunc(m.changes, other.changes, func(a, b wire.Changed) bool {
		return a.Step == b.Step && a.Key == b.Key && a.From == b.From && a.To == b.To
	})
}
