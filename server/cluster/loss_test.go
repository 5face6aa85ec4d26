package cluster

import (
	"context"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/web/hub"
	"impalab/web/wire"
)

func TestAShortLossOfNATSIsNotNoticed(t *testing.T) {
	for noticed := true; noticed; {
		b, l, f := shown(t)
		p := look(t, f, wire.Hello{Run: "r"})
		until[*wire.Point](p)
		lost := time.Now()
		b.Close()
		l.point(2)
		l.point(3)
		natsAt(t, strings.TrimPrefix(b.URL, "nats://"))
		l.point(4)
		for noticed = false; p.last < 1004 && !noticed; {
			bye, ok := p.next().(*wire.Bye)
			if noticed = ok; ok && time.Since(lost) < patient {
				t.Fatalf("the page was told %q", bye.Reason)
			}
		} // a machine that took long to start NATS tries again
	}
}

func TestWhileNATSIsAwayPagesAreToldSoAndThenGetWhatTheyMissed(t *testing.T) {
	b, l, f := shown(t)
	p := look(t, f, wire.Hello{Run: "r"})
	until[*wire.Point](p)
	b.Close()
	l.point(2)
	if bye := until[*wire.Bye](p); !strings.Contains(bye.Reason, "cannot be reached") {
		t.Errorf("the page was told %q", bye.Reason)
	}
	if _, err := f.Open(&wire.Hello{Run: "r"}, "a"); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("who comes then is told %v", err)
	}
	if !l.watched() {
		t.Error("the run counts as left, and would rest")
	}
	l.point(3)
	natsAt(t, strings.TrimPrefix(b.URL, "nats://"))
	for end := time.Now().Add(kit.Patience); f.Lost() != nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the front end does not come back: ", f.Lost())
		}
	}
	again := look(t, f, wire.Hello{Run: "r", After: p.last})
	if w := until[*wire.Welcome](again); w.Fresh {
		t.Errorf("welcomed back with %+v", w)
	}
	for _, step := range []uint64{2, 3} {
		if m := until[*wire.Point](again); m.Step != step {
			t.Errorf("got %+v, want step %d", m, step)
		}
	}
}

func TestAHostThatStopsSaysGoodbye(t *testing.T) {
	b, l := natsAt(t, ""), newOneRun()
	l.point(1)
	h := host(t, b, l)
	f := front(t, b, "b1", "")
	p := look(t, f, wire.Hello{Run: "r"})
	until[*wire.Point](p)
	h.Close()
	if bye := until[*wire.Bye](p); !strings.Contains(bye.Reason, "connects again by itself") {
		t.Errorf("the page was told %q", bye.Reason)
	}
	if l.watched() {
		t.Error("the run counts as watched")
	}
}

func TestAChangeWhoseAnswerWasLostIsShown(t *testing.T) {
	b, l, f := shown(t)
	p := look(t, f, wire.Hello{Run: "r", Key: theKey})
	until[*wire.Point](p)
	l.mu.Lock() // the host is in the middle of the change when NATS goes away
	<-l.asked   // by its page; the next request is the host's, for the change
	refused := make(chan error, 1)
	go func() { refused <- p.talk.Hear(&wire.Set{Seq: 1, Key: "rho", Value: "2"}) }()
	<-l.asked
	b.Close()
	l.mu.Unlock()
	natsAt(t, strings.TrimPrefix(b.URL, "nats://"))
	if err := <-refused; err != nil {
		t.Fatal(err)
	}
	var told *wire.Refused
	var shown *wire.Changed
	for told == nil || shown == nil {
		switch m := p.next().(type) {
		case *wire.Refused:
			told = m
		case *wire.Changed:
			shown = m
		case *wire.Bye:
			t.Fatalf("the page was told %q", m.Reason)
		}
	}
	if told.Intent != 1 || !strings.Contains(told.Reason, "cannot be reached") {
		t.Errorf("the page is told %+v", told)
	}
	if shown.Intent != 0 || shown.To != "2" {
		t.Errorf("the page is shown %+v", shown)
	}
}

// faulty has a run that panics when it is joined.
type faulty struct{ *oneRun }

func (faulty) Join(context.Context, string, string) (hub.Run, error) { panic("a fault of ours") }

func TestAPanicEndsTheRequestThatMetIt(t *testing.T) {
	b := natsAt(t, "")
	host(t, b, faulty{newOneRun()})
	f := front(t, b, "b1", "")
	for range 2 {
		if _, err := f.Join(t.Context(), "r", ""); err == nil || !strings.Contains(err.Error(), "internal error") {
			t.Errorf("it says %v", err)
		}
	}
}
