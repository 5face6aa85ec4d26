package job

// Watching over jobs whose worker has died. Every worker watches, and the first to write wins. Clocks of machines may
// differ, so none are compared: a watcher measures by its own clock how long a heart has stood still.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"impalab/server/store"
)

// seen is a job as it was when it last changed, and when that was.
type seen struct {
	job   store.Job
	since time.Time
}

// watch hands out anew the jobs that have no worker, until the queue is closed.
func (q *Queue) watch() {
	var last map[string]seen
	looked, strangers := time.Now(), map[string]bool{}
	tick := time.NewTicker(q.opts.dead / looks)
	defer tick.Stop()
	for {
		select {
		case <-q.ctx.Done():
			return
		case now := <-tick.C:
			if time.Since(looked) > q.opts.dead { // this process stood still, or the database did: so may the hearts have
				last = nil
			}
			var err error
			if last, err = q.look(last, now); err != nil && q.ctx.Err() == nil {
				q.opts.Log.Warn("jobs whose worker has died could not be looked for", "error", err)
				last = nil
			}
			if time.Since(now) < q.opts.dead/2 {
				looked = time.Now()
			}
			q.others(strangers)
		}
	}
}

// look is one round: it returns what it saw.
func (q *Queue) look(last map[string]seen, now time.Time) (map[string]seen, error) {
	var running, stray []store.Job
	err := q.store.View(q.ctx, func(tx *store.Tx) (err error) {
		if running, err = tx.JobsIn(store.JobRunning); err == nil {
			stray, err = q.strays(tx)
		}
		return err
	})
	if err != nil {
		return last, err
	}
	next := map[string]seen{}
	for _, j := range append(running, stray...) {
		s, known := last[j.ID]
		if !known || s.job.Token != j.Token || s.job.Beats != j.Beats || s.job.Ticket != j.Ticket {
			s = seen{j, now}
		}
		next[j.ID] = s
		if now.Sub(s.since) < q.opts.dead {
			continue
		}
		delete(next, j.ID)
		err := q.store.Do(q.ctx, func(tx *store.Tx) error { return q.takeOver(tx, j) })
		if err != nil && !errors.Is(err, store.ErrLost) {
			return next, err
		}
	}
	return next, nil
}

// takeOver hands out anew a job that has no worker, or fails a job that killed its workers again and again.
func (q *Queue) takeOver(tx *store.Tx, j store.Job) error {
	if j.State == store.JobRunning && j.Tries >= guilty {
		q.opts.Log.Warn("a job has failed: its workers die", "job", j.ID, "kind", j.Kind, "tries", j.Tries)
		err := tx.FailJob(j, fmt.Sprintf("%d workers died at it, one after the other; the last %d did nothing else", j.Tries,
			guilty-suspect))
		if err != nil {
			return err
		}
		return q.river.cancel(tx, j.Ticket)
	}
	if j.State == store.JobRunning {
		q.opts.Log.Warn("a job's worker has died; another goes on", "job", j.ID, "kind", j.Kind, "worker", j.Worker)
	}
	return q.requeue(tx, j, "")
}

// requeue hands a job out under a new number, at its old turn. Our row is changed before River's, as everywhere: else
// two would wait for each other.
func (q *Queue) requeue(tx *store.Tx, j store.Job, reason string) error {
	number, err := q.river.insert(tx, &j)
	if err != nil {
		return err
	}
	if err := tx.RequeueJob(j, number, reason); err != nil {
		return err
	}
	return q.river.cancel(tx, j.Ticket)
}

// strays are queued jobs that River will not hand out: its row is over or gone, is another job's, or was handed to a
// worker that died before it came for the job.
func (q *Queue) strays(tx *store.Tx) (stray []store.Job, err error) {
	all, err := tx.JobsIn(store.JobQueued)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	all = all[:min(len(all), mostAsked)]
	tickets := make([]int64, len(all))
	for i := range all {
		tickets[i] = all[i].Ticket
	}
	waits, err := q.river.waits(tx, tickets)
	for _, j := range all {
		if waits[j.Ticket] != j.ID {
			stray = append(stray, j)
		}
	}
	return stray, err
}

// adopt makes the open jobs of other builds jobs of this build: the server's build counts. It hands out anew the jobs
// that the server's own dead process was at: there is one server for a store, so nobody is at them.
func (q *Queue) adopt(ctx context.Context) error {
	return q.store.Do(ctx, func(tx *store.Tx) error {
		for _, state := range []store.State{store.JobRunning, store.JobQueued} {
			all, err := tx.JobsIn(state)
			if err != nil {
				return err
			}
			for _, j := range all {
				if j.Build == q.opts.Build && j.Arithmetic == q.opts.Arithmetic {
					if j.State == store.JobRunning && j.Worker == theServer {
						if err := q.takeOver(tx, j); err != nil {
							return err
						}
					}
					continue
				}
				q.opts.Log.Info("a job of another build begins anew", "job", j.ID, "kind", j.Kind, "build", j.Build)
				if err := tx.AdoptJob(j.ID, q.opts.Build, q.opts.Arithmetic); err != nil {
					return err
				}
				j.Build, j.Arithmetic = q.opts.Build, q.opts.Arithmetic
				if err := q.requeue(tx, j, ""); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// others says, once for each, of which other builds jobs wait that this worker leaves alone.
func (q *Queue) others(said map[string]bool) {
	var all []store.Job
	err := q.store.View(q.ctx, func(tx *store.Tx) (err error) { all, err = tx.JobsIn(store.JobQueued); return err })
	if err != nil {
		return
	}
	count := map[string]int{}
	for _, j := range all {
		if j.Build != q.opts.Build || j.Arithmetic != q.opts.Arithmetic {
			count[j.Build+" ("+j.Arithmetic+")"]++
		}
	}
	for build, n := range count {
		if !said[build] {
			said[build] = true
			q.opts.Log.Warn("jobs of another build are left alone: a reference run is of one build and one arithmetic; "+
				"start a worker of the server's build", "jobs", n, "theirs", build,
				"ours", q.opts.Build+" ("+q.opts.Arithmetic+")")
		}
	}
}
