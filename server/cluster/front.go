package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"impalab/server/errcode"
	"impalab/web/hub"
	"impalab/web/wire"
)

// FrontOptions of a front end. Every field must be set.
type FrontOptions struct {
	NATS    *nats.Conn
	Server  *url.URL                   // the host's, for HTTP; its path is not used
	Build   string                     // of the host too
	Base    string                     // path of all pages, of the host too
	Address func(*http.Request) string // returns the visitor's address
	// Away answers a request with the reason why the host cannot answer.
	Away func(w http.ResponseWriter, r *http.Request, why error)
	Log  *slog.Logger
}

// Front shows the runs of a host. It gives pages their runs as the host's lab does.
type Front struct {
	FrontOptions
	hub  hub.Hub
	ctx  context.Context
	stop context.CancelFunc
	gone sync.WaitGroup

	mu     sync.Mutex
	relays map[string]*relay
	lost   error     // why the host cannot answer; nil if it can
	host   whoAnswer // the newest
}

var errStopping = errors.New("the server is stopping; the page connects again by itself")

// NewFront returns a front end. Its host may come later.
func NewFront(o FrontOptions) *Front {
	f := &Front{FrontOptions: o, relays: map[string]*relay{}}
	f.ctx, f.stop = context.WithCancel(context.Background())
	f.check()
	f.gone.Go(func() { // ends with Close
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				f.check()
			case <-f.ctx.Done():
				return
			}
		}
	})
	return f
}

// Close ends the front end. Its pages are told.
func (f *Front) Close() {
	f.stop()
	f.gone.Wait()
}

// check asks the host for its build and base path, and logs each change of Lost.
func (f *Front) check() {
	host, err := ask[whoAnswer](f.ctx, f.NATS, "who", struct{}{})
	switch {
	case err != nil:
	case host.Build != f.Build:
		err = errcode.Errorf(errcode.Full, "this front end is of build %s, and the server that trains of "+
			"build %s: install the same on both", f.Build, host.Build)
	case host.Base != f.Base:
		err = errcode.Errorf(errcode.Full, "the pages live under %s here, and under %s on the server that "+
			"trains: give both the same --base-url", f.Base, host.Base)
	}
	f.mu.Lock()
	before := f.lost
	if f.lost = err; err == nil {
		f.host = host
	}
	f.mu.Unlock()
	switch {
	case err != nil && (before == nil || before.Error() != err.Error()):
		f.Log.Warn("the host cannot be asked", "error", err)
	case err == nil && before != nil:
		f.Log.Info("the host answers again")
	}
}

// Lost returns why the host cannot answer; nil if it can.
func (f *Front) Lost() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lost
}

// pass returns what shows the host that a request comes from here.
func (f *Front) pass() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.host.Pass
}

// Hub returns the hub that carries the messages of all runs here.
func (f *Front) Hub() *hub.Hub { return &f.hub }

// Runs returns how many runs are shown here.
func (f *Front) Runs() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.relays)
}

// Open gives a page the run that it names, or the run that the host begins for its link.
func (f *Front) Open(hello *wire.Hello, address string) (hub.Run, error) {
	if err := f.Lost(); err != nil {
		return nil, err
	}
	frame, err := wire.Append(nil, hello)
	if err != nil {
		return nil, err
	}
	welcome, err := ask[[]byte](f.ctx, f.NATS, "open", openAsk{frame, address})
	if err != nil {
		return nil, err
	}
	m, err := wire.Decode(welcome, wire.FromServer)
	if err != nil {
		return nil, err
	}
	w, ok := m.(*wire.Welcome)
	if !ok { // the run has ended
		return nil, errAway
	}
	if w.Run != hello.Run {
		hello.After = 0 // a new run has no past
	}
	return f.join(w.Run, w.Event, &viewer{key: cmp.Or(w.Key, hello.Key), given: w.Key, steers: w.Steers})
}

// Join returns a run to look at.
func (f *Front) Join(_ context.Context, id, _ string) (hub.Run, error) {
	if err := f.Lost(); err != nil {
		return nil, err
	}
	return f.join(id, 0, &viewer{})
}

// join gives a run to a viewer, and returns when an event that the host has sent is here.
func (f *Front) join(id string, event uint64, v *viewer) (hub.Run, error) {
	f.mu.Lock()
	r := f.relays[id]
	if r == nil {
		r = &relay{front: f, id: id, name: rand.Text(), intents: mathrand.Uint32()}
		r.moved = sync.NewCond(&r.mu)
		f.relays[id] = r
		f.gone.Go(r.live) // ends without viewers, or with Close
	}
	r.viewers++
	f.mu.Unlock()
	v.relay = r
	return v, r.await(event)
}

func (f *Front) leave(r *relay) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.viewers--; r.viewers == 0 {
		r.left = time.Now()
	}
}

// abandoned reports whether a run has had no viewer for a while. Then the next viewer begins another relay.
func (f *Front) abandoned(r *relay) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.viewers > 0 || time.Since(r.left) < idle {
		return false
	}
	delete(f.relays, r.id)
	return true
}

// forget makes the next viewer begin another relay.
func (f *Front) forget(r *relay) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.relays[r.id] == r {
		delete(f.relays, r.id)
	}
}
