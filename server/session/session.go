// Package session is one browser: what it may say, how fast, and how it hears back, over a websocket or, where those
// are blocked, over an event stream and posts. Whatever a browser sends ends at most its own session.
package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"impalab/web/hub"
	"impalab/web/wire"
)

// Lab gives a browser its run: the one hello names when its key fits, else a new one, which counts for its address.
// Where it begins a new one, hello.After counts for nothing, and Open sets it to 0. The text of an error is shown to
// the person.
type Lab interface {
	Open(hello *wire.Hello, address string) (hub.Run, error)
}

// Why a session ends, in words for the page.
var (
	errGone     = errors.New("the browser is gone")
	errStopping = errors.New("the server is stopping; the page connects again by itself")
	errSilent   = errors.New("the first message did not come in time")
	errInternal = errors.New("internal error on the server; reload the page")
)

// session is the part that both ways of travelling share. Frames come in through receive, messages go out through pump.
type session struct {
	opts    *Options
	lab     Lab
	address string // whom it counts for
	log     *slog.Logger
	limit   *rate.Limiter

	ctx context.Context
	end context.CancelCauseFunc // the first reason given is the one the page is told

	greeted chan struct{} // closed when Hello has come
	opened  chan struct{} // closed when it has been answered: talk is there

	mu   sync.Mutex // receive, one frame at a time
	talk *hub.Talk  // nil until Hello has been answered
	back uint64     // the last event an EventSource says it had when it connects again; 0 otherwise
}

func newSession(opts *Options, lab Lab, address string) *session {
	s := &session{
		opts: opts, lab: lab, address: address, log: opts.Log, limit: rate.NewLimiter(rate.Limit(opts.Rate), opts.Burst),
		greeted: make(chan struct{}), opened: make(chan struct{}),
	}
	s.ctx, s.end = context.WithCancelCause(context.Background())
	return s
}

// close gives the run back. Nothing is received afterwards.
func (s *session) close() {
	s.end(errGone)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.talk != nil {
		s.talk.End()
	}
}

// receive takes one frame from the browser. An error has ended the session, and is what the page is told.
func (s *session) receive(frame []byte) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if p := recover(); p != nil { // a bug that one browser triggers must not take the others down
			s.log.Error("panic in a session", "panic", p, "stack", string(debug.Stack()))
			err = errInternal
		}
		if err != nil {
			s.end(err)
		}
	}()
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	if err := s.spend(); err != nil {
		return err
	}
	m, err := wire.Decode(frame, wire.FromBrowser)
	if err != nil {
		return err
	}
	if s.talk != nil {
		return s.talk.Hear(m)
	}
	hello, ok := m.(*wire.Hello)
	if !ok {
		return errors.New("out of order: the first message must be Hello")
	}
	return s.hello(hello)
}

// spend takes one from what a browser may send.
func (s *session) spend() error {
	if !s.limit.Allow() {
		return fmt.Errorf("too fast: more than %g messages a second, or %d at once", s.opts.Rate, s.opts.Burst)
	}
	return nil
}

func (s *session) hello(hello *wire.Hello) error {
	close(s.greeted)
	switch {
	case hello.Run == "":
		hello.After = 0 // a page without a run has none of its events
	case hello.After == 0:
		hello.After = s.back
	}
	run, err := s.lab.Open(hello, s.address)
	if err != nil {
		return err
	}
	s.talk = hub.Begin(run, hello.After)
	close(s.opened)
	return nil
}

// transport carries batches to one browser. Only pump uses it.
type transport interface {
	send(b *hub.Batch, within time.Duration) error // waits no longer than that
	hurry()                                        // a send under way waits at most farewell more; for any goroutine
	beat() error                                   // keeps what lies between from closing a silent connection
}

// pump sends what the run tells until the session ends, and then says why. It is the only writer.
func (s *session) pump(to transport) {
	send := func(b *hub.Batch) error {
		if _, err := b.Frame(); err != nil {
			s.log.Error("a message cannot be sent", "error", err)
			s.end(errInternal)
			return nil // the connection is sound, and Bye comes next
		}
		within := s.opts.WriteWithin
		if b.Last {
			within = min(farewell, within)
		}
		err := to.send(b, within)
		if err != nil {
			s.end(errGone)
		}
		return err
	}
	defer context.AfterFunc(s.ctx, to.hurry)() // one that takes nothing shall not hold the server's end up
	defer func() {
		if cause := context.Cause(s.ctx); cause != nil && !errors.Is(cause, errGone) {
			send(hub.Alone(&wire.Bye{Reason: cause.Error()}))
		}
	}()
	if !s.await() {
		return
	}
	beat := time.NewTicker(s.opts.BeatEvery)
	defer beat.Stop()
	for s.ctx.Err() == nil {
		b, err := s.talk.Take()
		if err != nil {
			s.end(errGone) // the topic has said Bye itself
			return
		}
		due := false
		if b != nil {
			start := time.Now()
			if send(b) != nil {
				return
			}
			s.talk.Sent(time.Since(start))
			select { // under load too
			case <-beat.C:
				due = true
			default:
			}
		} else {
			select {
			case <-s.talk.Ready():
			case <-beat.C:
				due = true
			case <-s.ctx.Done():
			}
		}
		if due && to.beat() != nil {
			s.end(errGone)
			return
		}
	}
}

// await waits until Hello has come and has been answered.
func (s *session) await() bool {
	silent := time.NewTimer(s.opts.HelloWithin)
	defer silent.Stop()
	select {
	case <-s.greeted:
	case <-silent.C:
		s.end(errSilent)
		return false
	case <-s.ctx.Done():
		return false
	}
	select {
	case <-s.opened:
		return true
	case <-s.ctx.Done():
		return false
	}
}
