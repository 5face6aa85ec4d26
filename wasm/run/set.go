package run

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/link"
	"impalab/web/wire"
)

// Set asks for a value, as links write it. It refuses here, with the reason, a value that is not allowed. It returns
// nil if the value is in force or requested already, and a Hello if another run must start with the value.
func (m *Run) Set(key, text string) (wire.Message, error) {
	if m.Link.Locked(key) {
		return nil, errors.New(key + " is locked by this link")
	}
	if key == "preset" {
		return m.setPreset(text)
	}
	c := m.Control(key)
	if c == nil {
		_, err := hyper.Lookup(key)
		return nil, err
	}
	value, err := m.check(key, text)
	if err != nil {
		c.Error = err.Error()
		return nil, err
	}
	c.Error = ""
	if c.Shown() == value {
		return nil, nil
	}
	switch {
	case key == "world" && link.PlainWorld(value) != link.PlainWorld(m.force.World):
		return m.begin(m.linkTo("world", value)), nil
	case !c.Row.Hot || wire.Over(m.State):
		return m.begin(m.linkWith(key, value)), nil
	}
	m.seq++
	c.wanted, c.seq = value, m.seq
	return &wire.Set{Seq: m.seq, Key: key, Value: value}, nil
}

func (m *Run) setPreset(name string) (wire.Message, error) {
	config, err := hyper.FromPreset(name)
	if err != nil {
		return nil, err
	}
	if err := m.Fits(&config); err != nil {
		m.Notice(err.Error())
		return nil, err
	}
	return m.begin(m.linkTo("p", name)), nil
}

// check returns the value as links write it, or why it is not allowed, alone or beside the settings in force.
func (m *Run) check(key, text string) (string, error) {
	change, err := hyper.ParseChange(key, text)
	if err != nil {
		return "", errors.New(strings.TrimPrefix(err.Error(), key+"=")) // the page shows it beside the setting
	}
	next, value := m.force, change.Value()
	change.Apply(&next)
	if err := next.Validate(); err != nil {
		return "", err
	}
	if world := link.PlainWorld(value); key == "world" && world != link.PlainWorld(m.force.World) {
		next, _ = hyper.FromPreset(world) // every world has a preset of its own name
	}
	return value, m.Fits(&next)
}

// notSent is the reason of a request without a connection. It goes when the connection is back.
const notSent = "not sent: there is no connection; the page keeps trying"

// Unsent takes back a message that could not be sent, because the connection to the server is down.
func (m *Run) Unsent(message wire.Message) {
	m.Announce(notSent)
	m.seq-- // the server takes every number once and skips none
	if s, ok := message.(*wire.Set); ok {
		m.Control(s.Key).refuse(notSent)
		return
	}
	m.unsent = notSent
	m.Notice(m.unsent)
}

// Do asks for a verb: play, pause, step.
func (m *Run) Do(verb uint8) wire.Message {
	m.stepping = verb == wire.VerbStep
	m.seq++
	return &wire.Do{Seq: m.seq, Verb: verb}
}

// sliderEnd is the right end of a slider, whose left end is 0.
const sliderEnd = 1000

// Slide returns the value at a position of a slider, as links write it.
func Slide(row *hyper.Row, position int) string {
	v := row.At(float64(position) / sliderEnd)
	if row.Whole() {
		return strconv.FormatFloat(v, 'f', 0, 64) // Format may write an exponent
	}
	return row.Format(v)
}

// Position returns the position of a value on a slider.
func Position(row *hyper.Row, text string) int {
	v, err := row.Parse(text)
	if err != nil {
		return 0
	}
	return int(math.Round(sliderEnd * row.Position(v)))
}

// Nudge returns the value one press of an arrow key away: a hundredth of the slider, or further until a whole number
// changes.
func Nudge(row *hyper.Row, text string, up bool) string {
	step := -sliderEnd / 100
	if up {
		step = -step
	}
	for at := Position(row, text) + step; ; at += step {
		next := Slide(row, min(sliderEnd, max(0, at)))
		if next != text || at <= 0 || at >= sliderEnd {
			return next
		}
	}
}

// Faster and Slower return the next speeds, four times apart. Down from "as fast as it goes", the first is a quarter of
// the measured speed.
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

// Control is one setting on the page. The value in force and the requested value differ while a request waits: only the
// server changes the value in force.
type Control struct {
	Row   *hyper.Row
	Force string // the value in force, as links write it; "" before the first Welcome
	Error string // why the last request was refused, or ""

	wanted string
	seq    uint32 // of the newest Set that waits for its answer; 0: none
}

// Control returns the control of a key, or nil.
func (m *Run) Control(key string) *Control {
	for i := range m.Controls {
		if m.Controls[i].Row.Key == key {
			return &m.Controls[i]
		}
	}
	return nil
}

// Shown returns the value that slider and field show: the requested value while it waits, else the value in force.
func (c *Control) Shown() string {
	if c.Force == "" || c.Pending() {
		return c.wanted
	}
	return c.Force
}

// Pending reports whether the shown value is requested and not yet in force.
func (c *Control) Pending() bool { return c.seq != 0 && c.wanted != c.Force }

// StateName returns the control's data-state.
func (c *Control) StateName() string {
	switch {
	case c.Error != "":
		return "refused"
	case c.Pending() || c.Force == "":
		return "pending"
	}
	return "idle"
}

// enforce takes the server's value. Seq is the Set that it answers, or 0. The answer to an older Set leaves a newer one
// waiting. The server may never answer two requests that undo each other: the next news settles them.
func (c *Control) enforce(value string, seq uint32) {
	undone := seq == 0 && !c.Pending()
	c.Force = value
	if undone || seq >= c.seq || seq == 0 && c.wanted == value {
		c.seq = 0
	}
	if seq != 0 && c.seq == 0 {
		c.Error = ""
	}
}

// refuse drops the request, if one was waiting, and keeps the reason.
func (c *Control) refuse(reason string) (waited bool) {
	if waited = c.Pending(); waited {
		c.Error = reason
	}
	c.seq = 0
	return waited
}
