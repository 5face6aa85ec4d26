// Package model is what the page knows: which values are in force, which are asked for, the curves, the newest
// look inside the correction. It knows neither browser nor picture, so all of it is tested natively. Messages
// come in through Apply; what a person does goes out through Set and Do.
package model

import (
	"slices"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/wasm/chart"
	"impalab/web/play"
	"impalab/web/wire"
)

// Model is the state of one page. One goroutine uses it: in the browser there is only one thread.
type Model struct {
	Link  Link // what the page was opened with
	Run   string
	Build string
	Ready bool  // a Welcome has come
	State uint8 // wire.State…; 0 before the first Welcome
	Lost  bool  // the line to the server is down: what is shown is the past
	// Reason says why the run is in its state, in the server's words.
	Reason           string
	Preset           string // what Fragment counts differences from
	SettingsRevision uint32 // counts changes of the settings in force, so that the page knows when to rewrite its link

	Controls      []Control   // in the order of hyper.Table
	Return        chart.Curve // mean return of the last 100 episodes, within quartiles of those since the point before
	Error         chart.Curve // value error, at the steps of the parameters it was measured of
	Traces        []chart.Trace
	CurveRevision uint32 // counts points and marks, so that a chart knows when to redraw
	Marks         chart.Marks
	XRay          *wire.XRay                    // nil before the first
	Figures       [telemetry.NumFigures]float32 // of it, by row; NaN: the settings in force have none
	figureRows    []int                         // of a message's figures; −1: not known here
	Frame         *wire.Frame                   // nil before the first
	Gauge         *wire.Gauge                   // nil unless the world is finite
	Judged        *wire.Judged                  // the newest value error; nil before the first

	// Words is what the page calls a choice's value ("vtrace" is V-trace); nil: the value itself.
	Words func(key, value string) string

	// Notices wait to be read: unknown keys, refused links, reasons of an end.
	Notices []string
	ended   string // the one of them that says why the run ended
	parted  string // the one that says why the server left
	// Announcements wait to be spoken to a screen reader.
	Announcements []string

	// Arrows and Values are what is shown of the map: the policy in each state, and V.
	Arrows, Values bool

	choice   Place     // of the person
	told     wire.Want // what the server knows the page wants
	stepping bool      // one update was asked for, and the world is to take one step with it
	local    local
	played   []*wire.Frame          // of the last Tick
	game     *game                  // of a person; nil: no one plays
	tallies  map[string]*play.Tally // of the person's episodes, by world

	key        string // proves that the run is ours
	force      hyper.Config
	seq        uint32     // of the newest Set or Do
	last       uint64     // the newest event applied
	undecided  uint64     // the newest step at which the policy was not certain
	rated      chart.Span // mean return
	greeted    bool       // a Hello went out and its Welcome has not come
	nextPreset Control
}

// New is the page's state for a link's fragment, before anything was said. Values shown until the first Welcome
// are what the link asks for; none of them is in force yet.
func New(fragment string) *Model {
	m := &Model{Controls: make([]Control, len(hyper.Table))}
	for i := range m.Controls {
		m.Controls[i].Row = &hyper.Table[i]
	}
	m.Open(fragment)
	return m
}

// Open forgets the run and starts from another link. The next Hello asks for a new run.
func (m *Model) Open(fragment string) {
	link := ParseLink(fragment)
	config, preset, problems := link.Config()
	*m = Model{
		Link: link, Preset: preset, Controls: m.Controls, Words: m.Words, Notices: problems, force: config, rated: chart.NewSpan(),
		choice: m.choice, tallies: m.tallies, Arrows: m.Arrows, Values: m.Values,
	}
	for i := range m.Controls {
		row := m.Controls[i].Row
		m.Controls[i] = Control{Row: row, wanted: config.Get(row.Key)}
	}
}

// Hello opens a session: for the run the page already has, or for a new one with the link's settings. The settings in
// force go along even so: a server that lost the run begins it anew with them.
// Seq starts again with every session, so whatever was not answered before is forgotten; Welcome tells what is in
// force.
func (m *Model) Hello() *wire.Hello {
	m.seq, m.greeted, m.told = 0, true, wire.Want{Frames: true}
	if m.Run != "" {
		now := ParseLink(m.Fragment())
		return &wire.Hello{Run: m.Run, Key: m.key, After: m.last, Settings: now.Open()}
	}
	return &wire.Hello{Settings: m.Link.Open()}
}

// Waiting reports whether the server has yet to answer the last Hello: nothing should be asked meanwhile.
func (m *Model) Waiting() bool { return m.greeted || !m.Ready }

// Control finds the control of a key; nil if there is none.
func (m *Model) Control(key string) *Control {
	for i := range m.Controls {
		if m.Controls[i].Row.Key == key {
			return &m.Controls[i]
		}
	}
	return nil
}

// Config is the configuration in force.
func (m *Model) Config() *hyper.Config { return &m.force }

func (m *Model) announce(text string) {
	const most = 8 // speech that comes too late is noise
	m.Announcements = append(m.Announcements, text)
	if n := len(m.Announcements); n > most {
		m.Announcements = m.Announcements[n-most:]
	}
}

// withdraw takes a notice back that is no longer true: that the run ended, that the server left.
func (m *Model) withdraw(notice *string) {
	m.Notices = slices.DeleteFunc(m.Notices, func(have string) bool { return have == *notice })
	*notice = ""
}

func (m *Model) notice(text string) {
	for _, have := range m.Notices {
		if have == text {
			return
		}
	}
	m.Notices = append(m.Notices, text)
}
