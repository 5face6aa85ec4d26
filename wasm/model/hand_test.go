package model

import (
	"slices"
	"strings"
	"testing"
	"time"

	"impalab/envs"
	"impalab/wasm/run"
	"impalab/web/number"
	"impalab/web/wire"
)

func playing(t *testing.T, world string) *Model {
	t.Helper()
	m := New("#p="+world, "")
	greet(m)
	if err := m.PlayHand(); err != nil {
		t.Fatal(err)
	}
	return m
}

// greet opens a session as a server would: every value in force is the link's.
func greet(m *Model) {
	m.Runs[0].Hello()
	m.Apply(m.Runs[0], welcome(m.Runs[0]))
}

func welcome(r *run.Run) *wire.Welcome {
	w := &wire.Welcome{Run: "run", Key: "key", Fresh: true, State: wire.StateRunning,
		Settings: []wire.Setting{{Key: "preset", Value: r.Preset}}}
	for _, s := range r.Config().Settings() {
		w.Settings = append(w.Settings, wire.Setting(s))
	}
	return w
}

// playFor ticks for so long at sixty frames a second and counts the steps taken.
func playFor(m *Model, from, long time.Duration) (steps uint64) {
	r := m.Runs[0]
	before := r.Frame.Number
	for now := from; now < from+long; now += time.Second / 60 {
		m.Tick(r, now)
	}
	return r.Frame.Number - before
}

func TestEveryActionOfEveryWorldHasKeysOfItsOwn(t *testing.T) {
	for _, e := range envs.Table {
		bindings, still := bind(e.Spec)
		seen := map[string]bool{}
		if still >= 0 {
			seen[""] = true
		}
		for _, b := range bindings {
			keys := slices.Clone(b.Keys)
			slices.Sort(keys)
			joined := strings.Join(keys, "+")
			if joined == "" || seen[joined] || slices.Contains(keys, "Escape") || slices.Contains(keys, "Tab") {
				t.Errorf("%s: %q is played with %q", e.Spec.Name, b.Words, joined)
			}
			seen[joined] = true
		}
		if len(seen) != len(e.Spec.Actions) {
			t.Errorf("%s: %d ways to play %d actions", e.Spec.Name, len(seen), len(e.Spec.Actions))
		}
	}
}

func TestTheKeysThatAreHeldChooseTheAction(t *testing.T) {
	for _, c := range []struct {
		world string
		press string // names of keys, space between
		free  string
		want  string
	}{
		{"catch", "", "", "stay"}, {"catch", "ArrowLeft", "", "left"}, {"catch", "ArrowLeft ArrowRight", "", "right"},
		{"catch", "ArrowLeft ArrowRight", "ArrowRight", "right"}, // it came since the last step
		{"rooms-collect", "ArrowUp", "", "forward"}, {"rooms-collect", "ArrowUp ArrowLeft", "", "forward_look_left"},
		{"rooms-collect", "ArrowRight ArrowUp", "", "forward_look_right"}, {"rooms-collect", "A", "", "strafe_left"},
		{"reacher", "d", "", "wrist right"}, {"walker", "q", "", "right leg forward"}, {"hopper", "", "", "rest"},
		{"deep-sea", "2", "", "second"}, {"breakout", "x", "", "noop"},
		{"cliff", "", "", ""},
	} {
		m := playing(t, c.world)
		for key := range strings.FieldsSeq(c.press) {
			m.Press(key)
		}
		m.Release(c.free)
		got := ""
		if action, ok := m.game.choose(); ok {
			got = m.game.hand.Spec().Actions[action]
		}
		if got != c.want {
			t.Errorf("%s with %q down: %q, want %q", c.world, c.press, got, c.want)
		}
	}
}

func TestTheWorldTakesOnlyKeysItHasAUseFor(t *testing.T) {
	m := playing(t, "catch")
	if m.Press(" ") || m.Press("n") || !m.Press("ArrowLeft") {
		t.Error("Catch is played with left and right")
	}
	m.LeaveHand()
	if m.Press("ArrowLeft") || m.Playing() {
		t.Error("keys go to a game that is over")
	}
}

func TestAWorldWithoutAStillActionWaits(t *testing.T) {
	m := playing(t, "four-rooms")
	if steps := playFor(m, 0, 3*time.Second); steps != 0 || !m.Waits() {
		t.Errorf("%d steps of nobody's choosing", steps)
	}
	m.Press("ArrowUp")
	m.Release("ArrowUp")
	if steps := playFor(m, 3*time.Second, time.Second); steps != 1 || m.Runs[0].Frame.Length != 1 {
		t.Errorf("%d steps for one short press", steps)
	}
	m.Press("ArrowUp")
	if steps := playFor(m, 5*time.Second, time.Second); steps < 9 || steps > 11 {
		t.Errorf("%d steps of a key held for a second, at 10 a second", steps)
	}
}

func TestTheSameSeedAndKeysGiveTheSameGame(t *testing.T) {
	var first []byte
	for range 2 {
		m := playing(t, "breakout")
		m.Press("ArrowLeft")
		playFor(m, 0, 5*time.Second)
		if first == nil {
			first = m.Runs[0].Frame.State
		} else if !slices.Equal(first, m.Runs[0].Frame.State) {
			t.Error("played again, it went another way")
		}
	}
}

func TestEpisodesAreCountedAndStandBesideTheAgents(t *testing.T) {
	m := playing(t, "catch")
	m.Apply(m.Runs[0], &wire.Point{Event: 1, Step: 1000, Return: 0.5})
	for now := time.Duration(0); m.tallies["catch"] == nil; now += time.Second / 60 {
		if m.Tick(m.Runs[0], now); now > time.Minute {
			t.Fatal("no episode ended in a minute")
		}
	}
	last := m.tallies["catch"].Last
	if last != 1 && last != -1 {
		t.Errorf("an episode of Catch returned %v", last)
	}
	show := map[string]string{}
	for _, text := range Texts {
		show[text.Name] = text.Read(m, m.Runs[0])
	}
	for _, text := range run.Texts {
		show[text.Name] = text.Read(m.Runs[0])
	}
	if show["hand-last"] != number.Score(last) || show["hand-best"] != number.Score(last) || show["hand-agent"] != "0.50" {
		t.Errorf("shown: %v", show)
	}
	m.count(-3)
	m.count(5)
	if tally := m.tallies["catch"]; tally.Best != 5 || tally.Last != 5 || tally.Mean < (last+2)/3-1e-9 ||
		tally.Mean > (last+2)/3+1e-9 {
		t.Errorf("after −3 and 5: %+v", tally)
	}
	if played := m.Runs[0].Played; len(played) != 3 || played[1].Return != -3 || played[2].Return != 5 {
		t.Errorf("on the chart: %+v", played)
	}
	m.LeaveHand()
	m.PlayHand()
	if m.tallies["catch"].Episodes != 3 {
		t.Error("the session's episodes are forgotten")
	}
}

func TestAFinishedEpisodeStaysInSightThenTheNextBegins(t *testing.T) {
	m := playing(t, "bandit")
	m.Press("ArrowRight")
	m.Release("ArrowRight")
	playFor(m, time.Second, time.Second/2)
	if m.Runs[0].Frame.End == 0 || m.Runs[0].Frame.Return == 0 {
		t.Fatalf("frame: %+v", m.Runs[0].Frame)
	}
	playFor(m, 3*time.Second, time.Second/60)
	if m.Runs[0].Frame.End != 0 || m.Runs[0].Frame.Length != 0 {
		t.Errorf("frame: %+v", m.Runs[0].Frame)
	}
}

func TestAGameTakesNothingOfTheAgentsWorld(t *testing.T) {
	m := playing(t, "catch")
	for _, place := range []run.Place{run.Here, run.Server} {
		if m.Runs[0].Choice = place; m.Runs[0].Wants() != (wire.Want{}) {
			t.Errorf("watching the %s, wants %+v", place, m.Runs[0].Wants())
		}
	}
	m.Apply(m.Runs[0], &wire.Frame{Number: 77})
	if m.Runs[0].Frame.Number == 77 {
		t.Error("the agent's frame was shown")
	}
	m.Apply(m.Runs[0], welcome(m.Runs[0])) // another run, perhaps another world
	if m.Playing() {
		t.Error("the game goes on in a run that is not there")
	}
}

func TestASuiteIsNotPlayedByHandAndThePageSaysWhy(t *testing.T) {
	m := New("#p=tiny", "")
	greet(m)
	if err := m.PlayHand(); err == nil || !strings.Contains(err.Error(), "choose one") || m.Playing() {
		t.Errorf("playing a suite: %v", err)
	}
	if m.Runs[0].Mappable() {
		t.Error("a suite has a map")
	}
}

func TestAGameIsPlayedInOneColumnOnly(t *testing.T) {
	m := playing(t, "breakout")
	other := run.New("#p=breakout", &m.Speech)
	m.Runs = append(m.Runs, other)
	m.Apply(other, welcome(other))
	if !m.Playing() || other.Covered || other.Frame != nil || other.Wants() == (wire.Want{}) {
		t.Errorf("the other column is covered %v, shows %v and wants %+v", other.Covered, other.Frame, other.Wants())
	}
	playFor(m, 0, time.Second)
	if m.Tick(other, time.Second); other.Frame != nil {
		t.Error("the other column shows the game")
	}
}
