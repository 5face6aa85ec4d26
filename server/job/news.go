package job

import (
	"context"
	"sync"
	"time"

	"impalab/server/store"
)

// A process asks the store every newsEvery for changes of open jobs, for all goroutines that wait for changes. After
// newsAlways rounds it wakes them without a change too: a job's worker also writes elsewhere.
const (
	newsEvery  = 250 * time.Millisecond
	newsAlways = 8
)

// news wakes goroutines after changes of jobs.
type news struct {
	mu   sync.Mutex
	next chan struct{} // closed at the next change
}

// News returns a channel that is closed at the next change of a job in any process. Call it before you read the job.
func (q *Queue) News() <-chan struct{} {
	q.news.mu.Lock()
	defer q.news.mu.Unlock()
	return q.news.next
}

// tell closes the channel, and makes the next one unless the queue is closing.
func (n *news) tell(closing bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.next)
	if !closing {
		n.next = make(chan struct{})
	}
}

// Follow calls look at once and after changes of jobs in any process, until ctx ends. It pauses after each call.
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

// listen asks for changes until the queue is closed.
func (q *Queue) listen() {
	defer q.news.tell(true)
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
			q.news.tell(false)
		}
	}
}
