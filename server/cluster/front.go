package cluster

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"impalab/server/errcode"
	"impalab/web/hub"
	"impalab/web/wire"
)

// FrontOptions are what a front end is made of; all are wanted.
type FrontOptions struct {
	NATS    *nats.Conn
	Build   string                     // that the host must have too
	Base    string                     // path that all pages live under, as the host's
	Address func(*http.Request) string // whom a request counts for
	// Away answers a request with why the host cannot be asked.
	Away func(w http.ResponseWriter, r *http.Request, why error)
	Log  *slog.Logger
}

// Front shows the runs of a host. It gives pages their runs as the host's lab does.
type Front struct {
	FrontOptions
	nc   *nats.Conn
	hub  hub.Hub
	ctx  context.Context
	stop context.CancelFunc
	gone sync.WaitGroup
	lost atomic.Pointer[error] // why the host cannot be asked; nil when it can

	mu     sync.Mutex
	relays map[string]*relay
}

var errStopping = errors.New("the server is stopping; the page connects again by itself")

// NewFront makes a front end, whether its host is there by now or not.
func NewFront(o FrontOptions) *Front {
	f := &Front{FrontOptions: o, nc: o.NATS, relays: map[string]*relay{}}
	f.ctx, f.stop = context.WithCancel(context.Background())
	f.look()
	f.gone.Go(func() { // ends with Close
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				f.look()
			case <-f.ctx.Done():
				return
			}
		}
	})
	return f
}

// Close ends it. Pages hear goodbye.
func (f *Front) Close() {
	f.stop()
	f.gone.Wait()
}

// look asks who the host is. Each change is logged.
func (f *Front) look() {
	host, err := ask[whoAsk, whoAnswer](f.ctx, f.nc, "who", whoAsk{})
	switch {
	case err != nil:
	case host.Build != f.Build:
		err = errcode.Errorf(errcode.Full, "this front end is of build %s, and the server that trains of "+
			"build %s: install the same on both", f.Build, host.Build)
	case host.Base != f.Base:
		err = errcode.Errorf(errcode.Full, "the pages live under %s here, and under %s on the server that "+
			"trains: give both the same --base-url", f.Base, host.Base)
	}
	before := f.lost.Load()
	f.lost.Store(nil)
	if err != nil {
		f.lost.Store(&err)
	}
	switch {
	case err != nil && (before == nil || (*before).Error() != err.Error()):
		f.Log.Warn("the host cannot be asked", "error", err)
	case err == nil && before != nil:
		f.Log.Info("the host answers again")
	}
}

// Lost is why the host cannot be asked; nil when it can.
func (f *Front) Lost() error {
	if err := f.lost.Load(); err != nil {
		return *err
	}
	return nil
}

// Hub is what carries what all runs tell here.
func (f *Front) Hub() *hub.Hub { return &f.hub }

// Runs is how many runs are shown here.
func (f *Front) Runs() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.relays)
}

// Open gives a page the run it names, or has the host begin the one its link describes.
func (f *Front) Open(hello *wire.Hello, address string) (hub.Run, error) {
	if err := f.Lost(); err != nil {
		return nil, err
	}
	frame, err := wire.Append(nil, hello)
	if err != nil {
		return nil, err
	}
	a, err := ask[openAsk, openAnswer](f.ctx, f.nc, "open", openAsk{frame, address})
	if err != nil {
		return nil, err
	}
	m, err := wire.Decode(a.Welcome, wire.FromServer)
	if err != nil {
		return nil, err
	}
	w, ok := m.(*wire.Welcome)
	if !ok { // the run has just ended
		return nil, errAway
	}
	r, err := f.join(w.Run, w.Event)
	if err != nil {
		return nil, err
	}
	if w.Run != hello.Run {
		hello.After = 0 // a new run has no past
	}
	return &viewer{r, cmp.Or(w.Key, hello.Key), w.Key, w.Steers}, nil
}

// Join is a run to look at.
func (f *Front) Join(_ context.Context, id, _ string) (hub.Run, error) {
	if err := f.Lost(); err != nil {
		return nil, err
	}
	r, err := f.join(id, 0)
	if err != nil {
		return nil, err
	}
	return &viewer{relay: r}, nil
}

// join counts somebody in who looks on at a run, of which the host has told that event.
func (f *Front) join(id string, event uint64) (*relay, error) {
	f.mu.Lock()
	r := f.relays[id]
	if r == nil {
		r = &relay{front: f, id: id, ready: make(chan struct{})}
		r.moved = sync.NewCond(&r.mu)
		f.relays[id] = r
		f.gone.Go(r.live) // ends when nobody looks on, or with Close
	}
	r.looking++
	f.mu.Unlock()
	<-r.ready
	if r.err != nil {
		return nil, r.err
	}
	r.await(max(event, r.begun))
	return r, nil
}

func (f *Front) leave(r *relay) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.looking--; r.looking == 0 {
		r.left = time.Now()
	}
}

// abandoned says that nobody has looked on at a run for a while, and that nobody will: who comes now begins another
// relay.
func (f *Front) abandoned(r *relay) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.looking > 0 || time.Since(r.left) < idle {
		return false
	}
	f.forgetLocked(r)
	return true
}

// forget has who comes now begin another relay.
func (f *Front) forget(r *relay) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forgetLocked(r)
}

func (f *Front) forgetLocked(r *relay) {
	if f.relays[r.id] == r {
		delete(f.relays, r.id)
	}
}

// lines are how many lines to the host wait for the next request.
const lines = 64

// Pass answers with what the host answers.
func (f *Front) Pass() http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = "http", "host"
			r.Out.Host = r.In.Host
			if r.In.Body == http.NoBody { // whatever was announced: see guard.Bodies
				r.Out.ContentLength, r.Out.TransferEncoding = 0, nil
			}
			r.Out.Header.Set(visitorHeader, f.Address(r.In))
		},
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, f.ctx, f.nc) },
			// What browsers and the host agree on is theirs.
			DisableCompression: true, MaxIdleConns: lines, MaxIdleConnsPerHost: lines, IdleConnTimeout: 20 * time.Second,
		},
		ErrorLog: slog.NewLogLogger(f.Log.Handler(), slog.LevelDebug),
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			f.Log.Debug("the host did not answer a request", "path", r.URL.Path, "error", err)
			f.Away(w, r, cmp.Or(f.Lost(), error(errAway)))
		},
	}
}
