package run

import (
	"errors"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

// A run may go on elsewhere: on a server, or in the browser. It is a function of its settings, its seed and what was
// changed at which step, so that is all that moves, as a link: where it goes on it is learned again up to the step at
// which it stood. In plain arithmetic, which every machine has, that makes the same bytes, and nobody has to trust what
// came from elsewhere. The run that it was stays where it is, and undo comes back to it.

// Carry begins this run elsewhere, in the browser or on the page's server.
func (m *Run) Carry(inBrowser bool) (wire.Message, error) {
	l, err := m.Carried()
	if err != nil {
		return nil, err
	}
	m.begin(l.String())
	m.InBrowser = inBrowser
	return m.Hello(), nil
}

// Carried is the link under which this run goes on elsewhere.
func (m *Run) Carried() (Link, error) {
	if m.force.Mode == hyper.Live {
		return Link{}, errors.New("a live run never comes to the same moment twice; choose mode=reference")
	}
	was := m.force
	m.force.Arithmetic = hyper.Plain
	l := m.shared()
	m.force = was
	if steps := max(m.steps(), m.Link.upTo()); steps > 0 { // it may be on its way there
		l.Settings = append(l.Settings, wire.Setting{Key: hyper.UpToKey, Value: strconv.FormatUint(steps, 10)})
	}
	_, err := wire.Append(nil, &wire.Hello{Settings: l.Settings})
	if err != nil || len(m.changes) == hyper.MaxTurns {
		return Link{}, errors.New("it was changed too often for a link to hold all of it")
	}
	return l, nil
}

// Kept is the link under which this run of a browser comes back when its page is opened again. A paused run comes back
// paused, for the same reason.
func (m *Run) Kept() (Link, error) {
	l, err := m.Carried()
	why := ""
	switch {
	case m.State == wire.StateReturning || !m.Ready: // to where the link says
		why = m.Link.setting(hyper.PausedKey)
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

// upTo is the step at which the run stood elsewhere; 0: it was nowhere else.
func (l *Link) upTo() uint64 {
	step, _ := strconv.ParseUint(l.setting(hyper.UpToKey), 10, 64) // who opens the link refuses what is no number
	return step
}

// setting is the value of a key; "" if the link has none. Of several the last counts.
func (l *Link) setting(key string) (value string) {
	for _, s := range l.Settings {
		if s.Key == key {
			value = s.Value
		}
	}
	return value
}

// browsers begins the ids of a browser's runs; a server's are hexadecimal.
const browsers = "here"

// OfBrowser reports whether an id is that of a run of a browser.
func OfBrowser(id string) bool { return strings.HasPrefix(id, browsers) }
