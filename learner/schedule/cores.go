package schedule

import (
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Cores divides the cores of a machine between runs. Every goroutine of a run holds one while it computes and gives it
// back where it waits. Who has had least goes first, first among the owners of runs and then among the runs of one
// owner (start-time fair queueing: Goyal, Vin and Cheng, 1996): fifteen heavy runs of one owner get what one light run
// of another leaves, and that one does not notice them.
//
// A heavy run holds its core for longer than anyone should wait. So a light run that is behind by more than a slice
// overtakes: it is lent a core more than there are, and the heavy one gives its own back when it next asks whether to
// (Yield).
type Cores struct {
	n int

	mu      sync.Mutex
	free    int // cores that nobody holds; negative: so many more are held than there are
	owners  map[string]*owner
	holding []*Share // those that hold at least one
	queue   []*turn
	clock   time.Duration // the least that an owner has had who holds a core or waits for one; never less than before
	full    time.Time     // since when somebody waits, if somebody does
	armed   bool          // a timer will look again

	waiting atomic.Int32 // len(queue), to be read without the mutex
}

const (
	slice = 2 * time.Millisecond // how much more than the one who waits a holder may have had before it has to give way
	light = 2 * slice            // who computes for longer than this before it next gives way may not overtake
	debt  = time.Second          // what somebody who rested may have had too much, at most: the rest is forgiven
)

// account is the time on cores that somebody has had. Two cores for a second are two seconds, and one for whoever has
// twice the weight.
type account struct {
	used    time.Duration
	weight  float64
	held    int // cores now
	waiting int
	since   time.Time // used is right up to here
}

func (a *account) settle(now time.Time) {
	a.used += time.Duration(float64(a.held) * float64(now.Sub(a.since)) / a.weight)
	a.since = now
}

type owner struct {
	account
	shares int
	clock  time.Duration // as that of Cores, among this owner's runs
}

// Share is one run's claim. A nil Share has all the cores it wants.
type Share struct {
	cores *Cores
	owner *owner
	account
	asked  time.Time     // when one of its goroutines last could have given way
	piece  time.Duration // how long it last went on without that, while somebody waited; 0: not known yet
	closed atomic.Bool
}

// turn is a goroutine that waits.
type turn struct {
	share *Share
	given bool          // it has its core
	ready chan struct{} // closed when it has, or when its share was closed
}

// ErrClosed is what a goroutine of a dropped run ends in, thrown as a panic where it would take a core: what it
// computes is wanted by nobody. Catch returns it as an error.
var ErrClosed = errors.New("the run has been dropped")

// NewCores divides n cores.
func NewCores(n int) *Cores { return &Cores{n: n, free: n, owners: map[string]*owner{}} }

// Share is a new run's claim, one of its owner's. Of two owners who both want more than there is, the one of twice the
// weight gets twice as much; it is the owner's from its first share on. Close must follow.
func (c *Cores) Share(of string, weight float64) *Share {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, o := range c.owners {
		if o.shares == 0 && o.held == 0 && o.used <= c.clock { // nothing is lost with it
			delete(c.owners, name)
		}
	}
	o := c.owners[of]
	if o == nil {
		o = &owner{account: account{weight: weight}}
		c.owners[of] = o
	}
	o.shares++
	return &Share{cores: c, owner: o, account: account{weight: 1}}
}

// Hold waits for a core and takes it.
func (s *Share) Hold() {
	if s == nil {
		return
	}
	c := s.cores
	c.mu.Lock()
	now := time.Now()
	if !s.closed.Load() && c.free > 0 && len(c.queue) == 0 {
		c.give(s, now)
		c.mu.Unlock()
		return
	}
	c.wait(s, now)
}

// Try takes a core if one is free that nobody waits for.
func (s *Share) Try() bool {
	if s == nil {
		return true
	}
	c := s.cores
	if c.waiting.Load() > 0 {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.closed.Load() || c.free <= 0 || len(c.queue) > 0 {
		return false
	}
	c.give(s, time.Now())
	return true
}

// Release gives a core back.
func (s *Share) Release() {
	if s == nil {
		return
	}
	c := s.cores
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.measure(s, now)
	c.take(s, now)
}

// Yield gives the core back and takes one again when somebody waits who has had less. It is for places that a heavy
// computation passes often; where nobody waits it costs two loads. A goroutine
// of a dropped run ends here.
func (s *Share) Yield() {
	if s == nil {
		return
	}
	c := s.cores
	if s.closed.Load() {
		s.Release()
		panic(ErrClosed)
	}
	if c.waiting.Load() == 0 {
		return
	}
	c.mu.Lock()
	now := time.Now()
	c.settle(now)
	c.measure(s, now)
	best := c.best(now, false)
	if best < 0 || s.held == 0 || lead(s, c.queue[best].share) <= slice {
		c.mu.Unlock()
		return
	}
	c.take(s, now)
	c.wait(s, now)
}

// Wanted tells a helper, which computes what somebody else could, to leave its core to those who wait.
func (s *Share) Wanted() bool { return s != nil && s.cores.waiting.Load() > 0 }

// Drain gives back what goroutines that ended in an error or a panic still held. None of the run's may be left.
func (s *Share) Drain() {
	c := s.cores
	c.mu.Lock()
	defer c.mu.Unlock()
	for s.held > 0 {
		c.take(s, time.Now())
	}
}

// Close ends the claim: every goroutine that waits or comes for a core ends in ErrClosed. Closing again does nothing.
func (s *Share) Close() {
	c := s.cores
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.closed.Swap(true) {
		return
	}
	s.owner.shares--
	for i := len(c.queue) - 1; i >= 0; i-- {
		if c.queue[i].share == s {
			c.leave(i)
		}
	}
	c.dispatch(time.Now())
}

// wait queues a goroutine of s and returns when it has its core. The mutex is held, and released.
func (c *Cores) wait(s *Share, now time.Time) {
	if s.closed.Load() {
		c.mu.Unlock()
		panic(ErrClosed)
	}
	c.arrive(s, now)
	t := &turn{share: s, ready: make(chan struct{})}
	if len(c.queue) == 0 {
		c.full = now
	}
	c.queue = append(c.queue, t)
	c.waiting.Store(int32(len(c.queue)))
	s.waiting++
	s.owner.waiting++
	c.dispatch(now)
	c.mu.Unlock()
	<-t.ready
	if !t.given {
		panic(ErrClosed)
	}
}

// measure notes how long s has computed without being able to give way.
func (c *Cores) measure(s *Share, now time.Time) {
	if len(c.queue) > 0 {
		s.piece = now.Sub(c.since(s))
	}
	s.asked = now
}

// since is from when on s could have given way to somebody, if it had come to where it does.
func (c *Cores) since(s *Share) time.Time {
	if c.full.After(s.asked) {
		return c.full
	}
	return s.asked
}

// arrive brings somebody who has rested up to the others: what was not used is not saved up, and what was too much is
// forgiven but for the debt.
func (c *Cores) arrive(s *Share, now time.Time) {
	o := s.owner
	ownerRested, rested := o.held == 0 && o.waiting == 0, s.held == 0 && s.waiting == 0
	if ownerRested || rested {
		c.settle(now)
		c.advance(o)
	}
	if ownerRested {
		o.used = min(max(o.used, c.clock), c.clock+debt)
		o.since = now
	}
	if rested {
		s.used = min(max(s.used, o.clock), o.clock+debt)
		s.since, s.asked = now, now
	}
}

// advance sets the clocks: among all owners, and among the runs of o.
func (c *Cores) advance(o *owner) {
	least, ofOwner := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	see := func(s *Share) {
		least = min(least, s.owner.used)
		if s.owner == o {
			ofOwner = min(ofOwner, s.used)
		}
	}
	for _, h := range c.holding {
		see(h)
	}
	for _, t := range c.queue {
		see(t.share)
	}
	if least < math.MaxInt64 {
		c.clock = max(c.clock, least)
	}
	if ofOwner < math.MaxInt64 {
		o.clock = max(o.clock, ofOwner)
	}
}

// give counts a core to s.
func (c *Cores) give(s *Share, now time.Time) {
	c.arrive(s, now)
	s.owner.settle(now)
	s.settle(now)
	s.asked = now
	c.free--
	s.owner.held++
	if s.held++; s.held == 1 {
		c.holding = append(c.holding, s)
	}
}

// take counts a core of s as free, and gives it to who has waited for it.
func (c *Cores) take(s *Share, now time.Time) {
	if s.held == 0 {
		return // a goroutine that ended in ErrClosed had given its own back
	}
	s.settle(now)
	s.owner.settle(now)
	c.free++
	s.owner.held--
	if s.held--; s.held == 0 {
		for i, h := range c.holding {
			if h == s {
				c.holding = append(c.holding[:i], c.holding[i+1:]...)
				break
			}
		}
	}
	c.dispatch(now)
}

// leave takes turn i out of the queue and wakes it.
func (c *Cores) leave(i int) {
	t := c.queue[i]
	c.queue = append(c.queue[:i], c.queue[i+1:]...)
	c.waiting.Store(int32(len(c.queue)))
	t.share.waiting--
	t.share.owner.waiting--
	close(t.ready)
}

func (c *Cores) settle(now time.Time) {
	for _, h := range c.holding {
		h.settle(now)
		h.owner.settle(now)
	}
}

// lead is how much more a has had than b: of what their owners had, or of what they had themselves.
func lead(a, b *Share) time.Duration {
	if a.owner != b.owner {
		return a.owner.used - b.owner.used
	}
	return a.used - b.used
}

// best is the place in the queue of the one who has had least, of all or of those who may overtake; of several, of the
// one who came first.
func (c *Cores) best(now time.Time, overtaking bool) int {
	best := -1
	for i, t := range c.queue {
		if overtaking && !c.overdue(t.share, now) {
			continue
		}
		if best < 0 || lead(t.share, c.queue[best].share) < 0 {
			best = i
		}
	}
	return best
}

// dispatch gives cores to those who wait, as far as there are any or somebody has to give way.
func (c *Cores) dispatch(now time.Time) {
	c.settle(now)
	for {
		if len(c.queue) == 0 || c.free <= -c.n {
			return
		}
		best := c.best(now, c.free <= 0) // a heavy one that is next holds no light one up
		if best < 0 {
			c.lookAgain()
			return
		}
		c.give(c.queue[best].share, now)
		c.queue[best].given = true
		c.leave(best)
	}
}

// overdue reports whether s may overtake: it is light, and a heavy holder has had more than a slice more. A light one
// gives way by itself; with more at work than there are cores, somebody would wait for one and be charged for it.
// Who has not been measured yet is believed to be light by other owners only.
func (c *Cores) overdue(s *Share, now time.Time) bool {
	if s.piece > light {
		return false
	}
	for _, h := range c.holding {
		heavy := max(h.piece, now.Sub(c.since(h))) > light
		if heavy && lead(h, s) > slice && (s.piece > 0 || h.owner != s.owner) {
			return true
		}
	}
	return false
}

// lookAgain dispatches after a slice: holders are charged as time goes by.
func (c *Cores) lookAgain() {
	if c.armed {
		return
	}
	c.armed = true
	time.AfterFunc(slice, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.armed = false
		c.dispatch(time.Now())
	})
}
