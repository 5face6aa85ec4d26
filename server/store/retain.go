package store

// What is forgotten, so that a server can run for ever: old runs, sweeps and rooms, and the least recently used runs
// where there is too much. What is queued, running or paused stays.

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"time"
)

// Retention bounds what is kept. Zero bounds nothing.
type Retention struct {
	Age           time.Duration // since a run, a sweep, a room or a job that is over last changed
	Bytes         int64         // of all runs' tapes, curves and snapshots, and of all there is beside runs
	SnapshotBytes int64         // of all runs' snapshots; beyond, the least recently used runs keep their newest only
}

// Usage is what the store holds.
type Usage struct {
	Runs                 int64
	Bytes, SnapshotBytes int64 // of tapes, curves and snapshots; of snapshots alone
	Others               int64 // of rooms, links and the board, by estimate
}

// Usage counts what is kept.
func (tx *Tx) Usage() (u Usage, err error) {
	err = tx.one("SELECT COUNT(*), COALESCE(SUM(bytes), 0), COALESCE(SUM(snapshot_bytes), 0) FROM runs", nil,
		&u.Runs, &u.Bytes, &u.SnapshotBytes)
	return u, err
}

// idle are the states of runs that nobody is at.
var idle = []State{Resting, Done, Diverged}

// Retain forgets what exceeds r, a run at a time, and gives the room back to the disk. It returns what is left and how
// many runs it forgot.
func (s *Store) Retain(ctx context.Context, r Retention) (left Usage, forgotten int, err error) {
	others, err := s.retainRooms(ctx)
	if err != nil {
		return left, 0, err
	}
	var quiet []Run // least recently changed first
	err = s.View(ctx, func(tx *Tx) (err error) {
		if left, err = tx.Usage(); err != nil {
			return err
		}
		quiet, err = tx.quiet()
		return err
	})
	if err != nil {
		return left, 0, err
	}
	left.Others = others
	oldest := int64(math.MinInt64)
	if r.Age > 0 {
		oldest = s.believed().Add(-r.Age).UnixMilli()
	}
	for _, run := range quiet {
		if run.Changed >= oldest && (r.Bytes == 0 || left.Bytes+left.Others <= r.Bytes) &&
			(r.SnapshotBytes == 0 || left.SnapshotBytes <= r.SnapshotBytes) {
			break // what comes after was changed later
		}
		var lost Usage
		err := s.Do(ctx, func(tx *Tx) (err error) {
			lost = Usage{}
			var bytes, snapshots int64
			// Gone, or changed: somebody has come back to it.
			err = tx.one("SELECT bytes, snapshot_bytes FROM runs WHERE id = $1 AND changed = $2",
				[]any{run.ID, run.Changed}, &bytes, &snapshots)
			switch {
			case errors.Is(err, ErrNotFound):
				return nil
			case err != nil:
				return err
			case run.Changed < oldest, r.Bytes > 0 && left.Bytes+left.Others > r.Bytes:
				rows, err := tx.exec("DELETE FROM runs WHERE id = $1 AND changed = $2", run.ID, run.Changed)
				lost = Usage{Runs: rows, Bytes: rows * bytes, SnapshotBytes: rows * snapshots}
				return err
			case r.SnapshotBytes > 0 && left.SnapshotBytes > r.SnapshotBytes:
				lost.Bytes, err = tx.onlyNewest(run.ID)
				lost.SnapshotBytes = lost.Bytes
			}
			return err
		})
		if err != nil {
			return left, forgotten, err
		}
		left.Runs, left.Bytes = left.Runs-lost.Runs, left.Bytes-lost.Bytes
		left.SnapshotBytes -= lost.SnapshotBytes
		forgotten += int(lost.Runs)
	}
	err = s.Do(ctx, func(tx *Tx) error {
		if _, err := tx.exec("DELETE FROM sweeps WHERE changed < $1 AND state <> $2", oldest, SweepRunning); err != nil {
			return err
		}
		if _, err := tx.exec("DELETE FROM rooms WHERE changed < $1", oldest); err != nil {
			return err
		}
		if _, err := tx.exec("DELETE FROM jobs WHERE changed < $1 AND state NOT IN ($2, $3)", oldest, JobQueued,
			JobRunning); err != nil {
			return err
		}
		_, err := tx.exec("DELETE FROM commits WHERE created < $1", s.believed().Add(-ticketLife).UnixMilli())
		return err
	})
	if err != nil {
		return left, forgotten, err
	}
	return left, forgotten, s.shrink(ctx)
}

// quiet lists what Retain may forget, least recently changed first, with what it needs to know.
func (tx *Tx) quiet() (runs []Run, err error) {
	err = tx.each("SELECT id, state, changed FROM runs ORDER BY changed, id", nil, func(rows *sql.Rows) error {
		var r Run
		err := rows.Scan(&r.ID, &r.State, &r.Changed)
		if slices.Contains(idle, r.State) {
			runs = append(runs, r)
		}
		return err
	})
	return runs, err
}

// onlyNewest drops all snapshots of a run but the newest. The run does not count as changed.
func (tx *Tx) onlyNewest(id string) (bytes int64, err error) {
	all, err := tx.Snapshots(id)
	if err != nil || len(all) < 2 {
		return 0, err
	}
	all = all[:len(all)-1]
	return total(all), tx.drop(id, all)
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
