package run

import (
	"errors"
	"net/url"
	"slices"
	"strconv"

	"impalab/learner/hyper"
	"impalab/web/number"
	"impalab/web/wire"

	"impalab/web/link"
)

// The links of a run. Fragment restores its current settings and keeps the address up to date. Shared also carries
// every change with its step, t=80000:lag=64,115000:correction=vtrace, so that its reader sees what its sender saw.
// Carried continues the run elsewhere.

// Fragment returns the link to the current settings: the preset, then all else sorted by key. It keeps unknown keys and
// view keys. Others are the runs in the columns beside this one, in their order.
func (m *Run) Fragment(others ...*Run) string {
	return m.together((*Run).now, m.Cursor.Linked(), others) // not at the pointer, which moves
}

// now is the link to the current settings or, if a run has planned changes, to all of them.
func (m *Run) now() link.Link {
	if len(m.Link.Planned()) > 0 {
		return m.shared()
	}
	return m.link(&m.force, nil)
}

// Shared returns the link to everything that happened here: the settings at the start and every change with its step,
// also of the runs in the columns beside this one. It opens at the moment that the cursor holds.
func (m *Run) Shared(others ...*Run) string { return m.together((*Run).shared, m.at(), others) }

// FromStart is Shared without the moment.
func (m *Run) FromStart(others ...*Run) string { return m.together((*Run).shared, 0, others) }

// SharedMoment names the moment at which Shared opens; "" if it is the newest.
func (m *Run) SharedMoment() string {
	switch at := m.at(); {
	case at == 0:
		return ""
	case m.Cursor.Held:
		return "This moment, step " + number.Count(m.Now())
	default:
		return "The moment of its link, update " + number.Count(at)
	}
}

// shared is Shared of this run alone.
func (m *Run) shared() link.Link {
	first := m.changes.undo(m.force, func(*wire.Changed) bool { return true })
	return m.link(&first, m.Changes())
}

// link is the link to some settings, with planned changes.
func (m *Run) link(config *hyper.Config, turns []hyper.PlannedChange) link.Link {
	preset := m.Preset
	base, err := hyper.FromPreset(preset)
	if err != nil { // of a newer server: every world has a preset of its own name
		preset = config.World
		base, _ = hyper.FromPreset(preset)
	}
	base.Speed = 0 // so that the link always names the speed
	l := link.Link{Version: "1", View: link.Without(m.Link.View, link.AtKey)}
	l.Settings = append(l.Settings, wire.Setting{Key: "preset", Value: preset})
	if m.pace != "" {
		own := *config
		own.Set("speed", m.pace) // it was in force
		config = &own
	}
	for _, s := range config.Diff(&base) {
		l.Settings = append(l.Settings, wire.Setting(s))
	}
	l.Settings = append(l.Settings, m.Link.Unknown()...)
	l.Settings = append(l.Settings, link.Plan(turns)...)
	return l
}

// tape is the changes of a run, except of its speed.
type tape []wire.Changed

// add appends a change, if it changes something and a link can hold it.
func (t *tape) add(c *wire.Changed) {
	if c.From != c.To && len(*t) < hyper.MaxPlanned {
		*t = append(*t, *c)
	}
}

// undo returns the settings before some of the changes, which are the newest.
func (t tape) undo(config hyper.Config, undone func(*wire.Changed) bool) hyper.Config {
	for _, c := range slices.Backward(t) {
		if undone(&c) {
			config.Set(c.Key, c.From) // it was in force
		}
	}
	return config
}

// planned returns the changes, and the planned ones that follow the last change and a step.
func (t tape) planned(planned []hyper.PlannedChange, step uint64) (turns []hyper.PlannedChange) {
	for _, c := range t {
		if change, err := hyper.ParseChange(c.Key, c.To); err == nil {
			turns = append(turns, hyper.PlannedChange{Step: c.Step, Change: change})
		}
		step = max(step, c.Step)
	}
	for _, p := range planned {
		if p.Step > step {
			turns = append(turns, p)
		}
	}
	return turns
}

// since reports whether a setting has changed since a step.
func (t tape) since(step uint64, key string) bool {
	return slices.ContainsFunc(t, func(c wire.Changed) bool { return c.Key == key && c.Step >= step })
}

// equal reports whether two tapes have the same changes at the same steps.
func (t tape) equal(other tape) bool {
	return slices.EqualFunc(t, other, func(a, b wire.Changed) bool {
		return a.Step == b.Step && a.Key == b.Key && a.From == b.From && a.To == b.To
	})
}

// Changes returns the changes that the run has made, and the later ones of its link.
func (m *Run) Changes() []hyper.PlannedChange { return m.changes.planned(m.Link.Planned(), m.Steps()) }

// Waits reports whether a setting was changed since the run paused: the change applies when the run continues.
func (m *Run) Waits(key string) bool {
	return m.State == wire.StatePaused && m.changes.since(m.Steps(), key)
}

// ChangedLike reports whether another run made the same changes at the same steps.
func (m *Run) ChangedLike(other *Run) bool { return m.changes.equal(other.changes) }

// A run can continue elsewhere: on a server, or in a browser. It is a function of its settings, its seed, and its
// changes with their steps. So only a link moves, and the new place learns the run again up to the step that it had
// reached. In plain arithmetic, which every machine has, that gives the same bytes. The original stays where it is, and
// undo returns to it.

// Carried returns the link that continues this run elsewhere.
func (m *Run) Carried() (link.Link, error) {
	if m.force.Mode == hyper.Live {
		return link.Link{}, errors.New("a live run never repeats a moment; choose mode=reference")
	}
	was := m.force.Arithmetic
	m.force.Arithmetic = hyper.Plain
	l := m.shared()
	m.force.Arithmetic = was
	if steps := max(m.Steps(), m.Link.UpTo()); steps > 0 { // it may still be on its way there
		l.Settings = append(l.Settings, wire.Setting{Key: hyper.UpToKey, Value: strconv.FormatUint(steps, 10)})
	}
	_, err := wire.Append(nil, &wire.Hello{Settings: l.Settings})
	if err != nil || len(m.changes) == hyper.MaxPlanned {
		return link.Link{}, errors.New("it was changed too often for a link to hold all of it")
	}
	return l, nil
}

// Carry starts this run elsewhere: in the browser, or on the page's server.
func (m *Run) Carry(inBrowser bool) (wire.Message, error) {
	l, err := m.Carried()
	if err != nil {
		return nil, err
	}
	m.begin(l)
	m.InBrowser = inBrowser
	return m.Hello(), nil
}

// Saved returns the link that continues a browser's run after a reload. A paused run returns paused, for the same
// reason.
func (m *Run) Saved() (link.Link, error) {
	l, err := m.Carried()
	why := ""
	switch {
	case m.State == wire.StateReturning || !m.Ready: // to where the link says
		why = link.Last(m.Link.Settings, hyper.PausedKey)
	case m.State == wire.StatePaused && m.Reason == wire.ReasonFell:
		why = hyper.PausedFell
	case m.State == wire.StatePaused:
		why = hyper.PausedByHand
	}
	if why != "" {
		l.Settings = append(l.Settings, wire.Setting{Key: hyper.PausedKey, Value: why})
	}
	return l, err
}

// Unrolls returns the fragment of the microscope for the run at the cursor. While the cursor follows the newest step
// that is the newest update; of a finished run it is the last. A theme of the page's link goes along. It returns ""
// before the first update.
func (m *Run) Unrolls() string {
	update, known := m.Update()
	if m.ID == "" || !known || update == 0 {
		return ""
	}
	to := "#run=" + url.QueryEscape(m.ID)
	if m.Cursor.Held || wire.Over(m.State) {
		to += "&update=" + strconv.FormatUint(update, 10)
	}
	if theme := m.Link.Theme(); theme != "" {
		to += "&theme=" + theme
	}
	return to
}
