package run

import (
	"fmt"
	"time"

	"impalab/envs"
	"impalab/learner/net"
	"impalab/learner/stream"
	"impalab/web/number"
	"impalab/web/play"
	"impalab/web/wire"
)

// The watched world may be played in the page: the server sends the parameters about once a second, and the same code
// that acts there acts here, in the display's own time. The network is built from the settings in force.

// Place is where the watched world is played.
type Place uint8

const (
	Anywhere Place = iota // the person has not chosen
	Server                // the server plays and sends frames
	Here                  // the page plays with parameters from the server
)

func (p Place) String() string { return [...]string{"", "server", "here"}[p] }

// lightNetwork is how many parameters the page plays with unless told otherwise: 128 kB about once a second.
const lightNetwork = 1 << 15

// local is the copy in the page.
type local struct {
	spec   net.Spec
	size   int    // parameters of the network in force
	unfit  string // why the page cannot play it; "": it can
	lent   *wire.Weights
	by     play.Policies
	player *play.Player // nil until parameters came
	clock  Clock
	steps  int // to take although paused
	chart  *play.Map
}

// begin looks at the network that the settings in force describe.
func (m *Run) beginLocal() {
	m.local = local{}
	spec, err := m.force.Network()
	if err != nil {
		m.local.unfit = err.Error()
		return
	}
	m.local.spec, m.local.size = spec, spec.Params()
	if world, err := envs.New(m.force.World); err == nil {
		m.local.chart = play.NewMap(world, spec)
	}
	if m.local.size > wire.MaxParameters {
		m.local.unfit = fmt.Sprintf("This network has %s parameters and at most %s travel: the server plays it and sends "+
			"the picture.",
			number.Count(uint64(m.local.size)), number.Count(wire.MaxParameters))
	}
}

// Map shows the policy as arrows in every state and the values as tints, or stops showing them. They are computed here.
func (m *Run) Map(arrows, values bool) {
	m.Arrows, m.Values = arrows, values
	m.drawMap()
}

// Mappable reports whether the world and the network in force have a map.
func (m *Run) Mappable() bool { return m.local.chart != nil && m.local.unfit == "" }

// MapRange says from where to where the values reach.
func (m *Run) MapRange() string {
	if c := m.Chart(); c != nil && m.Values {
		return "V from " + number.Score(float64(c.Low)) + " to " + number.Score(float64(c.High))
	}
	return ""
}

func (m *Run) mapped() bool { return m.Mappable() && (m.Arrows || m.Values) }

// Watch chooses the place, and Choice is what was chosen.
func (m *Run) Watch(p Place) { m.choice = p }
func (m *Run) Choice() Place { return m.choice }

// Watching is the place in force.
func (m *Run) Watching() Place {
	switch {
	case m.local.unfit != "":
		return Server
	case m.choice != Anywhere:
		return m.choice
	case m.local.size > lightNetwork:
		return Server
	}
	return Here
}

// Unfit says why the page cannot play this network by itself; "" if it can.
func (m *Run) Unfit() string { return m.local.unfit }

// Wants is what the page takes of the watched world.
func (m *Run) Wants() wire.Want {
	here := m.Watching() == Here
	return wire.Want{Frames: !here && !m.Covered, Weights: here && !m.Covered || m.mapped()}
}

// Unsaid is a Want that the server has yet to hear; nil if it knows, or while it is not to be asked.
func (m *Run) Unsaid() *wire.Want {
	if w := m.Wants(); !m.Waiting() && w != m.told {
		return &w
	}
	return nil
}

// Said notes that the server was told.
func (m *Run) Said(w *wire.Want) { m.told = *w }

// lend takes new parameters.
func (m *Run) lend(w *wire.Weights) {
	l := &m.local
	by := m.policies(w)
	if by == nil {
		l.unfit = fmt.Sprintf("The server lent %s parameters where this page's network has %s: reload it. Meanwhile the "+
			"server sends the picture.",
			number.Count(uint64(len(w.Target))), number.Count(uint64(l.size)))
		return
	}
	l.lent, l.by = w, *by
	m.drawMap()
	if m.stepping { // what the step made is here
		m.stepping = false
		l.steps++
	}
}

// policies are what parameters stand for; nil where there are none, or they are of another network.
func (m *Run) policies(w *wire.Weights) *play.Policies {
	_, tasks, _ := envs.Describe(m.force.World)
	if w == nil || len(w.Target) != m.local.size || len(w.Scale) != len(tasks) || len(w.Shift) != len(tasks) ||
		len(w.Behaviour) != 0 && len(w.Behaviour) != m.local.size {
		return nil
	}
	by := &play.Policies{Behaviour: w.Behaviour, Target: w.Target, Scale: w.Scale, Shift: w.Shift}
	if len(w.Behaviour) == 0 {
		by.Behaviour = w.Target
	}
	return by
}

// Lively reports whether Tick has anything to do.
func (m *Run) Lively() bool { return !m.Covered && m.Watching() == Here && m.local.lent != nil }

// Tick plays what has come due at a time of the display's clock, and hands over its frames, the newest last; good until
// the next Tick.
func (m *Run) Tick(now time.Duration) []*wire.Frame {
	m.played = m.played[:0]
	m.tick(now)
	return m.played
}

// shown notes a frame that was made here.
func (m *Run) shown(f *wire.Frame) {
	m.noteFrame(f)
	m.played = append(m.played, f)
}

func (m *Run) tick(now time.Duration) {
	l := &m.local
	if !m.Lively() {
		return
	}
	if l.player == nil {
		player, err := play.NewPlayer(m.force.World, l.spec, envs.NewRand(m.force.Seed, stream.PageWatch))
		if err != nil { // of a newer server
			l.unfit = err.Error()
			return
		}
		l.player = player
	}
	steps := l.clock.Due(now, l.player.Rate())
	if m.State == wire.StatePaused && !m.Plays {
		if steps = l.steps; m.Frame == nil {
			steps = 1 // there is to be something to see
		}
	}
	l.steps = 0
	for range steps {
		f, err := l.player.Step(&l.by, &m.force)
		if err != nil { // the server will meet it too, and says then what becomes of the run
			l.unfit = sentence(err.Error()) + " The server sends the picture."
			return
		}
		m.shown(f)
	}
}
