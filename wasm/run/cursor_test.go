package run

import (
	"strings"
	"testing"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/wire"
)

// learned is a run that has come to update 10, at step 1000, with KL 0.01 for each update.
func learned(link string) *Run {
	m := open(link)
	greet(m)
	for i := range uint64(10) {
		m.Apply(&wire.Point{Event: m.last + 1, Step: 100 * (i + 1), Update: i + 1, Return: float32(i), Recent: float32(2 * i),
			Figures: row("kl", float32(i+1)/100)})
	}
	m.Apply(&wire.XRay{Step: 1000, Update: 10, Figures: row("kl", 0.1)})
	return m
}

func TestTheCursorGoesUpdateByUpdateAndLetsGoAtTheEnd(t *testing.T) {
	m := learned("")
	for _, c := range []struct {
		by, update, step int
		held             bool
	}{{-1, 9, 900, true}, {-1, 8, 800, true}, {1, 9, 900, true}, {-99, 1, 100, true}, {99, 10, 1000, false}} {
		m.Walk(c.by)
		if update, ok := m.Update(); !ok || update != uint64(c.update) || m.Now() != uint64(c.step) ||
			m.Cursor.Held != c.held {
			t.Errorf("by %d: update %d, step %d, held %v; want %+v", c.by, update, m.Now(), m.Cursor.Held, c)
		}
	}
}

func TestFiguresFollowTheCursor(t *testing.T) {
	m := learned("")
	m.Pin(420) // between two points: the nearest
	for name, want := range map[string]string{"kl": "0.040", "return": "3.00", "recent": "6.00", "steps": "400",
		"at": "at 400"} {
		if got := read(m, name); got != want {
			t.Errorf("%s reads %q, want %q", name, got, want)
		}
	}
	m.Apply(&wire.Point{Event: m.last + 1, Step: 1100, Update: 11, Return: 50, Figures: row("kl", 9)})
	if got := read(m, "kl"); got != "0.040" {
		t.Errorf("a held figure went on to %q", got)
	}
	m.Cursor.Unpin()
	m.Apply(&wire.XRay{Step: 1100, Update: 11, Figures: row("kl", 9)})
	if got := read(m, "kl"); got != "9.000" {
		t.Errorf("let go, the figure is %q", got)
	}
}

func TestTheHistogramsFollowTheCursor(t *testing.T) {
	m := open("")
	greet(m)
	for i := range uint64(3 * maxMoments) {
		m.Apply(&wire.Point{Event: i + 1, Step: i + 1, Update: i + 1})
		m.Apply(&wire.XRay{Step: i + 1, Update: i + 1, Ratios: []uint32{uint32(i + 1)}})
	}
	m.Pin(maxMoments)
	if x := m.Seen(); x == nil || x.Step > maxMoments+4 || x.Step < maxMoments-4 || len(m.moments.live) > maxMoments {
		t.Errorf("at step %d the histogram is of %+v, of %d kept", maxMoments, x, len(m.moments.live))
	}
}

// seenPanels returns the panels of a batch: the panels of the x-ray and of the gauge, and every figure.
func seenPanels(m *Run) string {
	var b strings.Builder
	for _, c := range Charts {
		if c.Name == "ratios" || c.Name == "age" || c.Name == "tasks" || c.Name == "gauge" {
			b.WriteString(c.Name + ": " + c.Draw(m, 300, 120) + "\n")
		}
	}
	for _, text := range Texts {
		if text.Name != "moment" && !strings.HasPrefix(text.Name, "story-") { // a story is of the whole curve
			b.WriteString(text.Name + ": " + text.Read(m) + "\n")
		}
	}
	return b.String()
}

// At a moment that the page showed live every panel is the same again, to the byte. Between two moments it shows the
// nearest, with its own update number.
func TestThePanelsOfAMomentAreAsTheyWereLive(t *testing.T) {
	m := open("p=destination")
	greet(m)
	m.Steers = false // a hand has grips on the newest histogram alone
	live := map[uint64]string{}
	for i := uint64(1); i < maxMoments; i++ {
		ratios, ages := make([]uint32, telemetry.RatioBins), make([]uint32, telemetry.AgeBins)
		ratios[i%telemetry.RatioBins], ratios[7], ages[i%telemetry.AgeBins], ages[2] = uint32(i), 9, uint32(i), 5
		m.Apply(&wire.Point{Event: i, Step: 100 * i, Update: i, Return: float32(i), Recent: float32(i),
			Figures: row("kl", float32(i)/1000)})
		m.Apply(&wire.XRay{Step: 100 * i, Update: i, Episodes: i / 3, Figures: row("kl", float32(i)/1000),
			Ratios: ratios, Ages: ages})
		m.Apply(&wire.Gauge{Learned: float32(i), Implied: 4, FromImplied: float32(i) - 4, Worst: -1, Best: 500})
		live[100*i] = seenPanels(m)
	}
	for step, was := range live {
		m.Cursor.Pin(step)
		then := strings.Split(was, "\n")
		for i, line := range strings.Split(seenPanels(m), "\n") {
			if line != then[i] {
				t.Fatalf("at step %d it is %s, live it was %s", step, line, then[i])
			}
		}
	}
	for at, want := range map[uint64]string{149: "1", 150: "1", 151: "2", 30_080: "301"} {
		m.Cursor.Pin(at)
		if got := read(m, "updates"); got != want {
			t.Errorf("at step %d the batch is that of update %s, want %s", at, got, want)
		}
	}
}

func TestTheRunBeforeStaysAsAGhostThatSaysWhatDiffered(t *testing.T) {
	for before, begin := range map[string]func(m *Run) wire.Message{
		"before":                   func(m *Run) wire.Message { return m.Again() },
		"before: seed 1":           func(m *Run) wire.Message { return m.Reseed(99) },
		"before: CartPole":         func(m *Run) wire.Message { w, _ := m.Set("preset", "lag-cliff"); return w },
		"before: algorithm IMPALA": func(m *Run) wire.Message { w, _ := m.Set("algo", "laser"); return w },
		"before the fork":          func(m *Run) wire.Message { return m.Fork(5) },
	} {
		m := learned("")
		if begin(m) == nil || m.behind().before != before || m.ghost.Return.Steps() != 1000 || len(m.Return.Columns) != 0 {
			t.Errorf("%q, want %q", m.behind().before, before)
			continue
		}
		greet(m)
		if m.behind().before != before {
			t.Errorf("the Welcome made %q of %q", m.behind().before, before)
		}
	}
}

// A return of CartPole says nothing beside one of Catch.
func TestARunOfAnotherWorldIsNotAGhost(t *testing.T) {
	m := learned("")
	m.Set("preset", "catch")
	greet(m)
	m.Apply(&wire.Point{Event: m.last + 1, Step: 100, Update: 1, Episodes: 10, Return: 0.5, Recent: 0.5})
	if m.behind().before != "" || m.Axis().Steps > 200 {
		t.Errorf("Catch has a ghost %q on an axis to %d", m.behind().before, m.Axis().Steps)
	}
	for _, c := range Charts {
		if strings.Contains(c.Draw(m, 800, 200), "ghost") {
			t.Errorf("%s draws the run of CartPole", c.Name)
		}
	}
	if m.Undo(); m.behind().before != "" {
		t.Errorf("back in CartPole, Catch is its ghost: %q", m.behind().before)
	}
}

func TestTheAxisHasRoomForTheGhostWhileTheRunIsYoung(t *testing.T) {
	m := learned("")
	m.Again()
	greet(m)
	if steps := m.Axis().Steps; steps < 1000 {
		t.Errorf("the axis ends at %d, the run before at 1000", steps)
	}
}

// A rewound run has the settings of the moment, and a forked run the settings in force now.
func TestAForkKeepsTheCurrentSettingsAndARewindTheEarlierOnes(t *testing.T) {
	changed := func() *Run {
		m := learned("")
		m.Apply(&wire.Changed{Event: m.last + 1, Step: 400, Update: 4, Key: "lag", From: "0", To: "4"})
		m.Apply(&wire.Changed{Event: m.last + 1, Step: 700, Update: 7, Key: "lag", From: "4", To: "8"})
		m.Apply(&wire.Changed{Event: m.last + 1, Step: 800, Update: 8, Key: "rho", From: "1", To: "2"})
		m.Apply(&wire.Changed{Event: m.last + 1, Step: 900, Update: 9, Key: "rho", From: "2", To: "1"})
		return m
	}
	hello := changed().Fork(5).(*wire.Hello)
	if hello.From != (wire.Origin{Run: "run", Update: 5}) || len(hello.Settings) != 1 ||
		hello.Settings[0] != (wire.Setting{Key: "lag", Value: "8"}) {
		t.Errorf("forked: %+v", hello)
	}
	if hello := changed().Rewind(5).(*wire.Hello); hello.From.Update != 5 || len(hello.Settings) != 0 {
		t.Errorf("rewound: %+v", hello)
	}
}

func TestPageUpGoesFromChangeToChange(t *testing.T) {
	m := learned("")
	m.Apply(&wire.Changed{Event: m.last + 1, Step: 300, Update: 3, Key: "lag", From: "0", To: "4"})
	m.Apply(&wire.Changed{Event: m.last + 1, Step: 650, Update: 6, Key: "rho", From: "1", To: "4"})
	for i, want := range []uint64{650, 300, 300} {
		if m.WalkMarks(false); m.Now() != want {
			t.Errorf("press %d: step %d, want %d", i, m.Now(), want)
		}
	}
	if update, _ := m.Update(); update != 3 {
		t.Errorf("at a mark the update is %d, want its own, 3", update)
	}
	m.WalkMarks(true)
	if m.WalkMarks(true); m.Cursor.Held {
		t.Error("behind the last change the newest is shown")
	}
}

func TestASettingIsFoundByPartsOfItsNameAndSentence(t *testing.T) {
	for query, want := range map[string]bool{"discount": true, "GAM": true, "γ": true, "discount zebra": false, "": true} {
		row, _ := hyper.Lookup("gamma")
		if Matches(row, query) != want {
			t.Errorf("gamma fits %q: %v", query, !want)
		}
	}
}

func TestALinkOfARunsPageForksIt(t *testing.T) {
	hello := open("#fork=0123abcd@17").Hello()
	if hello.From != (wire.Origin{Run: "0123abcd", Update: 17}) || hello.Run != "" || len(hello.Settings) != 0 {
		t.Errorf("%+v", hello)
	}
	if hello := open("#fork=0123abcd").Hello(); hello.From.Run != "" {
		t.Errorf("without an update: %+v", hello)
	}
}

func TestALinkOpensWithTheCursorAtItsUpdate(t *testing.T) {
	m := learned("at=4&p=catch")
	if update, _ := m.Update(); !m.Cursor.Held || update != 4 || m.Now() != 400 {
		t.Errorf("at update %d, step %d, held %v", update, m.Now(), m.Cursor.Held)
	}
	if link := m.Shared(); !strings.Contains(link, "&at=4&") {
		t.Errorf("what is shared opens elsewhere: %s", link)
	}
	if link := m.Fragment(); !strings.Contains(link, "&at=4&") {
		t.Errorf("the address has lost its moment: %s", link)
	}
	if got, link := m.SharedMoment(), m.FromStart(); got != "This moment, step 400" || strings.Contains(link, "at=") {
		t.Errorf("the choice of what is shared is %q or %s", got, link)
	}
	m.MadeAgain(madeAgain(m, 3, 5))
	if update, link := m.Cursor.Linked(), m.Fragment(); update != 4 || !strings.Contains(link, "&at=4&") {
		t.Errorf("made again, the moment of the address is %d: %s", update, link)
	}
	m.Pin(800)
	if link := m.Fragment(); strings.Contains(link, "at=") {
		t.Errorf("the address follows the pointer: %s", link)
	}
	m.Cursor.Unpin()
	if link := m.Shared(); strings.Contains(link, "at=") {
		t.Errorf("let go, what is shared opens at a moment: %s", link)
	}
}

func TestAMomentBetweenTwoPointsIsTheNearest(t *testing.T) {
	for asked, want := range map[string]string{"12": "update 10, held, nearest to 12",
		"13": "update 15, held, nearest to 13", "15": "update 15, held"} {
		m := learned("at=" + asked)
		m.Apply(&wire.Point{Event: m.last + 1, Step: 1500, Update: 15})
		if got := read(m, "moment"); got != want {
			t.Errorf("at=%s: %q, want %q", asked, got, want)
		}
		m.Pin(1000)
		if got := read(m, "moment"); got != "update 10, held" {
			t.Errorf("moved by a person: %q", got)
		}
	}
}

func TestALinksMomentIsAwaitedUntilAPersonTakesTheCursor(t *testing.T) {
	m := learned("at=12")
	if m.Cursor.Held || !strings.Contains(m.Fragment(), "at=12") {
		t.Errorf("held %v before the run is there; the address is %s", m.Cursor.Held, m.Fragment())
	}
	m.Pin(300)
	m.Apply(&wire.Point{Event: m.last + 1, Step: 1300, Update: 13})
	if m.Now() != 300 {
		t.Errorf("a person held the cursor at 300, and it went to %d", m.Now())
	}
	m = learned("at=12")
	m.Again()
	greet(m)
	m.Apply(&wire.Point{Event: 1, Step: 1300, Update: 13})
	if m.Cursor.Held {
		t.Error("another run opens at the moment of the one before")
	}
}

func TestTheGaugeFollowsTheCursor(t *testing.T) {
	m := learned("p=destination")
	for i := range 5 {
		m.Apply(&wire.Point{Event: m.last + 1, Step: uint64(1000 + 100*i), Update: uint64(10 + i)})
		m.Apply(&wire.XRay{Step: uint64(1000 + 100*i), Update: uint64(10 + i)})
		m.Apply(&wire.Gauge{Learned: float32(i), Implied: 4, FromImplied: float32(4 - i), Best: 4})
	}
	if got := read(m, "v-learned"); got != "4.000" {
		t.Errorf("live, the network says %s", got)
	}
	m.Pin(1200)
	for name, want := range map[string]string{"v-learned": "2.000", "v-from-implied": "2.000", "destination": "2.00",
		"to-destination": "2.00"} {
		if got := read(m, name); got != want {
			t.Errorf("at step 1200 %s reads %s, want %s", name, got, want)
		}
	}
	if g := m.Gauged(); g == nil || g.Learned != 2 {
		t.Errorf("the gauge shows %+v", g)
	}
}
