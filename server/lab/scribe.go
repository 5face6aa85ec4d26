package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"impalab/learner/schedule"
	"impalab/server/errcode"
	"impalab/server/store"
)

// The scribe takes new data of all runs to the store. Runs for which a caller waits go at once, in one transaction; the
// others a few times a second. Snapshots follow on a goroutine of their own (snapshots.go). After kill -9 a run
// recomputes what its tape says.

const (
	scribeEvery = 250 * time.Millisecond
	curvesEvery = 5 * time.Second // or with the run's next snapshot or state
)

// scribe runs until the lab closes.
func (l *Lab) scribe() {
	tick := time.NewTicker(scribeEvery)
	defer tick.Stop()
	for {
		keep := func() error { return l.writeDown(l.ctx, l.hosted(), usual) }
		select {
		case <-tick.C:
		case <-l.urgent:
			runs := slices.DeleteFunc(l.hosted(), func(r *Run) bool { return !r.urgent.Swap(false) })
			keep = func() error { return l.writeDown(l.ctx, runs, soon) }
		case <-l.ctx.Done():
			return
		}
		if err := schedule.Catch(keep); errors.As(err, new(*schedule.Fault)) {
			l.Fault("the scribe", "", err)
		}
	}
}

// hurry lets the scribe store a run at once.
func (r *Run) hurry() {
	r.record.Touch()
	r.urgent.Store(true)
	select {
	case r.lab.urgent <- struct{}{}:
	default: // the scribe will come
	}
}

// flush waits until the store has all present data of the run.
func (r *Run) flush(ctx context.Context) error {
	answer := make(chan error, 1)
	r.record.Lock()
	r.record.waiting = append(r.record.waiting, answer)
	r.record.Unlock()
	r.hurry()
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-r.gone: // letGo may have answered
	}
	select {
	case err := <-answer:
		return err
	default:
		return noAnswer(r.Why())
	}
}

// writeDown takes new data of some runs to the store, in one transaction.
func (l *Lab) writeDown(ctx context.Context, runs []*Run, much extent) error {
	select {
	case l.writing <- struct{}{}:
		defer func() { <-l.writing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	var batches []*batch
	for _, r := range runs {
		if much != whole && r.ctx.Err() != nil {
			continue // letGo stores it, and its page may already have loaded it again
		}
		if b := r.batch(much); b != nil {
			batches = append(batches, b)
		}
	}
	if len(batches) == 0 && l.stuck() == nil {
		return nil
	}
	err := l.write(ctx, batches)
	result := err
	for _, b := range batches {
		why := b.settle(ctx, err)
		if why == ErrUnstorable {
			l.opts.Log.Error("a run cannot be stored, and leaves memory", "run", b.r.ID, "error", b.refused)
			result = cmp.Or(result, error(&errcode.Error{Code: errcode.Conflict, Err: b.refused}))
		}
		if why != nil {
			b.r.End(why)
		}
	}
	l.noteKept(ctx, err)
	return result
}

// write takes the batches to the store, all or none. If the store refuses a run, it stores the others without it.
func (l *Lab) write(ctx context.Context, batches []*batch) error {
	for {
		var failed *batch
		err := l.store.Do(ctx, func(tx *store.Tx) error {
			failed = nil
			for _, b := range batches {
				if b.refused != nil {
					continue
				}
				if err := b.write(tx); err != nil {
					failed = b
					return fmt.Errorf("run %s: %w", b.r.ID, err)
				}
			}
			return nil
		})
		if failed == nil || endOf(err) == nil {
			return err
		}
		failed.refused = err
	}
}

// endOf returns why the lab stops holding a run for which the store gave an error; nil: it tries again.
func endOf(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound): // deleted, or forgotten after a long time without viewers
		return ErrDeleted
	case errors.Is(err, store.ErrLost):
		return ErrLost
	case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrInvalid), errors.Is(err, store.ErrDamaged):
		return ErrUnstorable
	}
	return nil
}
