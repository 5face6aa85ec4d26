package cluster

import (
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/web/wire"
)

func TestAFrontEndTellsTheSameEventsUnderTheSameNumbers(t *testing.T) {
	b, l := natsAt(t, ""), newOneRun()
	l.point(1)
	l.point(2)
	host(t, b, l)
	f := front(t, b, "b1", "")
	first := look(t, f, wire.Hello{Run: "r"})
	if w := until[*wire.Welcome](first); !w.Fresh || w.Steers || w.Settings[0].Value != "1" {
		t.Errorf("welcomed with %+v", w)
	}
	for step := range uint64(2) {
		if p := until[*wire.Point](first); p.Step != step+1 || p.Event != 1001+step {
			t.Errorf("got %+v", p)
		}
	}
	l.point(3)
	l.topic.Offer(&wire.XRay{Step: 7})
	if p := until[*wire.Point](first); p.Step != 3 {
		t.Errorf("got %+v", p)
	}
	if x := until[*wire.XRay](first); x.Step != 7 {
		t.Errorf("got %+v", x)
	}
	again := look(t, front(t, b, "b1", ""), wire.Hello{Run: "r", After: 1002}) // a page of another front end comes
	if w := until[*wire.Welcome](again); w.Fresh || w.Event != 1003 {
		t.Errorf("welcomed back with %+v", w)
	}
	if p := until[*wire.Point](again); p.Event != 1003 {
		t.Errorf("got %+v", p)
	}
}

func TestTheHostPublishesOnceHoweverManyFrontEndsAndPagesLookOn(t *testing.T) {
	b, l := natsAt(t, ""), newOneRun()
	l.point(0)
	host(t, b, l)
	fronts := []*Front{front(t, b, "b1", ""), front(t, b, "b1", "")}
	var pages []*page
	for i := range 200 {
		pages = append(pages, look(t, fronts[i%2], wire.Hello{Run: "r"}))
	}
	for _, p := range pages {
		until[*wire.Point](p)
	}
	if n := l.topic.Subscribers(); n != 1 {
		t.Errorf("the host has %d viewers, want its feed alone", n)
	}
	before := l.hub.Sent()
	const told = 20
	for step := range uint64(told) {
		l.point(1 + step)
	}
	for _, p := range pages {
		for p.last < 1001+told {
			p.next()
		}
	}
	if sent := l.hub.Sent() - before; sent > told {
		t.Errorf("%d messages went from the host to 200 pages that were told %d events", sent, told)
	}
}

func TestAnAnswerAtAFrontEndReachesItsSenderOnly(t *testing.T) {
	_, _, f := shown(t)
	mine, other := look(t, f, wire.Hello{Run: "r", Key: theKey}), look(t, f, wire.Hello{Run: "r", Key: "a wrong key"})
	if !until[*wire.Welcome](mine).Steers || until[*wire.Welcome](other).Steers {
		t.Error("who has the key steers, and nobody else")
	}
	mine.set("rho", "2")
	if c := until[*wire.Changed](mine); c.Intent != 1 || c.To != "2" {
		t.Errorf("the one that asked got %+v", c)
	}
	if c := until[*wire.Changed](other); c.Intent != 0 || c.To != "2" {
		t.Errorf("the other got %+v", c)
	}
	mine.set("mu", "2")
	if r := until[*wire.Refused](mine); r.Intent != 2 || r.Key != "mu" || r.Reason != "mu is unknown; rho is known" {
		t.Errorf("got %+v", r)
	}
	mine.set("rho", "later")
	if r := until[*wire.Refused](mine); r.Intent != 3 || r.Reason != "not now" {
		t.Errorf("got %+v", r)
	}
	other.set("rho", "5")
	if r := until[*wire.Refused](other); r.Reason != "this run belongs to somebody else" {
		t.Errorf("got %+v", r)
	}
	if err := mine.talk.Hear(&wire.Do{Seq: 4, Verb: wire.VerbPause}); err != nil {
		t.Fatal(err)
	}
	until[*wire.Status](mine)
	until[*wire.Status](other)
	late := look(t, f, wire.Hello{Run: "r"}) // the relay keeps the welcome up to date
	if w := until[*wire.Welcome](late); w.Settings[0].Value != "2" || w.State != wire.StatePaused {
		t.Errorf("welcomed with %+v", w)
	}
	if _, err := f.Open(&wire.Hello{}, "a"); err == nil || !strings.HasPrefix(err.Error(), "there is one run here") {
		t.Errorf("a refusal of the host's is told as %v", err)
	}
}

func TestAnUnwatchedRunIsReleased(t *testing.T) {
	_, l, f := shown(t)
	p := look(t, f, wire.Hello{Run: "r"})
	until[*wire.Point](p)
	p.end()
	for end := time.Now().Add(kit.Patience); l.watched(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the host still thinks that somebody looks on")
		}
	}
	if f.Runs() != 0 {
		t.Error("the front end still holds it")
	}
}

func TestAFrontEndOfAnotherBuildSaysSo(t *testing.T) {
	b := natsAt(t, "")
	host(t, b, newOneRun())
	f := front(t, b, "b2", "")
	_, err := f.Open(&wire.Hello{Run: "r"}, "a")
	for _, word := range []string{"build b2", "build b1"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("it says %v, without %q", err, word)
		}
	}
}

func TestASecondHostIsRefusedByName(t *testing.T) {
	b := natsAt(t, "")
	host(t, b, newOneRun())
	_, err := NewHost(HostOptions{NATS: connect(t, b), Runs: newOneRun(), Build: "b9", Log: logTo(t)})
	if err == nil || !strings.Contains(err.Error(), "build b1") {
		t.Errorf("a second host: %v", err)
	}
}

func TestAFrontEndThatIsSlowMissesFramesAndNoEvent(t *testing.T) {
	_, l, f := shown(t)
	p := look(t, f, wire.Hello{Run: "r"})
	until[*wire.Point](p)
	r := f.relays["r"]
	r.mu.Lock() // whatever it does it waits here
	const told = 3000
	for n := range uint64(told) {
		l.point(2 + n)
		l.topic.Offer(&wire.Frame{Number: n})
		if n%100 == 0 {
			time.Sleep(2 * time.Millisecond)
		}
	}
	r.mu.Unlock()
	frames := 0
	for p.last < 1001+told {
		if _, ok := p.next().(*wire.Frame); ok {
			frames++
		}
	}
	if frames > 100 {
		t.Errorf("%d frames came of %d; it should have missed most", frames, told)
	}
}
