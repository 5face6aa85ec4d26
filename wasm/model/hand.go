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

// A person can play the world with the keyboard: a copy in the page, with the rules and the actions of the agent's
// world. The run continues meanwhile, and the page shows both returns.

// afterEnd is how long the page shows a finished episode.
const afterEnd = 800 * time.Millisecond

type game struct {
	run      *run.Run // the game plays its world
	hand     *play.Hand
	bindings []Binding
	still    int      // the action without a key; −1: the world waits
	held     []string // keys that are down, the newest last
	tapped   []string // keys pressed since the last step, even if they are up again
	clock    run.Clock
	over     time.Duration // when the episode ended
	played   []*wire.Frame // of the last Tick
}

// Playing reports whether a person plays.
func (m *Model) Playing() bool { return m.game != nil }

// plays reports whether a person plays the world of a run.
func (m *Model) plays(r *run.Run) bool { return m.game != nil && m.game.run == r }

// PlayHand starts a person's game of the world of the selected run.
func (m *Model) PlayHand() error {
	r := m.Selected()
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
	keys := ""
	for i := range g.bindings {
		keys += g.bindings[i].Label() + ": " + g.bindings[i].Words + ". "
	}
	if g.still < 0 {
		keys += "The world waits for you."
	}
	m.Announce("You play " + world.Spec().Title + ". " + keys + " Escape leaves.")
	return nil
}

// LeaveHand ends the game. Finished episodes stay counted.
func (m *Model) LeaveHand() {
	if m.game != nil {
		m.game.run.Frame, m.game.run.Covered = nil, false
		m.game = nil
		m.Announce("You left the game")
	}
}

// Bindings returns the keys of the world that the person plays.
func (m *Model) Bindings() []Binding {
	if m.game == nil {
		return nil
	}
	return m.game.bindings
}

// Waits reports whether the world that the person plays waits for a key.
func (m *Model) Waits() bool { return m.game != nil && m.game.still < 0 }

// Press takes a key of the player, and reports whether the world uses it.
func (m *Model) Press(key string) bool {
	g := m.game
	key = lower(key)
	if g == nil || !slices.ContainsFunc(g.bindings, func(b Binding) bool { return slices.Contains(b.Keys, key) }) {
		return false
	}
	if !slices.Contains(g.held, key) { // the keyboard repeats
		g.held, g.tapped = append(g.held, key), append(g.tapped, key)
	}
	return true
}

// Release takes the end of a key press.
func (m *Model) Release(key string) {
	if g := m.game; g != nil {
		g.held = slices.DeleteFunc(g.held, func(have string) bool { return have == lower(key) })
	}
}

// ReleaseAll releases every key: the page has lost the focus.
func (m *Model) ReleaseAll() {
	if m.game != nil {
		m.game.held, m.game.tapped = nil, nil
	}
}

// choose returns the action whose keys are all down: of several the action with most keys, then the one pressed last. A
// key that was pressed and released since the last step counts.
func (g *game) choose() (action int, ok bool) {
	best, most, newest := g.still, 0, -1
	pressed := slices.Concat(g.held, g.tapped)
	for i := range g.bindings {
		b := &g.bindings[i]
		latest := len(pressed)
		for _, key := range b.Keys {
			latest = min(latest, slices.Index(pressed, key))
		}
		if latest >= 0 && (len(b.Keys) > most || len(b.Keys) == most && latest > newest) {
			best, most, newest = b.Action, len(b.Keys), latest
		}
	}
	return best, best >= 0
}

// Lively reports whether Tick has anything to do for a run.
func (m *Model) Lively(r *run.Run) bool { return m.plays(r) || r.Lively() }

// Tick plays the due steps of a run's world, by the person or by the agent, at a time of the display's clock. It
// returns the frames, the newest last; they are valid until the next Tick.
func (m *Model) Tick(r *run.Run, now time.Duration) []*wire.Frame {
	if !m.plays(r) {
		return r.Tick(now)
	}
	m.game.played = m.game.played[:0]
	m.tickHand(now)
	return m.game.played
}

func (m *Model) tickHand(now time.Duration) {
	g := m.game
	if g.run.Frame.End != uint8(envs.Running) {
		if now-g.over < afterEnd {
			return
		}
		g.show(g.hand.Begin())
		g.clock.Next = now + time.Second/4 // the person sees the start first
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
		if g.run.Frame.End != uint8(envs.Running) {
			g.over = now
			m.count(float64(g.run.Frame.Return))
			break
		}
	}
}

func (g *game) show(f *wire.Frame) {
	g.run.Frame, g.played, g.tapped = f, append(g.played, f), nil
}

// count adds an episode to the tally of its world.
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

// Text is a place on the page that shows a number of the person's game.
type Text struct {
	Name string // its data-text
	Read func(m *Model, r *run.Run) string
}

// Texts lists every Text.
var Texts = []Text{
	{"hand-last", tally(func(t *play.Tally) float64 { return t.Last })},
	{"hand-mean", tally(func(t *play.Tally) float64 { return t.Mean })},
	{"hand-best", tally(func(t *play.Tally) float64 { return t.Best })},
}

// tally reads a number of the person's tally of a run's world.
func tally(read func(*play.Tally) float64) func(*Model, *run.Run) string {
	return func(m *Model, r *run.Run) string {
		if t := m.tallies[r.Config().World]; t != nil {
			return number.Score(read(t))
		}
		return number.None
	}
}
