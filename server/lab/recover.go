package lab

import (
	"errors"
	"fmt"

	"impalab/server/errcode"
	"impalab/server/store"
)

// A lab continues the runs that an earlier process had to leave. Runs that train without viewers it holds as soon as it
// may; it leaves slots for runs that people begin. Runs that people watch wait for a viewer. Runs of sweeps
// continue as jobs.

// recover finds the runs, and writes that none of them has a learner.
func (l *Lab) recover() error {
	err := l.store.Do(l.ctx, func(tx *store.Tx) error {
		l.backlog = nil
		left, err := tx.RunsOpen()
		if err != nil {
			return err
		}
		for _, row := range left {
			state := store.Queued
			if purposeOf(row.Purpose) == Watch {
				state = store.Resting
			} else {
				l.backlog = append(l.backlog, row.ID)
			}
			if row.State == state || row.State == store.Paused {
				continue
			}
			row.Progress.State = state
			if err := tx.SetProgress(row.ID, row.Progress); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("the runs from before the restart: %w", err)
	}
	l.resumeBacklog()
	return nil
}

// resumeBacklog holds runs of the backlog, oldest first, while fewer than half of all that may be held must continue.
func (l *Lab) resumeBacklog() {
	for {
		l.mu.Lock()
		staying := 0
		for _, r := range l.runs {
			if r.ctx.Err() == nil && r.unwatchedSince().IsZero() {
				staying++
			}
		}
		if len(l.backlog) == 0 || staying >= l.maxHeld()/2 {
			l.mu.Unlock()
			return
		}
		id := l.backlog[0]
		l.mu.Unlock()
		_, err := l.Find(l.ctx, id)
		switch code := errcode.Of(err); {
		case l.ctx.Err() != nil, errors.Is(err, ErrTooMany):
			return // later
		case err != nil && code == "":
			l.opts.Log.Warn("a run cannot continue yet", "run", id, "error", err)
			return
		case err != nil && code != errcode.NotFound: // else it was deleted meanwhile
			l.opts.Log.Error("a run cannot continue", "run", id, "error", err)
		}
		l.mu.Lock()
		l.backlog = l.backlog[1:]
		l.mu.Unlock()
	}
}
