package graph

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// crew does the items of a job on all cores: the caller takes part, helpers join in. Helpers live until
// close. A goroutine for each job would cost the same, yet allocates now and then.
type crew struct {
	job  func(i int)
	n    int64
	next atomic.Int64 // the first item nobody has taken

	helpers int           // started so far: as many as any job has wanted
	wake    chan struct{} // a token for each helper a job wants; closed by close
	busy    sync.WaitGroup
}

// The buffer lets the caller start on its own share before the helpers have come.
func newCrew() *crew { return &crew{wake: make(chan struct{}, 256)} }

// each calls job(0), …, job(n−1), several at once and in any order, and returns when all are done.
func (c *crew) each(n int, job func(i int)) {
	c.job, c.n = job, int64(n)
	c.next.Store(0)
	wanted := min(runtime.GOMAXPROCS(0), n) - 1
	if wanted > 0 {
		// One too many: the scheduler holds the goroutine woken last for the caller's own core, and
		// lets another core steal it only after some 50 µs. That would be most of the job.
		wanted++
	}
	for ; c.helpers < wanted; c.helpers++ {
		go c.help()
	}
	c.busy.Add(wanted)
	for range wanted {
		c.wake <- struct{}{}
	}
	c.work()
	c.busy.Wait()
}

func (c *crew) help() {
	for range c.wake {
		c.work()
		c.busy.Done()
	}
}

func (c *crew) work() {
	for i := c.next.Add(1) - 1; i < c.n; i = c.next.Add(1) - 1 {
		c.job(int(i))
	}
}

func (c *crew) close() { close(c.wake) }
