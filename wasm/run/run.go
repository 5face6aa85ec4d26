// Package run is what a page knows of one run, a column of the page: which values are in force, which are asked for,
// the curves, the newest look inside the correction. It knows neither browser nor picture, so all of it is tested
// natively. Look at Run first: messages come in through Apply (apply.go); what a person does goes out through Set and
// Do (intent.go).
package run

import (
	"impalab/learner/collapse"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/chart"
	"impalab/web/play"
	"impalab/web/wire"
)

// Run is the state of one. One goroutine uses it: in the browser there is only one thread.
type Run struct {
	*Speech      // of the page
	Link    Link // what it was opened with
	ID      string
	Key     string      // proves whose the run is; "" before the first Welcome
	Steers  bool        // it is ours
	From    wire.Origin // the moment at which it left another run, if it did
	Build   string
	Ready   bool  // a Welcome has come
	State   uint8 // wire.State…; 0 before the first Welcome
	Lost    bool  // the line to the server is down: what is shown is the past
	// InBrowser: it trains in this browser, and not on a server.
	InBrowser bool
	// Reason says why the run is in its state, in the server's words.
	Reason           string
	Preset           string // what Fragment counts differences from
	SettingsRevision uint32 // counts changes of the settings in force, so that the page knows when to rewrite its link

	Controls []Control // in the order of hyper.Table
	// Return is the mean of the last 100 episodes, within quartiles of those since the point before.
	Return        chart.Curve
	Recent        chart.Curve                       // mean return of the last 10
	Histories     [telemetry.NumFigures]chart.Curve // of each figure, at the steps of the return
	Exact         Exact                             // on a finite world
	Error         chart.Curve                       // value error, at the steps of the parameters it was measured of
	Traces        []chart.Trace
	CurveRevision uint32 // counts points and marks, so that a chart knows when to redraw
	Marks         chart.Marks
	Seeds         *Seeds                        // of its settings, on its chart; nil: none were asked for
	XRay          *wire.XRay                    // nil before the first
	Figures       [telemetry.NumFigures]float32 // of it, by row; NaN: the settings in force have none
	changes       []wire.Changed                // made on the way, in order, but for those of speed
	figureRows    []int                         // of a message's figures; −1: not known here
	Frame         *wire.Frame                   // nil before the first
	Gauge         *wire.Gauge                   // nil unless the world is finite
	Judged        *wire.Judged                  // the newest value error; nil before the first
	Cursor        *Cursor                       // of the page
	moments       moments                       // what was shown live
	nearest       nearest                       // of these to the cursor
	again         moments                       // what the server made again around the cursor, each update of it
	agents        *wire.Frame                   // the newest of the run's own, and of no person's game
	plan          *play.Map                     // the newest map
	ghost         *ghost                        // the run before; nil: there was none
	Halt          *Halt                         // why it does not continue; nil: it does, or a person paused it
	falls         collapse.Watch                // of its curve
	asks          bool                          // it fell just now, and is to be paused
	Played        []chart.Episode               // a person's own, of its world, since it is shown

	// Words is what the page calls a choice's value ("vtrace" is V-trace); nil: the value itself.
	Words func(key, value string) string

	ended  string // the notice that says why the run ended
	parted string // the one that says why the server left

	// Fits says why a configuration cannot be learned where the page's runs train, if it cannot; nil: all can.
	Fits func(*hyper.Config) error

	// Page are the runs of the page, from left to right; nil: there is none but this.
	Page func() []*Run

	// Arrows and Values are what is shown of the map: the policy in each state, and V.
	Arrows, Values bool

	// Plays has the world go on where the page plays it, although the run pauses.
	Plays bool

	// Covered is set while a person plays the world: the agent's is then out of sight.
	Covered bool

	choice   Place     // of the person
	told     wire.Want // what the server knows the page wants
	stepping bool      // one update was asked for, and the world is to take one step with it
	local    local
	played   []*wire.Frame // of the last Tick

	forks     bool           // the next Hello asks for a fork, at From…
	grafts    []wire.Setting // …with these settings changed there
	past      []past         // runs that had this column before, newest last
	force     hyper.Config
	seq       uint32     // of the newest Set or Do
	last      uint64     // the newest event applied
	came      uint64     // the newest event when the page came to the run
	undecided uint64     // the newest step at which the policy was not certain
	rated     chart.Span // mean return
	greeted   bool       // a Hello went out and its Welcome has not come
}

// past is a run that gave way to another. The server has kept it.
type past struct {
	id, fragment string
	inBrowser    bool
}

// New is a run for a link's fragment, before anything was said. Values shown until the first Welcome are what the link
// asks for; none of them is in force yet. What it has to say goes to the page's speech.
func New(fragment string, speech *Speech) *Run {
	m := &Run{Speech: speech, Cursor: new(Cursor), Arrows: true, Values: true, Controls: make([]Control, len(hyper.Table))}
	for i := range m.Controls {
		m.Controls[i].Row = &hyper.Table[i]
	}
	m.Open(fragment)
	return m
}

// Open forgets the run and starts from another link. The next Hello asks for a new run.
func (m *Run) Open(fragment string) {
	m.past, m.ghost, m.Seeds = nil, nil, nil
	m.open(fragment)
}

func (m *Run) open(fragment string) {
	link := ParseLink(fragment)
	config, preset, problems := link.Config()
	for _, problem := range problems { // the links of two columns may have the same
		m.Notice(problem)
	}
	seeds := m.Seeds
	if m.force.World != config.World {
		seeds = nil
	}
	*m = Run{
		Seeds: seeds, InBrowser: m.InBrowser,
		Speech: m.Speech, Cursor: m.Cursor, Page: m.Page, Key: m.Key, past: m.past, ghost: m.ghost,
		Link: link, Preset: preset, Controls: m.Controls, Words: m.Words, Fits: m.Fits, force: config,
		CurveRevision: m.CurveRevision + 1,
		rated:         chart.NewSpan(), choice: m.choice, Arrows: m.Arrows, Values: m.Values,
	}
	m.From, m.forks = link.From, link.From.Run != ""
	m.await()
	for i := range m.Controls {
		row := m.Controls[i].Row
		m.Controls[i] = Control{Row: row, wanted: config.Get(row.Key)}
	}
}

// Hello opens a session: for the run the page already has, or for a new one with the link's settings. The settings in
// force go along even so: a server that lost the run begins it anew with them.
// Seq starts again with every session, so whatever was not answered before is forgotten; Welcome tells what is in
// force.
func (m *Run) Hello() *wire.Hello {
	m.seq, m.greeted, m.told = 0, true, wire.Want{Frames: true}
	hello := &wire.Hello{Run: m.ID, Key: m.Key, After: m.last, Settings: m.Link.Open()}
	if m.forks {
		hello.From, hello.Settings = m.From, m.grafts
	}
	if m.ID != "" && m.Ready {
		now := ParseLink(m.Fragment())
		hello.Settings = now.Open()
	}
	return hello
}

// Waiting reports whether the server has yet to answer the last Hello: nothing should be asked meanwhile.
func (m *Run) Waiting() bool { return m.greeted || !m.Ready }

// Control finds the control of a key; nil if there is none.
func (m *Run) Control(key string) *Control {
	for i := range m.Controls {
		if m.Controls[i].Row.Key == key {
			return &m.Controls[i]
		}
	}
	return nil
}

// Config is the configuration in force.
func (m *Run) Config() *hyper.Config { return &m.force }
