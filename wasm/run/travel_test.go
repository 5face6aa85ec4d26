package run

import (
	"strings"
	"testing"

	"impalab/web/wire"
)

// paced tells m that its speed is another.
func paced(m *Run, speed string) {
	m.Apply(&wire.Changed{Event: m.last + 1, Key: "speed", From: m.force.Get("speed"), To: speed})
}

// own lets the server answer the page whose key owns the run.
func own(m *Run) {
	greet(m)
	m.Steers = true
}

// comes tells m of an update.
func comes(m *Run, update uint64) {
	m.Apply(&wire.Point{Event: m.last + 1, Step: 100 * update, Update: update})
}

// A run goes to the moment of its link as fast as it can, says how far it is, and has its own speed there. Its link
// names this speed all the way.
func TestARunTravelsToTheMomentOfItsLink(t *testing.T) {
	m := open("p=destination&speed=200&at=1000")
	if got := m.Travel(); got != "" {
		t.Fatalf("before the server has answered it asks for %q", got)
	}
	own(m)
	comes(m, 10)
	if got := m.Travel(); got != "inf" {
		t.Fatalf("it asks for the speed %q", got)
	}
	paced(m, "inf")
	comes(m, 610)
	if got := m.Travel(); got != "" || read(m, "state") != "on the way to update 1000: 61 %" {
		t.Errorf("it asks for %q and says %q", got, read(m, "state"))
	}
	if got := m.Fragment(); !strings.Contains(got, "speed=200") || !strings.Contains(got, "at=1000") {
		t.Errorf("its link is %s", got)
	}
	comes(m, 1004)
	if got := m.Travel(); got != "200" || !m.Cursor.Held || read(m, "state") != "running" {
		t.Errorf("there it asks for %q, held %v: %q", got, m.Cursor.Held, read(m, "state"))
	}
	paced(m, "200")
	if got := m.Travel(); got != "" {
		t.Errorf("then it asks for %q", got)
	}
}

// On the way the main button stops the run where it is. It continues at its own speed and travels no more.
func TestATravelStopsWhereAPersonStopsIt(t *testing.T) {
	m := open("p=destination&speed=200&at=1000")
	own(m)
	comes(m, 10)
	if got := read(m, "pause"); got != "Pause" {
		t.Errorf("before the travel the button says %q", got)
	}
	m.Travel()
	paced(m, "inf")
	comes(m, 500)
	if got := read(m, "pause"); got != "Stop here" {
		t.Errorf("on the way the button says %q", got)
	}
	m.StopHere()
	if got := m.Travel(); got != "200" || m.Cursor.Held || strings.Contains(m.Fragment(), "at=") {
		t.Errorf("stopped, it asks for the speed %q, held %v: %s", got, m.Cursor.Held, m.Fragment())
	}
	paced(m, "200")
	comes(m, 1001)
	if got := m.Travel(); got != "" || m.Cursor.Held || read(m, "pause") != "Pause" {
		t.Errorf("later it asks for %q, held %v, %q", got, m.Cursor.Held, read(m, "pause"))
	}
}

// A near moment needs no other speed, and a person's choice on the way stays.
func TestWhoeverSetsTheSpeedEndsTheTravel(t *testing.T) {
	m := open("p=destination&speed=40000&at=12")
	own(m)
	if comes(m, 1); m.Travel() != "" {
		t.Error("it hurries to a moment that is near")
	}
	m = open("p=destination&speed=200&at=1000")
	own(m)
	comes(m, 10)
	m.Travel()
	paced(m, "inf")
	paced(m, "4000")
	for range 3 {
		comes(m, 500)
		if got := m.Travel(); got == "200" || got == "4000" {
			t.Errorf("it asks for %q", got)
		}
		paced(m, "4000")
	}
}

// A run that begins beside another goes to its step.
func TestARunTravelsToTheStepOfTheOneBeside(t *testing.T) {
	a, b := open("p=destination&speed=200"), open("p=destination&speed=200")
	both := func() []*Run { return []*Run{a, b} }
	a.Page, b.Page = both, both
	b.Cursor = a.Cursor
	own(a)
	own(b)
	comes(a, 1000)
	comes(b, 250)
	if got := b.Travel(); got != "inf" || a.Travel() != "" {
		t.Fatalf("it asks for %q", got)
	}
	paced(b, "inf")
	if got := read(b, "state"); got != "on the way to step 100\u2009000: 25 %" {
		t.Errorf("it says %q", got)
	}
	comes(b, 1001)
	if got := b.Travel(); got != "200" {
		t.Errorf("there it asks for %q", got)
	}
}
