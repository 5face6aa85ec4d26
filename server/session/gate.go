package session

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"impalab/server/firewall"
)

// Gate admits browsers up to its limits and holds the open sessions. firewall.SameOrigin checks before which pages may
// call.
type Gate struct {
	ctx  context.Context
	lab  Lab
	opts Options

	mu      sync.Mutex
	total   int
	from    map[string]int
	streams map[string]*session // event streams, by their secret
	gone    sync.WaitGroup
}

// New returns a gate. When ctx is done, every session says Bye and ends; Wait waits for that.
func New(ctx context.Context, lab Lab, opts Options) *Gate {
	opts.defaults()
	return &Gate{ctx: ctx, lab: lab, opts: opts, from: map[string]int{}, streams: map[string]*session{}}
}

// Sessions returns how many sessions are open.
func (g *Gate) Sessions() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.total
}

// Wait returns when the gate's context is done and every session has ended.
func (g *Gate) Wait() {
	<-g.ctx.Done()
	_ = g.Sessions() // takes the lock once: every admitted session is counted, and no more will be
	g.gone.Wait()
}

// enter admits a browser and begins its session, or answers why not. The caller calls leave at the session's end.
func (g *Gate) enter(w http.ResponseWriter, r *http.Request) (s *session, leave func()) {
	address, out := g.admit(w, r)
	if out == nil {
		return nil, nil
	}
	s = newSession(&g.opts, g.lab, address)
	stopListening := context.AfterFunc(g.ctx, func() { s.end(errStopping) })
	return s, func() {
		stopListening()
		s.close()
		out()
	}
}

// admit counts a connection, or answers why not; then leave is nil.
func (g *Gate) admit(w http.ResponseWriter, r *http.Request) (address string, leave func()) {
	address = g.opts.Address(r)
	g.mu.Lock()
	defer g.mu.Unlock()
	refusal, reason := "", ""
	switch {
	case g.ctx.Err() != nil:
		refusal = errStopping.Error()
	case g.total >= g.opts.MaxSessions:
		reason, refusal = firewall.AllPages, fmt.Sprintf("all %d places are taken; try again in a minute", g.opts.MaxSessions)
	case g.from[address] >= g.opts.MaxPerAddress:
		reason, refusal = firewall.AddressPages, fmt.Sprintf("%d pages are open from your address, and that is the limit; "+
			"close one", g.opts.MaxPerAddress)
	}
	if reason != "" {
		g.opts.Refused(reason)
	}
	if refusal != "" {
		w.Header().Set("Retry-After", "60")
		http.Error(w, refusal, http.StatusServiceUnavailable)
		return "", nil
	}
	g.total++
	g.from[address]++
	g.gone.Add(1)
	return address, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.total--
		if g.from[address]--; g.from[address] == 0 {
			delete(g.from, address)
		}
		g.gone.Done()
	}
}
