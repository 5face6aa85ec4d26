package run

import (
	"math"
	"strings"

	"impalab/learner/telemetry"
	"impalab/web/chart"
	"impalab/web/wire"
)

// Apply takes one message from the server. Events come in rising order; one that was seen before, as a resumed
// session may send, changes nothing.
func (m *Run) Apply(message wire.Message) {
	switch v := message.(type) {
	case *wire.Welcome:
		m.welcome(v)
	case *wire.Changed:
		if m.fresh(v.Event) {
			m.changed(v)
		}
	case *wire.Status:
		if m.fresh(v.Event) {
			m.status(v)
		}
	case *wire.Point:
		if m.fresh(v.Event) {
			m.point(v)
		}
	case *wire.Judged:
		if m.fresh(v.Event) {
			m.judged(v)
		}
	case *wire.XRay:
		m.xray(v)
	case *wire.Frame:
		if m.Wants().Frames { // else one that was under way
			m.noteFrame(v)
		}
	case *wire.Weights:
		m.lend(v)
	case *wire.Gauge:
		m.gauge(v)
	case *wire.Refused:
		m.refused(v)
	case *wire.Bye:
		m.parted = v.Reason
		m.Notice(v.Reason)
		m.Announce(v.Reason)
	}
}

// xray takes the figures of a newest update.
func (m *Run) xray(v *wire.XRay) {
	m.Figures = m.figures(v.Figures)
	m.noteCertainty(v)
	m.XRay = v
	m.moments.add(moment{step: v.Step, xray: v, gauge: m.Gauge, frame: m.agents, plan: m.plan})
}

// figures are a message's, by row of telemetry's table. Rows of a newer server are passed over.
func (m *Run) figures(values []float32) (rows [telemetry.NumFigures]float32) {
	for i := range rows {
		rows[i] = float32(math.NaN())
	}
	for i, v := range values[:min(len(values), len(m.figureRows))] {
		if row := m.figureRows[i]; row >= 0 {
			rows[row] = v
		}
	}
	return rows
}

func (m *Run) judged(v *wire.Judged) {
	m.Judged = v
	m.CurveRevision++
	m.Error.Add(v.Step, v.ValueError)
}

func (m *Run) fresh(event uint64) bool {
	if event <= m.last {
		return false
	}
	m.last = event
	return true
}

// Renews reports whether a Welcome is to another run than the one that is shown, perhaps of another world.
func (m *Run) Renews(v *wire.Welcome) bool { return v.Fresh || v.Run != m.ID }

// welcome takes the server's word for every value. A control that still waits keeps waiting only inside the
// session that asked; an answer to Hello means that earlier questions are lost.
func (m *Run) welcome(v *wire.Welcome) {
	m.Withdraw(&m.parted)
	if m.ID != "" && v.Run != m.ID {
		if m.InBrowser {
			m.Notice("This browser no longer has this run: it began anew with the same settings.")
		} else {
			m.Notice("The server no longer has this run: it began anew with the same settings.")
		}
	}
	if m.Renews(v) {
		if m.ID != "" && v.Run != m.ID && len(m.Return.Columns) > 0 {
			m.ghost = m.leave(m.force.World) // the server lost it, the page did not
		}
		m.Return, m.Recent, m.Error, m.Exact = chart.Curve{}, chart.Curve{}, chart.Curve{}, Exact{}
		m.Histories, m.Traces, m.Marks = [telemetry.NumFigures]chart.Curve{}, nil, nil
		m.changes, m.moments, m.again, m.agents, m.plan = nil, nil, nil, nil, nil
		m.last, m.Halt, m.Played, m.asks = 0, nil, nil, false
		m.Cursor.follow()
		m.CurveRevision++
		m.XRay, m.Frame, m.Gauge, m.Judged, m.Reason = nil, nil, nil, nil, ""
		m.rated = chart.NewSpan()
		m.Withdraw(&m.ended)
		for i := range m.Controls {
			m.Controls[i].Error = "" // a mistake made in the old run is no news in this one
		}
	}
	m.SettingsRevision++
	m.came = v.Event
	answered := m.greeted
	m.greeted, m.Ready, m.Lost = false, true, false
	m.ID, m.Build, m.State, m.Steers, m.From = v.Run, v.Build, v.State, v.Steers, v.From
	m.forks = false
	if v.Key != "" {
		m.Key = v.Key
	}
	m.figureRows = m.figureRows[:0]
	for _, name := range v.Figures {
		m.figureRows = append(m.figureRows, telemetry.LookupFigure(name))
	}
	for _, s := range v.Settings {
		if s.Key == "preset" || s.Key == "p" {
			m.Preset = s.Value
			continue
		}
		if c := m.Control(s.Key); c != nil && m.force.Set(s.Key, s.Value) == nil {
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
		if c := &m.Controls[i]; answered && c.forget() {
			c.refuse("not confirmed: the connection was lost before the answer came")
		}
	}
	if len(v.Unknown) > 0 {
		m.Notice("This link has keys nobody here knows: " + strings.Join(v.Unknown, ", ") +
			". They are kept and change nothing.")
	}
	m.Announce(stateWords(v.State))
}

func (m *Run) changed(v *wire.Changed) {
	c := m.Control(v.Key)
	if c == nil || m.force.Set(v.Key, v.To) != nil {
		return // a key of a newer server: nothing here shows it
	}
	m.SettingsRevision++
	to := m.force.Get(v.Key)
	c.enforce(to, v.Intent)
	if v.Key != "speed" { // it changes no result
		m.note(v)
		m.mark(chart.Mark{Step: v.Step, Update: v.Update, Key: v.Key, From: v.From, To: to})
	}
	if v.Intent == 0 || !c.Pending() {
		m.Announce(Name(c.Row) + " is now " + m.Pretty(c.Row, to))
	}
}

func (m *Run) status(v *wire.Status) {
	m.State, m.Reason = v.State, v.Reason
	words := stateWords(v.State)
	if v.Reason != "" {
		words += ": " + v.Reason
	}
	m.Announce(words)
	m.halted()
	m.Withdraw(&m.ended)
	if v.Reason != "" && (v.State == wire.StateDiverged || v.State == wire.StateStopped) {
		m.ended = sentence(words)
		if v.State == wire.StateDiverged {
			m.ended += " " + m.remedy()
		}
		m.Notice(m.ended)
	}
}

func (m *Run) refused(v *wire.Refused) {
	if c := m.Control(v.Key); c != nil {
		if c.seq == v.Intent && c.forget() { // else it asked for what is in force anyway
			c.refuse(v.Reason)
			m.Announce(v.Reason)
		}
		return
	}
	m.Notice(v.Reason)
	m.Announce(v.Reason)
}

// stateWords names a run's state for people.
func stateWords(state uint8) string {
	switch state {
	case wire.StateRunning:
		return "running"
	case wire.StatePaused:
		return "paused"
	case wire.StateDone:
		return "done"
	case wire.StateDiverged:
		return "diverged"
	case wire.StateStopped:
		return "stopped"
	case wire.StateQueued:
		return "queued"
	case wire.StateReturning:
		return "returning"
	}
	return "connecting"
}

// StateName is the state as the page's data-state has it.
func (m *Run) StateName() string { return stateWords(m.State) }
