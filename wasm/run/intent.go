package run

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

// Set asks for a value in its text form. A value that is not allowed is refused here, with what is, and never
// leaves the page. A nil message with a nil error means there is nothing to ask: the value is in force already. A Hello
// means that another run begins, because this one cannot go on with the value.
func (m *Run) Set(key, text string) (wire.Message, error) {
	if m.Link.Locked(key) {
		return nil, errors.New(key + " is locked by this link")
	}
	if key == "preset" {
		cfg, err := hyper.FromPreset(text)
		if err == nil && m.Fits != nil {
			if err = m.Fits(&cfg); err != nil {
				m.Notice(sentence(err.Error()))
			}
		}
		if err != nil {
			return nil, err
		}
		return m.begin(m.linkTo("p", text)), nil
	}
	c := m.Control(key)
	if c == nil {
		_, err := hyper.Lookup(key)
		return nil, err
	}
	value, err := m.check(key, text)
	if err != nil {
		c.refuse(err.Error())
		return nil, err
	}
	c.Error = ""
	if c.Shown() == value {
		return nil, nil // in force, or asked for already
	}
	switch {
	case key == "world" && PlainWorld(value) != PlainWorld(m.force.World):
		return m.begin(m.linkTo("world", value)), nil
	case !c.Row.Hot || wire.Over(m.State):
		return m.begin(m.linkWith(key, value)), nil
	}
	m.seq++
	c.wanted, c.seq = value, m.seq
	return &wire.Set{Seq: m.seq, Key: key, Value: value}, nil
}

// check is the value's exact text, or why it is not allowed: alone, or together with what is in force.
func (m *Run) check(key, text string) (string, error) {
	next := m.force
	if err := next.Set(key, text); err != nil {
		return "", errors.New(strings.TrimPrefix(err.Error(), key+"=")) // it is said beside the setting
	}
	if m.force.Validate() == nil {
		if err := next.Validate(); err != nil {
			return "", err
		}
	}
	value := next.Get(key)
	if world := PlainWorld(value); key == "world" && world != PlainWorld(m.force.World) {
		next, _ = hyper.FromPreset(world) // every world has a preset of its own name
	}
	if m.Fits != nil {
		if err := m.Fits(&next); err != nil {
			return "", err
		}
	}
	return value, nil
}

// Unsent takes back what could not be sent: there is no line to the server.
func (m *Run) Unsent(message wire.Message) {
	const reason = "not sent: there is no connection; the page keeps trying"
	m.Announce(reason)
	m.seq-- // the server takes no number twice and leaves none out
	if s, ok := message.(*wire.Set); ok {
		if c := m.Control(s.Key); c != nil && c.seq == s.Seq {
			c.forget()
			c.refuse(reason)
			return
		}
	}
	m.Notice(strings.ToUpper(reason[:1]) + reason[1:] + ".")
}

// Nudge is the text one press of an arrow key away from another, by a hundredth of the slider or, where that is too
// little to change a whole number, by as much as it takes.
func Nudge(row *hyper.Row, text string, up bool) string {
	step := -10
	if up {
		step = 10
	}
	for at := Position(row, text) + step; ; at += step {
		next := Slide(row, min(1000, max(0, at)))
		if next != text || at <= 0 || at >= 1000 {
			return next
		}
	}
}

// Restore drops a refused or abandoned request: the control shows the value in force again.
func (m *Run) Restore(key string) {
	if c := m.Control(key); c != nil {
		c.Error = ""
	}
}

// Do asks for a verb: play, pause, step.
func (m *Run) Do(verb uint8) wire.Message {
	m.stepping = verb == wire.VerbStep
	m.seq++
	return &wire.Do{Seq: m.seq, Verb: verb}
}

// Slide is the text of a place on a slider, 0 to 1000.
func Slide(row *hyper.Row, position int) string {
	v := row.At(float64(position) / 1000)
	if row.Whole() {
		return strconv.FormatFloat(v, 'f', 0, 64) // Format may write an exponent
	}
	return row.Format(v)
}

// Position is where a value's text stands on a slider, 0 to 1000.
func Position(row *hyper.Row, text string) int {
	v, err := row.Parse(text)
	if err != nil {
		return 0
	}
	return int(math.Round(1000 * row.Place(v)))
}

// Faster and Slower are the next speeds up and down, four times apart. Down from "as fast as it goes" they start
// at a quarter of what is measured; up past what is measured they end there.
func (m *Run) Faster() string { return m.speed(4) }

func (m *Run) Slower() string { return m.speed(0.25) }

func (m *Run) speed(factor float64) string {
	now := m.force.Speed
	if c := m.Control("speed"); c.Pending() { // two quick presses are two steps
		now, _ = c.Row.Parse(c.wanted)
	}
	const most, usual = 1e6, 40000
	if math.IsInf(now, 1) {
		if factor > 1 {
			return "inf"
		}
		now = usual
		if m.State == wire.StateRunning && m.XRay != nil && m.XRay.StepsPerSecond >= 1 {
			now = min(most, float64(m.XRay.StepsPerSecond))
		}
	}
	next := now * factor
	if next > most {
		return "inf"
	}
	next, _ = strconv.ParseFloat(strconv.FormatFloat(max(1, next), 'g', 2, 64), 64)
	return strconv.FormatFloat(next, 'f', -1, 64)
}
