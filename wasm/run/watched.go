package run

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"impalab/envs"
	"impalab/envs/bodies"
	"impalab/learner/net"
	"impalab/learner/stream"
	"impalab/web/number"
	"impalab/web/play"
	"impalab/web/wire"
)

// The page can play the watched world itself: the server sends the parameters about once a second, and the page runs
// the actor's code in the display's time, with the network of the settings in force.

// Place is where the watched world is played.
type Place string

const (
	Anywhere Place = ""       // the person has not chosen
	Server   Place = "server" // the server plays and sends frames
	Here     Place = "here"   // the page plays with parameters from the server
)

// lightNetwork is how many parameters the page plays with by default, so that bodies can be pushed: 192 kB about once a
// second.
const lightNetwork = 3 << 14

// watched is the watched world and its map.
type watched struct {
	Choice         Place // of the person
	Arrows, Values bool  // of the map, shown: the policy in each state, and V
	Plays          bool  // the page plays the world while the run pauses
	Helpless       bool  // its agent lies on the floor as long as this is set
	Covered        bool  // a person plays the world, so the agent's is hidden

	reach float32 // the largest of a cell of pixel control so far

	Unfit    string // why the page cannot play the world itself, or ""
	local    local
	agents   *wire.Frame // the newest of the agent, not of a person's game
	plan     *play.Map   // the newest
	stepping bool        // a requested update also takes one step in the world
	warned   bool        // the page has said whom a push reaches
}

// local is the world in the page.
type local struct {
	spec   net.Spec
	size   int // parameters of the network in force
	lent   *wire.Weights
	by     play.Policies
	player *play.Player // nil before the first parameters
	clock  Clock
	steps  int // to take although paused
	chart  *play.Map

	writing envs.Writing // reads the frames of a world whose agent writes; nil: another world
}

// beginLocal prepares the network of the settings in force.
func (m *Run) beginLocal() {
	m.local, m.Unfit, m.reach = local{}, "", 0
	spec, err := m.force.Network()
	if err != nil {
		m.Unfit = err.Error()
		return
	}
	m.local.spec, m.local.size = spec, spec.Params()
	if world, err := envs.New(m.force.World); err == nil {
		m.local.chart = play.NewMap(world, spec)
		m.local.writing, _ = envs.WritingOf(world)
	}
	if m.local.size > wire.MaxParameters {
		m.Unfit = fmt.Sprintf("This network has %s parameters and at most %s can be sent: the server plays it and sends "+
			"the picture.", number.Count(uint64(m.local.size)), number.Count(wire.MaxParameters))
	}
}

// Watching returns the place in force.
func (w *watched) Watching() Place {
	switch {
	case w.Unfit != "":
		return Server
	case w.Choice != Anywhere:
		return w.Choice
	case w.local.size > lightNetwork:
		return Server
	}
	return Here
}

// Wants returns the messages about the watched world that the page needs.
func (w *watched) Wants() wire.Want {
	here := w.Watching() == Here
	return wire.Want{Frames: !here && !w.Covered, Weights: here && !w.Covered || w.Mapped()}
}

// SendWant sends Wants to the server, if that has changed.
func (m *Run) SendWant() {
	if w := m.Wants(); !m.Waiting() && w != m.told && m.Line.Send(&w) {
		m.told = w
	}
}

func (m *Run) setWeights(w *wire.Weights) {
	l := &m.local
	by := m.policies(w)
	if by == nil {
		m.Unfit = fmt.Sprintf("The server sent %s parameters where this page's network has %s: reload it. Meanwhile the "+
			"server sends the picture.", number.Count(uint64(len(w.Target))), number.Count(uint64(l.size)))
		return
	}
	l.lent, l.by = w, *by
	m.drawMap()
	if m.stepping {
		m.stepping = false
		l.steps++
	}
}

// policies returns the policies of parameters, or nil if they belong to another network.
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
func (w *watched) Lively() bool { return !w.Covered && w.Watching() == Here && w.local.lent != nil }

// Tick plays the due steps at a time of the display's clock. It returns the frames, the newest last.
func (m *Run) Tick(now time.Duration) (played []*wire.Frame) {
	l := &m.local
	if !m.Lively() {
		return nil
	}
	if l.player == nil {
		player, err := play.NewPlayer(m.force.World, l.spec, envs.NewRand(m.force.Seed, stream.PageWatch))
		if err != nil { // of a newer server
			m.Unfit = err.Error()
			return nil
		}
		l.player = player
	}
	m.Tumble.Stays = m.lies(l.player.World())
	if m.Tumble.Play(now, m.Calm) {
		return nil
	}
	steps := l.clock.Due(now, l.player.Rate()*m.Tumble.Pace(float64(m.Recent.At(m.Steps()))))
	if m.State == wire.StatePaused && !m.Plays && !m.Tumble.Stays {
		if steps = l.steps; m.Frame == nil {
			steps = 1 // so that the page shows a world
		}
	}
	l.steps = 0
	if m.Tumble.Stays {
		steps = max(steps, downInHaste) // an agent that runs or stands contradicts the words beside it
	}
	for range steps {
		f, err := l.player.Step(&l.by, &m.force)
		if err != nil { // the server meets it too, and ends the run
			m.Unfit = Sentence(err.Error()) + " The server sends the picture."
			break
		}
		m.noteFrame(f)
		played = append(played, f)
		if m.Tumble.See(f, l.player.World(), m.State == wire.StatePaused || m.down(), m.Calm, now); m.Tumble.Falls() {
			break
		}
	}
	return played
}

// downInHaste is how many steps an agent takes in each picture until it falls, if it should lie.
const downInHaste = 8

// lies reports whether the agent lies on the floor until the run continues: the run fell, and the world shows falls. A
// world that does not lie yet is played until it does.
func (m *Run) lies(w envs.World) bool {
	_, stick := envs.StickOf(w)
	if _, writes := envs.WritingOf(w); !stick && !writes && bodies.Of(w) == nil {
		return false
	}
	return m.Helpless || m.Halt != nil && m.State == wire.StatePaused && m.down()
}

// written returns the answer that a frame shows; false where the agent writes none.
func (m *Run) written(f *wire.Frame) (a envs.Answer, ok bool) {
	w := m.local.writing
	if w == nil || f == nil || f.World != w.Spec().Name || w.SetState(f.State) != nil {
		return a, false
	}
	return w.Answer(), true
}

// worldStory is the picture of the world in words, where the agent writes.
func (m *Run) worldStory() string {
	f := m.Watched()
	a, ok := m.written(f)
	if !ok {
		return ""
	}
	said := "Prompt " + strings.Join(a.Prompt, " ") + ". "
	if len(a.Written) == 0 {
		return said + "Nothing is written yet."
	}
	said += "Written " + strings.Join(a.Written, " ") + ", " + strconv.Itoa(a.Right) + " right."
	if p, last := f.Target, a.Written[len(a.Written)-1]; len(p) == len(m.local.writing.Spec().Actions) {
		said += " π gave the last, " + last + ", " + number.Percent(p[f.Action]) + "."
	}
	return said
}

// Clock turns the display's time into steps of a world.
type Clock struct{ Next time.Duration } // when the next step is due

// Due returns how many steps are due, at a rate a second. It does not make up for the time that a hidden page or a slow
// machine missed.
func (c *Clock) Due(now time.Duration, rate float32) (steps int) {
	const patience = 100 * time.Millisecond
	each := time.Duration(float64(time.Second) / math.Max(float64(rate), 0.1))
	if now-c.Next > max(patience, each) || c.Next-now > each {
		c.Next = now
	}
	for ; c.Next <= now; c.Next += each {
		steps++
	}
	return steps
}

// noteFrame takes a newest frame. A frame of a person's game belongs to no moment of the run.
func (m *Run) noteFrame(f *wire.Frame) {
	m.Frame = f
	m.noteReach(f)
	if !m.Covered {
		m.agents = f
		m.complete(itsFrame, func(one *moment) { one.frame = f })
	}
}

// framed returns the held moment if the page shows its frame, else nil.
func (m *Run) framed() *moment {
	if then := m.moments.at(m.Cursor); then != nil && then.frame != nil && !m.Covered {
		return then
	}
	return nil
}

// Watched returns the frame at the cursor. If the page has none there, it returns the newest, and WatchedAt says so.
func (m *Run) Watched() *wire.Frame {
	if then := m.framed(); then != nil {
		return then.frame
	}
	return m.Frame
}

// WatchedAt says which moment the watched world shows. A moment that was made again shows another episode than was
// shown live.
func (m *Run) WatchedAt() string {
	then := m.framed()
	switch {
	case then == nil:
		return "live"
	case m.moments.live.of(then.step) == nil:
		return "played again, at " + number.Count(then.step)
	}
	return "at " + number.Count(then.step)
}

// Map shows or hides the policy as arrows in every state, and the values as tints. The page computes both.
func (m *Run) Map(arrows, values bool) {
	m.Arrows, m.Values = arrows, values
	m.drawMap()
}

// Mappable reports whether the world and the network in force have a map, and Mapped whether the page shows it.
func (w *watched) Mappable() bool { return w.local.chart != nil && w.Unfit == "" }
func (w *watched) Mapped() bool   { return w.Mappable() && (w.Arrows || w.Values) }

// MapRange returns the range of the values in words.
func (m *Run) MapRange() string {
	if c := m.Chart(); c != nil && m.Values {
		return "V from " + number.Score(float64(c.Low)) + " to " + number.Score(float64(c.High))
	}
	return ""
}

// drawMap computes the map of the newest parameters.
func (m *Run) drawMap() {
	if m.Mapped() && m.local.lent != nil {
		m.plan = m.mapOf(&m.local.by)
		m.complete(itsPlan, func(one *moment) { one.plan = m.plan })
	}
}

func (m *Run) mapOf(by *play.Policies) *play.Map {
	m.local.chart.Draw(by, &m.force)
	return m.local.chart.Clone()
}

// Chart returns the map at the cursor, or nil if the page shows none.
func (m *Run) Chart() *play.Map {
	if !m.Mapped() || m.local.lent == nil {
		return nil
	}
	then := m.moments.at(m.Cursor)
	if then == nil {
		return m.plan
	}
	if by := m.policies(then.lent); then.plan == nil && by != nil {
		then.plan = m.mapOf(by)
	}
	return cmp.Or(then.plan, m.plan)
}
