package store

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"
)

func sampleSweep(id string) Sweep {
	return Sweep{ID: id, Owner: "owner", Plan: `{"seeds":[1,2]}`, State: SweepRunning}
}

// swept is the id of a new sweep of two places, of which the first has a run.
func swept(t *testing.T, s *Store) (id, run string) {
	t.Helper()
	id, run = NewID(), NewID()
	do(t, s, func(tx *Tx) error {
		return errors.Join(tx.AddSweep(sampleSweep(id)), tx.AddSweepRun(id, 0, sample(run)))
	})
	return id, run
}

func TestASweepStoresTheResultsOfItsRuns(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id, run := swept(t, s)
		do(t, s, func(tx *Tx) error {
			return errors.Join(
				tx.SetSweepRun(id, SweepRun{Number: 0, Run: run, Outcome: "done", Steps: 100, Return: 7.5}),
				tx.SetSweepRun(id, SweepRun{Number: 1, Outcome: "lost", Reason: "no room", Return: math.NaN()}),
				tx.SetSweepState(id, SweepDone, ""), tx.DeleteRun(run))
		})
		got := get(t, s, func(tx *Tx) ([]SweepRun, error) { return tx.SweepRuns(id) })
		want := []SweepRun{{0, run, "done", "", "", 100, 7.5}, {1, "", "lost", "no room", "", 0, math.NaN()}}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%+v, not %+v", got, want)
		}
		kept := get(t, s, func(tx *Tx) (Sweep, error) { return tx.Sweep(id) })
		if kept.State != SweepDone || kept.Plan != sampleSweep(id).Plan || kept.Changed <= kept.Created {
			t.Errorf("%+v", kept)
		}
		if left := get(t, s, (*Tx).SweepsOpen); len(left) != 0 {
			t.Errorf("%+v still runs", left)
		}
	})
}

func TestARunOfASweepIsOpenAndStandsAsItsRowDoesUntilItHasAnOutcome(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id, run := swept(t, s)
		do(t, s, func(tx *Tx) error {
			return tx.SetProgress(run, Progress{State: Running, Steps: 40, ReturnMean100: 2})
		})
		if got := get(t, s, func(tx *Tx) ([]SweepRun, error) { return tx.SweepRuns(id) }); len(got) != 1 ||
			got[0] != (SweepRun{0, run, "", "", Running, 40, 2}) {
			t.Errorf("%+v", got)
		}
		open := func() string {
			return get(t, s, func(tx *Tx) (string, error) {
				of, number, err := tx.SweepOpen(run)
				others, err2 := tx.RunsOpen()
				return fmt.Sprint(of, number, len(others) == 0), errors.Join(err, err2)
			})
		}
		if was := open(); was != fmt.Sprint(id, 0, true) {
			t.Error(was)
		}
		do(t, s, func(tx *Tx) error {
			now, err := tx.LockSweep(id)
			if now.State != SweepRunning {
				t.Errorf("%+v", now)
			}
			return errors.Join(err, tx.SetSweepRun(id, SweepRun{Run: run, Outcome: "stopped", Steps: 30, Return: 1}))
		})
		if was := open(); was != fmt.Sprint("", 0, false) {
			t.Error(was)
		}
		do(t, s, func(tx *Tx) error { return tx.SetProgress(run, Progress{State: Running, Steps: 50}) })
		if got := get(t, s, func(tx *Tx) ([]SweepRun, error) { return tx.SweepRuns(id) }); got[0].Steps != 30 {
			t.Errorf("what it came to is what its run did later: %+v", got)
		}
		err := s.Do(t.Context(), func(tx *Tx) error { _, err := tx.LockSweep(NewID()); return err })
		if !errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
	})
}

func TestAPlaceOfASweepHoldsOneRun(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id, _ := swept(t, s)
		second := NewID()
		err := s.Do(t.Context(), func(tx *Tx) error { return tx.AddSweepRun(id, 0, sample(second)) })
		if !errors.Is(err, ErrConflict) {
			t.Errorf("a second run in the first place: %v", err)
		}
		err = s.View(t.Context(), func(tx *Tx) error { _, err := tx.Run(second); return err })
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("the run that had no place: %v", err)
		}
		err = s.Do(t.Context(), func(tx *Tx) error { return tx.AddSweepRun(NewID(), 0, sample(second)) })
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("a run of no sweep: %v", err)
		}
	})
}

func TestASweepIsDeletedWithItsRuns(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id, run := swept(t, s)
		other, stays := swept(t, s)
		do(t, s, func(tx *Tx) error { return tx.DeleteSweep(id) })
		for what, err := range map[string]error{
			"the sweep": s.View(t.Context(), func(tx *Tx) error { _, err := tx.Sweep(id); return err }),
			"its run":   s.View(t.Context(), func(tx *Tx) error { _, err := tx.Run(run); return err }),
		} {
			if !errors.Is(err, ErrNotFound) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if got := get(t, s, func(tx *Tx) ([]SweepRun, error) { return tx.SweepRuns(other) }); len(got) != 1 ||
			got[0].Run != stays {
			t.Errorf("the other sweep has %+v", got)
		}
	})
}

func TestOldSweepsAreForgottenAndRunningOnesStay(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		running, _ := swept(t, s)
		done, _ := swept(t, s)
		do(t, s, func(tx *Tx) error { return tx.SetSweepState(done, SweepDone, "") })
		if _, _, err := s.Retain(t.Context(), Retention{Age: time.Millisecond}); err != nil {
			t.Fatal(err)
		}
		get(t, s, func(tx *Tx) (Sweep, error) { return tx.Sweep(running) })
		err := s.View(t.Context(), func(tx *Tx) error { _, err := tx.Sweep(done); return err })
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("the old sweep: %v", err)
		}
	})
}
