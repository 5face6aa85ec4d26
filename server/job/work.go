package job

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"impalab/learner/schedule"
	"impalab/server/store"
)

// Work is one job in this worker. Any goroutine of the job may call its methods.
type Work struct {
	q        *Queue
	ctx      context.Context
	job      store.Job
	snapshot []byte
	shown    []byte // see Show
	lost     context.CancelCauseFunc
	over     atomic.Bool // Finish has happened
	done     atomic.Int64
	total    atomic.Int64
}

// ID returns the job's id.
func (w *Work) ID() string { return w.job.ID }

// Submitter returns the hash of the job's submitter.
func (w *Work) Submitter() string { return w.job.Submitter }

// Has reports whether a job, as the store has it, is in this worker.
func (w *Work) Has(j store.Job) bool { return j.Token == w.job.Token }

// Args reads the arguments that Add was given. Refuse marks its error, also for a key that into does not have.
func (w *Work) Args(into any) error {
	d := json.NewDecoder(bytes.NewReader([]byte(w.job.Args)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return Refuse(fmt.Errorf("the job's arguments: %w", err))
	}
	return nil
}

// Resumed returns the last snapshot of this or another worker; nil: the job starts from its beginning.
func (w *Work) Resumed() []byte { return w.snapshot }

// Progress sets how much of the job is done. The next heartbeat stores it.
func (w *Work) Progress(done, total int64) {
	w.done.Store(done)
	w.total.Store(total)
}

// Show sets the part of the job's work that pages show. The next Keep stores it beside the snapshot, so that no page
// reads the snapshot. The goroutine that calls Keep calls it.
func (w *Work) Show(shown []byte) { w.shown = shown }

// Save stores a snapshot for the next worker. Its error is store.ErrLost if another worker has the job now.
func (w *Work) Save(snapshot []byte) error {
	err := w.Do(func(tx *store.Tx) error {
		if err := tx.SaveJob(w.job.ID, w.job.Token, snapshot); err != nil {
			return err
		}
		return tx.ShowJob(w.job.ID, w.shown)
	})
	if err == nil {
		w.q.lone.clear(w)
	}
	return err
}

// Do is store.Do while this worker has the job, also while the worker stops; else it returns store.ErrLost.
func (w *Work) Do(fn func(*store.Tx) error) error {
	return w.q.store.Do(context.WithoutCancel(w.ctx), func(tx *store.Tx) error {
		if err := w.Heartbeat(tx, false); err != nil {
			return err
		}
		return fn(tx)
	})
}

// Heartbeat stores a heartbeat and the progress in the caller's transaction. It returns store.ErrLost unless this
// worker has the job. kept: the transaction stores a snapshot from which the next worker would resume.
func (w *Work) Heartbeat(tx *store.Tx, kept bool) error {
	err := tx.HeartbeatJob(w.job.ID, w.job.Token, w.done.Load(), w.total.Load())
	if err == nil && kept {
		err = tx.SaveJob(w.job.ID, w.job.Token, nil)
		w.q.lone.clear(w)
	}
	if errors.Is(err, store.ErrLost) {
		w.lost(err)
	}
	return err
}

// Finish stores the result of the job and ends it, in one transaction. So no result is stored twice, or without the
// end of its job.
func (w *Work) Finish(result func(*store.Tx) error) error {
	err := w.Do(func(tx *store.Tx) error {
		if err := result(tx); err != nil {
			return err
		}
		return tx.CloseJob(w.job.ID, store.JobDone, "")
	})
	w.over.Store(w.over.Load() || err == nil)
	return err
}

// work does the job of a row of River's.
func (q *Queue) work(ctx context.Context, id string, row *rivertype.JobRow) error {
	ctx, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	defer context.AfterFunc(q.ctx, func() { lost(errClosing) })()
	w := &Work{q: q, ctx: ctx, lost: lost}
	var wait time.Duration
	alone := false
	err := q.store.Do(context.WithoutCancel(ctx), func(tx *store.Tx) (err error) {
		if w.job, err = tx.Job(id); err != nil {
			return err
		}
		alone = w.job.Tries >= suspect
		if wait = q.lone.begin(w, alone, time.Since(q.began), q.opts.settle); wait > 0 {
			return nil
		}
		if w.job, err = tx.ClaimJob(id, row.ID, q.opts.Name, store.NewKey()); err == nil {
			w.snapshot, err = tx.JobSnapshot(id)
		}
		return err
	})
	defer q.lone.end(w)
	switch {
	case errors.Is(err, store.ErrLost) || errors.Is(err, store.ErrNotFound): // the job is over, or has another row
		return river.JobCancel(err)
	case err != nil:
		return err
	case wait > 0:
		return river.JobSnooze(wait)
	}
	w.Progress(w.job.Progress, w.job.Total)
	log := q.opts.Log.With("job", id, "kind", w.job.Kind)
	log.Debug("a job begins", "tries", w.job.Tries, "resumed", w.snapshot != nil)

	beating, stop := context.WithCancel(ctx)
	var heart sync.WaitGroup
	heart.Go(func() { w.beat(beating) }) // ends with the job
	if alone {
		log.Warn("workers died during a job; it now runs alone", "workers", w.job.Tries-1)
		q.lone.running.Wait()
	}
	err = schedule.Catch(func() error { return q.kinds[w.job.Kind].Work(ctx, w) })
	stop()
	heart.Wait()
	return w.end(ctx, err, row.Attempt >= row.MaxAttempts)
}

// end stores the outcome of Kind.Work and returns River's. last: River would not try again.
func (w *Work) end(ctx context.Context, err error, last bool) error {
	log := w.q.opts.Log.With("job", w.job.ID, "kind", w.job.Kind)
	cause := context.Cause(ctx)
	var refused refusal
	var behind giveWay
	gaveWay := errors.As(err, &behind)
	switch {
	case w.over.Load():
		if err != nil {
			log.Warn("a finished job ended with an error", "error", err)
		}
		return nil
	case errors.Is(err, store.ErrLost) || errors.Is(cause, store.ErrLost):
		log.Info("a job was taken over by another worker, or cancelled")
		return river.JobCancel(store.ErrLost)
	case err == nil:
		err = Refuse(errors.New("it ended without a result"))
		fallthrough
	case errors.As(err, &refused), cause == nil && !gaveWay && last:
		log.Warn("a job has failed", "error", err)
		kept := w.Do(func(tx *store.Tx) error { return w.q.fail(tx, w.job, err.Error()) })
		return river.JobCancel(errors.Join(err, kept))
	case cause != nil, gaveWay: // the next worker begins at once
		return river.JobCancel(errors.Join(err, w.queue(func(tx *store.Tx, now store.Job) error {
			now.Turn = max(now.Turn, behind.turn)
			return w.q.requeue(tx, now)
		})))
	}
	log.Warn("a job failed; it is tried again", "error", err)
	kept := w.queue(func(tx *store.Tx, now store.Job) error {
		now.Reason = err.Error()
		return tx.QueueJob(now)
	})
	return errors.Join(err, kept)
}

// queue calls fn to queue the job again. Its worker lives, so this try does not count.
func (w *Work) queue(fn func(tx *store.Tx, now store.Job) error) error {
	return w.Do(func(tx *store.Tx) error {
		now, err := tx.Job(w.job.ID)
		if err != nil {
			return err
		}
		now.Tries--
		return fn(tx, now)
	})
}

// beat stores heartbeats until ctx ends.
func (w *Work) beat(ctx context.Context) {
	tick := time.NewTicker(w.q.opts.dead / beats)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := w.q.store.Do(ctx, func(tx *store.Tx) error { return w.Heartbeat(tx, false) })
		switch {
		case errors.Is(err, store.ErrLost):
			return
		case err != nil && ctx.Err() == nil: // the database is away: the job continues, and asks again when it writes
			w.q.opts.Log.Warn("a job's heartbeat was not stored", "job", w.job.ID, "error", err)
		}
	}
}
