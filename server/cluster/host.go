package cluster

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"

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
	Build string // of front ends too
	Base  string // path of all pages
	Log   *slog.Logger
}

// Host is the server whose runs front ends show.
type Host struct {
	HostOptions
	pass    string // see proxy.go
	ctx     context.Context
	stop    context.CancelFunc
	gone    sync.WaitGroup
	service micro.Service

	mu    sync.Mutex
	feeds map[string]*feed // by run
}

// NewHost begins to answer front ends.
func NewHost(o HostOptions) (*Host, error) {
	h := &Host{HostOptions: o, pass: rand.Text(), feeds: map[string]*feed{}}
	if other, err := ask[whoAnswer](context.Background(), o.NATS, "who", struct{}{}); err == nil {
		return nil, fmt.Errorf("another server, of build %s, has its front ends at this NATS server: stop it, or give each "+
			"an account of its own there", other.Build)
	}
	h.ctx, h.stop = context.WithCancel(context.Background())
	_, err := o.NATS.Subscribe(service+".wish", func(m *nats.Msg) {
		var w wish
		if json.Unmarshal(m.Data, &w) == nil {
			h.wished(w)
		}
	})
	if err != nil {
		h.Close()
		return nil, err
	}
	described := micro.Config{Name: service, Version: "1.0.0", Description: o.Build}
	if h.service, err = micro.AddService(o.NATS, described); err != nil {
		h.Close()
		return nil, err
	}
	at := h.service.AddGroup(service)
	for name, answers := range map[string]micro.Handler{
		"who":   answering(o.Log, func(struct{}) (whoAnswer, error) { return whoAnswer{o.Build, o.Base, h.pass}, nil }),
		"open":  answering(o.Log, h.open),
		"state": answering(o.Log, h.state),
		"steer": answering(o.Log, h.steer),
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
	h.mu.Lock()
	h.stop() // no feed begins after this
	h.mu.Unlock()
	h.gone.Wait()
	h.NATS.FlushTimeout(within) // goodbyes
}

// open answers a page's Hello and leaves the run: the front end asks for its state.
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
	first, err := sub.Next()
	if err != nil {
		return nil, err
	}
	return first.Frame()
}

// stateMost is how many bytes an answer with a run's state has before the front end must ask for the rest.
const stateMost = 1 << 20

// state returns a run's Welcome and its messages after an event, and publishes the run from then on. The newest frame
// and parameters are large: they come with what is published.
func (h *Host) state(q stateAsk) (a stateAnswer, err error) {
	ctx, cancel := context.WithTimeout(h.ctx, within)
	defer cancel()
	run, err := h.Runs.Join(ctx, q.Run, "")
	if err != nil {
		return a, err
	}
	sub := run.Subscribe(q.After)
	defer sub.Close()
	sub.Want(false, false)
	for size := 0; ; {
		b, err := sub.Next()
		if b == nil || err != nil { // after a Bye there is an error
			break
		}
		frame, err := b.Frame()
		if err != nil {
			run.Leave()
			return a, err
		}
		if len(a.Frames) == 0 {
			a.At = sub.At()
		}
		a.Frames = append(a.Frames, frame)
		if size += len(frame); size > stateMost {
			a.More = true
			break
		}
	}
	a.Owner = h.publish(run, q.wish, sub.At())
	return a, nil
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
