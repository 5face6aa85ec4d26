package run

import (
	"strings"
	"testing"
	"time"

	"impalab/web/wire"
)

// here is a page whose run's parameters have come.
func here(t *testing.T, fragment string) *Run {
	t.Helper()
	m := open(fragment)
	greet(m)
	m.Apply(lent(m, 1))
	return m
}

func lent(m *Run, update uint64) *wire.Weights {
	theta := make([]float32, m.local.size)
	m.local.spec.Init(theta, update)
	return &wire.Weights{Update: update, Scale: []float32{1}, Shift: []float32{0}, Target: theta}
}

// play ticks for so long at sixty frames a second and counts the steps taken.
func playFor(m *Run, from, long time.Duration) (steps uint64) {
	before := uint64(0)
	if m.Frame != nil {
		before = m.Frame.Number
	}
	for now := from; now < from+long; now += time.Second / 60 {
		m.Tick(now)
	}
	if m.Frame == nil {
		return 0
	}
	return m.Frame.Number - before
}

func TestThePagePlaysASmallNetworkAndTheServerALargeOneUnlessToldOtherwise(t *testing.T) {
	for _, c := range []struct {
		fragment string
		choice   Place
		want     Place
	}{
		{"#p=cartpole", Anywhere, Here}, {"#p=cartpole", Server, Server},
		{"#p=stacx&head-hidden=32", Anywhere, Here},
		{"#p=cartpole&hidden=512-256", Anywhere, Server}, {"#p=cartpole&hidden=512-256", Here, Here},
		{"#p=cartpole&hidden=1024-1024", Here, Server}, // too large to travel
	} {
		m := open(c.fragment)
		greet(m)
		m.Choice = c.choice
		if got := m.Watching(); got != c.want || m.Wants() != (wire.Want{Frames: got == Server, Weights: got == Here}) {
			t.Errorf("%s, choice %q: watched %q, wants %+v", c.fragment, c.choice, got, m.Wants())
		}
		if said := strings.Contains(m.Unfit, "parameters"); said != (c.choice == Here && c.want == Server) {
			t.Errorf("%s: %q", c.fragment, m.Unfit)
		}
	}
}

// line records the messages of a run.
type line struct{ sent []wire.Message }

func (l *line) Send(m wire.Message) bool {
	l.sent = append(l.sent, m)
	return true
}

func (l *line) Redial() {}

func TestThePageSendsItsWantOncePerSession(t *testing.T) {
	m, server := open("#p=catch"), new(line)
	m.Line = server
	if m.SendWant(); len(server.sent) != 0 {
		t.Error("something is sent before the Welcome")
	}
	for session := 1; session <= 3; session++ {
		greet(m) // again: the line broke
		m.SendWant()
		m.SendWant()
		if len(server.sent) != session || *server.sent[session-1].(*wire.Want) != (wire.Want{Weights: true}) {
			t.Fatalf("in session %d: %+v", session, server.sent)
		}
	}
}

func TestTheWorldIsPlayedAtItsOwnRate(t *testing.T) {
	m := here(t, "#p=cartpole") // 50 steps a second
	if got := playFor(m, time.Hour, 2*time.Second); got < 99 || got > 101 {
		t.Errorf("%d steps in two seconds", got)
	}
	if got := playFor(m, 2*time.Hour, time.Second/60); got > 6 {
		t.Errorf("%d steps at once after an hour away", got)
	}
	if f := m.Frame; len(f.Target) != 2 || f.World != "cartpole" || f.Ratio != 1 {
		t.Errorf("frame: %+v", f)
	}
}

func TestTheServersFramesAreLeftOutWhileThePagePlays(t *testing.T) {
	m := here(t, "#p=catch")
	playFor(m, 0, time.Second)
	mine := m.Frame
	m.Apply(&wire.Frame{Number: 1000})
	if m.Frame != mine {
		t.Error("a frame of the server's was taken")
	}
	m.Choice = Server
	m.Apply(&wire.Frame{Number: 1001})
	if m.Frame.Number != 1001 || len(m.Tick(time.Hour)) > 0 {
		t.Error("the page goes on playing")
	}
}

func TestAPausedWorldStandsUntilAStepIsAskedFor(t *testing.T) {
	m := here(t, "#p=catch")
	playFor(m, 0, time.Second)
	m.Apply(&wire.Status{Event: 1, State: wire.StatePaused})
	m.Apply(lent(m, 2)) // from before the pause
	if got := playFor(m, time.Second, time.Second); got != 0 {
		t.Errorf("%d steps while paused", got)
	}
	m.Do(wire.VerbStep)
	if got := playFor(m, 2*time.Second, time.Second); got != 0 {
		t.Errorf("%d steps before the update was made", got)
	}
	m.Apply(lent(m, 3))
	if got := playFor(m, 3*time.Second, time.Second); got != 1 {
		t.Errorf("%d steps for one", got)
	}
}

func TestAFinishedRunIsPlayedOn(t *testing.T) {
	m := here(t, "#p=catch")
	m.Apply(&wire.Status{Event: 1, State: wire.StateDone, Reason: "the budget is spent"})
	if got := playFor(m, 0, time.Second); got < 7 {
		t.Errorf("%d steps in a second", got)
	}
}

func TestParametersOfAnotherNetworkBringTheServersFramesBack(t *testing.T) {
	m := here(t, "#p=catch")
	m.Apply(&wire.Weights{Target: make([]float32, 3)})
	if m.Watching() != Server || !m.Wants().Frames || !strings.Contains(m.Unfit, "reload") {
		t.Errorf("watched at %q, %q", m.Watching(), m.Unfit)
	}
}

func TestTheMapAsksForParametersAndFollowsThem(t *testing.T) {
	m := open("#p=cliff")
	greet(m)
	m.Choice = Server
	if !m.Wants().Weights {
		t.Error("a finite world does not show its map from the start")
	}
	m.Map(false, false)
	if !m.Mappable() || m.Chart() != nil || m.Wants().Weights {
		t.Error("a map is there, or asked for, that nobody wants")
	}
	m.Map(true, false)
	if m.Wants() != (wire.Want{Frames: true, Weights: true}) || m.Chart() != nil {
		t.Errorf("wants %+v", m.Wants())
	}
	w := lent(m, 1)
	m.Apply(w)
	before := m.Chart().Value[0]
	again := lent(m, 2)
	again.Shift[0] = 3
	m.Apply(again)
	if after := m.Chart().Value[0]; after == before || m.MapRange() != "" {
		t.Errorf("V stays %v; range %q", after, m.MapRange())
	}
	m.Map(false, true)
	if !strings.HasPrefix(m.MapRange(), "V from") {
		t.Errorf("range %q", m.MapRange())
	}
	m.Map(false, false)
	if m.Wants().Weights || m.Chart() != nil {
		t.Error("the map is put away, and parameters come on")
	}
}

func TestANewRunForgetsReceivedParameters(t *testing.T) {
	m := here(t, "#p=catch")
	playFor(m, 0, time.Second)
	m.Apply(welcome(m.force, m.Preset))
	if m.Frame != nil || len(m.Tick(time.Hour)) > 0 {
		t.Error("the old network plays in the new run")
	}
}

// An agent that should lie falls within a few pictures, so that no upright pole is beside the words "it fell".
func TestAnAgentThatShouldLieFallsAtOnce(t *testing.T) {
	m := here(t, "#p=cartpole")
	playFor(m, 0, time.Second/60)
	m.Helpless, m.Plays, m.State = true, true, wire.StatePaused
	if playFor(m, time.Second, time.Second/12); !m.Tumble.Falls() {
		t.Error("after five pictures it stands")
	}
}
