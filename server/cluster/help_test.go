package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"impalab/internal/kit"
	"impalab/internal/natstest"
	"impalab/web/hub"
	"impalab/web/wire"
)

// oneRun is a lab of one run without a learner: it grants requests at once.
type oneRun struct {
	hub   hub.Hub
	topic *hub.Topic

	asked chan struct{} // has the newest request to join, before it waits for mu

	mu       sync.Mutex
	watching int
	rho      string
}

const theKey = "the key of the run"

func newOneRun() *oneRun {
	l := &oneRun{rho: "1", asked: make(chan struct{}, 1)}
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
	select {
	case l.asked <- struct{}{}:
	default:
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
	if value == "later" { // refused only when its turn comes
		s.topic.SendTo(owner, &wire.Refused{Intent: intent, Key: key, Reason: "not now"})
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

// natsAt starts a NATS server; address "" takes any free port.
func natsAt(t *testing.T, address string) *natstest.Server {
	t.Helper()
	return natstest.Start(t, address, natstest.Config(theToken))
}

func connect(t *testing.T, b *natstest.Server) *nats.Conn {
	t.Helper()
	nc, err := Connect(Options{URL: b.URL, Token: theToken, Name: t.Name(), Log: logTo(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func logTo(t *testing.T) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) }

func host(t *testing.T, b *natstest.Server, runs Runs) *Host {
	t.Helper()
	h, err := NewHost(HostOptions{NATS: connect(t, b), Runs: runs, Build: "b1", Base: "/", Log: logTo(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// front is a front end. server is the address of its host; "" where nothing answers.
func front(t *testing.T, b *natstest.Server, build, server string) *Front {
	t.Helper()
	u, err := url.Parse(cmp.Or(server, "http://127.0.0.1:1"))
	if err != nil {
		t.Fatal(err)
	}
	f := NewFront(FrontOptions{NATS: connect(t, b), Server: u, Build: build, Base: "/", Log: logTo(t),
		Address: func(r *http.Request) string { return "192.0.2." + r.Header.Get("Last") },
		Away: func(w http.ResponseWriter, _ *http.Request, why error) {
			http.Error(w, why.Error(), http.StatusServiceUnavailable)
		}})
	t.Cleanup(f.Close)
	return f
}

// page is a viewer.
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
	for late := time.After(kit.Patience); len(p.came) == 0; {
		b, err := p.talk.Next()
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

// shown is a run with one point, on a host of a NATS server, and a front end of that.
func shown(t *testing.T) (*natstest.Server, *oneRun, *Front) {
	t.Helper()
	b, l := natsAt(t, ""), newOneRun()
	l.point(1)
	host(t, b, l)
	return b, l, front(t, b, "b1", "")
}
