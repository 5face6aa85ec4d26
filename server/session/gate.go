package session

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Gate admits browsers: from our own pages only, and no more than there is room for. It holds the open sessions.
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

// New makes a gate. When ctx is done, every session says Bye and ends; Wait waits for that.
func New(ctx context.Context, lab Lab, opts Options) *Gate {
	opts.defaults()
	return &Gate{ctx: ctx, lab: lab, opts: opts, from: map[string]int{}, streams: map[string]*session{}}
}

// Sessions is how many are open.
func (g *Gate) Sessions() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.total
}

// Wait returns when the gate's context is done and every session has ended.
func (g *Gate) Wait() {
	<-g.ctx.Done()
	_ = g.Sessions() // takes the lock once: every admitted session has been counted, and no more will be
	g.gone.Wait()
}

// enter counts a browser in, or answers why not. The session it gives must leave through the function it gives.
func (g *Gate) enter(w http.ResponseWriter, r *http.Request) (s *session, leave func()) {
	if !g.ours(r) {
		http.Error(w, foreign, http.StatusForbidden)
		return nil, nil
	}
	address := g.opts.Address(r)
	g.mu.Lock()
	defer g.mu.Unlock()
	refusal := ""
	switch {
	case g.ctx.Err() != nil:
		refusal = errStopping.Error()
	case g.total >= g.opts.MaxSessions:
		refusal = fmt.Sprintf("all %d places are taken; try again in a minute", g.opts.MaxSessions)
	case g.from[address] >= g.opts.MaxPerAddress:
		refusal = fmt.Sprintf("%d pages are open from your address, and that is the limit; close one", g.opts.MaxPerAddress)
	}
	if refusal != "" {
		w.Header().Set("Retry-After", "60")
		http.Error(w, refusal, http.StatusServiceUnavailable)
		return nil, nil
	}
	g.total++
	g.from[address]++
	g.gone.Add(1)
	s = newSession(&g.opts, g.lab)
	stopListening := context.AfterFunc(g.ctx, func() { s.end(errStopping) })
	return s, func() {
		stopListening()
		s.close()
		g.mu.Lock()
		defer g.mu.Unlock()
		g.total--
		if g.from[address]--; g.from[address] == 0 {
			delete(g.from, address)
		}
		g.gone.Done()
	}
}

const foreign = "this page is served from elsewhere and may not connect here"

// ours says whether a request comes from our own page, from an allowed one, or from no page at all. Browsers name
// the Origin of every websocket and every post, and where they name none they say how far away the page is.
func (g *Gate) ours(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		site := r.Header.Get("Sec-Fetch-Site")
		return site == "" || site == "same-origin" || site == "none"
	}
	if slices.Contains(g.opts.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}
