package schedule

import (
	"math"
	"runtime"
	"sync/atomic"
)

// Pool does a job on all cores: the caller and its helpers, which live until Close. A new goroutine for each job would
// cost the same, but allocates now and then. A Pool belongs to one goroutine.
//
// The caller does not wait for a helper that has not begun: its core may be busy for long. A goroutine that computes
// something less urgent on another core joins with Help, which wakes no core.
type Pool struct {
	Cores *Share // the caller holds a core of it, and helpers try to take one; set before the first job

	unit  func() bool           // of the job in progress
	fault atomic.Pointer[error] // the first panic in the job
	own   func() error          // the parts of the caller, a helper and a guest, bound once: a job allocates nothing
	help  func() error
	guest func() error

	items func() bool // the unit of Each: one call of item
	item  func(i int)
	n     int64
	next  atomic.Int64 // the first item not yet taken

	jobs    int           // that wanted helpers so far
	inside  atomic.Int64  // helpers at the job; shut more when no helper may join it
	left    chan struct{} // the last of them has left a job that was shut
	helpers int           // started so far
	wake    chan struct{} // a token for each helper a job wants; closed by Close
}

const shut = math.MinInt64 / 2

// NewPool returns a pool without helpers. Each starts them. The buffer of wake lets the caller begin at once.
func NewPool() *Pool {
	p := &Pool{left: make(chan struct{}, 1), wake: make(chan struct{}, 256)}
	p.inside.Store(shut)
	p.own = func() error {
		for p.fault.Load() == nil && p.unit() {
			p.Cores.Yield()
		}
		return nil
	}
	p.help = func() error {
		for p.fault.Load() == nil && !p.Cores.Wanted() && p.unit() {
		}
		return nil
	}
	p.guest = func() error {
		for p.fault.Load() == nil && p.unit() {
		}
		return nil
	}
	p.items = func() bool {
		i := p.next.Add(1) - 1
		if i < p.n {
			p.item(int(i))
		}
		return i < p.n
	}
	return p
}

// Each calls item(0), …, item(n−1), several at once and in any order, and returns when all are done. When one of them
// panics, no more begin, and Each panics with its Fault.
func (p *Pool) Each(n int, item func(i int)) {
	p.item, p.n = item, int64(n)
	p.next.Store(0)
	p.Work(n, p.items)
}

// Work calls unit again and again on up to n cores. unit does a part of the job and reports whether it found a part to
// do. A core for which it found none leaves the job. After all others have left, unit must find every part that is not
// done: Work returns when it then finds nothing. When unit panics, Work panics with its Fault.
func (p *Pool) Work(n int, unit func() bool) {
	p.unit = unit
	wanted := min(runtime.GOMAXPROCS(0), n) - 1
	open := wanted > 0
	if open {
		p.inside.Store(0)
	}
	if p.Cores.Wanted() { // a helper would find no core
		wanted = 0
	}
	if wanted > 0 {
		p.jobs++
		// One too many: Go's scheduler reserves the goroutine woken last for the caller's own core, and lets another
		// core steal it only after some 50 µs. That would be most of the job.
		wanted++
	}
	for ; p.helpers < wanted; p.helpers++ {
		go p.helper() // ends with Close
	}
	for range wanted - len(p.wake) { // a helper may still take a token of the last job
		p.wake <- struct{}{}
	}
	p.do(p.own)
	if open {
		if p.inside.Add(shut) != shut {
			p.wait()
		}
		p.do(p.own) // finishes the items that helpers left
	}
	if fault := p.fault.Swap(nil); fault != nil {
		panic(*fault)
	}
}

// wait waits for the others at the job, who have little left to do; sleeping and waking up can take 45 µs.
func (p *Pool) wait() {
	for range spins {
		select {
		case <-p.left:
			return
		default:
		}
	}
	if p.Cores.Wanted() {
		p.Cores.Release()
		defer p.Cores.Acquire()
	}
	<-p.left
}

const spins = 5_000 // some 15 µs

func (p *Pool) helper() {
	for range p.wake {
		if !p.join() {
			continue
		}
		if p.Cores.Try() {
			p.do(p.help)
			p.Cores.Release()
		}
		p.leave()
	}
}

// Help does parts of the job in progress until it finds none; without a job it costs a load. The caller holds a core.
// Any number of goroutines may call it.
func (p *Pool) Help() {
	if p.inside.Load() >= 0 && p.join() {
		p.do(p.guest)
		p.leave()
	}
}

// join reports whether a helper may join the job: it is not shut.
func (p *Pool) join() bool {
	for {
		n := p.inside.Load()
		if n < 0 {
			return false
		}
		if p.inside.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// leave is the end of join.
func (p *Pool) leave() {
	if p.inside.Add(-1) == shut {
		p.left <- struct{}{}
	}
}

// do does units until there are no more, or one panics.
func (p *Pool) do(part func() error) {
	if err := Catch(part); err != nil {
		first := err
		p.fault.CompareAndSwap(nil, &first)
	}
}

// Helpers returns the number of helpers, without the caller.
func (p *Pool) Helpers() int { return p.helpers }

// Jobs returns the number of jobs so far that wanted helpers.
func (p *Pool) Jobs() int { return p.jobs }

// Close ends the helpers and the use of the pool.
func (p *Pool) Close() { close(p.wake) }
