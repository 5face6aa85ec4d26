package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"impalab/server/errcode"
)

// put stores a snapshot as a lab does.
func put(t *testing.T, s *Store, id string, snap Snapshot) {
	t.Helper()
	if err := s.SaveState(t.Context(), &snap); err != nil {
		t.Fatal(err)
	}
	do(t, s, func(tx *Tx) error { return tx.AddSnapshot(id, snap) })
}

// TestNoTransactionWritesALargeState: SQLite has one writer, for which every other visitor waits.
func TestNoTransactionWritesALargeState(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id, data := added(t, s), noise(1, 5<<20)
		put(t, s, id, Snapshot{Update: 1, Data: data})
		parts := get(t, s, func(tx *Tx) ([]int64, error) {
			return list[int64](tx, "SELECT octet_length(blob) FROM states ORDER BY part")
		})
		created := get(t, s, func(tx *Tx) ([]int64, error) { return list[int64](tx, "SELECT DISTINCT created FROM states") })
		if len(parts) < 5 || len(created) != len(parts) {
			t.Errorf("%d parts were written at %d times of a clock that each transaction reads", len(parts), len(created))
		}
		for _, bytes := range parts {
			if bytes > partBytes {
				t.Errorf("a part of %d bytes, at most %d", bytes, partBytes)
			}
		}
		whole := get(t, s, func(tx *Tx) (Snapshot, error) { return tx.SnapshotAt(id, 1) })
		head := get(t, s, func(tx *Tx) (Snapshot, error) { return tx.SnapshotHead(id, 1) })
		if string(whole.Data) != string(data) || string(head.Data) != string(data[:headBytes]) {
			t.Errorf("%d bytes come back, and %d as the head", len(whole.Data), len(head.Data))
		}
	})
}

// TestForksShareOneState: forty forks of a large run take its bytes once, until the last of them is deleted.
func TestForksShareOneState(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		parent := added(t, s)
		put(t, s, parent, Snapshot{Update: 1, Step: 9, Marked: true, Data: noise(1, 1<<20)})
		before := get(t, s, (*Tx).Usage)
		var forks []string
		for range 40 {
			fork := added(t, s)
			do(t, s, func(tx *Tx) error { return tx.ShareSnapshot(fork, parent, 1) })
			forks = append(forks, fork)
		}
		after := get(t, s, (*Tx).Usage)
		if after.SnapshotBytes != before.SnapshotBytes || after.Bytes != before.Bytes {
			t.Errorf("%+v before the forks, %+v with them", before, after)
		}
		run := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(forks[0]) })
		if run.SnapshotBytes != before.SnapshotBytes {
			t.Errorf("the fork counts %d bytes, want %d", run.SnapshotBytes, before.SnapshotBytes)
		}
		do(t, s, func(tx *Tx) error { return tx.DeleteRun(parent) })
		for i, fork := range forks {
			snap := get(t, s, func(tx *Tx) (Snapshot, error) { return tx.SnapshotAt(fork, 5) })
			if snap.Update != 1 || snap.Step != 9 || snap.Marked || string(snap.Data) != string(noise(1, 1<<20)) {
				t.Fatalf("fork %d has %d bytes of update %d", i, len(snap.Data), snap.Update)
			}
			do(t, s, func(tx *Tx) error { return tx.DeleteRun(fork) })
		}
		if left := get(t, s, (*Tx).Usage); left.Bytes != 0 || s.bytes.Load() != 0 {
			t.Errorf("without a run %+v are left, and %d are counted", left, s.bytes.Load())
		}
		late := added(t, s)
		err := s.Do(t.Context(), func(tx *Tx) error { return tx.ShareSnapshot(late, parent, 1) })
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("a fork of a deleted run: %v", err)
		}
	})
}

// TestAStateWithoutASnapshotIsDeleted: its writer was killed before AddSnapshot.
func TestAStateWithoutASnapshotIsDeleted(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id := added(t, s)
		put(t, s, id, Snapshot{Update: 1, Data: noise(1, 1000)})
		lost := Snapshot{Update: 2, Data: noise(2, 1000)}
		if err := s.SaveState(t.Context(), &lost); err != nil {
			t.Fatal(err)
		}
		states := func() int64 {
			t.Helper()
			if _, _, err := s.Retain(t.Context(), Retention{}); err != nil {
				t.Fatal(err)
			}
			return get(t, s, func(tx *Tx) (int64, error) { return read[int64](tx, "SELECT COUNT(*) FROM states") })
		}
		if n := states(); n != 2 {
			t.Errorf("at once %d states, want 2", n)
		}
		s.DropState(t.Context(), &Snapshot{State: snapshots(t, s, id)[0].State})
		if n := states(); n != 2 {
			t.Errorf("%d states after one that has a snapshot was dropped, want 2", n)
		}
		now := s.options.Now
		s.options.Now = func() (later time.Time) { return now().Add(2 * stateLife) }
		if n := states(); n != 1 {
			t.Errorf("later %d states, want 1", n)
		}
	})
}

// TestTheBoundInBytesIsHeldAtTheDoor: each address has a share for runs that have not ended, strangers have the last
// part, and no snapshot is stored beyond the bound.
func TestTheBoundInBytesIsHeldAtTheDoor(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			o := e.make(t)
			o.Bytes = 160_000
			s := opened(t, o)
			begin := func(address string, state State) (string, error) {
				run := sample(NewID())
				run.Address, run.State = address, state
				return run.ID, s.Do(t.Context(), func(tx *Tx) error { return tx.AddRun(run) })
			}
			filled := func(address string, state State, bytes int) string {
				t.Helper()
				id, err := begin(address, state)
				if err != nil {
					t.Fatal(err)
				}
				put(t, s, id, Snapshot{Update: 1, Data: noise(1, bytes)})
				return id
			}
			refused := func(address, words string) {
				t.Helper()
				id, err := begin(address, Queued)
				if words == "" && err == nil {
					do(t, s, func(tx *Tx) error { return tx.DeleteRun(id) })
					return
				}
				if words == "" || errcode.Of(err) != errcode.Full || !strings.Contains(fmt.Sprint(err), words) {
					t.Errorf("a run of %s: %v, want %q", address, err, words)
				}
			}
			first := filled("one", Paused, 41_000)
			refused("one", "your runs that have not ended take 41 kB of the 40 kB")
			refused("two", "")
			for _, address := range []string{"two", "three"} {
				filled(address, Queued, 39_000)
			}
			select {
			case <-s.Fills():
				t.Error("Retain is called early")
			default:
			}
			done := filled("four", Done, 32_000)
			select {
			case <-s.Fills():
			default:
				t.Error("Retain is not called")
			}
			refused("two", "stored data take 151 kB of the 160 kB")
			refused("a stranger", "")
			more := Snapshot{Update: 2, Data: noise(2, 10_000)}
			if err := s.SaveState(t.Context(), &more); !errors.Is(err, ErrCrowded) {
				t.Errorf("a snapshot beyond the bound: %v", err)
			}
			if _, n, err := s.Retain(t.Context(), Retention{Bytes: s.Low()}); err != nil || n != 1 || there(t, s, done) {
				t.Errorf("%d runs were deleted, want the one that is done; %v", n, err)
			}
			refused("two", "")
			if !there(t, s, first) {
				t.Error("a paused run was deleted")
			}
		})
	}
}

func TestBytesAreWrittenForPeople(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 kB", 60_700: "60.7 kB", 3_906_250: "3.91 MB", 99_940_000: "99.9 MB",
		125_000_000: "125 MB", 7_510_000_000: "7510 MB"} {
		if got := size(bytes); got != want {
			t.Errorf("%d bytes are %q, want %q", bytes, got, want)
		}
	}
}
