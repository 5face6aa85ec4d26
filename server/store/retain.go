package store

// Retention: old runs, sweeps, rooms and jobs are deleted, and the least recently used runs where there is too much.
// Queued, running and paused runs stay.

import (
	"context"
	"errors"
	"math"
	"time"
)

// Retention bounds the store. Zero bounds nothing.
type Retention struct {
	Age           time.Duration // since a run, a sweep, a room or a finished job last changed
	Bytes         int64         // of all runs' tapes, curves and snapshots, and of Usage.Others
	SnapshotBytes int64         // of all snapshots; beyond, the least recently used runs keep their newest only
}

// Usage is the size of the store.
type Usage struct {
	Runs          int64
	Bytes         int64 // of tapes, curves and snapshots
	SnapshotBytes int64 // of snapshots
	Others        int64 // of rooms, links and the board, by estimate
}

// Usage returns the size of the store without Others.
func (tx *Tx) Usage() (u Usage, err error) {
	err = tx.one("SELECT COUNT(*), COALESCE(SUM(bytes), 0), COALESCE(SUM(snapshot_bytes), 0) FROM runs", nil,
		&u.Runs, &u.Bytes, &u.SnapshotBytes)
	return u, err
}

// Retain deletes rows beyond r, one run in a transaction, and gives the space back to the disk. It returns the size
// that is left and how many runs it deleted.
func (s *Store) Retain(ctx context.Context, r Retention) (left Usage, deleted int, err error) {
	others, err := s.retainRooms(ctx)
	if err != nil {
		return left, 0, err
	}
	oldest := int64(math.MinInt64)
	if r.Age > 0 {
		oldest = s.believed().Add(-r.Age).UnixMilli()
	}
	var quiet []changedRun // least recently first
	err = s.View(ctx, func(tx *Tx) (err error) {
		if left, err = tx.Usage(); err != nil {
			return err
		}
		left.Others = others
		quiet, err = list[changedRun](tx, "SELECT * FROM runs WHERE state IN ($1, $2, $3) ORDER BY changed, id",
			Resting, Done, Diverged)
		return err
	})
	for i := 0; i < len(quiet) && err == nil; i++ {
		run := quiet[i]
		old := run.Changed < oldest || r.Bytes > 0 && left.Bytes+left.Others > r.Bytes
		if !old && (r.SnapshotBytes == 0 || left.SnapshotBytes <= r.SnapshotBytes) {
			break // the runs behind it changed later
		}
		var freed Usage
		err = s.Do(ctx, func(tx *Tx) (err error) {
			freed, err = tx.retainRun(run, old)
			return err
		})
		left.Runs -= freed.Runs
		left.Bytes -= freed.Bytes
		left.SnapshotBytes -= freed.SnapshotBytes
		deleted += int(freed.Runs)
	}
	if err == nil {
		err = s.Do(ctx, func(tx *Tx) error { return tx.retainRest(oldest) })
	}
	if err == nil {
		err = s.shrink(ctx)
	}
	return left, deleted, err
}

// changedRun is a run and when it last changed.
type changedRun struct {
	ID      string `db:"id"`
	Changed int64  `db:"changed"`
}

// retainRun deletes a run, or all its snapshots but the newest, unless the run has changed since it was read.
func (tx *Tx) retainRun(was changedRun, whole bool) (freed Usage, err error) {
	run, err := tx.Run(was.ID)
	switch {
	case errors.Is(err, ErrNotFound) || err == nil && run.Changed != was.Changed:
		return freed, nil
	case err != nil:
		return freed, err
	case whole:
		rows, err := tx.exec("DELETE FROM runs WHERE id = $1 AND changed = $2", run.ID, run.Changed)
		return Usage{Runs: rows, Bytes: rows * run.Bytes, SnapshotBytes: rows * run.SnapshotBytes}, err
	}
	all, err := tx.Snapshots(run.ID)
	if err != nil || len(all) < 2 {
		return freed, err
	}
	all = all[:len(all)-1]
	freed.Bytes, freed.SnapshotBytes = total(all), total(all)
	return freed, tx.drop(run.ID, all)
}

// retainRest deletes old sweeps, rooms, jobs and commits.
func (tx *Tx) retainRest(oldest int64) error {
	_, err := tx.exec("DELETE FROM sweeps WHERE changed < $1 AND state <> $2", oldest, SweepRunning)
	if err == nil {
		_, err = tx.exec("DELETE FROM rooms WHERE changed < $1", oldest)
	}
	if err == nil {
		_, err = tx.exec("DELETE FROM jobs WHERE changed < $1 AND state NOT IN ($2, $3)", oldest, JobQueued, JobRunning)
	}
	if err == nil {
		_, err = tx.exec("DELETE FROM commits WHERE created < $1", tx.s.believed().Add(-commitLife).UnixMilli())
	}
	return err
}

// shrink gives free pages of SQLite's file back to the disk. PostgreSQL does so by itself.
func (s *Store) shrink(ctx context.Context) error {
	if s.engine.name != "sqlite" {
		return nil
	}
	return s.patiently(ctx, func() error {
		_, err := s.write.ExecContext(ctx, "PRAGMA incremental_vacuum")
		return said(err)
	})
}
