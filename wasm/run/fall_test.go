package run

import (
	"strings"
	"testing"

	"impalab/learner/telemetry"
	"impalab/web/number"
	"impalab/web/wire"
)

// onCliff is a page that came to a run on the lag cliff at its start.
func onCliff(t *testing.T, more string) *Run {
	t.Helper()
	m := New("#v=1&p=lag-cliff"+more, new(Speech))
	m.Apply(&wire.Welcome{Run: "ab12", Steers: true, State: wire.StateRunning, Fresh: true, Event: 3,
		Figures: telemetry.MetricNames()})
	return m
}

// stay adds updates of 20 episodes with one mean return, an event each, and reports at how many of them the run was to
// be paused.
func stay(m *Run, mean float32, updates int) (pauses int) {
	for range updates {
		last, n := m.last+1, m.Return.Steps()/160+1
		m.Apply(&wire.Point{Event: last, Step: 160 * n, Update: n, Episodes: 20 * n, Return: mean, Recent: mean,
			Figures: make([]float32, telemetry.NumMetrics)})
		if m.Falls() {
			pauses++
		}
	}
	return pauses
}

// falling is a run that stands at 400 up to update 200, is at 9 since, and fell: 2000 episodes are 100 updates.
func falling(t *testing.T, more string) *Run {
	t.Helper()
	m := onCliff(t, more)
	if n := stay(m, 400, 200) + stay(m, 9, 100); n != 0 {
		t.Fatalf("it is to be paused %d times before it fell", n)
	}
	return m
}

func pausedFor(m *Run, reason string) {
	m.Apply(&wire.Status{Event: m.last + 1, State: wire.StatePaused, Reason: reason})
}

func TestARunThatFallsIsPausedOnceAndSaysWhatHappened(t *testing.T) {
	m := falling(t, "")
	if n := stay(m, 9, 50); n != 1 {
		t.Errorf("it is to be paused %d times, want once", n)
	}
	if m.Halt != nil || read(m, "halt") != "" {
		t.Error("it says why it stopped before it did")
	}
	pausedFor(m, wire.ReasonFell)
	if got := read(m, "halt"); got != "It fell at update 201: the mean return of 100 episodes went from 400.0 to 9.00." {
		t.Errorf("%q", got)
	}
	if said := m.Announcements[len(m.Announcements)-1]; said != read(m, "halt") {
		t.Errorf("spoken is %q", said)
	}
	if m.PinFall(); m.Cursor.Step != 160*181 || read(m, "look-back") != "20 updates earlier" {
		t.Errorf("the cursor is held at step %d, want update 181; %q", m.Cursor.Step, read(m, "look-back"))
	}
	m.Apply(&wire.Status{Event: m.last + 1, State: wire.StateRunning})
	if m.Halted() != nil || m.Halt != nil {
		t.Error("the note stays when the run continues")
	}
	if n := stay(m, 9, 500); n != 0 {
		t.Error("a run that lies is paused again")
	}
}

// A page that comes later, by a reload or as a second tab, reads the fall off the curve and the pause off the run.
func TestAPageThatComesLaterSaysWhyTheRunIsPaused(t *testing.T) {
	m := onCliff(t, "")
	m.came = 1000 // the page joined later
	if n := stay(m, 400, 200) + stay(m, 9, 150); n != 0 {
		t.Error("a fall of before the page came pauses the run")
	}
	pausedFor(m, wire.ReasonFell)
	if m.Halted() != m || !strings.HasPrefix(read(m, "halt"), "It fell at update 201") {
		t.Errorf("%q", read(m, "halt"))
	}
	if len(m.crosses()) != 1 || m.crosses()[0].Step != 160*201 {
		t.Errorf("the crosses are %v", m.crosses())
	}
}

func TestAPauseByHandHasNoNote(t *testing.T) {
	m := falling(t, "")
	stay(m, 9, 50)
	pausedFor(m, "")
	if m.Halted() != nil {
		t.Error("a person paused it, and the page says that it fell")
	}
}

func TestARunThatOnlyWaversIsNotPaused(t *testing.T) {
	m := onCliff(t, "")
	stay(m, 400, 200)
	if read(m, "bearing") != "" {
		t.Errorf("it stands, and the page says %q", read(m, "bearing"))
	}
	if n := stay(m, 9, 99); n != 0 || read(m, "bearing") != "below half its best" {
		t.Errorf("it is to be paused %d times, and the page says %q", n, read(m, "bearing"))
	}
	if n := stay(m, 410, 50); n != 0 || read(m, "bearing") != "" || m.crosses() != nil {
		t.Errorf("it stands again, and the page says %q", read(m, "bearing"))
	}
	m = falling(t, "")
	if stay(m, 9, 5); read(m, "bearing") != "fell" {
		t.Errorf("it fell, and the page says %q", read(m, "bearing"))
	}
}

// The page does not pause a run that returns to an earlier step, or a run of another owner.
func TestOnlyAnOwnRunningRunIsPaused(t *testing.T) {
	for name, change := range map[string]func(*Run){
		"returning":       func(m *Run) { m.State = wire.StateReturning },
		"somebody else's": func(m *Run) { m.Steers = false },
	} {
		m := falling(t, "")
		change(m)
		if n := stay(m, 9, 50); n != 0 {
			t.Errorf("%s: it is to be paused", name)
		}
	}
}

func TestAFallenRunHasACrossOnItsCurve(t *testing.T) {
	m := falling(t, "")
	stay(m, 9, 50)
	if got := strings.Count(m.returnChart(600, 200), `class="cross"`); got != 2 {
		t.Errorf("%d strokes, want two: %s", got, m.returnChart(600, 200))
	}
	if strings.Contains(onCliff(t, "").returnChart(600, 200), "cross") {
		t.Error("a run that did not fall has a cross")
	}
}

// All columns pause if one falls, and the page names it, whichever is selected.
func TestAColumnSaysWhatPausedItWhereThatHappenedInAnother(t *testing.T) {
	a, b := falling(t, ""), onCliff(t, "&b=")
	both := func() []*Run { return []*Run{a, b} }
	a.Page, b.Page = both, both
	stay(a, 9, 50)
	pausedFor(a, wire.ReasonFell)
	pausedFor(b, "")
	for _, m := range both() {
		if got := read(m, "halt"); m.Halted() != a || !strings.HasPrefix(got, "Column A: It fell at update 201") {
			t.Errorf("it says %q", got)
		}
	}
	if read(b, "look-back") != read(a, "look-back") {
		t.Errorf("B offers %q", read(b, "look-back"))
	}
	for _, m := range both() {
		if got := read(m.Halted(), "fell"); got != "A fell: 400 → 9" {
			t.Errorf("beside the cross it says %q", got)
		}
	}
	a.Apply(&wire.Status{Event: a.last + 1, State: wire.StateRunning})
	if b.Halted() != nil || a.Halted() != nil {
		t.Error("the note stays when the run continues")
	}
}

func TestASettingThatIsTurnedInAPauseWaitsForPlay(t *testing.T) {
	m := onCliff(t, "")
	stay(m, 100, 10)
	turn := func(key, from, to string) {
		m.Apply(&wire.Changed{Event: m.last + 1, Step: m.Steps(), Update: 10, Key: key, From: from, To: to})
	}
	if turn("lag", "8", "9"); m.Waits("lag") {
		t.Error("the run continues, and a change waits")
	}
	stay(m, 100, 1)
	pausedFor(m, "")
	if m.Waits("lag") {
		t.Error("a change of before the pause waits")
	}
	if turn("rho", "1", "4"); !m.Waits("rho") || m.Waits("c") {
		t.Error("ρ̄ was turned in the pause, and nothing says that it waits")
	}
	m.Apply(&wire.Status{Event: m.last + 1, State: wire.StateRunning})
	if m.Waits("rho") {
		t.Error("the run continues, and a change waits")
	}
}

func TestADivergedRunSaysWhereItEnded(t *testing.T) {
	m := onCliff(t, "")
	stay(m, 100, 50)
	m.Apply(&wire.Status{Event: m.last + 1, State: wire.StateDiverged, Reason: "a loss is not finite"})
	if got := read(m, "halt"); got != "It diverged after update 50." || m.Halt.Back != 30 {
		t.Errorf("%q, back to update %d", got, m.Halt.Back)
	}
}

// A drop that mends itself pauses nothing, and has its mark with its words on the return and on the tape.
func TestADropThatMendsItselfIsMarked(t *testing.T) {
	m := onCliff(t, "")
	if n := stay(m, 500, 200) + stay(m, 9, 60) + stay(m, 400, 100); n != 0 || len(m.falls.Falls) != 0 {
		t.Fatalf("it is paused %d times and fell %d times", n, len(m.falls.Falls))
	}
	draw := func(name string) string {
		for _, c := range Charts {
			if c.Name == name {
				return c.Draw(m, 600, 300)
			}
		}
		return ""
	}
	for _, name := range []string{"return", "tape"} {
		if n := strings.Count(draw(name), `class="cross within"`); n != 2 {
			t.Errorf("%s: %d strokes of a hollow cross, want 2", name, n)
		}
	}
	for _, want := range []string{">fell: 500 → 9<", ">up 10 k later<"} {
		if chart := strings.ReplaceAll(draw("return"), number.Thin, " "); !strings.Contains(chart, want) {
			t.Errorf("the return does not say %q", want)
		}
	}
	stay(m, 9, 60)
	stay(m, 400, 60)
	stay(m, 9, 60)
	stay(m, 400, 60)
	if chart := draw("return"); strings.Contains(chart, `dip"`) || !strings.Contains(chart, "<title>fell: 500 → 9, ") {
		t.Error("three drops have words on the chart, or none under the pointer")
	}
}
