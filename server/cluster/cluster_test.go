package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"impalab/server/cluster/broker"
	"impalab/web/hub"
	"impalab/web/wire"
)

// oneRun is a lab of one run without a learner: what is asked happens at once.
type oneRun struct {
	hub   hub.Hub
	topic *hub.Topic

	mu       sync.Mutex
	watching int
	rho      string
}

const theKey = "the key of the run"

func newOneRun() *oneRun {
	l := &oneRun{rho: "1"}
	l.topic = l.hub.Topic(hub.History, 1000)
	return l
}

func (l *oneRun) Open(hello *wire.Hello, _ string) (hub.Run, error) {
	if hello.Run == "" {
		return nil, errors.New("there is one run here, and no room for another")
	}
	return l.Join(context.Background(), hello.Run, hello.Key)
}

func (l *oneRun) Join(_ context.Context, id, key string) (hub.Run, error) {
	if id != "r" {
		return nil, errors.New("there is no such run here")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watching++
	return &seat{l, key == theKey}, nil
}

func (l *oneRun) watched() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.watching > 0
}

// point tells the next point of the curves.
func (l *oneRun) point(step uint64) { l.topic.Publish(&wire.Point{Step: step}, 0) }

type seat struct {
	*oneRun
	steers bool
}

func (s *seat) Subscribe(after uint64) *hub.Subscriber {
	return s.topic.Subscribe(func() wire.Welcome {
		s.mu.Lock()
		defer s.mu.Unlock()
		return wire.Welcome{Run: "r", Steers: s.steers, State: wire.StateRunning,
			Settings: []wire.Setting{{Key: "rho", Value: s.rho}}}
	}, after)
}

func (s *seat) Set(owner uint64, intent uint32, key, value string) error {
	if !s.steers {
		return errors.New("this run belongs to somebody else")
	}
	if key != "rho" {
		return fmt.Errorf("%s is unknown; rho is known", key)
	}
	s.mu.Lock()
	from := s.rho
	s.rho = value
	s.mu.Unlock()
	if value == "later" { // what stands against it is known when its turn comes
		s.topic.Tell(owner, &wire.Refused{Intent: intent, Key: key, Reason: "not now"})
		return nil
	}
	s.topic.Publish(&wire.Changed{Intent: intent, Key: key, From: from, To: value}, owner)
	return nil
}

func (s *seat) Do(owner uint64, _ uint32, verb uint8) error {
	s.topic.Publish(&wire.Status{State: wire.StatePaused, Reason: fmt.Sprint("verb ", verb)}, owner)
	return nil
}

func (s *seat) Leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watching--
}

const theToken = "a token of a NATS server in a test"

// natsAt starts a NATS server; port "0" takes any free one.
func natsAt(t *testing.T, port string) *broker.Broker {
	t.Helper()
	b, err := broker.Start(broker.Options{Addr: net.JoinHostPort("127.0.0.1", port), Token: theToken,
		MaxPayload: MaxPayload})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func connect(t *testing.T, b *broker.Broker) *nats.Conn {
	t.Helper()
	nc, err := Connect(Options{URL: b.Address, Token: theToken, Name: t.Name(), Log: logTo(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func logTo(t *testing.T) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) }

func host(t *testing.T, b *broker.Broker, runs Runs, site http.Handler) *Host {
	t.Helper()
	h, err := NewHost(HostOptions{NATS: connect(t, b), Runs: runs, Site: site, Build: "b1", Base: "/", Log: logTo(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

func front(t *testing.T, b *broker.Broker, build string) *Front {
	t.Helper()
	f := NewFront(FrontOptions{NATS: connect(t, b), Build: build, Base: "/", Log: logTo(t),
		Address: func(r *http.Request) string { return "192.0.2." + r.Header.Get("Last") },
		Away: func(w http.ResponseWriter, _ *http.Request, why error) {
			http.Error(w, why.Error(), http.StatusServiceUnavailable)
		}})
	t.Cleanup(f.Close)
	return f
}

// page is somebody who looks on.
type page struct {
	t    *testing.T
	talk *hub.Talk
	seq  uint32
	last uint64
	came []wire.Message
	end  func()
}

func look(t *testing.T, f *Front, hello wire.Hello) *page {
	t.Helper()
	run, err := f.Open(&hello, "a")
	if err != nil {
		t.Fatal(err)
	}
	p := &page{t: t, talk: hub.Begin(run, hello.After)}
	p.end = sync.OnceFunc(p.talk.End)
	t.Cleanup(p.end)
	return p
}

// next is the next message; it fails where none comes.
func (p *page) next() wire.Message {
	p.t.Helper()
	for late := time.After(20 * time.Second); len(p.came) == 0; {
		b, err := p.talk.Take()
		if err != nil {
			p.t.Fatal(err)
		}
		if b != nil {
			frame, err := b.Frame()
			if err != nil {
				p.t.Fatal(err)
			}
			if p.came, err = wire.DecodeAll(frame, wire.FromServer); err != nil {
				p.t.Fatal(err)
			}
			continue
		}
		select {
		case <-p.talk.Ready():
		case <-late:
			p.t.Fatal("nothing comes")
		}
	}
	m := p.came[0]
	p.came = p.came[1:]
	if e, ok := m.(wire.Event); ok {
		n := *e.EventNumber()
		if p.last != 0 && n != p.last+1 {
			p.t.Errorf("event %d came after %d", n, p.last)
		}
		p.last = n
	}
	return m
}

// until reads to a message of one kind.
func until[M wire.Message](p *page) M {
	p.t.Helper()
	for {
		if m, ok := p.next().(M); ok {
			return m
		}
	}
}

func (p *page) set(key, value string) {
	p.t.Helper()
	p.seq++
	if err := p.talk.Hear(&wire.Set{Seq: p.seq, Key: key, Value: value}); err != nil {
		p.t.Fatal(err)
	}
}

func TestAFrontEndTellsTheSameEventsUnderTheSameNumbers(t *testing.T) {
	b, l := natsAt(t, "0"), newOneRun()
	l.point(1)
	l.point(2)
	host(t, b, l, nil)
	f := front(t, b, "b1")
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
	again := look(t, front(t, b, "b1"), wire.Hello{Run: "r", After: 1002}) // as a page that comes from another front end
	if w := until[*wire.Welcome](again); w.Fresh || w.Event != 1003 {
		t.Errorf("welcomed back with %+v", w)
	}
	if p := until[*wire.Point](again); p.Event != 1003 {
		t.Errorf("got %+v", p)
	}
}

func TestTheHostTellsAFrontEndOnceHoweverManyLookOn(t *testing.T) {
	b, l := natsAt(t, "0"), newOneRun()
	l.point(0)
	host(t, b, l, nil)
	f := front(t, b, "b1")
	var pages []*page
	for range 200 {
		pages = append(pages, look(t, f, wire.Hello{Run: "r"}))
	}
	for _, p := range pages {
		until[*wire.Point](p)
	}
	if n := l.topic.Subscribers(); n != 1 {
		t.Errorf("%d front ends look on at the host, want 1", n)
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

func TestWhoSteersAtAFrontEndIsAnsweredAndNobodyElse(t *testing.T) {
	b, l := natsAt(t, "0"), newOneRun()
	l.point(1)
	host(t, b, l, nil)
	f := front(t, b, "b1")
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

func TestARunNobodyLooksOnAtIsGivenBack(t *testing.T) {
	b, l := natsAt(t, "0"), newOneRun()
	l.point(1)
	host(t, b, l, nil)
	f := front(t, b, "b1")
	p := look(t, f, wire.Hello{Run: "r"})
	until[*wire.Point](p)
	p.end()
	for end := time.Now().Add(10 * time.Second); l.watched(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the host still thinks that somebody looks on")
		}
	}
	if f.Runs() != 0 {
		t.Error("the front end still holds it")
	}
}

// port is where a NATS server listens, to have another there.
func port(b *broker.Broker) string {
	return b.Address[strings.LastIndex(b.Address, ":")+1:]
}

func TestAShortLossOfNATSIsNotNoticed(t *testing.T) {
	b, l := natsAt(t, "0"), newOneRun()
	l.point(1)
	host(t, b, l, nil)
	f := front(t, b, "b1")
	p := look(t, f, wire.Hello{Run: "r"})
	until[*wire.Point](p)
	b.Close()
	l.point(2)
	l.point(3)
	natsAt(t, port(b))
	l.point(4)
	for p.last < 1004 {
		if bye, ok := p.next().(*wire.Bye); ok {
			t.Fatalf("the page was told %q", bye.Reason)
		}
	}
}

func TestWhileNATSIsAwayPagesAreToldSoAndThenGetWhatTheyMissed(t *testing.T) {
	b, l := natsAt(t, "0"), newOneRun()
	l.point(1)
	host(t, b, l, nil)
	f := front(t, b, "b1")
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
	natsAt(t, port(b))
	for end := time.Now().Add(20 * time.Second); f.Lost() != nil; time.Sleep(20 * time.Millisecond) {
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
	b, l := natsAt(t, "0"), newOneRun()
	l.point(1)
	h := host(t, b, l, nil)
	f := front(t, b, "b1")
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

func TestAFrontEndOfAnotherBuildSaysSo(t *testing.T) {
	b := natsAt(t, "0")
	host(t, b, newOneRun(), nil)
	f := front(t, b, "b2")
	_, err := f.Open(&wire.Hello{Run: "r"}, "a")
	for _, word := range []string{"build b2", "build b1"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("it says %v, without %q", err, word)
		}
	}
}

func TestASecondHostIsRefusedByName(t *testing.T) {
	b := natsAt(t, "0")
	host(t, b, newOneRun(), nil)
	_, err := NewHost(HostOptions{NATS: connect(t, b), Runs: newOneRun(), Build: "b9", Log: logTo(t)})
	if err == nil || !strings.Contains(err.Error(), "build b1") {
		t.Errorf("a second host: %v", err)
	}
}

func TestAChangeWhoseAnswerWasLostIsShown(t *testing.T) {
	b, l := natsAt(t, "0"), newOneRun()
	l.point(1)
	host(t, b, l, nil)
	f := front(t, b, "b1")
	p := look(t, f, wire.Hello{Run: "r", Key: theKey})
	until[*wire.Point](p)
	l.mu.Lock() // the host is in the middle of the change when NATS goes away
	refused := make(chan error, 1)
	go func() { refused <- p.talk.Hear(&wire.Set{Seq: 1, Key: "rho", Value: "2"}) }()
	time.Sleep(200 * time.Millisecond)
	b.Close()
	l.mu.Unlock()
	natsAt(t, port(b))
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

func TestAFrontEndThatIsSlowMissesFramesAndNoEvent(t *testing.T) {
	b, l := natsAt(t, "0"), newOneRun()
	l.point(1)
	host(t, b, l, nil)
	f := front(t, b, "b1")
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

// faulty has a run that panics when it is joined.
type faulty struct{ *oneRun }

func (faulty) Join(context.Context, string, string) (hub.Run, error) { panic("a fault of ours") }

func TestAPanicEndsTheRequestThatMetIt(t *testing.T) {
	b := natsAt(t, "0")
	host(t, b, faulty{newOneRun()}, nil)
	f := front(t, b, "b1")
	for range 2 {
		if _, err := f.Join(t.Context(), "r", ""); err == nil || !strings.Contains(err.Error(), "internal error") {
			t.Errorf("it says %v", err)
		}
	}
}
