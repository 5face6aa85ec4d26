package schedule

import (
	"sync/atomic"
	"time"
)

// Share is one run's claim on the cores. A nil Share never waits.
type Share struct {
	cores *Cores
	owner *owner
	account
	asked  time.Time     // when a goroutine of the run last could have yielded
	burst  time.Duration // how long the run last computed without yielding while another waited; 0: not measured yet
	closed atomic.Bool
}

// Acquire waits for a core.
func (s *Share) Acquire() {
	if !s.Try() {
		s.cores.mu.Lock()
		s.cores.wait(s, time.Now())
	}
}

// Try takes a core and returns true, if one is free and no goroutine waits for one.
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
	c.grant(s, time.Now())
	return true
}

// Release gives up a core.
func (s *Share) Release() {
	if s == nil {
		return
	}
	c := s.cores
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.measure(s, now)
	c.release(s, now)
}

// Yield lets a waiter with less time have the core, and then waits for a core again. Heavy computations call it often;
// with an empty queue it costs two loads. It ends a goroutine of a dropped run. The caller holds a core: without one it
// would release another goroutine's, and the core that it gets would stay taken.
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
	next := c.next(now, false)
	if next < 0 || s.held == 0 || lead(s, c.queue[next].share) <= slice {
		c.mu.Unlock()
		return
	}
	c.release(s, now)
	c.wait(s, now)
}

// Wanted reports whether a goroutine waits for a core. A helper should then release its own.
func (s *Share) Wanted() bool { return s != nil && s.cores.waiting.Load() > 0 }

// Drain releases the cores that goroutines held when they ended in an error or a panic. The run must have no goroutine
// left.
func (s *Share) Drain() {
	c := s.cores
	c.mu.Lock()
	defer c.mu.Unlock()
	for s.held > 0 {
		c.release(s, time.Now())
	}
}

// Close ends the claim: every goroutine of the run that waits for a core, or will, ends in ErrClosed. A second call
// does nothing.
func (s *Share) Close() {
	c := s.cores
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.closed.Swap(true) {
		return
	}
	s.owner.shares--
	now := time.Now()
	for i := len(c.queue) - 1; i >= 0; i-- {
		if c.queue[i].share == s {
			c.wake(i, false, now)
		}
	}
	c.dispatch(now)
}
