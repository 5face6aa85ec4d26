package store

import (
	"errors"
	"path/filepath"
	"testing"
	"time"
)

// queued keeps a job that waits.
func queued(t *testing.T, s *Store, ticket int64) (id string) {
	t.Helper()
	id = NewID()
	do(t, s, func(tx *Tx) error {
		return tx.AddJob(Job{ID: id, Kind: "train", Args: `{"entry":"<ρ̄>"}`, Priority: 2, Submitter: "hash", Cost: 3,
			Turn: 7, Build: "build", Arithmetic: "avx2", Ticket: ticket})
	})
	return id
}

func TestOnlyTheHolderOfTheTokenWritesForAJob(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id := queued(t, s, 5)
		var j Job
		do(t, s, func(tx *Tx) (err error) { j, err = tx.ClaimJob(id, 5, "worker", "first"); return err })
		if j.State != JobRunning || j.Worker != "worker" || j.Tries != 1 || j.Args != `{"entry":"<ρ̄>"}` {
			t.Errorf("%+v", j)
		}
		do(t, s, func(tx *Tx) error {
			return errors.Join(tx.HeartbeatJob(id, "first", 4, 9), tx.SaveJob(id, "first", []byte("one")),
				tx.SaveJob(id, "first", []byte("two")), tx.ShowJob(id, []byte("a curve")))
		})
		j = get(t, s, func(tx *Tx) (Job, error) { return tx.Job(id) })
		if j.Progress != 4 || j.Total != 9 {
			t.Errorf("%+v", j)
		}
		do(t, s, func(tx *Tx) error {
			err := tx.StillJob(j)
			now := j
			now.Ticket = 6
			return errors.Join(err, tx.QueueJob(now))
		})
		late := func(t *testing.T, fn func(*Tx) error) {
			t.Helper()
			if err := s.Do(t.Context(), fn); !errors.Is(err, ErrLost) {
				t.Errorf("it wrote without the right to: %v", err)
			}
		}
		take := func(tx *Tx, ticket int64, token string) error {
			_, err := tx.ClaimJob(id, ticket, "w", token)
			return err
		}
		late(t, func(tx *Tx) error { return tx.StillJob(j) })
		late(t, func(tx *Tx) error { return take(tx, 5, "late") })
		do(t, s, func(tx *Tx) error { return take(tx, 6, "second") })
		late(t, func(tx *Tx) error { return take(tx, 6, "third") })
		late(t, func(tx *Tx) error { return tx.HeartbeatJob(id, "first", 1, 1) })
		late(t, func(tx *Tx) error { return tx.SaveJob(id, "first", []byte("late")) })
		if shown := get(t, s, func(tx *Tx) ([]byte, error) { return tx.JobShown(id) }); string(shown) != "a curve" {
			t.Errorf("%q is shown", shown)
		}
		if kept := get(t, s, func(tx *Tx) ([]byte, error) { return tx.JobSnapshot(id) }); string(kept) != "two" {
			t.Errorf("the snapshot is %q", kept)
		}
		do(t, s, func(tx *Tx) error {
			return errors.Join(tx.CloseJob(id, JobDone, ""), tx.CloseJob(id, JobFailed, "it is over already"))
		})
		late(t, func(tx *Tx) error { return tx.HeartbeatJob(id, "second", 1, 1) })
		if kept := get(t, s, func(tx *Tx) ([]byte, error) { return tx.JobSnapshot(id) }); kept != nil {
			t.Errorf("a job that is over keeps %q", kept)
		}
	})
}

func TestAJobsTurnFollowsItsSubmittersWaitingJobsAndTheOthersShares(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		queued(t, s, 1)
		turn := func(priority int64, submitter string) int64 {
			return get(t, s, func(tx *Tx) (int64, error) { return tx.JobTurn(priority, submitter) })
		}
		if own, other := turn(2, "hash"), turn(2, "other"); own != 10 || other != 0 {
			t.Errorf("turns %d and %d before anything has begun", own, other)
		}
		second := queued(t, s, 2)
		do(t, s, func(tx *Tx) error { _, err := tx.ClaimJob(second, 2, "w", "token"); return err })
		if other, first := turn(2, "other"), turn(1, "other"); other != 7 || first != 0 {
			t.Errorf("turns %d, and %d at another priority, when a job of turn 7 has begun", other, first)
		}
	})
}

// TestJobsAreInBackupsAndWithoutTheirSnapshots, which a program that restores could not trust to be its own.
func TestJobsAreInBackupsAndWithoutTheirSnapshots(t *testing.T) {
	t.Parallel()
	s := opened(t, newSQLite(t))
	id := queued(t, s, 1)
	over := queued(t, s, 2)
	do(t, s, func(tx *Tx) error {
		_, err := tx.ClaimJob(id, 1, "w", "token")
		return errors.Join(err, tx.CloseJob(over, JobCancelled, "by hand"), tx.SaveJob(id, "token", []byte("state")))
	})
	path := filepath.Join(t.TempDir(), "archive")
	if made, err := s.Backup(t.Context(), path); err != nil || made["jobs"] != 2 {
		t.Fatal(made, err)
	}
	later := newSQLite(t)
	later.Now = func() time.Time { return clock()().Add(time.Hour) }
	again := opened(t, later)
	if _, err := again.Restore(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if was, is := get(t, s, func(tx *Tx) (Job, error) { return tx.Job(id) }), get(t, again, func(tx *Tx) (Job, error) {
		return tx.Job(id)
	}); was != is {
		t.Errorf("%+v came back as %+v", was, is)
	}
	if kept := get(t, again, func(tx *Tx) ([]byte, error) { return tx.JobSnapshot(id) }); kept != nil {
		t.Errorf("with a snapshot of %q", kept)
	}
	if _, _, err := again.Retain(t.Context(), Retention{Age: time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	err := again.View(t.Context(), func(tx *Tx) error { _, err := tx.Job(over); return err })
	if !errors.Is(err, ErrNotFound) || get(t, again, func(tx *Tx) (Job, error) { return tx.Job(id) }).State != JobRunning {
		t.Errorf("what is over was not forgotten, or what is open was: %v", err)
	}
}

// TestAGuestWritesBesideTheServer, and finds no store where no server has made one.
func TestAGuestWritesBesideTheServer(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			o := e.make(t)
			guest := o
			guest.Guest = true
			if s, err := Open(t.Context(), guest); err == nil {
				s.Close()
				t.Error("a guest made a store")
			}
			host := opened(t, o)
			id := queued(t, host, 1)
			beside := opened(t, guest)
			do(t, beside, func(tx *Tx) error { _, err := tx.ClaimJob(id, 1, "guest", "token"); return err })
			if j := get(t, host, func(tx *Tx) (Job, error) { return tx.Job(id) }); j.Worker != "guest" {
				t.Errorf("%+v", j)
			}
		})
	}
}
