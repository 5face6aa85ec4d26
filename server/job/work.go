package job

// Doing one job: it is taken in our row, its heart beats, and what it comes to is written with its end.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"impalab/learner/schedule"
	"impalab/server/store"
)

// Work is one job in the hands of this worker. Its methods may be called from any goroutine of the job's.
type Work struct {
	q       *Queue
	ctx     context.Context
	job     store.Job
	row     *rivertype.JobRow
	from    []byte
	lost    context.CancelCauseFunc
	over    atomic.Bool // Finish has happened
	so, far atomic.Int64
}

// ID is the job's.
func (w *Work) ID() string { return w.job.ID }

// Has reports whether a job, as the store has it, is in this worker's hands.
func (w *Work) Has(j store.Job) bool { return j.Token == w.job.Token }

// Args reads what Add was given. A key that into does not have is an error that Refuse marks.
func (w *Work) Args(into any) error {
	d := json.NewDecoder(bytes.NewReader([]byte(w.job.Args)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return Refuse(fmt.Errorf("the job's arguments: %w", err))
	}
	return nil
}

// Resumed is the last snapshot that was kept, by this worker or another; nil: the job begins.
func (w *Work) Resumed() []byte { return w.from }

// Progress says that so much of so much is done. It costs nothing: the next heartbeat takes it along.
func (w *Work) Progress(done, total int64) {
	w.so.Store(done)
	w.far.Store(total)
}

// Keep keeps what the next worker would go on from. store.ErrLost: the job is somebody else's by now.
func (w *Work) Keep(snapshot []byte) error {
	err := w.write(func(tx *store.Tx) error { return tx.KeepJob(w.job.ID, w.job.Token, snapshot) })
	if err == nil {
		w.q.lone.clear(w)
	}
	return err
}

// Do is store.Do while the job is this worker's: the same transaction asks whether it is.
func (w *Work) Do(fn func(*store.Tx) error) error {
	return w.write(func(tx *store.Tx) error {
		if err := tx.HoldJob(w.job.ID, w.job.Token, w.so.Load(), w.far.Load()); err != nil {
			return err
		}
		return fn(tx)
	})
}

// Hold says in a transaction of the caller's that the job is this worker's, or is store.ErrLost. kept: what the
// transaction writes has a state in it from which the next worker would go on.
func (w *Work) Hold(tx *store.Tx, kept bool) error {
	err := tx.HoldJob(w.job.ID, w.job.Token, w.so.Load(), w.far.Load())
	if err == nil && kept {
		err = tx.KeptJob(w.job.ID, w.job.Token)
		w.q.lone.clear(w)
	}
	if errors.Is(err, store.ErrLost) {
		w.lost(err)
	}
	return err
}

// Finish writes what the job came to and ends it, in one transaction: no result is written twice, or without the job
// being over.
func (w *Work) Finish(result func(*store.Tx) error) error {
	err := w.write(func(tx *store.Tx) error {
		if err := tx.HoldJob(w.job.ID, w.job.Token, w.so.Load(), w.far.Load()); err != nil {
			return err
		}
		if err := result(tx); err != nil {
			return err
		}
		if err := tx.EndJob(w.job.ID, w.job.Token, store.JobDone, ""); err != nil {
			return err
		}
		return w.q.river.done(context.WithoutCancel(w.ctx), tx, w.row)
	})
	w.over.Store(w.over.Load() || err == nil)
	return err
}

// write runs a transaction also when the worker is stopping: what it holds is to be kept then.
func (w *Work) write(fn func(*store.Tx) error) error {
	err := w.q.store.Do(context.WithoutCancel(w.ctx), fn)
	if errors.Is(err, store.ErrLost) {
		w.lost(err)
	}
	return err
}

// work does what River handed out.
func (q *Queue) work(ctx context.Context, id string, row *rivertype.JobRow) error {
	ctx, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	defer context.AfterFunc(q.ctx, func() { lost(errClosing) })()
	w := &Work{q: q, ctx: ctx, row: row, lost: lost}
	log := q.opts.Log.With("job", id)
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
		if w.job, err = tx.TakeJob(id, row.ID, q.opts.Name, store.NewKey()); err != nil {
			return err
		}
		w.so.Store(w.job.Progress)
		w.far.Store(w.job.Total)
		w.from, err = tx.JobSnapshot(id)
		return err
	})
	defer q.lone.end(w)
	if err != nil {
		if errors.Is(err, store.ErrLost) || errors.Is(err, store.ErrNotFound) { // River's row is old: the job is over or anew
			return river.JobCancel(err)
		}
		return err
	}
	if wait > 0 {
		return river.JobSnooze(wait)
	}
	log = log.With("kind", w.job.Kind)
	log.Debug("a job begins", "tries", w.job.Tries, "resumed", w.from != nil)

	beating, stop := context.WithCancel(ctx)
	heart := make(chan struct{})
	go func() { defer close(heart); w.beat(beating) }() // ends with the job
	if alone {
		log.Warn("workers died at a job; it runs alone now", "workers", w.job.Tries-1)
		err = q.lone.alone(ctx)
	}
	if err == nil {
		err = schedule.Catch(func() error { return q.kinds[w.job.Kind].Work(ctx, w) })
	}
	stop()
	<-heart
	return w.end(ctx, err)
}

// end says what became of the job, in our row first; what it returns is for River.
func (w *Work) end(ctx context.Context, err error) error {
	log := w.q.opts.Log.With("job", w.job.ID, "kind", w.job.Kind)
	cause := context.Cause(ctx)
	var refused refusal
	var gaveWay giveWay
	hands := errors.As(err, &gaveWay)
	switch {
	case w.over.Load():
		if err != nil {
			log.Warn("a job that was finished went on to an error", "error", err)
		}
		return nil
	case errors.Is(err, store.ErrLost) || errors.Is(cause, store.ErrLost):
		log.Info("a job was taken over by another worker, or cancelled")
		return river.JobCancel(store.ErrLost)
	case err == nil:
		err = Refuse(errors.New("it ended without a result"))
		fallthrough
	case errors.As(err, &refused), cause == nil && !hands && w.row.Attempt >= w.row.MaxAttempts:
		log.Warn("a job has failed", "error", err)
		kept := w.write(func(tx *store.Tx) error {
			return tx.EndJob(w.job.ID, w.job.Token, store.JobFailed, err.Error())
		})
		return river.JobCancel(errors.Join(err, kept))
	case cause != nil, hands: // the next one begins at once
		return river.JobCancel(errors.Join(err, w.write(func(tx *store.Tx) error {
			now, err := tx.Job(w.job.ID)
			if err != nil || now.Token != w.job.Token {
				return errors.Join(err, store.ErrLost)
			}
			now.Turn = max(now.Turn, gaveWay.turn)
			now.Tries--
			return w.q.requeue(tx, now, "")
		})))
	}
	log.Warn("a job failed; it is tried again", "error", err, "attempt", w.row.Attempt)
	kept := w.write(func(tx *store.Tx) error { return tx.LeaveJob(w.job.ID, w.job.Token, err.Error()) })
	return errors.Join(err, kept)
}

// beat has the job's heart beat until it is over.
func (w *Work) beat(ctx context.Context) {
	tick := time.NewTicker(w.q.opts.dead / beats)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := w.q.store.Do(ctx, func(tx *store.Tx) error {
			return tx.HoldJob(w.job.ID, w.job.Token, w.so.Load(), w.far.Load())
		})
		switch {
		case errors.Is(err, store.ErrLost):
			w.lost(err)
			return
		case err != nil && ctx.Err() == nil: // the database is away: the job goes on, and asks again when it writes
			w.q.opts.Log.Warn("a job's heartbeat was not kept", "job", w.job.ID, "error", err)
		}
	}
}
