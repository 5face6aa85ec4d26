package graph

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// workerPool does the items of a job on all cores: the caller takes part, helpers join in. Helpers live until
// close. A goroutine for each job would cost the same, yet allocates now and then.
type workerPool struct {
	job  func(i int)
	n    int64
	next atomic.Int64 // the first item nobody has taken

	helpers int           // started so far: as many as any job has wanted
	wake    chan struct{} // a token for each helper a job wants; closed by close
	busy    sync.WaitGroup
}

// The buffer lets the caller start on its own share before the helpers have come.
func newWorkerPool() *workerPool { return &workerPool{wake: make(chan struct{}, 256)} }

// each calls job(0), …, job(n−1), several at once and in any order, and returns when all are done.
func (p *workerPool) each(n int, job func(i int)) {
	p.job, p.n = job, int64(n)
	p.next.Store(0)
	wanted := min(runtime.GOMAXPROCS(0), n) - 1
	if wanted > 0 {
		// One too many: the scheduler holds the goroutine woken last for the caller's own core, and
		// lets another core steal it only after some 50 µs. That would be most of the job.
		wanted++
	}
	for ; p.helpers < wanted; p.helpers++ {
		go p.help()
	}
	p.busy.Add(wanted)
	for range wanted {
		p.wake <- struct{}{}
	}
	p.work()
	p.busy.Wait()
}

func (p *workerPool) help() {
	for range p.wake {
		p.work()
		p.busy.Done()
	}
}

func (p *workerPool) work() {
	for i := p.next.Add(1) - 1; i < p.n; i = p.next.Add(1) - 1 {
		p.job(int(i))
	}
}

func (p *workerPool) close() { close(p.wake) }
