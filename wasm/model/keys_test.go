package model

import (
	"testing"
	"time"

	"impalab/web/wire"
)

func TestKeysWorkFromThePageAndNotWhileTyping(t *testing.T) {
	for _, c := range []struct {
		key  Key
		want Act
	}{
		{Key{Name: " ", Tag: "BODY"}, PlayPause},
		{Key{Name: ".", Tag: "CANVAS"}, Step},
		{Key{Name: "[", Tag: "BODY"}, SpeedDown},
		{Key{Name: "]", Tag: "BODY"}, SpeedUp},
		{Key{Name: "r", Tag: "BODY"}, Again},
		{Key{Name: "N", Tag: "BODY"}, Reseed},
		{Key{Name: "s", Tag: "BODY"}, Share},
		{Key{Name: "?", Tag: "BODY"}, Help},
		{Key{Name: "r", Tag: "BODY", Modified: true}, Nothing}, // Ctrl+R reloads
		{Key{Name: "r", Tag: "INPUT", Type: "text"}, Nothing},
		{Key{Name: "n", Tag: "SELECT"}, Nothing},
		{Key{Name: "r", Tag: "INPUT", Type: "range"}, Again},
		{Key{Name: "Home", Tag: "INPUT", Type: "range"}, Nothing}, // the slider's own
		{Key{Name: "ArrowLeft", Tag: "INPUT", Type: "range"}, Nothing},
		{Key{Name: " ", Tag: "BUTTON"}, Nothing}, // presses the button
		{Key{Name: "r", Tag: "BUTTON"}, Again},
		{Key{Name: " ", Tag: "INPUT", Type: "checkbox"}, Nothing}, // ticks the box
		{Key{Name: "r", Tag: "INPUT", Type: "checkbox"}, Again},
		{Key{Name: "p", Tag: "BODY"}, Hand},
		{Key{Name: "Escape", Tag: "BODY"}, LetGo},
		{Key{Name: "ArrowLeft", Tag: "BODY"}, Back},
		{Key{Name: "ArrowRight", Tag: "DIV"}, Forward}, // the tape
		{Key{Name: "PageUp", Tag: "BODY"}, BackMark},
		{Key{Name: "PageDown", Tag: "SUMMARY"}, Nothing}, // scrolls
	} {
		if got := KeyAct(c.key); got != c.want {
			t.Errorf("%+v asks for %q, want %q", c.key, got, c.want)
		}
	}
}

func TestPlayAndPauseAreOneKey(t *testing.T) {
	m := New("", "")
	greet(m)
	for i, want := range []uint8{wire.VerbPause, wire.VerbPlay} {
		sent := asked(m, func() { m.Ask(PlayPause) })
		if do := sent[0].Message.(*wire.Do); do.Verb != want || do.Seq != uint32(i+1) {
			t.Errorf("asked for %+v, want verb %d", do, want)
		}
		m.Apply(m.Runs[0], &wire.Status{Event: uint64(i + 1), State: wire.StatePaused})
	}
	if sent := asked(m, func() { m.Ask(Share) }); sent != nil {
		t.Errorf("sharing asked the server for %v", sent)
	}
}

// The page draws nothing else of a paused run, so an arrow key would have no visible effect.
func TestMovingTheCursorDrawsThePage(t *testing.T) {
	m := New("", "")
	greet(m)
	for i := range uint64(3) {
		m.Apply(m.Runs[0], &wire.Point{Event: i + 1, Step: 100 * (i + 1), Update: i + 1})
	}
	drawn := 0
	m.Changed = func() { drawn++ }
	for i, act := range []Act{Back, Back, Forward, BackMark, ForwardMark, LetGo} {
		before := m.Selected().Cursor.Revision
		if sent := asked(m, func() { m.Ask(act) }); len(sent) != 0 || drawn != i+1 {
			t.Errorf("act %q asks for %+v, and the page draws %d times", act, sent, drawn)
		}
		if act == Back && m.Selected().Cursor.Revision == before {
			t.Errorf("act %q moves no cursor", act)
		}
	}
}

func TestADragIsThinnedAndItsEndIsSent(t *testing.T) {
	var sent []string
	var timers []func()
	p := Pace{
		After: func(_ time.Duration, f func()) { timers = append(timers, f) },
		Send:  func(key, value string) { sent = append(sent, key+"="+value) },
	}
	ring := func() {
		due := timers
		timers = nil
		for _, f := range due {
			f()
		}
	}
	for _, v := range []string{"1", "2", "3"} {
		p.Offer("rho", v)
	}
	p.Offer("c", "7") // another key has its own pace
	ring()
	p.Offer("rho", "4")
	ring()
	ring()
	if len(timers) != 0 {
		t.Error("a slider at rest keeps a clock running")
	}
	p.Offer("rho", "5")
	p.Offer("rho", "6")
	p.Flush("rho")
	ring()
	want := []string{"rho=1", "c=7", "rho=3", "rho=4", "rho=5", "rho=6"}
	if len(sent) != len(want) {
		t.Fatalf("sent %v, want %v", sent, want)
	}
	for i := range want {
		if sent[i] != want[i] {
			t.Fatalf("sent %v, want %v", sent, want)
		}
	}
}
