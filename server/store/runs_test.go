package store

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestARunComesBackAsItWas(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		for _, mean := range []float64{0, 4.5, math.NaN(), math.Inf(1), math.SmallestNonzeroFloat64} {
			run := sample(NewID())
			run.ReturnMean100 = mean
			do(t, s, func(tx *Tx) error { return tx.AddRun(run) })
			got := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(run.ID) })
			if got.Created == 0 || got.Created != got.Changed {
				t.Errorf("created %d, changed %d", got.Created, got.Changed)
			}
			run.Created, run.Changed = got.Created, got.Changed
			if !same(got, run) {
				t.Errorf("got  %+v\nwant %+v", got, run)
			}
		}
	})
}

func TestChangesOfARunAreKept(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id, other := added(t, s), added(t, s)
		before := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(id) })
		p := Progress{State: Diverged, Reason: "NaN in the loss", Steps: 1 << 40, Updates: 9, Episodes: 8,
			ReturnMean100: math.NaN(), ParamsSHA256: "00"}
		do(t, s, func(tx *Tx) error {
			return errors.Join(tx.SetProgress(id, p), tx.SetSettings(id, `{"rho":"2"}`))
		})
		got := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(id) })
		want := before
		want.Progress, want.Settings, want.Changed = p, `{"rho":"2"}`, got.Changed
		if !same(got, want) || got.Changed <= before.Changed {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		if r := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(other) }); r.Settings == want.Settings ||
			r.State != Running {
			t.Error("another run changed too")
		}
	})
}

// The hash of an address is stored until its run or sweep ends, and no longer.
func TestWhomARunCountsForIsForgottenAtItsEnd(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		for state, want := range map[State]string{Running: "hash", Paused: "hash", Resting: "hash", Done: "", Diverged: ""} {
			run := sample(NewID())
			run.Address = "hash"
			do(t, s, func(tx *Tx) error {
				return errors.Join(tx.AddRun(run), tx.SetProgress(run.ID, Progress{State: state}))
			})
			if got := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(run.ID) }); got.Address != want {
				t.Errorf("%s: it counts for %q, not %q", state, got.Address, want)
			}
		}
		for state, want := range map[State]string{SweepRunning: "hash", SweepDone: "", SweepStopped: ""} {
			sweep := sampleSweep(NewID())
			sweep.Address = "hash"
			do(t, s, func(tx *Tx) error {
				return errors.Join(tx.AddSweep(sweep), tx.SetSweepState(sweep.ID, state, ""))
			})
			if got := get(t, s, func(tx *Tx) (Sweep, error) { return tx.Sweep(sweep.ID) }); got.Address != want {
				t.Errorf("a sweep that is %s counts for %q, not %q", state, got.Address, want)
			}
		}
	})
}

func TestIDsAndKeysAreLongAndNeverTheSame(t *testing.T) {
	t.Parallel()
	if a, b := NewID(), NewID(); len(a) != 32 || a == b {
		t.Errorf("ids %s, %s", a, b)
	}
	if a, b := NewKey(), NewKey(); len(a) < 26 || a == b {
		t.Errorf("keys %s, %s", a, b)
	}
}

func TestAnInvalidRunIsRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		for name, spoil := range map[string]func(*Run){
			"NUL in the name": func(r *Run) { r.Name = "a\x00b" },
			"no UTF-8":        func(r *Run) { r.Reason = "\xff" },
		} {
			run := sample(NewID())
			spoil(&run)
			err := s.Do(t.Context(), func(tx *Tx) error { return tx.AddRun(run) })
			if !errors.Is(err, ErrInvalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestTheSameIDTwiceIsAConflict(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id := added(t, s)
		err := s.Do(t.Context(), func(tx *Tx) error { return tx.AddRun(sample(id)) })
		if !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), id) {
			t.Errorf("error %v", err)
		}
	})
}

func TestAnUnknownRunIsNotFound(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id := NewID()
		for name, fn := range map[string]func(*Tx) error{
			"Run":          func(tx *Tx) error { _, err := tx.Run(id); return err },
			"SetProgress":  func(tx *Tx) error { return tx.SetProgress(id, Progress{State: Done}) },
			"SetSettings":  func(tx *Tx) error { return tx.SetSettings(id, "{}") },
			"DeleteRun":    func(tx *Tx) error { return tx.DeleteRun(id) },
			"AppendTape":   func(tx *Tx) error { return tx.AppendTape(id, 1, "a") },
			"AppendCurves": func(tx *Tx) error { return tx.AppendCurves(id, map[string][]Point{"a": {{1, 1}}}) },
			"AddSnapshot":  func(tx *Tx) error { return tx.keep(id, Snapshot{}) },
			"SnapshotAt":   func(tx *Tx) error { _, err := tx.SnapshotAt(id, 0); return err },
			"Expand":       func(tx *Tx) error { _, err := tx.Expand("code"); return err },
		} {
			if err := s.Do(t.Context(), fn); !errors.Is(err, ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// A request may name anything, and PostgreSQL does not take every text.
func TestAnInvalidNameIsNotFound(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		for _, name := range []string{"", "\x00", "a\xff", "ſ", strings.Repeat("0", 1<<16)} {
			for what, fn := range map[string]func(*Tx) error{
				"Run":   func(tx *Tx) error { _, err := tx.Run(name); return err },
				"Sweep": func(tx *Tx) error { _, err := tx.Sweep(name); return err },
				"Entry": func(tx *Tx) error { _, err := tx.Entry(name); return err },
				"Room":  func(tx *Tx) error { _, err := tx.Room(name); return err },
				"Job":   func(tx *Tx) error { _, err := tx.Job(name); return err },
				"Link":  func(tx *Tx) error { _, err := tx.Expand(name); return err },
			} {
				if err := s.View(t.Context(), fn); !errors.Is(err, ErrNotFound) {
					t.Errorf("%s %.10q: %v", what, name, err)
				}
			}
		}
	})
}

func TestAnOwnersRunsAreListedNewestFirstInPages(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		var want []string
		do(t, s, func(tx *Tx) error {
			for i := range 25 {
				run := sample(NewID())
				if i%5 == 4 {
					run.Owner = "other"
				} else {
					want = append(want, run.ID)
				}
				if err := tx.AddRun(run); err != nil {
					return err
				}
			}
			return nil
		})
		slices.Reverse(want)
		for _, limit := range []int{1, 3, 20, 100} {
			var got []string
			var after Cursor
			for pages := 0; ; pages++ {
				var page []Run
				do(t, s, func(tx *Tx) (err error) { page, after, err = tx.RunsOf("owner", after, limit); return err })
				for _, r := range page {
					got = append(got, r.ID)
				}
				if after == (Cursor{}) {
					break
				}
				if len(page) != limit || pages > len(want) {
					t.Fatalf("page %d has %d runs of %d", pages, len(page), limit)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("pages of %d: got %v\nwant %v", limit, got, want)
			}
		}
	})
}

// Runs of one millisecond have no order but their ids', and none may fall between two pages.
func TestRunsOfOneMomentAreAllListed(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		moment := s.options.Now()
		s.options.Now = func() time.Time { return moment }
		seen := map[string]bool{}
		for range 10 {
			added(t, s)
		}
		var after Cursor
		for range 5 {
			var page []Run
			do(t, s, func(tx *Tx) (err error) { page, after, err = tx.RunsOf("owner", after, 2); return err })
			for _, r := range page {
				seen[r.ID] = true
			}
		}
		if len(seen) != 10 || after != (Cursor{}) {
			t.Errorf("%d runs listed of 10, then %v", len(seen), after)
		}
	})
}

func TestADeletedRunLeavesNothingButItsForks(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id := added(t, s)
		fork := sample(NewID())
		fork.Parent = id
		do(t, s, func(tx *Tx) error {
			return errors.Join(tx.AddRun(fork), tx.AppendTape(id, 1, "a"),
				tx.AppendCurves(id, map[string][]Point{"loss": {{1, 2}}}),
				tx.keep(id, Snapshot{Data: []byte("x")}))
		})
		do(t, s, func(tx *Tx) error { return tx.DeleteRun(id) })
		for table, want := range map[string]int{"runs": 1, "tape": 0, "curves": 0, "snapshots": 0} {
			rows := get(t, s, func(tx *Tx) (int, error) { return read[int](tx, "SELECT COUNT(*) FROM "+table) })
			if rows != want {
				t.Errorf("%s holds %d rows, want %d", table, rows, want)
			}
		}
	})
}
