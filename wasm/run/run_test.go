package run

import (
	"slices"
	"strings"
	"testing"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/chart"
	"impalab/web/wire"
)

// greet opens a session as a server would: every value in force is the link's.
func greet(m *Run) {
	m.Hello()
	m.Apply(welcome(m.force, m.Preset))
}

func welcome(c hyper.Config, preset string) *wire.Welcome {
	settings := []wire.Setting{{Key: "preset", Value: preset}}
	for _, s := range c.Settings() {
		settings = append(settings, wire.Setting(s))
	}
	return &wire.Welcome{Run: "run", Key: "key", Event: 0, Fresh: true, State: wire.StateRunning, Settings: settings,
		Figures: telemetry.MetricNames()}
}

// row is the figures of a message in which one has a value, and the others have none.
func row(name string, value float32) []float32 {
	values := make([]float32, telemetry.NumMetrics)
	for i := range values {
		values[i] = nan32
	}
	values[telemetry.LookupMetric(name)] = value
	return values
}

func set(t *testing.T, m *Run, key, value string) *wire.Set {
	t.Helper()
	message, err := m.Set(key, value)
	if err != nil {
		t.Fatal(err)
	}
	s, ok := message.(*wire.Set)
	if !ok {
		t.Fatalf("Set(%s, %s) asked for %v", key, value, message)
	}
	return s
}

func expect(t *testing.T, c *Control, force, shown, state string) {
	t.Helper()
	if c.Force != force || c.Shown() != shown || c.StateName() != state {
		t.Errorf("%s: in force %q, shown %q, %s; want %q, %q, %s", c.Row.Key, c.Force, c.Shown(), c.StateName(), force, shown,
			state)
	}
}

func TestNothingIsInForceBeforeTheServerSaysSo(t *testing.T) {
	m := open("#v=1&p=cartpole&rho=4")
	expect(t, m.Control("rho"), "", "4", "pending")
	greet(m)
	expect(t, m.Control("rho"), "4", "4", "idle")
}

func TestAValueIsInForceOnlyWhenConfirmed(t *testing.T) {
	m := open("")
	greet(m)
	rho := m.Control("rho")
	first := set(t, m, "rho", "2")
	expect(t, rho, "1", "2", "pending")
	second := set(t, m, "rho", "4.0")
	if first.Seq != 1 || second.Seq != 2 || second.Value != "4" {
		t.Errorf("asked with %+v, then %+v", first, second)
	}
	m.Apply(&wire.Changed{Event: 1, Intent: 1, Key: "rho", From: "1", To: "2"})
	expect(t, rho, "2", "4", "pending")
	m.Apply(&wire.Changed{Event: 2, Intent: 2, Key: "rho", From: "2", To: "4"})
	expect(t, rho, "4", "4", "idle")
	if m.Config().RhoBar != 4 {
		t.Errorf("ρ̄ in force is %v", m.Config().RhoBar)
	}
}

func TestAnothersChangeIsShown(t *testing.T) {
	m := open("")
	greet(m)
	m.Apply(&wire.Changed{Event: 1, Key: "lag", From: "0", To: "8"})
	expect(t, m.Control("lag"), "8", "8", "idle")
	if last := m.Announcements[len(m.Announcements)-1]; last != "Policy lag is now 8 updates" {
		t.Errorf("announced %q", last)
	}
}

func TestRequestsThatUndoEachOtherEnd(t *testing.T) {
	m := open("")
	greet(m)
	set(t, m, "rho", "2")
	set(t, m, "rho", "1") // the server may answer neither
	expect(t, m.Control("rho"), "1", "1", "idle")
	m.Apply(&wire.Changed{Event: 1, Key: "rho", From: "1", To: "3"})
	expect(t, m.Control("rho"), "3", "3", "idle")
}

func TestAValueInForceIsNotRequested(t *testing.T) {
	m := open("")
	greet(m)
	if message, err := m.Set("rho", "1.0"); message != nil || err != nil {
		t.Errorf("asked %v, %v", message, err)
	}
}

func TestARefusedValueNamesTheAllowedOnesAndStays(t *testing.T) {
	m := open("")
	greet(m)
	for _, c := range []struct{ key, value, allowed string }{
		{"rho", "banana", "a number from 0 to inf"},
		{"lag", "2.5", "a whole number from 0 to 1024"},
		{"alpha", "NaN", "from 0 to 1"},
		{"correction", "magic", "none, epsilon"},
		{"hidden", "64-", "widths"},
		{"mode", "dead", "reference, live"},
	} {
		message, err := m.Set(c.key, c.value)
		if message != nil || err == nil || !strings.Contains(err.Error(), c.allowed) ||
			!strings.Contains(err.Error(), c.value) {
			t.Errorf("%s=%s: asked %v, %v", c.key, c.value, message, err)
		}
		if control := m.Control(c.key); control.StateName() != "refused" || control.Shown() != control.Force {
			t.Errorf("%s: %s, shown %q", c.key, control.StateName(), control.Shown())
		}
	}
	if m.seq != 0 {
		t.Errorf("%d requests left the page", m.seq)
	}
	set(t, m, "rho", "2")
	if m.Control("rho").Error != "" {
		t.Error("a granted wish leaves the old error standing")
	}
}

func TestCombinationsThatMakeNoSenseStay(t *testing.T) {
	m := open("#lag=8")
	greet(m)
	if message, err := m.Set("mode", "live"); message != nil || err == nil {
		t.Errorf("asked %v, %v", message, err)
	}
}

func TestTheServersRefusalReturnsToWhatIsInForce(t *testing.T) {
	m := open("")
	greet(m)
	asked := set(t, m, "rho", "2")
	m.Apply(&wire.Refused{Intent: asked.Seq, Key: "rho", Reason: "the run is locked"})
	expect(t, m.Control("rho"), "1", "1", "refused")
	if m.Control("rho").Error != "the run is locked" {
		t.Error(m.Control("rho").Error)
	}
}

func TestARefusalOfAnOlderRequestLeavesTheNewerWaiting(t *testing.T) {
	m := open("")
	greet(m)
	old := set(t, m, "rho", "2")
	set(t, m, "rho", "3")
	m.Apply(&wire.Refused{Intent: old.Seq, Key: "rho", Reason: "too fast"})
	expect(t, m.Control("rho"), "1", "3", "pending")
}

func TestAColdSettingIsConfirmedByTheNewRun(t *testing.T) {
	m := open("")
	greet(m)
	m.Apply(&wire.Point{Event: 1, Step: 100, Return: 20})
	m.Apply(&wire.Changed{Event: 2, Step: 100, Key: "rho", From: "1", To: "2"})
	message, err := m.Set("seed", "7")
	if hello, ok := message.(*wire.Hello); !ok || err != nil || hello.Run != "" || hello.Key != "key" {
		t.Errorf("asked %+v, %v", message, err)
	}
	expect(t, m.Control("seed"), "", "7", "pending")
	begun := welcome(m.force, "cartpole")
	begun.Run = "another"
	m.Apply(begun)
	expect(t, m.Control("seed"), "7", "7", "idle")
	if len(m.Return.Columns)+len(m.Marks) != 0 {
		t.Error("a new run begins with the old one's curves")
	}
	m.Apply(&wire.Point{Event: 1, Step: 10, Return: 20})
	if len(m.Return.Columns) != 1 {
		t.Error("the new run's first event was taken for an old one")
	}
	if len(m.Notices) != 0 {
		t.Errorf("notices %q", m.Notices)
	}
}

func TestNothingThatBeginsARunLosesTheOneBefore(t *testing.T) {
	for name, begin := range map[string]func(*Run) wire.Message{
		"again":  (*Run).Again,
		"reseed": func(m *Run) wire.Message { return m.Reseed(77) },
		"preset": func(m *Run) wire.Message { message, _ := m.Set("preset", "catch"); return message },
		"world":  func(m *Run) wire.Message { message, _ := m.Set("world", "catch"); return message },
		"cold":   func(m *Run) wire.Message { message, _ := m.Set("unroll", "12"); return message },
		"fork":   func(m *Run) wire.Message { return m.Fork(12) },
	} {
		m := open("#p=cartpole&lag=8&seed=5")
		greet(m)
		if m.Depth() > 0 {
			t.Errorf("%s: the first run has one before it", name)
		}
		hello, ok := begin(m).(*wire.Hello)
		if !ok || hello.Run != "" || hello.Key != "key" || hello.After != 0 {
			t.Errorf("%s: hello %+v", name, hello)
		}
		if fork := hello.From == (wire.Origin{Run: "run", Update: 12}); fork != (name == "fork") || fork &&
			hello.Settings != nil {
			t.Errorf("%s: from %+v with %v", name, hello.From, hello.Settings)
		}
		other := welcome(m.force, m.Preset)
		other.Run = "another"
		m.Apply(other)
		if want := map[string]uint64{"reseed": 77}[name]; want != 0 && m.Config().Seed != want || want == 0 &&
			m.Config().Seed != 5 {
			t.Errorf("%s: the seed is %d", name, m.Config().Seed)
		}
		if back, ok := m.Undo().(*wire.Hello); !ok || back.Run != "run" || back.Key != "key" || m.Config().Lag != 8 ||
			m.Depth() > 0 {
			t.Errorf("%s undone: %+v, lag %d", name, back, m.Config().Lag)
		}
	}
}

func TestAChangeOfARunThatIsOverBeginsAnother(t *testing.T) {
	m := open("")
	greet(m)
	m.Apply(&wire.Status{Event: 1, State: wire.StateDiverged, Reason: "update 3: NaN"})
	message, err := m.Set("lr", "0.001")
	if hello, ok := message.(*wire.Hello); !ok || err != nil || hello.Run != "" {
		t.Errorf("asked %+v, %v", message, err)
	}
}

func TestAReturningPageResumes(t *testing.T) {
	m := open("#p=lag-cliff")
	if hello := m.Hello(); hello.Run != "" ||
		!slices.Contains(hello.Settings, wire.Setting{Key: "preset", Value: "lag-cliff"}) {
		t.Errorf("first hello: %+v", hello)
	}
	m.Apply(welcome(m.force, "lag-cliff"))
	m.Apply(&wire.Point{Event: 41, Step: 100, Return: 20})
	set(t, m, "rho", "2")
	set(t, m, "c", "2")
	hello := m.Hello()
	if hello.Run != "run" || hello.Key != "key" || hello.After != 41 || hello.Settings[0].Value != "lag-cliff" {
		t.Errorf("second hello: %+v", hello)
	}
	back := welcome(m.force, "lag-cliff")
	back.Fresh = false
	for i, s := range back.Settings {
		if s.Key == "c" {
			back.Settings[i].Value = "2" // this wish arrived before the line broke, the other did not
		}
	}
	m.Apply(back)
	m.Apply(&wire.Point{Event: 41, Step: 100, Return: 20}) // seen before
	m.Apply(&wire.Point{Event: 42, Step: 200, Return: 30})
	if len(m.Return.Columns) != 2 {
		t.Errorf("%d points after resuming, want 2", len(m.Return.Columns))
	}
	expect(t, m.Control("rho"), "1", "1", "refused")
	expect(t, m.Control("c"), "2", "2", "idle")
	if asked := set(t, m, "rho", "3"); asked.Seq != 1 {
		t.Errorf("a new session counts from %d", asked.Seq)
	}
}

func TestALostRunIsReportedAndRestarts(t *testing.T) {
	m := open("")
	greet(m)
	m.Apply(&wire.Point{Event: 3, Step: 100, Return: 20})
	m.Apply(&wire.Bye{Reason: "the server is stopping"})
	m.Lost = true
	if got := read(m, "state"); got != "connection lost, trying again" {
		t.Errorf("without a connection the page says %q", got)
	}
	m.Hello()
	another := welcome(m.force, "cartpole")
	another.Run = "another"
	m.Apply(another)
	if len(m.Return.Columns) != 0 || len(m.Notices) != 1 || read(m, "state") != "running" {
		t.Errorf("%d points, notices %q, %s", len(m.Return.Columns), m.Notices, read(m, "state"))
	}
}

func read(m *Run, name string) string {
	for _, text := range Texts {
		if text.Name == name {
			return text.Read(m)
		}
	}
	return "no text is called " + name
}

func TestChangesLeaveMarksExceptOfSpeed(t *testing.T) {
	m := open("")
	greet(m)
	for i, c := range []wire.Changed{
		{Step: 1000, Key: "rho", From: "1", To: "2"},
		{Step: 1001, Key: "rho", From: "2", To: "4"}, // the same drag
		{Step: 2000, Key: "speed", From: "inf", To: "100"},
		{Step: 3000, Key: "rho", From: "4", To: "1"},
	} {
		c.Event = uint64(i + 1)
		m.Apply(&c)
	}
	want := chart.Marks{{Step: 1000, Key: "rho", From: "1", To: "4"}, {Step: 3000, Key: "rho", From: "4", To: "1"}}
	if !slices.Equal(m.Marks, want) {
		t.Errorf("marks %v, want %v", m.Marks, want)
	}
}

func TestMarksAreBounded(t *testing.T) {
	m := open("")
	greet(m)
	for i := range uint64(3000) {
		key := []string{"rho", "c"}[i%2]
		m.Apply(&wire.Changed{Event: i + 1, Step: i * 1e6, Key: key, From: "1", To: "2"})
	}
	if len(m.Marks) != chart.MaxMarks || m.Marks[chart.MaxMarks-1].Step != 2999e6 {
		t.Errorf("%d marks, the last at %d", len(m.Marks), m.Marks[len(m.Marks)-1].Step)
	}
}

func TestADivergedRunSaysWhy(t *testing.T) {
	m := open("")
	greet(m)
	m.Apply(&wire.Status{Event: 1, State: wire.StateDiverged, Reason: "V is not a number since update 812"})
	if m.StateName() != "diverged" || len(m.Notices) != 1 || !strings.Contains(m.Notices[0], "update 812") {
		t.Errorf("%s, %q", m.StateName(), m.Notices)
	}
	if said := read(m, "reason"); said != "" {
		t.Errorf("said twice: %q", said)
	}
	m.Notices = nil // closed
	if said := read(m, "reason"); !strings.Contains(said, "update 812") {
		t.Errorf("with the notice closed the page says %q", said)
	}
}

func TestANewRunBeginsWithoutTheOldOnesComplaints(t *testing.T) {
	m := open("#zebra=1")
	first := welcome(m.force, m.Preset)
	first.Unknown = []string{"zebra"}
	m.Apply(first)
	m.Apply(&wire.Status{Event: 1, State: wire.StateDiverged, Reason: "V is not a number"})
	m.Set("rho", "-1")
	m.Apply(welcome(m.force, m.Preset))
	if len(m.Notices) != 1 || !strings.Contains(m.Notices[0], "zebra") {
		t.Errorf("notices %q: want the link's alone", m.Notices)
	}
	expect(t, m.Control("rho"), "1", "1", "idle")
}

func TestAPresetIsConfirmedByTheNewRun(t *testing.T) {
	m := open("")
	greet(m)
	if _, err := m.Set("preset", "nowhere"); err == nil {
		t.Error("an unknown preset left the page")
	}
	if message, err := m.Set("preset", "catch"); err != nil || message.(*wire.Hello).Run != "" || m.Ready {
		t.Errorf("asked %+v, %v", message, err)
	}
	c, _ := hyper.FromPreset("catch")
	m.Apply(welcome(c, "catch"))
	if m.Preset != "catch" || m.Fragment() != "#v=1&p=catch&speed=inf" {
		t.Error(m.Preset, m.Fragment())
	}
}

func TestSpeedStepsByFour(t *testing.T) {
	m := open("")
	greet(m)
	if m.Faster() != "inf" {
		t.Error("faster than as fast as it goes:", m.Faster())
	}
	m.Apply(&wire.XRay{StepsPerSecond: 214000})
	for _, want := range []string{"54000", "14000", "3500", "880"} {
		asked := set(t, m, "speed", m.Slower())
		if asked.Value != want {
			t.Errorf("slower is %s, want %s", asked.Value, want)
		}
	}
	for range 6 {
		if _, err := m.Set("speed", m.Faster()); err != nil {
			t.Fatal(err)
		}
	}
	if shown := m.Control("speed").Shown(); shown != "inf" {
		t.Errorf("faster and faster ends at %s", shown)
	}
	m = open("")
	greet(m)
	m.Apply(&wire.XRay{StepsPerSecond: 900})
	m.Apply(&wire.Status{Event: 1, State: wire.StatePaused})
	if next := m.Slower(); next != "10000" {
		t.Errorf("down from full speed, paused: %s; what a paused run does in a second says nothing", next)
	}
}

func TestSlidersAndTextsAgree(t *testing.T) {
	for i := range hyper.Table {
		row := &hyper.Table[i]
		if !row.Numeric() {
			continue
		}
		for _, at := range []int{0, 1, 250, 500, 999, 1000} {
			text := Slide(row, at)
			var c hyper.Config
			if err := c.Set(row.Key, text); err != nil && !row.Open {
				t.Errorf("%s at %d: %v", row.Key, at, err)
			}
			if back := Slide(row, Position(row, text)); back != text {
				t.Errorf("%s at %d is %s, its own place %d is %s", row.Key, at, text, Position(row, text), back)
			}
		}
	}
}

func TestArrowKeysReachEveryEndAndNeverStick(t *testing.T) {
	for i := range hyper.Table {
		row := &hyper.Table[i]
		if !row.Numeric() || row.SliderMax <= row.SliderMin {
			continue
		}
		text := Slide(row, 0)
		for presses := 0; text != Slide(row, 1000); presses++ {
			next := Nudge(row, text, true)
			if next == text || presses > 110 {
				t.Fatalf("%s sticks at %s", row.Key, text)
			}
			if a, _ := row.Parse(text); true {
				if b, _ := row.Parse(next); b < a {
					t.Fatalf("%s goes up from %s to %s", row.Key, text, next)
				}
			}
			text = next
		}
		if Nudge(row, Slide(row, 0), false) != Slide(row, 0) {
			t.Errorf("%s leaves its slider", row.Key)
		}
	}
}

func TestAnUnsentRequestIsTakenBack(t *testing.T) {
	m := open("")
	greet(m)
	m.Unsent(set(t, m, "rho", "2"))
	expect(t, m.Control("rho"), "1", "1", "refused")
	if next := set(t, m, "rho", "3"); next.Seq != 1 {
		t.Errorf("the next number is %d: the server would miss one", next.Seq)
	}
}

// A notice about a lost connection goes when the connection is back.
func TestARequestThatWasNotSentIsForgottenWhenTheConnectionIsBack(t *testing.T) {
	m := open("")
	greet(m)
	m.Unsent(m.Do(wire.VerbPause))
	m.Unsent(set(t, m, "rho", "2"))
	if len(m.Notices) != 1 || m.Control("rho").Error == "" {
		t.Fatalf("without a connection: notices %q, ρ̄ says %q", m.Notices, m.Control("rho").Error)
	}
	back := welcome(m.force, m.Preset)
	back.Fresh = false
	m.Apply(back)
	if len(m.Notices) != 0 || m.Control("rho").Error != "" {
		t.Errorf("it is back: notices %q, ρ̄ says %q", m.Notices, m.Control("rho").Error)
	}
}

func TestEveryTextReadsWithAndWithoutNews(t *testing.T) {
	m := open("")
	for pass := range 2 {
		for _, text := range Texts {
			if got := text.Read(m); strings.Contains(got, "NaN") {
				t.Errorf("pass %d, %s: %q", pass, text.Name, got)
			}
		}
		greet(m)
		m.Apply(&wire.XRay{Figures: row("kl", nan32),
			StepsPerSecond: nan32})
		m.Apply(&wire.Judged{Event: 2, ValueError: nan32})
		m.Apply(&wire.Frame{Value: nan32})
		m.Apply(&wire.Gauge{Target: nan32})
		m.Apply(&wire.Point{Event: 1, Return: nan32, Low: nan32, High: nan32})
	}
}
