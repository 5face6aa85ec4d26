package job

import (
	"context"
	"sync"
	"time"

	"impalab/server/store"
)

// newsEvery is how often a process looks for changes of open jobs, for all who wait for them. After newsAlways looks it
// tells them to look even without one: a job's worker also writes elsewhere.
const (
	newsEvery  = 250 * time.Millisecond
	newsAlways = 8
)

// news tells of changes.
type news struct {
	mu   sync.Mutex
	next chan struct{} // closed at the next change of a job
}

func (n *news) tell() {
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.next)
	n.next = make(chan struct{})
}

// end leaves those who wait to look by themselves.
func (n *news) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.next)
}

// News returns a channel that is closed when some job has changed, whoever does it. Ask before you look.
func (q *Queue) News() <-chan struct{} {
	q.news.mu.Lock()
	defer q.news.mu.Unlock()
	return q.news.next
}

// Follow calls look at once and after changes of jobs, whoever makes them, until ctx ends. It pauses after each call.
func (q *Queue) Follow(ctx context.Context, pause time.Duration, look func()) {
	for ctx.Err() == nil {
		news := q.News()
		look()
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		select {
		case <-news:
		case <-ctx.Done():
		}
	}
}

// follow tells of changes until the queue is closed.
func (q *Queue) follow() {
	defer q.news.end()
	tick := time.NewTicker(newsEvery)
	defer tick.Stop()
	var last [3]int64
	for round := 0; ; round++ {
		select {
		case <-tick.C:
		case <-q.ctx.Done():
			return
		}
		var now [3]int64
		err := q.store.View(q.ctx, func(tx *store.Tx) (err error) { now, err = tx.JobsNews(); return err })
		if err == nil && (now != last || round%newsAlways == 0) {
			last = now
			q.news.tell()
		}
	}
}
