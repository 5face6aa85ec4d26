package job

// Watching: every worker looks for jobs whose worker has died, and the first to write takes them over. The clocks of
// machines may differ, so a watcher measures by its own clock how long a job had no heartbeat.

import (
	"errors"
	"fmt"
	"time"

	"impalab/server/store"
)

// watcher is one worker's view of all jobs.
type watcher struct {
	*Queue
	seen   map[store.Job]time.Time // when the watcher first saw a job in this state
	builds map[string]bool         // other builds that the log has named
}

// watch takes over jobs without a worker, until the queue is closed.
func (q *Queue) watch() {
	w := watcher{Queue: q, builds: map[string]bool{}}
	ended := time.Now() // of the last round that was not slow
	tick := time.NewTicker(q.opts.dead / rounds)
	defer tick.Stop()
	for {
		select {
		case <-q.ctx.Done():
			return
		case now := <-tick.C:
			if time.Since(ended) > q.opts.dead { // this process or the database paused, so heartbeats may be stale
				w.seen = nil
			}
			if err := w.round(now); err != nil && q.ctx.Err() == nil {
				q.opts.Log.Warn("the search for jobs of dead workers failed", "error", err)
				w.seen = nil
			}
			if time.Since(now) < q.opts.dead/2 {
				ended = time.Now()
			}
		}
	}
}

func (w *watcher) round(now time.Time) error {
	var running, queued, stray []store.Job
	err := w.store.View(w.ctx, func(tx *store.Tx) (err error) {
		if running, queued, err = tx.JobsOpen(); err == nil {
			stray, err = w.strays(tx, queued)
		}
		return err
	})
	if err != nil {
		return err
	}
	before := w.seen
	w.seen = map[store.Job]time.Time{}
	for _, j := range append(running, stray...) {
		since, known := before[j]
		if !known {
			since = now
		}
		if now.Sub(since) < w.opts.dead {
			w.seen[j] = since
			continue
		}
		err := w.store.Do(w.ctx, func(tx *store.Tx) error { return w.recoverJob(tx, j) })
		if err != nil && !errors.Is(err, store.ErrLost) {
			return err
		}
	}
	w.strangers(queued)
	return nil
}

// recoverJob queues a job without a worker again, or fails a job that has killed its workers.
func (q *Queue) recoverJob(tx *store.Tx, j store.Job) error {
	if err := tx.StillJob(j); err != nil {
		return err
	}
	if j.State == store.JobRunning && j.Tries >= guilty {
		q.opts.Log.Warn("a job has failed: its workers died", "job", j.ID, "kind", j.Kind, "tries", j.Tries)
		reason := fmt.Sprintf("%d workers died during it, one after the other; the last %d ran nothing else", j.Tries,
			guilty-suspect)
		return errors.Join(q.fail(tx, j, reason), q.cancel(tx, j.Ticket))
	}
	if j.State == store.JobRunning {
		q.opts.Log.Warn("a job's worker has died; another continues", "job", j.ID, "kind", j.Kind, "worker", j.Worker)
	}
	return q.requeue(tx, j)
}

// requeue queues a job that the transaction has locked, with a new row of River's. Our row is locked before River's
// everywhere: else two transactions would wait for each other.
func (q *Queue) requeue(tx *store.Tx, j store.Job) (err error) {
	old := j.Ticket
	j.Reason = ""
	if j.Ticket, err = q.insert(tx, &j); err != nil {
		return err
	}
	if err := tx.QueueJob(j); err != nil {
		return err
	}
	return q.cancel(tx, old)
}

// strays returns the queued jobs that River will not hand out: its row is over, or missing after a restore, or was
// handed to a worker that died before it took the job.
func (q *Queue) strays(tx *store.Tx, queued []store.Job) (stray []store.Job, err error) {
	queued = queued[:min(len(queued), mostAsked)]
	if len(queued) == 0 {
		return nil, nil
	}
	tickets := make([]int64, len(queued))
	for i := range queued {
		tickets[i] = queued[i].Ticket
	}
	waits, err := q.waits(tx, tickets)
	for _, j := range queued {
		if waits[j.Ticket] != j.ID {
			stray = append(stray, j)
		}
	}
	return stray, err
}

// adopt restarts the open jobs of other builds as jobs of this build: a reference run is of one build from its first
// step to its last. It also queues the jobs again that the server's own dead process was doing: a store has one server.
// A job that has killed its workers is left for the watcher, which knows what its failure means.
func (q *Queue) adopt(tx *store.Tx) error {
	running, queued, err := tx.JobsOpen()
	if err != nil {
		return err
	}
	for _, j := range append(running, queued...) {
		switch {
		case j.Build != q.opts.Build || j.Arithmetic != q.opts.Arithmetic:
			q.opts.Log.Info("a job of another build restarts", "job", j.ID, "kind", j.Kind, "build", j.Build)
			j.Build, j.Arithmetic, j.Progress, j.Tries = q.opts.Build, q.opts.Arithmetic, 0, 0
			if err = tx.DropJobSnapshot(j.ID); err == nil {
				err = q.requeue(tx, j)
			}
		case j.State == store.JobRunning && j.Worker == theServer && j.Tries < guilty:
			err = q.recoverJob(tx, j)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// strangers logs, once for each other build, that this worker leaves its jobs alone.
func (w *watcher) strangers(queued []store.Job) {
	ours := w.opts.Build + " (" + w.opts.Arithmetic + ")"
	for _, j := range queued {
		if theirs := j.Build + " (" + j.Arithmetic + ")"; theirs != ours && !w.builds[theirs] {
			w.builds[theirs] = true
			w.opts.Log.Warn("jobs of another build are left alone: a reference run is of one build and one arithmetic; "+
				"start a worker of the server's build", "theirs", theirs, "ours", ours)
		}
	}
}
