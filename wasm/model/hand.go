package model

import (
	"errors"
	"slices"
	"time"

	"impalab/envs"
	"impalab/wasm/number"
	"impalab/web/play"
)

// A person may play the world with the keyboard: a copy in the page, of the same rules and with the same actions as the
// agent has. The run goes on meanwhile, and the two returns stand side by side.

// streamHand is the run's chance for a person's game.
const streamHand = 1<<22 + 2

// afterEnd is how long a finished episode stays in sight.
const afterEnd = 800 * time.Millisecond

// game is the one being played.
type game struct {
	hand     *play.Hand
	bindings []Binding
	still    int      // the action of no key; −1: the world waits
	held     []string // keys that are down, the newest last
	tapped   []string // keys that came since the last step, held still or not
	clock    clock
	over     time.Duration // since when the episode is over
}

// Playing reports whether a person plays.
func (m *Model) Playing() bool { return m.game != nil }

// PlayHand begins a person's game of the world in force.
func (m *Model) PlayHand() error {
	if _, tasks, err := envs.Describe(m.force.World); err == nil && len(tasks) > 1 {
		return errors.New("this run's agent plays several worlds at once; choose one of them to play it yourself")
	}
	world, err := envs.New(m.force.World)
	if err != nil {
		return err
	}
	g := &game{hand: play.NewHand(world, envs.NewRand(m.force.Seed, streamHand))}
	g.bindings, g.still = bind(world.Spec())
	m.game, m.Frame = g, g.hand.Begin()
	m.announce("You play " + world.Spec().Title + ". " + m.KeysInWords() + " Escape leaves.")
	return nil
}

// LeaveHand ends it. What was played to its end stays counted.
func (m *Model) LeaveHand() {
	if m.game != nil {
		m.game, m.Frame = nil, nil
		m.announce("You left the game")
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

// tickHand plays what has come due.
func (m *Model) tickHand(now time.Duration) {
	g := m.game
	if m.Frame.End != uint8(envs.Running) {
		if now-g.over < afterEnd {
			return
		}
		m.shown(g.hand.Begin())
		g.tapped = nil
		g.clock.next = now + time.Second/4 // to see where one is
		return
	}
	if _, ok := g.choose(); !ok {
		g.clock.next = max(g.clock.next, now)
		return
	}
	for range g.clock.due(now, g.hand.Spec().Rate) {
		action, ok := g.choose()
		if !ok {
			break
		}
		m.shown(g.hand.Step(action))
		g.tapped = nil
		if m.Frame.End != uint8(envs.Running) {
			g.over = now
			m.count(float64(m.Frame.Return))
			break
		}
	}
}

// count adds an episode to the session's tally of this world.
func (m *Model) count(episode float64) {
	if m.tallies == nil {
		m.tallies = map[string]*play.Tally{}
	}
	t := m.tallies[m.force.World]
	if t == nil {
		t = &play.Tally{}
		m.tallies[m.force.World] = t
	}
	t.Add(episode)
	words := "Your episode returned " + number.Score(episode)
	if last := m.Return.Last(); last != nil {
		words += ", the agent's mean is " + number.Score(float64(last.Value.Last))
	}
	m.announce(words)
}

// tally reads a number of the session's tally of this world.
func tally(read func(*play.Tally) float64) func(*Model) string {
	return func(m *Model) string {
		if t := m.tallies[m.force.World]; t != nil {
			return number.Score(read(t))
		}
		return number.None
	}
}
