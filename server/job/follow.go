package job

import (
	"context"
	"time"

	"impalab/server/store"
)

const (
	newsEvery = 250 * time.Millisecond // between two questions whether jobs have changed
	mostQuiet = 2 * time.Second        // without a change: a job's worker also writes elsewhere
)

// Follow calls look at once and after changes of jobs in any process, until ctx ends. There is a pause between two
// calls.
func (q *Queue) Follow(ctx context.Context, pause time.Duration, look func()) {
	tick := time.NewTicker(newsEvery)
	defer tick.Stop()
	var last store.News
	var looked time.Time
	for ctx.Err() == nil {
		if quiet := time.Since(looked); quiet >= pause {
			now, err := store.Get(ctx, q.store, (*store.Tx).JobsNews)
			if err == nil && (now != last || quiet >= mostQuiet) {
				last = now
				look()
				looked = time.Now()
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}
