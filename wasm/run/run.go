// Package run is the state of one run on a page, one of its columns: the settings in force and the requested
// ones, the curves, and the newest x-ray of the correction. It knows neither browser nor picture, so its tests run
// natively. Read Run first: messages arrive through Apply (apply.go), a person's requests leave through Set and Do
// (set.go).
package run

import (
	"strconv"

	"impalab/learner/collapse"
	"impalab/learner/hyper"
	"impalab/web/chart"
	"impalab/web/play"
	"impalab/web/wire"

	"impalab/web/link"
)

// Run is the state of one run. It is for one goroutine: the browser has only one thread.
type Run struct {
	Column
	session
	history
	watched

	Link             link.Link   // that opened the run
	ID               string      // "" before the first Welcome
	Steers           bool        // the key is the owner's
	From             wire.Origin // the fork that began the run, if one did
	State            uint8       // wire.State…; 0 before the first Welcome
	Reason           string      // for the state, in the server's words
	Preset           string      // Fragment counts differences from it
	SettingsRevision uint32      // counts changes of the settings in force, after which the page rewrites its link
	force            hyper.Config

	apart   *Distance // of the settings at a revision, or nil
	apartAt uint32
}

// Column is what stays when another run takes its column of the page.
type Column struct {
	*Speech         // of the page
	Cursor  *Cursor // of the page

	Line Line                      // to the server
	Calm bool                      // the visitor wants no motion
	Page func() []*Run             // the page's runs, from left to right
	Fits func(*hyper.Config) error // refuses what cannot be learned here

	Key           string    // owns the runs; "" before the first Welcome
	InBrowser     bool      // the run trains in this browser, not on a server
	Controls      []Control // in the order of hyper.Table
	CurveRevision uint32    // counts points and marks, after which a chart is drawn again
	Seeds         *Seeds    // on the chart of the return, or nil
	ghost         ghost     // the run before, if it had curves
	past          []past    // the runs that had this column before, the newest last
	pointed       string    // the metaparameter whose line is marked, or ""
}

// Line is the connection of a run to its server.
type Line interface {
	Send(wire.Message) bool // reports whether the connection is open
	Redial()                // starts another session, for another run
}

// session is the state of the connection to the server.
type session struct {
	Ready   bool // a Welcome has come
	Lost    bool // the connection is down: the page shows the past
	greeted bool // a Hello was sent and its Welcome has not come

	seq    uint32         // of the newest Set or Do
	came   uint64         // the newest event when the page joined the run
	told   wire.Want      // that the server knows
	forks  bool           // the next Hello asks for a fork at From…
	grafts []wire.Setting // …that changes these settings there
	rows   []int          // of telemetry's table, of a message's figures; −1: unknown here
	ended  string         // the notice about the end of the run
	parted string         // the notice about the end of the session
	unsent string         // the notice about a request without a connection
	pace   string         // its speed after a travel; "": it does not travel
}

// history is everything that the run has told. Another run in this column starts an empty one.
type history struct {
	Curves
	Marks   chart.Marks
	changes tape

	XRay    *wire.XRay  // the newest, with figures by row of telemetry's table; nil before the first
	Frame   *wire.Frame // nil before the first
	Gauge   *wire.Gauge // nil unless the world is finite
	Belt    Belt
	Tumble  play.Tumble // of the watched agent
	moments Moments
	last    uint64 // the newest event applied

	Halt      *Halt           // why the run stopped; nil: it runs, or a person paused it
	falls     collapse.Watch  // of the return
	asks      bool            // the run fell and the page should pause it
	undecided uint64          // the newest step at which the policy was not certain
	rated     chart.Span      // mean return
	Played    []chart.Episode // by a person
}

// past is a run that another one replaced in this column. The server keeps it.
type past struct {
	id        string
	link      link.Link
	inBrowser bool
}

// New returns the run of a link's fragment. Until the first Welcome its controls show the values of the link, none of
// which is in force yet. Its notices go to the page's speech.
func New(fragment string, speech *Speech) *Run {
	m := &Run{Column: Column{
		Speech: speech, Cursor: new(Cursor), Controls: make([]Control, len(hyper.Table)),
		Fits: func(*hyper.Config) error { return nil },
	}}
	m.Page = func() []*Run { return []*Run{m} }
	m.Arrows, m.Values = true, true
	m.Open(fragment)
	return m
}

// Open forgets the run and starts from another link. The next Hello asks for a new run.
func (m *Run) Open(fragment string) {
	m.past, m.ghost, m.Seeds = nil, ghost{}, nil
	m.open(link.Parse(fragment))
}

func (m *Run) open(from link.Link) {
	config, preset, problems := from.Config()
	for _, problem := range problems { // Notice drops the second of two equal ones, of two columns
		m.Notice(problem)
	}
	if m.force.World != config.World {
		m.Seeds = nil
	}
	m.CurveRevision++
	*m = Run{
		Column: m.Column, Link: from, Preset: preset, force: config, From: from.From,
		session: session{forks: from.From.Run != ""},
		history: history{rated: chart.NewSpan()},
		watched: watched{Choice: m.Choice, Arrows: m.Arrows, Values: m.Values},
	}
	m.Cursor.Unpin()
	m.Cursor.View.From, m.Cursor.View.To = 0, 0
	m.Cursor.asked, _ = strconv.ParseUint(link.Last(from.View, link.AtKey), 10, 64)
	for i := range m.Controls {
		row := &hyper.Table[i]
		m.Controls[i] = Control{Row: row, wanted: config.Get(row.Key)}
	}
}

// Hello asks for the run that the page has, or for a new run with the link's settings. It always carries settings: a
// server that lost the run starts it again with them. Sequence numbers restart with every session, so an unanswered
// request is lost; Welcome names the settings in force.
func (m *Run) Hello() *wire.Hello {
	m.seq, m.greeted, m.told = 0, true, wire.Want{Frames: true}
	of := m.Link
	if m.ID != "" && m.Ready {
		of = m.now()
	}
	hello := &wire.Hello{Run: m.ID, Key: m.Key, After: m.last}
	if hello.Settings = of.Valid(); m.forks {
		hello.From, hello.Settings = m.From, m.grafts
	}
	return hello
}

// Waiting reports whether the server has yet to answer the last Hello. The page asks for nothing meanwhile.
func (s *session) Waiting() bool { return s.greeted || !s.Ready }

// Config returns the configuration in force.
func (m *Run) Config() *hyper.Config { return &m.force }
