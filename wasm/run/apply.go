package run

import (
	"slices"
	"strings"

	"impalab/learner/telemetry"
	"impalab/web/chart"
	"impalab/web/wire"
)

// Apply takes a message from the server. Events arrive in rising order. A resumed session may repeat some; Apply
// ignores those.
func (m *Run) Apply(message wire.Message) {
	if event, ok := message.(wire.Event); ok {
		if *event.EventNumber() <= m.last {
			return
		}
		m.last = *event.EventNumber()
	}
	switch v := message.(type) {
	case *wire.Welcome:
		m.welcome(v)
	case *wire.Changed:
		m.changed(v)
	case *wire.Status:
		m.status(v)
	case *wire.Point:
		m.point(v)
	case *wire.Judged:
		m.CurveRevision++
		m.Error.Add(v.Step, v.ValueError)
	case *wire.XRay:
		v.Figures = m.metrics(v.Figures)
		m.noteCertainty(v)
		m.XRay = v
		m.moments.live.add(moment{step: v.Step, xray: v, gauge: m.Gauge, frame: m.agents, plan: m.plan})
	case *wire.Frame:
		if m.Wants().Frames { // else the server sent it before it knew
			m.noteFrame(v)
		}
	case *wire.Weights:
		m.setWeights(v)
	case *wire.Belt:
		m.Belt.receive(v, m.Calm)
	case *wire.Gauge:
		m.Gauge = v
		m.Exact.add(m.Steps(), v)
		m.complete(itsGauge, func(one *moment) { one.gauge = v })
	case *wire.Refused:
		m.refused(v)
	case *wire.Bye:
		m.parted = v.Reason
		m.Notice(v.Reason)
		m.Announce(v.Reason)
	}
}

// metrics returns a message's figures by row of telemetry's table. It skips rows of a newer server.
func (s *session) metrics(values []float32) []float32 {
	rows := slices.Repeat([]float32{nan32}, telemetry.NumMetrics)
	for i, v := range values[:min(len(values), len(s.rows))] {
		if row := s.rows[i]; row >= 0 {
			rows[row] = v
		}
	}
	return rows
}

var nan32 = chart.NewSpan().Last

// Renews reports whether a Welcome is to another run than the page shows, perhaps of another world.
func (m *Run) Renews(v *wire.Welcome) bool { return v.Fresh || v.Run != m.ID }

// welcome takes the server's word for every value. A request that still waits belongs to an older session and is lost.
func (m *Run) welcome(v *wire.Welcome) {
	m.Withdraw(&m.parted)
	m.Withdraw(&m.unsent)
	gone := m.ID != "" && v.Run != m.ID
	if gone {
		place := map[bool]string{false: "The server", true: "This browser"}[m.InBrowser]
		m.Notice(place + " no longer has this run: it restarted with the same settings.")
	}
	if m.Renews(v) {
		if gone && len(m.Return.Columns) > 0 { // the server lost the run, the page did not
			before := m.Curves
			m.ghost = ghost{Curves: &before, world: m.force.World, before: "before"}
		}
		m.history, m.agents, m.plan, m.Reason = history{rated: chart.NewSpan()}, nil, nil, ""
		if m.Cursor.Held {
			m.Cursor.Unpin()
		}
		m.CurveRevision++
		m.Withdraw(&m.ended)
		for i := range m.Controls {
			m.Controls[i].Error = ""
		}
	}
	m.SettingsRevision++
	m.came = v.Event
	answered := m.greeted
	m.greeted, m.Ready, m.Lost, m.forks = false, true, false, false
	m.ID, m.State, m.Steers, m.From = v.Run, v.State, v.Steers, v.From
	if v.Key != "" {
		m.Key = v.Key
	}
	m.rows = m.rows[:0]
	for _, name := range v.Figures {
		m.rows = append(m.rows, telemetry.LookupMetric(name))
	}
	for _, s := range v.Settings {
		if s.Key == "preset" || s.Key == "p" {
			m.Preset = s.Value
		} else if c := m.Control(s.Key); c != nil && m.force.Set(s.Key, s.Value) == nil {
			c.enforce(m.force.Get(s.Key), 0)
		}
	}
	if len(m.Return.Columns) == 0 {
		m.falls = watchOf(m.force.World)
	}
	if v.Fresh || m.local.size == 0 {
		m.beginLocal()
	}
	for i := range m.Controls {
		c := &m.Controls[i]
		if c.Error == notSent {
			c.Error = ""
		}
		if answered {
			c.refuse("not confirmed: the connection was lost before the answer came")
		}
	}
	if len(v.Unknown) > 0 {
		m.Notice("This link has unknown keys: " + strings.Join(v.Unknown, ", ") +
			". They are kept and change nothing.")
	}
	m.Announce(m.StateName())
}

func (m *Run) changed(v *wire.Changed) {
	c := m.Control(v.Key)
	if c == nil || m.force.Set(v.Key, v.To) != nil {
		return // a key of a newer server: nothing here shows it
	}
	m.SettingsRevision++
	to := m.force.Get(v.Key)
	c.enforce(to, v.Intent)
	if v.Key != "speed" { // which changes no result
		m.changes.add(v)
		m.CurveRevision++
		m.Marks.Add(chart.Mark{Step: v.Step, Update: v.Update, Key: v.Key, From: v.From, To: to}, m.Return.Steps())
	}
	if v.Intent == 0 || !c.Pending() {
		m.Announce(Name(c.Row) + " is now " + m.Pretty(c.Row, to))
	}
}

func (m *Run) status(v *wire.Status) {
	m.State, m.Reason = v.State, v.Reason
	words := m.StateName()
	if v.Reason != "" {
		words += ": " + v.Reason
	}
	m.Announce(words)
	m.halted()
	m.Withdraw(&m.ended)
	if v.Reason != "" && (v.State == wire.StateDiverged || v.State == wire.StateStopped) {
		m.ended = Sentence(words)
		if v.State == wire.StateDiverged {
			m.ended += " " + m.remedy()
		}
		m.Notice(m.ended)
	}
}

func (m *Run) refused(v *wire.Refused) {
	if c := m.Control(v.Key); c != nil {
		if c.seq == v.Intent && c.refuse(v.Reason) { // else the value is in force anyway
			m.Announce(v.Reason)
		}
		return
	}
	m.Notice(v.Reason)
	m.Announce(v.Reason)
}

// stateNames are the states for people and for the page's data-state.
var stateNames = map[uint8]string{
	wire.StateRunning: "running", wire.StatePaused: "paused", wire.StateDone: "done", wire.StateDiverged: "diverged",
	wire.StateStopped: "stopped", wire.StateQueued: "queued", wire.StateReturning: "returning",
}

// StateName returns the state's name.
func (m *Run) StateName() string {
	if name := stateNames[m.State]; name != "" {
		return name
	}
	return "connecting"
}
