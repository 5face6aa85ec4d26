package model

import (
	"slices"
	"strings"
	"testing"

	"impalab/wasm/run"
	"impalab/web/link"
	"impalab/web/wire"
)

// request is a message to the server of a run; a Hello starts another session.
type request struct {
	Run     *run.Run
	Message wire.Message
}

// line records the messages of a run.
type line struct {
	run    *run.Run
	sent   *[]request
	closed bool
}

func (l line) Send(m wire.Message) bool {
	*l.sent = append(*l.sent, request{l.run, m})
	return !l.closed
}

func (l line) Redial() { *l.sent = append(*l.sent, request{l.run, l.run.Hello()}) }

// asked returns the messages that a page sends while ask runs.
func asked(m *Model, ask func()) (requests []request) {
	for _, r := range m.Runs {
		r.Line = line{run: r, sent: &requests}
	}
	ask()
	return requests
}

func TestARequestWithoutAConnectionIsTakenBack(t *testing.T) {
	m := beside(t, "#v=1&p=catch")
	m.Selected().Line = line{run: m.Selected(), sent: new([]request), closed: true}
	drawn := 0
	m.Changed = func() { drawn++ }
	m.Set("rho", "2")
	if c := m.Selected().Control("rho"); !strings.Contains(c.Error, "no connection") || c.Pending() || drawn == 0 {
		t.Errorf("%+v, drawn %d times", c, drawn)
	}
}

// beside is a page of columns that the server has welcomed.
func beside(t *testing.T, fragment string) *Model {
	t.Helper()
	m := New(fragment, "key")
	for _, r := range m.Runs {
		welcomed(m, r)
	}
	return m
}

func welcomed(m *Model, r *run.Run) {
	r.Hello()
	w := welcome(r)
	w.Run, w.Key = "run of "+link.Letter(slices.Index(m.Runs, r)), ""
	if r.ID != "" {
		w.Run, w.Fresh = r.ID, false
	}
	m.Apply(r, w)
}

func TestACopyHasTheSettingsAndTheSeedAndBeginsARunOfItsOwn(t *testing.T) {
	m := beside(t, "#v=1&p=catch&seed=9&lag=4&theme=dark")
	if err := m.Copy(); err != nil {
		t.Fatal(err)
	}
	a, b := m.Runs[0], m.Selected()
	hello := b.Hello()
	if len(m.Runs) != 2 || a == b || hello.Run != "" || hello.Key != "key" || b.Config().Get("seed") != "9" ||
		b.Config().Get("lag") != "4" {
		t.Errorf("%d columns, hello %+v", len(m.Runs), hello)
	}
	welcomed(m, b)
	if a.ID == b.ID || m.Differences() != "A and B have the same settings and seed" {
		t.Errorf("runs %q and %q: %s", a.ID, b.ID, m.Differences())
	}
}

func TestAPageShowsFourColumnsAndSaysSo(t *testing.T) {
	m := beside(t, "#p=catch")
	for range link.MaxColumns - 1 {
		if err := m.Copy(); err != nil {
			t.Fatal(err)
		}
		welcomed(m, m.Selected())
	}
	if err := m.Copy(); err == nil || !strings.Contains(err.Error(), "close one") || len(m.Runs) != link.MaxColumns {
		t.Errorf("a fifth column: %v", err)
	}
	m = New("#p=catch", "")
	if err := m.Copy(); err == nil || len(m.Runs) != 1 {
		t.Error("a run that has not begun was copied")
	}
}

func TestOnlyTheKeysThatDifferAreNamed(t *testing.T) {
	m := beside(t, "#v=1&p=cartpole&seed=3&b=correction%3Dnone%26lag%3D8&b=")
	if want := "A, B and C differ in: "; !strings.HasPrefix(m.Differences(), want) ||
		!strings.Contains(m.Differences(), "orrection V-trace | none | V-trace") ||
		!strings.Contains(m.Differences(), "0 | 8 | 0") ||
		strings.Count(m.Differences(), ";") != 1 {
		t.Error(m.Differences())
	}
}

// The settings of two different curves may have become equal later. The page must say so.
func TestColumnsThatOnceDifferedSaySo(t *testing.T) {
	m := beside(t, "#v=1&p=cartpole&seed=3&b=lag%3D8")
	turn := func(r *run.Run, event, step uint64, from, to string) {
		m.Apply(r, &wire.Changed{Event: event, Step: step, Key: "lag", From: from, To: to})
	}
	turn(m.Runs[1], 1, 4000, "8", "0")
	if want := "A and B: same settings now, not before"; m.Differences() != want {
		t.Errorf("after a turn of one: %q", m.Differences())
	}
	m = beside(t, "#v=1&p=cartpole&seed=3&b=")
	for _, r := range m.Runs {
		turn(r, 1, 4000, "0", "8")
	}
	if want := "A and B have the same settings and seed"; m.Differences() != want {
		t.Errorf("after the same turn of both: %q", m.Differences())
	}
}

func TestSettingsGoToTheSelectedRunAndTimeToAll(t *testing.T) {
	m := beside(t, "#v=1&p=catch&b=lag%3D2&b=lag%3D4")
	m.Select(1)
	for _, c := range []struct {
		ask  func()
		all  bool
		want int
	}{
		{func() { m.Set("rho", "4") }, false, 1},
		{func() { m.Set("rho", "2") }, true, 3},
		{func() { m.Set("speed", "100") }, false, 3},
		{func() { m.Ask(SpeedUp) }, false, 3},
		{func() { m.Ask(PlayPause) }, false, 3},
		{func() { m.Ask(Step) }, false, 3},
		{func() { m.Ask(Again) }, false, 1},
	} {
		m.All = c.all
		sent := asked(m, c.ask)
		if len(sent) != c.want || c.want == 1 && sent[0].Run != m.Runs[1] {
			t.Errorf("asked %d columns, want %d: %+v", len(sent), c.want, sent)
		}
		for _, q := range sent {
			if q.Message == nil {
				t.Error("asked for nothing")
			}
		}
	}
}

func TestOneKeyBringsAllColumnsToTheSameState(t *testing.T) {
	m := beside(t, "#v=1&p=catch&b=")
	m.Apply(m.Runs[1], &wire.Status{Event: 1, State: wire.StatePaused})
	for _, q := range asked(m, func() { m.Ask(PlayPause) }) {
		if q.Message.(*wire.Do).Verb != wire.VerbPause {
			t.Error("A runs and B is paused: the key is to pause both")
		}
	}
	m.Select(1)
	for _, q := range asked(m, func() { m.Ask(PlayPause) }) {
		if q.Message.(*wire.Do).Verb != wire.VerbPlay {
			t.Error("with B in hand the key is to let both run")
		}
	}
}

func TestOneNewSeedForAllColumns(t *testing.T) {
	m := beside(t, "#v=1&p=catch&b=lag%3D2")
	m.All = true
	asked(m, func() { m.Ask(Reseed) })
	if a, b := m.Runs[0].Config().Get("seed"), m.Runs[1].Config().Get("seed"); a != b || a == "1" {
		t.Errorf("seeds %s and %s", a, b)
	}
}

func TestAClosedColumnComesBackWithItsRun(t *testing.T) {
	m := beside(t, "#v=1&p=catch&b=lag%3D2&b=lag%3D4")
	m.Select(1)
	second := m.Selected()
	if err := m.Close(); err != nil || len(m.Runs) != 2 || m.Selected().Config().Get("lag") != "4" {
		t.Fatalf("%v, %d columns, in hand %s", err, len(m.Runs), m.Selected().Config().Get("lag"))
	}
	asked(m, func() { m.Ask(Again) }) // restarts the other column, which must be undone first
	if m.Reopen() {
		t.Error("the column came back before what was done since was undone")
	}
	asked(m, func() { m.Ask(Undo) })
	if !m.Reopen() || m.Runs[1] != second || m.Selected() != second || second.Hello().Run != "run of B" {
		t.Errorf("%d columns, in hand %q", len(m.Runs), m.Selected().ID)
	}
	m.Close()
	m.Close()
	if err := m.Close(); err == nil || len(m.Runs) != 1 {
		t.Errorf("the last column was closed: %v", err)
	}
}

func TestTheLinkOpensEveryColumnAndAReloadTheirRuns(t *testing.T) {
	m := beside(t, "#v=1&p=catch&seed=9&theme=dark")
	m.Copy()
	welcomed(m, m.Selected())
	for _, q := range asked(m, func() { m.Set("lag", "8") }) {
		set := q.Message.(*wire.Set)
		m.Apply(q.Run, &wire.Changed{Event: 1, Intent: set.Seq, Key: "lag", From: "0", To: "8"})
	}
	shared := m.Fragment()
	if want := "#v=1&p=catch&b=lag=8&seed=9&speed=inf&theme=dark"; shared != want {
		t.Fatalf("link %s, want %s", shared, want)
	}
	again := New(shared, "key")
	again.Resume(m.IDs(), nil)
	if len(again.Runs) != 2 || again.Fragment() != shared {
		t.Fatalf("opened again: %s", again.Fragment())
	}
	for i, r := range again.Runs {
		if hello := r.Hello(); hello.Run != m.Runs[i].ID || hello.Run == "" {
			t.Errorf("column %s comes back to %q, want %q", link.Letter(i), hello.Run, m.Runs[i].ID)
		}
	}
	again.Open("#p=cartpole")
	if len(again.Runs) != 1 || again.Selected() != again.Runs[0] {
		t.Errorf("another link left %d columns", len(again.Runs))
	}
}

func TestOneKeyOwnsTheRunsOfABrowserThatHadNone(t *testing.T) {
	m := New("#p=catch&b=lag%3D2", "")
	if !m.Connectable(m.Runs[0]) || m.Connectable(m.Runs[1]) {
		t.Error("the second column asks for a key of its own")
	}
	m.Apply(m.Runs[0], welcome(m.Runs[0]))
	if !m.Connectable(m.Runs[1]) || m.Runs[1].Hello().Key != "key" {
		t.Errorf("then it says %+v", m.Runs[1].Hello())
	}
}

func TestSelectingAnotherColumnEndsTheGame(t *testing.T) {
	m := beside(t, "#p=catch&b=")
	if err := m.PlayHand(); err != nil {
		t.Fatal(err)
	}
	if !m.Select(1) || m.Playing() || m.Runs[0].Covered {
		t.Error("the game goes on in a column that is not in hand")
	}
	if m.Select(1) || m.Select(2) || m.Select(-1) {
		t.Error("a column that is not there, or is in hand already, was chosen")
	}
}

func TestTheReturnOfEveryColumnIsInOneChartOnOneAxis(t *testing.T) {
	m := beside(t, "#p=catch&b=&b=")
	for i, r := range m.Runs {
		for step := range uint64(5) {
			m.Apply(r, &wire.Point{Event: step + 1, Step: step * 100 * uint64(i+1), Return: float32(step)})
		}
	}
	for _, one := range run.Charts {
		if one.Name == "return" {
			before := one.Revision(m.Runs[0])
			if drawn := one.Draw(m.Runs[0], 600, 200); strings.Count(drawn, `class="line other ink"`) != 2 {
				t.Errorf("drawn with A in hand: %s", drawn)
			}
			if a, c := m.Runs[0].Axis().Steps, m.Runs[2].Axis().Steps; a != c || a < 1200 {
				t.Errorf("A's axis goes to %d, C's to %d", a, c)
			}
			m.Apply(m.Runs[2], &wire.Point{Event: 9, Step: 2000, Return: 1})
			if one.Revision(m.Runs[0]) == before {
				t.Error("a point of C does not reach the chart while A is in hand")
			}
		}
	}
}
