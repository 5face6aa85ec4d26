package model

import (
	"errors"
	"slices"
	"time"

	"impalab/envs"
	"impalab/learner/stream"
	"impalab/wasm/run"
	"impalab/web/number"
	"impalab/web/play"
	"impalab/web/wire"
)

// A person may play the world with the keyboard: a copy in the page, of the same rules and with the same actions as the
// agent has. The run goes on meanwhile, and the two returns stand side by side.

// afterEnd is how long a finished episode stays in sight.
const afterEnd = 800 * time.Millisecond

// game is the one being played.
type game struct {
	run      *run.Run // whose world it is
	hand     *play.Hand
	bindings []Binding
	still    int      // the action of no key; −1: the world waits
	held     []string // keys that are down, the newest last
	tapped   []string // keys that came since the last step, held still or not
	clock    run.Clock
	over     time.Duration // since when the episode is over
	played   []*wire.Frame // of the last Tick
}

// Playing reports whether a person plays.
func (m *Model) Playing() bool { return m.game != nil }

// Player is the run whose world a person plays; nil: no one plays.
func (m *Model) Player() *run.Run {
	if m.game == nil {
		return nil
	}
	return m.game.run
}

// plays reports whether a person plays the world of a run.
func (m *Model) plays(r *run.Run) bool { return m.game != nil && m.game.run == r }

// PlayHand begins a person's game of the world that a run has in force.
func (m *Model) PlayHand(r *run.Run) error {
	cfg := r.Config()
	if _, tasks, err := envs.Describe(cfg.World); err == nil && len(tasks) > 1 {
		return errors.New("this run's agent plays several worlds at once; choose one of them to play it yourself")
	}
	world, err := envs.New(cfg.World)
	if err != nil {
		return err
	}
	g := &game{run: r, hand: play.NewHand(world, envs.NewRand(cfg.Seed, stream.PageGame))}
	g.bindings, g.still = bind(world.Spec())
	m.game, r.Frame, r.Covered = g, g.hand.Begin(), true
	m.Announce("You play " + world.Spec().Title + ". " + m.KeysInWords() + " Escape leaves.")
	return nil
}

// LeaveHand ends it. What was played to its end stays counted.
func (m *Model) LeaveHand() {
	if m.game != nil {
		m.game.run.Frame, m.game.run.Covered = nil, false
		m.game = nil
		m.Announce("You left the game")
	}
}

// Bindings are the keys of the world that is played.
func (m *Model) Bindings() []Binding {
	if m.game == nil {
		return nil
	}
	return m.game.bindings
}

// Waits reports whether the world that is played waits for a key.
func (m *Model) Waits() bool { return m.game != nil && m.game.still < 0 }

// KeysInWords says what to press.
func (m *Model) KeysInWords() (words string) {
	for i := range m.Bindings() {
		b := &m.game.bindings[i]
		words += b.Label() + ": " + b.Words + ". "
	}
	if m.game != nil && m.game.still < 0 {
		words += "The world waits for you."
	}
	return words
}

// Press and Release are the player's keys; Press reports whether the world has a use for the key.
func (m *Model) Press(key string) bool {
	g := m.game
	key = sameKey(key)
	if g == nil || !slices.ContainsFunc(g.bindings, func(b Binding) bool { return slices.Contains(b.Keys, key) }) {
		return false
	}
	if !slices.Contains(g.held, key) { // the keyboard repeats
		g.held, g.tapped = append(g.held, key), append(g.tapped, key)
	}
	return true
}

func (m *Model) Release(key string) {
	if g := m.game; g != nil {
		key = sameKey(key)
		g.held = slices.DeleteFunc(g.held, func(have string) bool { return have == key })
	}
}

// ReleaseAll is for when the keyboard goes elsewhere.
func (m *Model) ReleaseAll() {
	if m.game != nil {
		m.game.held, m.game.tapped = nil, nil
	}
}

// choose is the action whose keys are all down: of several the one with most keys, then the one pressed last. A key
// that came and went since the last step counts.
func (g *game) choose() (action int, ok bool) {
	best, most, newest := g.still, 0, -1
	for i := range g.bindings {
		b := &g.bindings[i]
		latest := len(g.held) + len(g.tapped)
		for _, key := range b.Keys {
			at := slices.Index(g.held, key)
			if at < 0 {
				if at = slices.Index(g.tapped, key); at >= 0 {
					at += len(g.held)
				}
			}
			latest = min(latest, at)
		}
		if latest >= 0 && (len(b.Keys) > most || len(b.Keys) == most && latest > newest) {
			best, most, newest = b.Action, len(b.Keys), latest
		}
	}
	return best, best >= 0
}

// Lively reports whether Tick has anything to do for a run.
func (m *Model) Lively(r *run.Run) bool { return m.plays(r) || r.Lively() }

// Tick plays what has come due of a run's world at a time of the display's clock, by the person or by the agent, and
// hands over its frames, the newest last; good until the next Tick.
func (m *Model) Tick(r *run.Run, now time.Duration) []*wire.Frame {
	if !m.plays(r) {
		return r.Tick(now)
	}
	m.game.played = m.game.played[:0]
	m.tickHand(now)
	return m.game.played
}

// tickHand plays what has come due.
func (m *Model) tickHand(now time.Duration) {
	g := m.game
	if g.run.Frame.End != uint8(envs.Running) {
		if now-g.over < afterEnd {
			return
		}
		g.show(g.hand.Begin())
		g.tapped = nil
		g.clock.Next = now + time.Second/4 // to see where one is
		return
	}
	if _, ok := g.choose(); !ok {
		g.clock.Next = max(g.clock.Next, now)
		return
	}
	for range g.clock.Due(now, g.hand.Spec().Rate) {
		action, ok := g.choose()
		if !ok {
			break
		}
		g.show(g.hand.Step(action))
		g.tapped = nil
		if g.run.Frame.End != uint8(envs.Running) {
			g.over = now
			m.count(float64(g.run.Frame.Return))
			break
		}
	}
}

// show notes a frame that was made here.
func (g *game) show(f *wire.Frame) {
	g.run.Frame, g.played = f, append(g.played, f)
}

// count adds an episode to the session's tally of this world.
func (m *Model) count(episode float64) {
	world := m.game.run.Config().World
	if m.tallies == nil {
		m.tallies = map[string]*play.Tally{}
	}
	t := m.tallies[world]
	if t == nil {
		t = &play.Tally{}
		m.tallies[world] = t
	}
	t.Add(episode)
	m.game.run.Play(episode)
	words := "Your episode returned " + number.Score(episode)
	if last := m.game.run.Return.Last(); last != nil {
		words += ", the agent's mean is " + number.Score(float64(last.Value.Last))
	}
	m.Announce(words)
}

// Text is one place on the page that shows a number of the person's game.
type Text struct {
	Name string // its data-text
	Read func(m *Model, r *run.Run) string
}

// Texts is every one of them.
var Texts = []Text{
	{"hand-last", tally(func(t *play.Tally) float64 { return t.Last })},
	{"hand-mean", tally(func(t *play.Tally) float64 { return t.Mean })},
	{"hand-best", tally(func(t *play.Tally) float64 { return t.Best })},
}

// tally reads a number of the session's tally of a run's world.
func tally(read func(*play.Tally) float64) func(*Model, *run.Run) string {
	return func(m *Model, r *run.Run) string {
		if t := m.tallies[r.Config().World]; t != nil {
			return number.Score(read(t))
		}
		return number.None
	}
}
