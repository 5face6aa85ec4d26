package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

// runIn is a new run in a state, with two snapshots of a thousand bytes.
func runIn(t *testing.T, s *Store, state State) string {
	t.Helper()
	run := sample(NewID())
	run.State = state
	do(t, s, func(tx *Tx) error {
		return errors.Join(tx.AddRun(run), tx.keep(run.ID, Snapshot{Update: 1, Data: noise(1, 1000)}),
			tx.keep(run.ID, Snapshot{Update: 2, Data: noise(2, 1000)}))
	})
	return run.ID
}

func there(t *testing.T, s *Store, id string) bool {
	t.Helper()
	err := s.View(t.Context(), func(tx *Tx) error { _, err := tx.Run(id); return err })
	if err != nil && !errors.Is(err, ErrNotFound) {
		t.Fatal(err)
	}
	return err == nil
}

func TestOldRunsAreForgottenButNeverThoseAtWork(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		old := map[State]string{}
		for _, state := range []State{Queued, Running, Paused, Resting, Done, Diverged} {
			old[state] = runIn(t, s, state)
		}
		now := s.options.Now()
		s.options.Now = func() time.Time { return now.Add(time.Hour) }
		young := runIn(t, s, Done)
		left, forgotten, err := s.Retain(t.Context(), Retention{Age: time.Minute})
		if err != nil || forgotten != 3 || left.Runs != 4 {
			t.Errorf("%d forgotten, left %+v, %v", forgotten, left, err)
		}
		for state, id := range old {
			if want := state == Queued || state == Running || state == Paused; there(t, s, id) != want {
				t.Errorf("an old run that is %s: kept %v", state, !want)
			}
		}
		if !there(t, s, young) {
			t.Error("a young run is gone")
		}
		if counted := get(t, s, (*Tx).Usage); counted != left {
			t.Errorf("left %+v, counted %+v", left, counted)
		}
	})
}

func TestAClockThatJumpsForgetsNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		run := runIn(t, s, Done)
		passed, set := time.Duration(0), s.options.Now()
		s.opened, s.options.Elapsed = set, func() time.Duration { return passed }
		s.options.Now = func() time.Time { return set }
		keep := Retention{Age: 60 * 24 * time.Hour}
		retain := func(when string, want bool) {
			t.Helper()
			if _, _, err := s.Retain(t.Context(), keep); err != nil || there(t, s, run) != want {
				t.Errorf("%s: kept %v, want %v, %v", when, !want, want, err)
			}
		}
		begun := set
		for _, jump := range []time.Duration{365 * 24 * time.Hour, -365 * 24 * time.Hour, 1000 * 365 * time.Hour} {
			set = begun.Add(jump)
			retain(fmt.Sprint("the clock jumps by ", jump), true)
		}
		passed, set = 61*24*time.Hour, begun.Add(61*24*time.Hour)
		retain("the time has passed", false)
	})
}

func TestTheLeastRecentlyUsedGiveWayToTheBoundInBytes(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		a, b, c := runIn(t, s, Done), runIn(t, s, Done), runIn(t, s, Done)
		do(t, s, func(tx *Tx) error { return tx.SetSettings(a, "{}") })
		left, forgotten, err := s.Retain(t.Context(), Retention{Bytes: 5000})
		if err != nil || forgotten != 1 || left.Bytes > 5000 || there(t, s, b) || !there(t, s, a) || !there(t, s, c) {
			t.Errorf("%d forgotten, left %+v, %v", forgotten, left, err)
		}
	})
}

func TestSnapshotsGiveWayToTheirBoundInAll(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		a, b, live := runIn(t, s, Resting), runIn(t, s, Done), runIn(t, s, Running)
		left, forgotten, err := s.Retain(t.Context(), Retention{Bytes: 11_000})
		if err != nil || forgotten != 0 || left.SnapshotBytes > 5500 {
			t.Errorf("%d forgotten, left %+v, %v", forgotten, left, err)
		}
		if x, y, z := snapshots(t, s, a), snapshots(t, s, b), snapshots(t, s, live); len(x) != 1 || x[0].Update != 2 ||
			len(y) != 2 || len(z) != 2 {
			t.Errorf("kept %v, %v, %v", x, y, z)
		}
		left, _, err = s.Retain(t.Context(), Retention{Bytes: 9000})
		if err != nil || left.SnapshotBytes > 5000 || len(snapshots(t, s, live)) != 2 {
			t.Errorf("left %+v, %v", left, err)
		}
	})
}

func TestForgettingGivesTheDiskItsRoomBack(t *testing.T) {
	t.Parallel()
	s := opened(t, newSQLite(t))
	run := sample(NewID())
	run.State = Done
	do(t, s, func(tx *Tx) error {
		return errors.Join(tx.AddRun(run), tx.keep(run.ID, Snapshot{Data: noise(1, 4<<20)}))
	})
	size := func() int64 {
		if _, err := s.write.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(s.Where())
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	if before := size(); before < 4<<20 {
		t.Fatalf("%d bytes for a snapshot of 4 MiB", before)
	}
	if _, _, err := s.Retain(t.Context(), Retention{Age: time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	if after := size(); after > 1<<20 {
		t.Errorf("%d bytes are left on the disk", after)
	}
}

// The bytes in a run's row are the bytes of its tape, curves and snapshots, after any change.
func TestTheBytesOfARunAreCountedRight(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			o := e.make(t)
			o.SnapshotBytes, o.SnapshotsMarked = 5000, 3
			s := opened(t, o)
			id, other := added(t, s), added(t, s)
			r := rand.New(rand.NewPCG(1, 2))
			do(t, s, func(tx *Tx) error {
				step, line := int64(0), int64(1)
				for i := range 150 {
					var err error
					switch r.IntN(4) {
					case 0:
						err = tx.AppendTape(id, line, fmt.Sprint("line ρ", line))
						line++
					case 1, 2:
						step += 10
						a, b := []Point{{step, 1}, {step + 1, r.Float64()}}, []Point{{step, 2}}
						err = tx.AppendCurves(id, map[string][]Point{"a": a, "b": b})
					case 3:
						snap := Snapshot{Update: int64(i), Marked: r.IntN(2) == 0, Data: noise(uint64(i), 600)}
						err = tx.keep(id, snap)
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
			bytes := func(column, from string) int64 {
				return get(t, s, func(tx *Tx) (int64, error) {
					return read[int64](tx, "SELECT SUM(octet_length("+column+")) FROM "+from+" WHERE run = $1", id)
				})
			}
			tape, curves := bytes("line", "tape"), bytes("blob", "curves")
			snaps := bytes("states.blob", "states JOIN snapshots ON state = states.id")
			run := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(id) })
			if run.SnapshotBytes != snaps || run.Bytes != tape+curves+snaps || tape*curves*snaps == 0 {
				t.Errorf("it says %d and %d; tape %d, curves %d, snapshots %d", run.Bytes, run.SnapshotBytes,
					tape, curves, snaps)
			}
			if u := get(t, s, (*Tx).Usage); u != (Usage{Runs: 2, Bytes: run.Bytes, SnapshotBytes: run.SnapshotBytes}) {
				t.Errorf("usage %+v", u)
			}
			if run := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(other) }); run.Bytes != 0 {
				t.Errorf("another run counts %d bytes", run.Bytes)
			}
		})
	}
}

// Each transaction leaves a token there, which the store needs for a moment only.
func TestTokensOfCommitsAreForgotten(t *testing.T) {
	t.Parallel()
	s := opened(t, newPostgres(t))
	tokens := func() int {
		return get(t, s, func(tx *Tx) (int, error) { return read[int](tx, "SELECT COUNT(*) FROM commits") })
	}
	added(t, s)
	added(t, s)
	if n := tokens(); n != 2 {
		t.Fatalf("%d tokens of two transactions", n)
	}
	now := s.options.Now()
	s.options.Now = func() time.Time { return now.Add(2 * commitLife) }
	if _, _, err := s.Retain(t.Context(), Retention{}); err != nil {
		t.Fatal(err)
	}
	if n := tokens(); n != 1 { // of the transaction that forgot the others
		t.Errorf("%d tokens are left", n)
	}
}
