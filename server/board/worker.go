package board

// The jobs that train entries: public seeds are one, secret ones the next.

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"impalab/learner/schedule"
	"impalab/server/job"
	"impalab/server/seedjob"
	"impalab/server/store"
)

// The kinds of jobs. Provisional rows come first: everybody has one before anybody has a rank.
const (
	publicKind, publicFirst = "board-public", 2
	secretKind, secretLast  = "board-secret", 3
)

// jobArgs is what a job is told.
type jobArgs struct {
	Entry string `json:"entry"`
}

// enqueue has an entry's public seeds trained next, or its secret ones once those have their row.
func (o *ContestOptions) enqueue(tx *store.Tx, e *store.BoardEntry) error {
	if o.Queue == nil {
		return nil
	}
	t, err := o.Tracks.Find(e.Track)
	if err != nil {
		return err
	}
	next := job.Order{Kind: publicKind, Args: jobArgs{e.ID}, Priority: publicFirst,
		Submitter: cmp.Or(e.Address, "baselines"), Cost: int64(t.Start.Steps) * int64(len(t.Public)) / 1000}
	if e.PublicRow != "" {
		next.Kind, next.Priority = secretKind, secretLast
		next.Cost = int64(t.Start.Steps) * int64(t.Secret) / 1000
	}
	id, err := o.Queue.Add(tx, next)
	if err != nil {
		return err
	}
	return tx.SetEntryJob(e.ID, id)
}

// adopt queues open entries that no open job trains: those of a server without a queue, and of jobs that have failed
// without a word to their entry.
func (c *Contest) adopt() error {
	if c.opts.Queue == nil {
		return nil
	}
	return c.opts.Store.Do(c.ctx, func(tx *store.Tx) error {
		open, err := tx.EntriesOpen()
		if err != nil {
			return err
		}
		for i := range open {
			e := &open[i]
			j, err := tx.Job(e.Job)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			if err == nil && (j.State == store.JobQueued || j.State == store.JobRunning) {
				continue
			}
			if _, _, err := c.opts.entered(e); err != nil {
				err = tx.SetEntryState(e.ID, store.Failed, err.Error())
				if err != nil {
					return err
				}
				continue
			}
			if err := c.opts.enqueue(tx, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// Kinds are the jobs that train this contest's entries.
func (c *Contest) Kinds() []job.Kind { return c.opts.kinds() }

// Kinds are the jobs that train entries, for a worker that is no server. Queue is wanted, as in a contest.
func Kinds(o ContestOptions) []job.Kind {
	o.defaults()
	return o.kinds()
}

func (o *ContestOptions) kinds() []job.Kind {
	return []job.Kind{
		{Name: publicKind, Work: func(ctx context.Context, w *job.Work) error { return o.do(ctx, w, false) }},
		{Name: secretKind, Work: func(ctx context.Context, w *job.Work) error { return o.do(ctx, w, true) }},
	}
}

// do does one job: it trains what comes next of an entry and keeps its row with the end of the job.
func (o *ContestOptions) do(ctx context.Context, w *job.Work, secret bool) error {
	var told jobArgs
	if err := w.Args(&told); err != nil {
		return err
	}
	var e store.BoardEntry
	err := o.Store.View(ctx, func(tx *store.Tx) (err error) { e, err = tx.Entry(told.Entry); return err })
	if errors.Is(err, store.ErrNotFound) {
		return job.Refuse(err)
	}
	if err != nil {
		return err
	}
	if e.Job != w.ID() || secret != (e.PublicRow != "") { // another job trains it
		return w.Finish(func(*store.Tx) error { return nil })
	}
	var row Row
	err = schedule.Catch(func() (err error) { row, err = o.train(ctx, w, &e); return err })
	if err != nil {
		return o.fail(ctx, w, &e, err)
	}
	return w.Finish(func(tx *store.Tx) error {
		if err := tx.SetRow(e.ID, secret, object(row)); err != nil {
			return err
		}
		if secret {
			return tx.SetEntryState(e.ID, store.Done, "")
		}
		now, err := tx.Entry(e.ID)
		return errors.Join(err, tx.SetEntryState(e.ID, store.Queued, ""), o.enqueue(tx, &now))
	})
}

// fail keeps why an entry could not be trained, unless that may pass: then the queue tries again.
func (o *ContestOptions) fail(ctx context.Context, w *job.Work, e *store.BoardEntry, cause error) error {
	if again := seedjob.Again(ctx, cause); again != nil {
		return again
	}
	o.Log.Error("an entry of the board cannot be trained", "entry", e.ID, "track", e.Track, "error", cause)
	reason := cause.Error()
	var fault *schedule.Fault
	if errors.As(cause, &fault) {
		reason = fmt.Sprintf("a fault of ours: %v; the server's log has the details", fault.Value)
	}
	err := w.Do(func(tx *store.Tx) error { return tx.SetEntryState(e.ID, store.Failed, reason) })
	return job.Refuse(errors.Join(errors.New(reason), err))
}
