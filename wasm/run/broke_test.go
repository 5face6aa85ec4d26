package run

import (
	"strings"
	"testing"

	"impalab/learner/fall"
	"impalab/learner/telemetry"
	"impalab/wasm/chart"
	"impalab/web/wire"
)

// falling is a run that stands at 300 for 200 updates, falls then, and whose effective sample falls twelve updates
// before; the page has seen it from the start.
func falling(t *testing.T) *Run {
	t.Helper()
	m := New("#v=1&p=lag-cliff", new(Speech))
	var names []string
	for _, f := range telemetry.Figures {
		names = append(names, f.Name)
	}
	m.Apply(&wire.Welcome{Run: "ab12", Steers: true, State: wire.StateRunning, Fresh: true, Event: 3, Figures: names})
	event := uint64(3)
	for u := uint64(1); u <= 220; u++ {
		event++
		p := &wire.Point{Event: event, Step: 160 * u, Update: u, Episodes: u, Return: 300, Recent: 310,
			Figures: make([]float32, telemetry.NumFigures)}
		p.Figures[telemetry.EffectiveSample] = 0.9 + 0.001*float32(u%7)
		if u >= 188 {
			p.Figures[telemetry.EffectiveSample] = 0.4
		}
		if u >= 200 {
			p.Return, p.Recent = 250, 20
		}
		m.Apply(p)
	}
	return m
}

func TestAFallPausesTheRunOnceAndSaysWhereItWasSeenFirst(t *testing.T) {
	m := falling(t)
	if m.Breaks() {
		t.Error("it is to be paused before it fell")
	}
	m.Apply(&wire.Status{Event: 300, State: wire.StateRunning, Reason: fall.Said})
	if !m.Breaks() || m.Breaks() {
		t.Error("it is to be paused once")
	}
	b := m.Broke
	if b.Words != "It fell: 300.0 → 20.0, from update 200 on." {
		t.Errorf("%q", b.Words)
	}
	want := telemetry.Figures[telemetry.EffectiveSample].Words + ", which left its range 12 updates before"
	if !strings.Contains(b.Sign, want) {
		t.Errorf("%q, want %q", b.Sign, want)
	}
	if m.LookBack(); m.Cursor.Step != 160*180 {
		t.Errorf("the cursor is held at step %d, want update 180", m.Cursor.Step)
	}
	m.Apply(&wire.Status{Event: 301, State: wire.StateRunning, Reason: fall.Said})
	if m.Breaks() {
		t.Error("a second fall pauses it again")
	}
}

// What had happened before the page came pauses nothing, nor does a run of somebody else's.
func TestAnOldFallPausesNothing(t *testing.T) {
	m := falling(t)
	m.Apply(&wire.Welcome{Run: "ab12", Steers: true, State: wire.StateRunning, Event: 400})
	m.Apply(&wire.Status{Event: 390, State: wire.StateRunning, Reason: fall.Said})
	if m.Breaks() || m.Broke != nil {
		t.Error("a fall of before the page came pauses the run")
	}
	m = falling(t)
	m.Steers = false
	m.Apply(&wire.Status{Event: 300, State: wire.StateRunning, Reason: fall.Said})
	if m.Breaks() || m.Broke == nil {
		t.Error("a run of somebody else's is to be paused, or its fall is not said")
	}
}

func TestAFigureThatKeepsItsRangeIsNoSign(t *testing.T) {
	updates, figure := make([]uint64, 100), make([]chart.Column, 100)
	for i := range updates {
		updates[i] = uint64(i + 1)
		figure[i].Value.Last = float32(i % 5)
	}
	if got := leaves(updates, figure, 20); got != 0 {
		t.Errorf("it left its range %d updates before", got)
	}
	figure[95].Value.Last = 9 // and comes back
	if got := leaves(updates, figure, 20); got != 0 {
		t.Errorf("a stray point is a sign %d updates before", got)
	}
	for i := 92; i < 100; i++ {
		figure[i].Value.Last = 9
	}
	if got := leaves(updates, figure, 20); got != 7 {
		t.Errorf("it left its range %d updates before, want 7", got)
	}
}

func TestASolutionPausesTheRunOnceAndAFallAfterItOnceMore(t *testing.T) {
	m := falling(t)
	m.Apply(&wire.Status{Event: 300, State: wire.StateRunning, Reason: fall.SaidSolved})
	b := m.Broke
	if !m.Breaks() || m.Breaks() {
		t.Error("it is to be paused once")
	}
	if b.Words != "Solved at update 220: the mean return of 100 episodes is 250.0." || b.Back != 200 {
		t.Errorf("%q, back to update %d", b.Words, b.Back)
	}
	m.Apply(&wire.Status{Event: 301, State: wire.StateRunning, Reason: fall.Said})
	if !m.Breaks() || m.Broke.Solved {
		t.Error("a fall after the solution is not shown")
	}
	m.Apply(&wire.Status{Event: 302, State: wire.StateRunning, Reason: fall.SaidSolved})
	if m.Breaks() || m.Broke.Solved {
		t.Error("a solution covers the fall that is still shown")
	}
}

func TestARunThatWasSolvedBeforeThePageCameIsNotPaused(t *testing.T) {
	m := falling(t)
	m.Apply(&wire.Welcome{Run: "ab12", Steers: true, State: wire.StateRunning, Event: 400})
	m.Apply(&wire.Status{Event: 390, State: wire.StateRunning, Reason: fall.SaidSolved})
	if m.Breaks() || m.Broke != nil {
		t.Error("a solution of before the page came pauses the run")
	}
}

// All columns pause where one of them falls or solves its world; whichever is in hand, the page says which it was.
func TestAColumnSaysWhatPausedItWhereThatHappenedInAnother(t *testing.T) {
	a, b := falling(t), New("#v=1&p=lag-cliff&b=", new(Speech))
	both := func() []*Run { return []*Run{a, b} }
	a.Page, b.Page = both, both
	says := func(want string) {
		t.Helper()
		for _, m := range both() {
			if got := read(m, "broke"); got != want || m.Told() != a {
				t.Errorf("it says %q, want %q", got, want)
			}
		}
	}
	if b.Told() != nil || read(b, "broke") != "" {
		t.Error("it says something before anything happened")
	}
	a.Apply(&wire.Status{Event: 300, State: wire.StateRunning, Reason: fall.SaidSolved})
	says("Column A: Solved at update 220: the mean return of 100 episodes is 250.0.")
	if said := a.Announcements[len(a.Announcements)-1]; !strings.HasPrefix(said, "Column A: Solved") {
		t.Errorf("spoken is %q", said)
	}
	a.Apply(&wire.Status{Event: 301, State: wire.StateRunning, Reason: fall.Said})
	says("Column A: It fell: 300.0 → 20.0, from update 200 on.")
	if read(b, "sign") != a.Broke.Sign || read(b, "look-back") != read(a, "look-back") {
		t.Errorf("B says %q and offers %q", read(b, "sign"), read(b, "look-back"))
	}
	a.Broke.Put = true
	if b.Told() != nil || a.Told() != nil {
		t.Error("what was put away is said again")
	}
}
