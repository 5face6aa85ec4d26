package schedule

import (
	"errors"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Cores divides the cores of a machine between runs. Each goroutine of a run holds a core while it computes and
// releases it while it waits. The waiter with the least time on cores is next, first among the owners of runs and then
// among the runs of one owner (start-time fair queueing: Goyal, Vin and Cheng, 1996). So fifteen heavy runs of one
// owner get the time that a light run of another owner leaves, and do not slow it down.
//
// A heavy run computes for long before it can yield its core. A light run that is behind by more than a slice does not
// wait for it: it gets a core more than there are, and the heavy run releases a core when it next calls Yield.
type Cores struct {
	n int

	mu      sync.Mutex
	free    int // negative: more cores are held than there are
	owners  map[string]*owner
	active  []*Share // shares that hold a core or wait for one
	holding []*Share // of these, the shares that hold one: their time increases
	queue   []waiter
	clock   time.Duration // the least time of an owner that holds a core or waits; it never decreases
	full    time.Time     // when the queue last became non-empty
	armed   bool          // a timer will dispatch again

	waiting atomic.Int32 // len(queue), to be read without the mutex
}

const (
	slice = 2 * time.Millisecond // a holder yields when it is ahead of a waiter by more than this
	light = 2 * slice            // a run that computes for longer than this before it yields never gets an extra core
	debt  = time.Second          // a run that rested is ahead of the others by at most this; the rest is forgiven
)

// account is the time on cores of an owner or a run, divided by its weight. Two cores for a second are two seconds.
type account struct {
	used    time.Duration
	weight  float64
	held    int // cores now
	waiting int
	since   time.Time // used includes the time before it
}

func (a *account) settle(now time.Time) {
	a.used += time.Duration(float64(a.held) * float64(now.Sub(a.since)) / a.weight)
	a.since = now
}

// rests reports whether the account neither holds a core nor waits for one.
func (a *account) rests() bool { return a.held == 0 && a.waiting == 0 }

// catchUp brings an account that has rested up to a clock: it saves up no unused time, and a lead beyond the debt is
// forgiven.
func (a *account) catchUp(clock time.Duration) { a.used = min(max(a.used, clock), clock+debt) }

type owner struct {
	account
	shares int
	clock  time.Duration // as in Cores, among this owner's runs
}

// waiter is a goroutine in the queue. It receives true when it has its core, and false when its share was closed.
type waiter struct {
	share   *Share
	granted chan bool
}

// ErrClosed ends the goroutines of a dropped run: Hold and Yield panic with it, and Catch returns it as an error.
var ErrClosed = errors.New("the run has been dropped")

// NewCores divides n cores.
func NewCores(n int) *Cores { return &Cores{n: n, free: n, owners: map[string]*owner{}} }

// Share returns a claim for a new run of an owner. When owners compete, an owner with twice the weight gets twice the
// time. An owner keeps the weight of its first share. The caller closes the share.
func (c *Cores) Share(of string, weight float64) *Share {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.owners, func(_ string, o *owner) bool { // a new entry would equal it
		return o.shares == 0 && o.held == 0 && o.used <= c.clock
	})
	o := c.owners[of]
	if o == nil {
		o = &owner{account: account{weight: weight}}
		c.owners[of] = o
	}
	o.shares++
	return &Share{cores: c, owner: o, account: account{weight: 1}}
}

// count adds cores and waiting goroutines to the accounts of s.
func (c *Cores) count(s *Share, now time.Time, held, waiting int) {
	if s.rests() {
		c.active = append(c.active, s)
	}
	if s.held == 0 && held > 0 {
		c.holding = append(c.holding, s)
	}
	for _, a := range [...]*account{&s.account, &s.owner.account} {
		a.settle(now)
		a.held += held
		a.waiting += waiting
	}
	if s.held == 0 && held < 0 {
		c.holding = without(c.holding, s)
	}
	if s.rests() {
		c.active = without(c.active, s)
	}
}

func without(list []*Share, s *Share) []*Share {
	i := slices.Index(list, s)
	return slices.Delete(list, i, i+1)
}

// wait queues a goroutine of s and returns when it has a core. The caller holds the mutex; wait unlocks it.
func (c *Cores) wait(s *Share, now time.Time) {
	if s.closed.Load() {
		c.mu.Unlock()
		panic(ErrClosed)
	}
	c.arrive(s, now)
	w := waiter{s, make(chan bool, 1)}
	if len(c.queue) == 0 {
		c.full = now
	}
	c.queue = append(c.queue, w)
	c.waiting.Store(int32(len(c.queue)))
	c.count(s, now, 0, 1)
	c.dispatch(now)
	c.mu.Unlock()
	if !<-w.granted {
		panic(ErrClosed)
	}
}

// wake removes waiter i from the queue and wakes it.
func (c *Cores) wake(i int, granted bool, now time.Time) {
	w := c.queue[i]
	c.queue = slices.Delete(c.queue, i, i+1)
	c.waiting.Store(int32(len(c.queue)))
	c.count(w.share, now, 0, -1)
	w.granted <- granted
}

// measure records how long s has computed while another waited.
func (c *Cores) measure(s *Share, now time.Time) {
	if len(c.queue) > 0 {
		s.burst = now.Sub(c.since(s))
	}
	s.asked = now
}

// since returns when s could first have yielded to the queue.
func (c *Cores) since(s *Share) time.Time {
	if c.full.After(s.asked) {
		return c.full
	}
	return s.asked
}

// arrive brings an owner or a run that has rested up to the others.
func (c *Cores) arrive(s *Share, now time.Time) {
	if !s.rests() {
		return
	}
	c.settle(now)
	c.advance(s.owner)
	s.asked = now
	s.catchUp(s.owner.clock)
	if s.owner.rests() {
		s.owner.catchUp(c.clock)
	}
}

// advance moves the clocks forward: among all owners, and among the runs of o.
func (c *Cores) advance(o *owner) {
	least, ofOwner := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for _, s := range c.active {
		least = min(least, s.owner.used)
		if s.owner == o {
			ofOwner = min(ofOwner, s.used)
		}
	}
	if least < math.MaxInt64 {
		c.clock = max(c.clock, least)
	}
	if ofOwner < math.MaxInt64 {
		o.clock = max(o.clock, ofOwner)
	}
}

// grant gives s a core.
func (c *Cores) grant(s *Share, now time.Time) {
	c.arrive(s, now)
	s.asked = now
	c.free--
	c.count(s, now, 1, 0)
}

// release returns a core of s and hands it to the next waiter.
func (c *Cores) release(s *Share, now time.Time) {
	if s.held == 0 {
		return // the goroutine ended in ErrClosed, without its core
	}
	c.free++
	c.count(s, now, -1, 0)
	c.dispatch(now)
}

func (c *Cores) settle(now time.Time) {
	for _, s := range c.holding {
		s.settle(now)
		s.owner.settle(now)
	}
}

// lead returns how much more time a has had than b: of their owners, or of themselves under one owner.
func lead(a, b *Share) time.Duration {
	if a.owner != b.owner {
		return a.owner.used - b.owner.used
	}
	return a.used - b.used
}

// next returns the index of the waiter with the least time, of all waiters or of the light ones that may get an extra
// core; −1: there is none.
func (c *Cores) next(now time.Time, extra bool) int {
	next := -1
	for i, w := range c.queue {
		if extra && !c.overdue(w.share, now) {
			continue
		}
		if next < 0 || lead(w.share, c.queue[next].share) < 0 {
			next = i
		}
	}
	return next
}

// dispatch grants cores to waiters while there are free ones, and extra ones to light runs. If none may have an extra
// core, it looks again after a slice: the holders' time increases.
func (c *Cores) dispatch(now time.Time) {
	c.settle(now)
	for len(c.queue) > 0 && c.free > -c.n {
		next := c.next(now, c.free <= 0)
		if next >= 0 {
			c.grant(c.queue[next].share, now)
			c.wake(next, true, now)
			continue
		}
		if !c.armed {
			c.armed = true
			time.AfterFunc(slice, func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.armed = false
				c.dispatch(time.Now())
			})
		}
		return
	}
}

// overdue reports whether s may have an extra core: s is light, and a heavy holder is ahead of it by more than a slice.
// A light holder yields in time, and an extra core beside it would only slow down another run. A run that is not
// measured yet counts as light for other owners.
func (c *Cores) overdue(s *Share, now time.Time) bool {
	if s.burst > light {
		return false
	}
	for _, h := range c.holding {
		heavy := max(h.burst, now.Sub(c.since(h))) > light
		if heavy && lead(h, s) > slice && (s.burst > 0 || h.owner != s.owner) {
			return true
		}
	}
	return false
}
