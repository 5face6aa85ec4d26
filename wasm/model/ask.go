package model

import (
	"errors"
	"math/rand/v2"
	"time"

	"impalab/wasm/run"
	"impalab/web/wire"
)

var verbs = map[Act]uint8{Play: wire.VerbPlay, Pause: wire.VerbPause, Step: wire.VerbStep}

// Send sends a request of a run, or takes it back. A Hello asks for another run. Err is a refusal, without a message.
func (m *Model) Send(r *run.Run, message wire.Message, err error) {
	_, another := message.(*wire.Hello)
	switch {
	case another:
		r.Line.Redial()
	case err != nil:
		m.Announce(err.Error())
	case message != nil && (r.Waiting() || !r.Line.Send(message)):
		r.Unsent(message)
	}
	m.Changed()
}

// Ask sends the request of an act. Acts that concern the page alone send nothing.
func (m *Model) Ask(act Act) {
	switch act {
	case PlayPause:
		act = Play
		if m.Selected().State == wire.StateRunning {
			act = Pause
		}
	case Again:
		m.each(m.All, func(r *run.Run) (wire.Message, error) { return r.Again(), nil })
	case Reseed:
		seed := rand.Uint32N(1_000_000) // the only draw without a seed: it makes the seed
		m.each(m.All, func(r *run.Run) (wire.Message, error) { return r.Reseed(seed), nil })
	case Undo:
		m.each(m.All, func(r *run.Run) (wire.Message, error) { return r.Undo(), nil })
	case ForkNewest:
		m.Selected().Cursor.Unpin()
		m.Ask(Fork)
	case Rewind, Fork:
		m.each(m.All, func(r *run.Run) (wire.Message, error) {
			update, ok := r.Update()
			if !ok {
				return nil, errors.New("the run has made no update yet to return to")
			}
			if act == Rewind {
				return r.Rewind(update), nil
			}
			return r.Fork(update), nil
		})
	case Back:
		m.Selected().Walk(-1)
	case Forward:
		m.Selected().Walk(1)
	case BackMark, ForwardMark:
		m.Selected().WalkMarks(act == ForwardMark)
	case LetGo:
		m.Selected().Cursor.Unpin()
	case SpeedUp:
		m.Set("speed", m.Selected().Faster())
	case SpeedDown:
		m.Set("speed", m.Selected().Slower())
	}
	if act == Pause {
		m.Runs[0].StopHere()
	}
	if verb, ok := verbs[act]; ok {
		m.each(true, func(r *run.Run) (wire.Message, error) { return r.Do(verb), nil })
	}
	m.Changed()
}

// Set asks for a value of the selected run, or of all, and returns the first refusal.
func (m *Model) Set(key, value string) error {
	return m.each(m.All || key == "speed", func(r *run.Run) (wire.Message, error) { return r.Set(key, value) })
}

// Travel sets the speed of one run, which goes to another moment.
func (m *Model) Travel(r *run.Run, speed string) {
	message, err := r.Set("speed", speed)
	m.Send(r, message, err)
}

// AsPrinted starts the selected run with the settings of its algorithm's paper.
func (m *Model) AsPrinted() error { return m.each(false, (*run.Run).AsPrinted) }

// SetOption asks for a value of an option of the world, and returns the first refusal.
func (m *Model) SetOption(key, value string) error {
	return m.each(m.All, func(r *run.Run) (wire.Message, error) { return r.SetOption(key, value) })
}

// PauseFell pauses all columns, so that they stay comparable, because a run in one of them fell.
func (m *Model) PauseFell(fell *run.Run) {
	m.each(true, func(r *run.Run) (wire.Message, error) {
		if r == fell {
			return r.Do(wire.VerbPauseFell), nil
		}
		return r.Do(wire.VerbPause), nil
	})
}

// each asks the selected run, or all, and returns the first refusal. A run that waits for the server is left out of
// all.
func (m *Model) each(all bool, ask func(*run.Run) (wire.Message, error)) (refusal error) {
	selected := m.Selected()
	for _, r := range m.Runs {
		if r == selected || all && !r.Waiting() {
			message, err := ask(r)
			if refusal == nil {
				refusal = err
			}
			m.Send(r, message, err)
		}
	}
	return refusal
}

// Pace thins the values of a dragged slider. It sends the first value at once, then at most one every Every, and always
// the last. Each key has its own pace.
type Pace struct {
	Every time.Duration
	After func(time.Duration, func()) // the clock
	Send  func(key, value string)

	held map[string]string // the value that waits for each key that was sent lately; "": none
}

// Offer takes a value.
func (p *Pace) Offer(key, value string) {
	if p.held == nil {
		p.held = map[string]string{}
	}
	if _, busy := p.held[key]; busy {
		p.held[key] = value
		return
	}
	p.held[key] = ""
	p.Send(key, value)
	p.After(p.Every, func() {
		value := p.held[key]
		delete(p.held, key)
		if value != "" {
			p.Offer(key, value)
		}
	})
}

// Flush sends at once the value that waits for a key: the drag is over.
func (p *Pace) Flush(key string) {
	if value := p.held[key]; value != "" {
		p.held[key] = ""
		p.Send(key, value)
	}
}

// FlushAll sends every value that waits.
func (p *Pace) FlushAll() {
	for key := range p.held {
		p.Flush(key)
	}
}
