package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"impalab/web/hub"
	"impalab/web/wire"
)

// Runs are the host's runs.
type Runs interface {
	// Open gives a page the run that it names, or begins a run, as for the host's own pages.
	Open(hello *wire.Hello, address string) (hub.Run, error)
	// Join returns a run with the rights of the key, until Leave.
	Join(ctx context.Context, id, key string) (hub.Run, error)
}

// HostOptions of a host. Every field must be set.
type HostOptions struct {
	NATS  *nats.Conn
	Runs  Runs
	Site  http.Handler // answers requests that front ends pass on
	Build string       // of front ends too
	Base  string       // path of all pages
	Log   *slog.Logger
}

// lingers is how long a run counts as watched after its front end was lost.
const lingers = 15 * time.Second

// Host is the server whose runs front ends show.
type Host struct {
	HostOptions
	ctx     context.Context
	stop    context.CancelFunc
	gone    sync.WaitGroup
	service micro.Service
	lines   *listener
	http    *http.Server
}

// NewHost begins to answer front ends.
func NewHost(o HostOptions) (*Host, error) {
	h := &Host{HostOptions: o}
	if other, err := ask[whoAnswer](context.Background(), o.NATS, "who", struct{}{}); err == nil {
		return nil, fmt.Errorf("another server, of build %s, has its front ends at this NATS server: stop it, or give each "+
			"an account of its own there", other.Build)
	}
	h.ctx, h.stop = context.WithCancel(context.Background())
	h.lines = &listener{h.ctx, o.NATS, make(chan net.Conn)}
	h.http = &http.Server{Handler: visited(o.Site), ReadHeaderTimeout: within, IdleTimeout: 30 * time.Second,
		ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug)}
	h.gone.Go(func() { h.http.Serve(h.lines) }) // ends with Close
	var err error
	described := micro.Config{Name: service, Version: "1.0.0", Description: o.Build}
	if h.service, err = micro.AddService(o.NATS, described); err != nil {
		h.Close()
		return nil, err
	}
	at := h.service.AddGroup(service)
	for name, answers := range map[string]micro.Handler{
		"who":    answering(o.Log, func(struct{}) (whoAnswer, error) { return whoAnswer{o.Build, o.Base}, nil }),
		"open":   answering(o.Log, h.open),
		"follow": answering(o.Log, h.follow),
		"steer":  answering(o.Log, h.steer),
		"line":   answering(o.Log, h.lines.open),
	} {
		if err := at.AddEndpoint(name, answers); err != nil {
			h.Close()
			return nil, err
		}
	}
	o.NATS.FlushTimeout(within) // from now on front ends find the host
	return h, nil
}

// Close stops answering. Pages on front ends are told, and connect again when the host is back.
func (h *Host) Close() {
	if h.service != nil {
		h.service.Stop()
	}
	h.stop()
	h.http.Close()
	h.gone.Wait()
	h.NATS.FlushTimeout(within) // goodbyes
}

// open answers a page's Hello and leaves the run: the front end follows it.
func (h *Host) open(q openAsk) (welcome []byte, err error) {
	m, err := wire.Decode(q.Hello, wire.FromBrowser)
	if err != nil {
		return nil, err
	}
	hello, ok := m.(*wire.Hello)
	if !ok {
		return nil, errors.New("out of order: the first message must be Hello")
	}
	run, err := h.Runs.Open(hello, q.Address)
	if err != nil {
		return nil, err
	}
	defer run.Leave()
	sub := run.Subscribe(0)
	defer sub.Close()
	first, err := sub.Take()
	if err != nil {
		return nil, err
	}
	return first.Frame()
}

// steer passes a page's request on to its run.
func (h *Host) steer(q steerAsk) (done struct{}, err error) {
	ctx, cancel := context.WithTimeout(h.ctx, within)
	defer cancel()
	run, err := h.Runs.Join(ctx, q.Run, q.Access)
	if err != nil {
		return done, err
	}
	defer run.Leave()
	if q.Verb != 0 {
		return done, run.Do(q.Owner, q.Intent, q.Verb)
	}
	return done, run.Set(q.Owner, q.Intent, q.Key, q.Value)
}
