package run

import (
	"testing"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/wire"
)

// sparse is a run whose curves have a point every fourth update, each of 100 steps, up to update 100.
func sparse() *Run {
	m := open("p=destination")
	greet(m)
	for i := uint64(4); i <= 100; i += 4 {
		m.Apply(&wire.Point{Event: m.last + 1, Step: 100 * i, Update: i, Figures: row("kl", float32(i))})
	}
	m.Apply(&wire.XRay{Step: 10_000, Update: 100, Figures: row("kl", 100)})
	return m
}

// madeAgain is the server's answer for some updates.
func madeAgain(m *Run, from, to uint64) (made []wire.Message) {
	for i := from; i <= to; i++ {
		made = append(made, &wire.XRay{Step: 100 * i, Update: i, Figures: row("kl", float32(i)), Ratios: []uint32{uint32(i)}},
			&wire.Gauge{Learned: float32(i)}, weights(m, float32(i)), &wire.Frame{Number: i, World: "four-rooms"})
	}
	return made
}

// The page asks for the updates around a missing moment. The cursor then walks through each of them, and every panel
// shows its update.
func TestEachUpdateMadeAgainIsSeenByItself(t *testing.T) {
	m := sparse()
	m.Apply(weights(m, 1000))
	if _, _, ok := m.Unseen(); ok {
		t.Error("updates are asked for while the newest is shown")
	}
	m.Pin(4000)
	from, to, ok := m.Unseen()
	if !ok || from != 24 || to != 87 {
		t.Fatalf("around update 40 those from %d to %d are asked for, %v", from, to, ok)
	}
	m.MadeAgain(madeAgain(m, from, to))
	if _, _, ok := m.Unseen(); ok {
		t.Error("what has been made again is asked for once more")
	}
	for update := uint64(40); update <= 47; update++ {
		x := m.Seen()
		at, _ := m.Update()
		f := m.Watched()
		if x.Update != update || at != update || m.Gauged().Learned != float32(update) || f.Number != update ||
			m.metric(telemetry.KL) != float32(update) {
			t.Errorf("update %d: the cursor is at %d, the x-ray is %+v, the gauge %+v, the frame %d", update, at, x, m.Gauged(),
				f.Number)
		}
		drawn := m.Chart().Clone()
		m.local.chart.Draw(m.policies(weights(m, float32(update))), &m.force)
		if want := m.local.chart.Clone(); drawn.Low != want.Low || drawn.High != want.High {
			t.Errorf("update %d: the map goes from %v to %v, want %v to %v", update, drawn.Low, drawn.High, want.Low, want.High)
		}
		if got := read(m, "watched"); got[:12] != "played again" {
			t.Errorf("the world is said to be %q", got)
		}
		m.Walk(1)
	}
	m.Walk(-1)
	if at, _ := m.Update(); at != 47 {
		t.Errorf("back from update 48 is %d", at)
	}
}

// A moment that the page showed live does not change when moments are made again.
func TestALiveMomentIsNotMadeAgain(t *testing.T) {
	m := sparse()
	m.Pin(10_000)
	if _, _, ok := m.Unseen(); ok {
		t.Error("a moment that was shown live is asked for")
	}
	live := m.Seen()
	m.MadeAgain(madeAgain(m, 50, 100))
	if x := m.Seen(); x != live || m.Gauged() != nil {
		t.Errorf("it shows %+v and %+v", x, m.Gauged())
	}
}

// The first updates, live runs and a run that is not there yet.
func TestAMomentThatCannotBeMadeAgainIsNotRequested(t *testing.T) {
	m := sparse()
	m.Cursor.Pin(400)
	if from, _, ok := m.Unseen(); !ok || from != 1 {
		t.Errorf("around the first point: from %d, %v", from, ok)
	}
	m.force.Mode = hyper.Live
	if _, _, ok := m.Unseen(); ok {
		t.Error("a live run is asked for an earlier moment")
	}
	m.force.Mode = hyper.Reference
	m.Cursor.Pin(0)
	if _, _, ok := m.Unseen(); ok {
		t.Error("update 0 is asked for")
	}
}

// A link's update between two points is where the cursor goes once it has been made again.
func TestALinksUpdateIsMadeAgain(t *testing.T) {
	m := open("p=destination&at=10")
	greet(m)
	for i := uint64(4); i <= 40; i += 4 {
		m.Apply(&wire.Point{Event: m.last + 1, Step: 100 * i, Update: i})
	}
	from, to, ok := m.Unseen()
	if !ok || from > 10 || to < 10 {
		t.Fatalf("from %d to %d, %v", from, to, ok)
	}
	m.MadeAgain(madeAgain(m, from, to))
	if at, _ := m.Update(); at != 10 || !m.Cursor.Held || read(m, "moment") != "update 10, held" {
		t.Errorf("the cursor is at update %d: %s", at, read(m, "moment"))
	}
}

// Who walks on from "See update N" before the updates there have been made again comes to the next one, not to the next
// point of the curves: at once to the nearest, under its own number, then there.
func TestBeforeAPauseTheCursorWalksByUpdatesWhetherOrNotTheyAreMade(t *testing.T) {
	m := sparse()
	m.Apply(&wire.XRay{Step: 10_400, Update: 104})
	m.Halt = &Halt{Update: 100, Back: 60}
	m.PinFall()
	walk := func(by int, want string) {
		t.Helper()
		m.Walk(by)
		if got := read(m, "moment"); got != want {
			t.Errorf("by %d: %s, want %s", by, got, want)
		}
	}
	walk(1, "update 60, held, nearest to 61")
	walk(1, "update 64, held, nearest to 62")
	walk(1, "update 64, held, nearest to 63")
	walk(1, "update 64, held")
	walk(-1, "update 64, held, nearest to 63")
	from, to, ok := m.Unseen()
	if !ok || from > 63 || to < 63 {
		t.Fatalf("from %d to %d, %v", from, to, ok)
	}
	m.MadeAgain(madeAgain(m, from, 65)) // the server made no more at once
	walk(-1, "update 62, held")
	walk(3, "update 65, held")
	walk(1, "update 68, held, nearest to 66")
	if from, to, ok := m.Unseen(); !ok || from > 66 || to < 66 {
		t.Errorf("behind the last that was made, those from %d to %d are asked for, %v", from, to, ok)
	}
}

// Before a pause every update is asked for, even where some were shown live.
func TestTheUpdatesBeforeAPauseAreAllAskedFor(t *testing.T) {
	m := sparse()
	m.Apply(&wire.XRay{Step: 10_400, Update: 104})
	m.Halt = &Halt{Update: 100, Back: 98}
	m.Pin(10_000)
	if _, _, ok := m.Unseen(); !ok {
		t.Error("the moment before a pause was shown live, and those around it are not asked for")
	}
}
