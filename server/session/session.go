// Package session connects one browser with its run, over a websocket or, if those are blocked, over an event stream
// and posts. It limits the messages of a browser and their rate. Whatever a browser sends ends at most its own session.
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

// Lab gives a browser its run: the run that hello names if the key fits, else a new run, which counts for the address.
// For a new run, Open sets hello.After to 0. The page shows the text of an error.
type Lab interface {
	Open(hello *wire.Hello, address string) (hub.Run, error)
}

// Reasons for the end of a session. The page shows them.
var (
	errGone     = errors.New("the browser is gone")
	errStopping = errors.New("the server is stopping; the page connects again by itself")
	errSilent   = errors.New("the first message did not come in time")
	errInternal = errors.New("internal error on the server; reload the page")
)

// session is one browser's, over either transport. Frames come in through receive, messages go out through pump.
type session struct {
	opts    *Options
	lab     Lab
	address string
	log     *slog.Logger
	limit   *rate.Limiter

	ctx context.Context
	end context.CancelCauseFunc // the page is told the first reason

	silent *time.Timer   // ends the session if no Hello comes
	opened chan struct{} // closed when talk is set

	mu   sync.Mutex // receive, one frame at a time
	talk *hub.Talk  // nil until Hello has been answered
	back uint64     // the last event that an EventSource had before it connected again; else 0
}

func newSession(opts *Options, lab Lab, address string) *session {
	s := &session{
		opts: opts, lab: lab, address: address, log: opts.Log, limit: rate.NewLimiter(rate.Limit(opts.Rate), opts.Burst),
		opened: make(chan struct{}),
	}
	s.ctx, s.end = context.WithCancelCause(context.Background())
	s.silent = time.AfterFunc(opts.HelloWithin, func() { s.end(errSilent) })
	return s
}

// close leaves the run. Nothing is received afterwards.
func (s *session) close() {
	s.end(errGone)
	s.silent.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.talk != nil {
		s.talk.End()
	}
}

// receive takes one frame from the browser. An error ends the session, and the page is told.
func (s *session) receive(frame []byte) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if p := recover(); p != nil { // a bug that one browser triggers must not end the others
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

// spend counts a message, ping or pong of the browser.
func (s *session) spend() error {
	if !s.limit.Allow() {
		return fmt.Errorf("too fast: more than %g messages a second, or %d at once", s.opts.Rate, s.opts.Burst)
	}
	return nil
}

func (s *session) hello(hello *wire.Hello) error {
	s.silent.Stop()
	switch {
	case hello.Run == "":
		hello.After = 0 // a page without a run has no events of it
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

// transport carries batches to one browser. Only pump sends.
type transport interface {
	send(b *hub.Batch, within time.Duration) error
	hurry()      // lets a send that has begun wait at most for farewell; any goroutine may call it
	beat() error // keeps proxies from closing a silent connection
}

// pump sends the messages of the run until the session ends, and then the reason.
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
	defer context.AfterFunc(s.ctx, to.hurry)() // a browser that takes nothing must not delay the server's end
	defer func() {
		if cause := context.Cause(s.ctx); cause != nil && !errors.Is(cause, errGone) {
			send(hub.Alone(&wire.Bye{Reason: cause.Error()}))
		}
	}()
	select {
	case <-s.opened:
	case <-s.ctx.Done():
		return
	}
	beat := time.NewTicker(s.opts.BeatEvery)
	defer beat.Stop()
	for s.ctx.Err() == nil {
		b, err := s.talk.Next()
		if err != nil {
			s.end(errGone) // the topic has said Bye itself
			return
		}
		if b != nil {
			start := time.Now()
			if send(b) != nil {
				return
			}
			s.talk.Sent(time.Since(start))
		}
		select {
		case <-s.talk.Ready():
		case <-beat.C:
			if to.beat() != nil {
				s.end(errGone)
				return
			}
		case <-s.ctx.Done():
		}
	}
}
