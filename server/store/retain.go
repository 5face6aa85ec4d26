package store

// Retention: old runs, sweeps, rooms and jobs are deleted, and the least recently used runs where there is too much.
// Queued, running and paused runs stay.

import (
	"context"
	"math"
	"time"
)

// Retention bounds the store. Zero bounds nothing.
type Retention struct {
	Age time.Duration // since a run, a sweep, a room or a finished job last changed
	// Bytes bounds all runs' tapes, curves and snapshots, and Usage.Others. If the snapshots alone take more than
	// half of that, the least recently used runs keep their newest only.
	Bytes int64
}

// Usage is the size of the store.
type Usage struct {
	Runs          int64 `db:"COUNT(*)"`
	Bytes         int64 `db:"COALESCE(SUM(bytes - snapshot_bytes), 0)"` // of tapes, curves and snapshots
	SnapshotBytes int64 // of snapshots: what several share counts once
	Others        int64 // of rooms, links and the board, by estimate
}

// Usage returns the size of the store without Others.
func (tx *Tx) Usage() (u Usage, err error) {
	if u, err = read[Usage](tx, "SELECT * FROM runs"); err == nil {
		u.SnapshotBytes, err = read[int64](tx, "SELECT COALESCE(SUM(octet_length(blob)), 0) FROM states")
		u.Bytes += u.SnapshotBytes
	}
	return u, err
}

// sum sums up the tables, for the counters of the bounds.
func (tx *Tx) sum() (u Usage, err error) {
	var others kept
	if u, err = tx.Usage(); err == nil {
		others, err = tx.others()
	}
	if u.Others = others.all; err == nil {
		tx.s.bytes.Store(u.Bytes)
	}
	return u, err
}

// Retain deletes rows beyond r, one run in a transaction, and gives the space back to the disk. It returns the size
// that is left and how many runs it deleted.
func (s *Store) Retain(ctx context.Context, r Retention) (left Usage, deleted int, err error) {
	if err := s.retainRooms(ctx); err != nil {
		return left, 0, err
	}
	oldest := int64(math.MinInt64)
	if r.Age > 0 {
		oldest = s.believed().Add(-r.Age).UnixMilli()
	}
	var quiet []quietRun // least recently first
	err = s.View(ctx, func(tx *Tx) (err error) {
		if left, err = tx.sum(); err != nil {
			return err
		}
		quiet, err = list[quietRun](tx, "SELECT * FROM runs WHERE state IN ($1, $2, $3) ORDER BY changed, id",
			Resting, Done, Diverged)
		return err
	})
	for i := 0; i < len(quiet) && err == nil; i++ {
		run := quiet[i]
		old := run.Changed < oldest || r.Bytes > 0 && left.Bytes+left.Others > r.Bytes
		if !old && (r.Bytes == 0 || left.SnapshotBytes <= r.Bytes/2) {
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

// quietRun is a run that may be deleted.
type quietRun struct {
	ID            string `db:"id"`
	Changed       int64  `db:"changed"`
	Bytes         int64  `db:"bytes"`
	SnapshotBytes int64  `db:"snapshot_bytes"`
}

// retainRun deletes a run, or all its snapshots but the newest, unless the run has changed since it was read.
func (tx *Tx) retainRun(run quietRun, whole bool) (freed Usage, err error) {
	if whole {
		rows, states, err := tx.deleteRuns("id = $1 AND changed = $2", run.ID, run.Changed)
		tx.s.grow(-rows * (run.Bytes - run.SnapshotBytes))
		return Usage{Runs: rows, Bytes: rows*(run.Bytes-run.SnapshotBytes) + states, SnapshotBytes: states}, err
	}
	all, err := list[Snapshot](tx, `SELECT * FROM snapshots WHERE run = $1
		AND EXISTS (SELECT 1 FROM runs WHERE id = $1 AND changed = $2) ORDER BY at_update`, run.ID, run.Changed)
	if err != nil || len(all) < 2 {
		return freed, err
	}
	all = all[:len(all)-1]
	states, err := tx.drop(run.ID, all)
	return Usage{Bytes: states, SnapshotBytes: states}, err
}

// retainRest deletes old sweeps, rooms, jobs and commits.
func (tx *Tx) retainRest(oldest int64) error {
	for query, before := range map[string]int64{
		"DELETE FROM sweeps WHERE changed < $1 AND state <> 'running'":               oldest,
		"DELETE FROM rooms WHERE changed < $1":                                       oldest,
		"DELETE FROM jobs WHERE changed < $1 AND state NOT IN ('queued', 'running')": oldest,

		"DELETE FROM commits WHERE created < $1": tx.s.believed().Add(-commitLife).UnixMilli(),

		`DELETE FROM states WHERE created < $1 AND NOT EXISTS (SELECT 1 FROM snapshots WHERE state = states.id)`: tx.s.
			believed().Add(-stateLife).UnixMilli(),
	} {
		if _, err := tx.exec(query, before); err != nil {
			return err
		}
	}
	return nil
}

// stateLife is how long a state may wait for its snapshot. A process that is killed in between leaves it without one.
const stateLife = time.Hour

// shrink gives free pages of SQLite's file back to the disk. PostgreSQL does so by itself.
func (s *Store) shrink(ctx context.Context) error {
	if s.postgres() {
		return nil
	}
	return s.patiently(ctx, func() error {
		_, err := s.write.ExecContext(ctx, "PRAGMA incremental_vacuum")
		return said(err)
	})
}
