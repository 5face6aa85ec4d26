package session

import (
	"net/http/httptest"
	"runtime/pprof"
	"strings"
	"testing"

	"impalab/web/hub"
	"impalab/web/wire"
)

func TestHelloIsAnsweredByWelcome(t *testing.T) {
	bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
		_, server, _ := site(t, newOneRun(), Options{})
		w := greet(t, connect(server))
		if w.Run != "r" || !w.Fresh || len(w.Settings) != 1 || w.Settings[0].Value != "1" {
			t.Errorf("got %+v", w)
		}
	})
}

func TestSetIsAnsweredByChangedWithTheSendersIntent(t *testing.T) {
	bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
		_, server, _ := site(t, newOneRun(), Options{})
		mine, other := connect(server), connect(server)
		greet(t, mine)
		greet(t, other)
		mine.say(encode(t, &wire.Set{Seq: 1, Key: "rho", Value: "2"}))
		if c := expect[*wire.Changed](t, mine); c.Intent != 1 || c.From != "1" || c.To != "2" {
			t.Errorf("the one that asked got %+v", c)
		}
		if c := expect[*wire.Changed](t, other); c.Intent != 0 || c.To != "2" {
			t.Errorf("the other got %+v", c)
		}
	})
}

func TestARefusalReachesItsSenderOnly(t *testing.T) {
	bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
		l := newOneRun()
		_, server, _ := site(t, l, Options{})
		mine, other := connect(server), connect(server)
		greet(t, mine)
		greet(t, other)
		mine.say(encode(t, &wire.Set{Seq: 1, Key: "mu", Value: "2"}))
		if r := expect[*wire.Refused](t, mine); r.Intent != 1 || r.Key != "mu" || r.Reason != "mu is unknown; rho is known" {
			t.Errorf("got %+v", r)
		}
		mine.say(encode(t, &wire.Do{Seq: 2, Verb: 77}))
		if r := expect[*wire.Refused](t, mine); r.Intent != 2 || r.Reason != "verb 77 is unknown" {
			t.Errorf("got %+v", r)
		}
		mine.say(encode(t, &wire.Do{Seq: 3, Verb: wire.VerbPause}))
		expect[*wire.Status](t, mine)
		expect[*wire.Status](t, other)
	})
}

func TestWhoComesBackGetsExactlyTheEventsItMissed(t *testing.T) {
	bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
		l := newOneRun()
		_, server, _ := site(t, l, Options{})
		first := connect(server)
		greet(t, first)
		l.topic.Publish(&wire.Point{Step: 10}, 0)
		last := expect[*wire.Point](t, first).Event
		first.drop()
		l.topic.Publish(&wire.Point{Step: 20}, 0)
		l.topic.Offer(&wire.Frame{Number: 1})
		l.topic.Publish(&wire.Point{Step: 30}, 0)

		again := connect(server)
		again.say(encode(t, &wire.Hello{Run: "r", Key: "k", After: last}))
		if w := expect[*wire.Welcome](t, again); w.Fresh || w.Event != last+2 {
			t.Errorf("welcomed back with %+v", w)
		}
		for i, step := range []uint64{20, 30} {
			if p := expect[*wire.Point](t, again); p.Step != step || p.Event != last+1+uint64(i) {
				t.Errorf("got %+v", p)
			}
		}
		expect[*wire.Frame](t, again)
	})
}

func TestAPageWithoutARunStartsFresh(t *testing.T) {
	bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
		l := anyRun{newOneRun()}
		_, server, _ := site(t, l, Options{})
		l.topic.Publish(&wire.Point{Step: 10}, 0)
		b := connect(server)
		b.say(encode(t, &wire.Hello{After: 2}))
		if w := expect[*wire.Welcome](t, b); !w.Fresh {
			t.Errorf("welcomed with %+v", w)
		}
		if p := expect[*wire.Point](t, b); p.Step != 10 {
			t.Errorf("got %+v", p)
		}
	})
}

// anyRun leaves After as it came.
type anyRun struct{ *oneRun }

func (l anyRun) Open(*wire.Hello, string) (hub.Run, error) { return l.oneRun.Open(&wire.Hello{}, "") }

func TestAStreamThatReconnectsByItselfNamesItsLastEvent(t *testing.T) {
	l := newOneRun()
	_, server, _ := site(t, l, Options{})
	n := l.topic.Publish(&wire.Point{Step: 10}, 0)
	l.topic.Publish(&wire.Point{Step: 20}, 0)
	b := openStream(t, server, "2")
	defer b.drop()
	b.say(encode(t, &wire.Hello{Run: "r", Key: "k"}))
	if w := expect[*wire.Welcome](t, b); w.Fresh || n != 2 {
		t.Errorf("welcomed back with %+v", w)
	}
	if p := expect[*wire.Point](t, b); p.Step != 20 {
		t.Errorf("got %+v", p)
	}
}

func TestWhatBreaksTheRulesEndsItsOwnSessionOnly(t *testing.T) {
	hello := encode(t, &wire.Hello{})
	set := func(seq uint32) []byte { return encode(t, &wire.Set{Seq: seq, Key: "rho", Value: "3"}) }
	version := append([]byte{wire.Version - 1}, hello[1:]...)
	for name, c := range map[string]struct {
		frames [][]byte
		bye    string
	}{
		"nothing": {[][]byte{{}}, "the frame has 0 bytes; the shortest has 2"},
		"old version": {[][]byte{version},
			"the browser speaks version 4 of the protocol and this side version 5; reload the page"},
		"unknown type":    {[][]byte{{wire.Version, 99}}, "a message of type 99 is unknown"},
		"wrong direction": {[][]byte{hello, encode(t, &wire.Bye{Reason: "x"})}, "Bye: a browser does not send it"},
		"too long":        {[][]byte{hello, append(set(1), 0)}, "Set: 1 bytes follow its end"},
		"oversized": {[][]byte{hello, make([]byte, wire.MaxFromBrowser+1)},
			"the frame has 16385 bytes; the limit from a browser is 16384"},
		"no Hello":     {[][]byte{set(1)}, "out of order: the first message must be Hello"},
		"Hello again":  {[][]byte{hello, hello}, "out of order: Hello comes once"},
		"Seq left out": {[][]byte{hello, set(1), set(3)}, "out of order: message 3 came where 2 belongs"},
		"Seq repeated": {[][]byte{hello, set(1), set(1)}, "out of order: message 1 came where 2 belongs"},
		"Seq from 0":   {[][]byte{hello, set(0)}, "out of order: message 0 came where 1 belongs"},
		"lab says no": {[][]byte{encode(t, &wire.Hello{Settings: []wire.Setting{{Key: "preset", Value: "none"}}})},
			`preset "none" is unknown`},
		"a fault of ours": {[][]byte{hello, encode(t, &wire.Set{Seq: 1, Key: "panic"})}, errInternal.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
				_, server, _ := site(t, newOneRun(), Options{})
				good, bad := connect(server), connect(server)
				greet(t, good)
				for _, frame := range c.frames {
					bad.say(frame)
				}
				expectBye(t, bad, c.bye)
				good.say(set(1))
				for {
					if c := expect[*wire.Changed](t, good); c.Intent == 1 {
						break // the other's change, where it made one, came with Intent 0
					}
				}
			})
		})
	}
}

func TestAFloodEndsItsSession(t *testing.T) {
	bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
		_, server, _ := site(t, newOneRun(), Options{Rate: 0.001, Burst: 3})
		b := connect(server)
		greet(t, b)
		for seq := range uint32(2) {
			b.say(encode(t, &wire.Set{Seq: seq + 1, Key: "rho", Value: "2"}))
			expect[*wire.Changed](t, b)
		}
		b.say(encode(t, &wire.Set{Seq: 3, Key: "rho", Value: "2"}))
		expectBye(t, b, "too fast: more than 0.001 messages a second, or 3 at once")
	})
}

func TestAStoppingServerSendsByeToAllPages(t *testing.T) {
	bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
		l := newOneRun()
		g, server, stop := site(t, l, Options{})
		watching, silent := connect(server), connect(server)
		greet(t, watching)
		stop()
		expectBye(t, watching, errStopping.Error())
		expectBye(t, silent, errStopping.Error())
		g.Wait()
		if came, left := l.watchers(); came != 1 || left != 1 {
			t.Errorf("%d came to the run and %d left it", came, left)
		}
		if n := l.topic.Subscribers(); n != 0 {
			t.Errorf("%d subscribers are left", n)
		}
	})
}

func TestTheEndOfARunIsSentToAllPages(t *testing.T) {
	bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
		l := newOneRun()
		_, server, _ := site(t, l, Options{})
		b := connect(server)
		greet(t, b)
		l.topic.Close("this run is over")
		expectBye(t, b, "this run is over")
	})
}

func TestNoGoroutineOutlivesItsSession(t *testing.T) {
	bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
		g, server, stop := site(t, newOneRun(), Options{})
		for i := range 12 {
			b := connect(server)
			switch i % 4 {
			case 0: // leaves without a word
			case 1:
				greet(t, b)
			case 2:
				b.say([]byte{1, 99})
			case 3:
				greet(t, b)
				continue // still there when the server stops
			}
			b.drop()
		}
		stop()
		g.Wait()
		if n := g.Sessions(); n != 0 {
			t.Errorf("%d sessions are left", n)
		}
		var stacks strings.Builder
		pprof.Lookup("goroutine").WriteTo(&stacks, 2)
		for stack := range strings.SplitSeq(stacks.String(), "\n\n") {
			// A handler may still be returning to net/http; the goroutines of a session must have ended.
			if strings.Contains(stack, "session.(*session)") {
				t.Errorf("left behind:\n%s", stack)
			}
		}
	})
}
