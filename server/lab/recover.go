package lab

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"impalab/server/errcode"
	"impalab/server/store"
)

// What an earlier process had to leave goes on: runs that have an end to come to by themselves, as many at a time as
// leave room for those that people begin; the others when somebody watches them. The runs of sweeps are jobs: whoever
// takes one goes on with it.

// recover finds them.
func (l *Lab) recover() error {
	var left []store.Run
	for _, state := range []store.State{store.Queued, store.Running, store.Resting, store.Paused} {
		for after, more := (store.Cursor{}), true; more; {
			var rows []store.Run
			err := l.store.View(l.ctx, func(tx *store.Tx) (err error) {
				rows, after, err = tx.RunsIn(state, after, 256)
				return err
			})
			if err != nil {
				return fmt.Errorf("the runs of the last time: %w", err)
			}
			more = after != (store.Cursor{})
			left = append(left, rows...)
		}
	}
	var jobs map[string]bool
	err := l.store.View(l.ctx, func(tx *store.Tx) (err error) { jobs, err = tx.SweepRunsOpen(); return err })
	left = slices.DeleteFunc(left, func(r store.Run) bool { return jobs[r.ID] })
	if err == nil {
		err = l.stood(left)
	}
	if err != nil {
		return fmt.Errorf("the runs of the last time: %w", err)
	}
	slices.SortStableFunc(left, func(a, b store.Run) int { return cmp.Compare(a.Created, b.Created) })
	for _, row := range left {
		if purposeOf(row.Purpose) != Watch {
			l.backlog = append(l.backlog, row.ID)
		}
	}
	l.takeUp()
	return nil
}

// stood has rows say how their runs stand now: none of them has a learner.
func (l *Lab) stood(rows []store.Run) error {
	return l.store.Do(l.ctx, func(tx *store.Tx) error {
		for _, row := range rows {
			state := store.Queued
			if purposeOf(row.Purpose) == Watch {
				state = store.Resting
			}
			if row.State == state || row.State == store.Paused {
				continue
			}
			row.Progress.State = state
			if err := tx.SetProgress(row.ID, row.Progress); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return nil
	})
}

// goingOn is how many runs are held that cannot make room for others. The caller holds mu.
func (l *Lab) goingOn() (n int) {
	for _, r := range l.runs {
		if r.ctx.Err() == nil && r.unwatchedSince().IsZero() {
			n++
		}
	}
	return n
}

// takeUp holds runs of the last time while there is room, oldest first. Half of what may be held is for new ones.
func (l *Lab) takeUp() {
	for {
		l.mu.Lock()
		if len(l.backlog) == 0 || l.goingOn() >= l.maxHeld()/2 {
			l.mu.Unlock()
			return
		}
		id := l.backlog[0]
		l.mu.Unlock()
		_, err := l.Find(l.ctx, id)
		switch {
		case l.ctx.Err() != nil, errors.Is(err, errTooMany):
			return // later
		case err != nil && errcode.Of(err) == "":
			l.opts.Log.Warn("a run cannot go on yet", "run", id, "error", err)
			return
		case err != nil && errcode.Of(err) != errcode.NotFound: // else it was deleted meanwhile
			l.opts.Log.Error("a run cannot go on", "run", id, "error", err)
		}
		l.mu.Lock()
		l.backlog = l.backlog[1:]
		l.mu.Unlock()
	}
}
