// Package places shares slow work between visitors: a few places, which the waiting addresses have in rotation. A
// request that cannot end in time is refused before it takes a place, with the time when it could.
package places

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"impalab/server/errcode"
)

type (
	visitorKey struct{}
	beginKey   struct{} // of a function that work with a place calls before it begins
)

// By returns a context for the work of a visitor, with the address that the work counts for.
func By(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, visitorKey{}, address)
}

// Visitor returns the address that the work of a context counts for; "": the server's own work.
func Visitor(ctx context.Context) string {
	address, _ := ctx.Value(visitorKey{}).(string)
	return address
}

// Limits of Places. All are needed, except Instead.
type Limits struct {
	What    string        // the work, as the subject of a refusal: "drawing a film"
	Instead string        // what the reader may do if it takes too long; "": try again in a minute
	Total   int           // places
	Each    int           // places that one address holds at once
	Within  time.Duration // that a request takes, with its wait
}

// Places are the places for one kind of work.
type Places struct {
	Limits

	mu    sync.Mutex
	held  []*request
	ring  []string // addresses that may have the next places, in this order
	waits map[string][]*request
	usual time.Duration // that the work takes, as measured
}

// request has a place or waits for one.
type request struct {
	address string
	cost    time.Duration // that its work takes, by estimate
	until   time.Time     // that its work must have ended
	since   time.Time     // that it has its place
	begin   chan struct{} // closed when it has one, or when it has waited for too long
	late    bool          // it has waited for too long
	idle    bool          // it had its place and did no work
}

// New returns places that are all free.
func New(limits Limits) *Places {
	limits.Instead = cmp.Or(limits.Instead, "try again in a minute")
	return &Places{Limits: limits, waits: map[string][]*request{}}
}

// Do does work for the context's visitor once there is a place for it. Cost is the work's time by estimate; 0: as long
// as such work usually took. The work's context ends with the time limit. The error is errcode.Full if the work could
// not end within the limit; the work has not begun if that was foreseen.
func (p *Places) Do(ctx context.Context, cost time.Duration, work func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, p.Within)
	defer cancel()
	r := &request{address: Visitor(ctx), cost: cost, until: time.Now().Add(p.Within), begin: make(chan struct{})}
	if err := p.enter(r); err != nil {
		return err
	}
	defer p.leave(r)
	select {
	case <-r.begin:
		if r.late {
			return p.first(p.Within)
		}
	case <-limited.Done():
	}
	err := limited.Err()
	if begin, _ := ctx.Value(beginKey{}).(func() error); err == nil && begin != nil {
		if err = begin(); err != nil {
			r.idle = true
		}
	}
	if err == nil {
		err = work(limited)
	}
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return full("%s has not ended within %d s; %s", p.What, seconds(p.Within), p.Instead)
	}
	return err
}

// Fits returns a refusal if the rest of a work does not fit into the time that its context has left.
func (p *Places) Fits(ctx context.Context, rest time.Duration) error {
	if until, ok := ctx.Deadline(); ok && time.Until(until) < rest {
		return p.tooLong(p.Within - time.Until(until) + rest)
	}
	return nil
}

// enter gives a request a place, queues it, or refuses it.
func (p *Places) enter(r *request) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.cost = cmp.Or(r.cost, min(p.usual, p.Within)); r.cost > p.Within {
		return p.tooLong(r.cost)
	}
	if wait := p.wait(r); wait+r.cost > p.Within {
		return p.first(wait)
	}
	p.waits[r.address] = append(p.waits[r.address], r)
	p.line(r.address)
	p.settle()
	return nil
}

// leave frees the place of a request, or takes it out of the queue.
func (p *Places) leave(r *request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	is := func(other *request) bool { return other == r }
	if slices.ContainsFunc(p.held, is) {
		if took := time.Since(r.since); !r.idle {
			p.usual += (took - cmp.Or(p.usual, took)) / 8
			p.usual = cmp.Or(p.usual, took)
		}
		p.held = slices.DeleteFunc(p.held, is)
		p.line(r.address)
	} else if rest := slices.DeleteFunc(p.waits[r.address], is); len(rest) > 0 {
		p.waits[r.address] = rest
	} else {
		p.quit(r.address)
	}
	p.settle()
}

// line puts an address that waits and may have a place at the end of the ring, unless it is there.
func (p *Places) line(address string) {
	if len(p.waits[address]) > 0 && p.count(address) < p.Each && !slices.Contains(p.ring, address) {
		p.ring = append(p.ring, address)
	}
}

// quit forgets an address of which no request waits.
func (p *Places) quit(address string) {
	delete(p.waits, address)
	p.ring = slices.DeleteFunc(p.ring, func(a string) bool { return a == address })
}

// settle gives the free places to the addresses that are next. An address that leaves its place joins the ring again
// at its end, so each address waits for at most one place of every other.
func (p *Places) settle() {
	for len(p.held) < p.Total && len(p.ring) > 0 {
		address := p.ring[0]
		p.ring = p.ring[1:]
		r := p.waits[address][0]
		if p.waits[address] = p.waits[address][1:]; len(p.waits[address]) == 0 {
			p.quit(address)
		}
		if r.late = time.Until(r.until) < r.cost; !r.late {
			r.since = time.Now()
			p.held = append(p.held, r)
		}
		p.line(address)
		close(r.begin)
	}
}

// count returns the number of places of an address.
func (p *Places) count(address string) (n int) {
	for _, r := range p.held {
		if r.address == address {
			n++
		}
	}
	return n
}

// wait returns how long a new request would wait, by the estimates of the requests that come first: the requests that
// hold places, all that wait of its own address, and for each of these and itself one of every other address.
func (p *Places) wait(r *request) time.Duration {
	own := p.waits[r.address]
	if len(p.held) < p.Total && len(own) == 0 && p.count(r.address) < p.Each {
		return 0
	}
	var all, mine time.Duration
	count := func(o *request, cost time.Duration) {
		if all += cost; o.address == r.address {
			mine += cost
		}
	}
	for _, o := range p.held {
		count(o, max(0, o.cost-time.Since(o.since)))
	}
	for address, queue := range p.waits {
		n := len(own)
		if address != r.address && p.count(address) < p.Each {
			n++
		}
		for _, o := range queue[:min(n, len(queue))] {
			count(o, o.cost)
		}
	}
	return max(all/time.Duration(p.Total), mine/time.Duration(p.Each))
}

func (p *Places) tooLong(cost time.Duration) error {
	return full("%s would take %d s, and the limit is %d s; %s", p.What, seconds(cost), seconds(p.Within), p.Instead)
}

func (p *Places) first(wait time.Duration) error {
	return full("%s would begin in %d s, because other requests come first; try again in a minute", p.What,
		seconds(wait))
}

func full(sentence string, args ...any) error { return errcode.Errorf(errcode.Full, sentence, args...) }

func seconds(d time.Duration) int { return int(max(time.Second, d.Round(time.Second)).Seconds()) }
