package firewall

import (
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rate limits how often each address may do something. It forgets an address that has been quiet until it may do a
// whole burst again.
type Rate struct {
	every  float64 // a second
	burst  int
	forget time.Duration

	mu     sync.Mutex
	now    map[string]*rate.Limiter // of addresses that called since turned…
	before map[string]*rate.Limiter // …and in the time before that
	turned time.Time
	clock  func() time.Time
}

// NewRate allows a number of events a second, and burst at once.
func NewRate(every float64, burst int) *Rate {
	return &Rate{
		every: every, burst: burst, forget: time.Duration(float64(burst) / every * float64(time.Second)),
		now: map[string]*rate.Limiter{}, clock: time.Now,
	}
}

// String returns the limit for people.
func (r *Rate) String() string { return fmt.Sprintf("%g a second, and %d at once", r.every, r.burst) }

// Allow reports whether an address may do it now, and counts it if so.
func (r *Rate) Allow(address string) bool {
	now, l := r.of(address)
	return l.AllowN(now, 1)
}

// May reports whether an address may do it now, and counts nothing.
func (r *Rate) May(address string) bool {
	now, l := r.of(address)
	return l.TokensAt(now) >= 1
}

// of returns the limiter of an address, and the time.
func (r *Rate) of(address string) (time.Time, *rate.Limiter) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock()
	if now.Sub(r.turned) > r.forget {
		r.before, r.now, r.turned = r.now, map[string]*rate.Limiter{}, now
	}
	l := r.now[address]
	if l == nil {
		if l = r.before[address]; l == nil {
			l = rate.NewLimiter(rate.Limit(r.every), r.burst)
		}
		r.now[address] = l
	}
	return now, l
}
