package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"impalab/server/errcode"
	"impalab/server/job"
	"impalab/server/store"
)

const (
	kind    = "sweep"
	window  = 16  // runs of one sweep that are jobs at a time: all workers together find enough
	maxCost = 1e5 // of a run, in thousands of steps: it keeps the turns of the queue near each other
)

// args are the arguments of a job: a run of a plan.
type args struct {
	Sweep  string `json:"sweep"`
	Number int64  `json:"number"`
}

// Kinds returns the jobs of sweeps, for the queue.
func (sw *Sweeps) Kinds() []job.Kind {
	return []job.Kind{{Name: kind, Slots: sw.opts.AtOnce, Work: sw.train, Failed: sw.failed}}
}

// failed stores that a run is lost because its job has failed, and queues the next runs.
func (sw *Sweeps) failed(tx *store.Tx, j store.Job) error {
	row, err := tx.LockSweep(j.Submitter)
	if err != nil {
		return err
	}
	spec, err := readPlan(&row)
	if err != nil {
		return err
	}
	var of args
	if err := json.Unmarshal([]byte(j.Args), &of); err != nil {
		return err
	}
	kept, err := tx.SweepRuns(row.ID)
	if err != nil {
		return err
	}
	if err := end(tx, row.ID, memberOf(kept, of.Number), Lost, j.Reason); err != nil {
		return err
	}
	return sw.advance(tx, &row, &spec)
}

// advance queues the next runs of a sweep that the transaction has locked, and ends the sweep with its last run.
func (sw *Sweeps) advance(tx *store.Tx, row *store.Sweep, spec *Spec) error {
	if row.State != store.SweepRunning {
		return nil
	}
	kept, err := tx.SweepRuns(row.ID)
	if err != nil {
		return err
	}
	jobs, err := jobsOf(tx, row.ID)
	if err != nil {
		return err
	}
	own, err := tx.SweepsOf(row.Address)
	if err != nil {
		return err
	}
	next := store.Job{Kind: kind, Priority: store.JobPriorities, Submitter: row.ID,
		Cost: int64(min(spec.Base.Config.Steps/1000, maxCost)) * max(1, own)} // shares are fair between addresses
	over, open := 0, 0
	for number := range int64(spec.Runs()) {
		_, known := jobs[number]
		switch {
		case memberOf(kept, number).Outcome != "":
			over++
		case known:
			open++
		case open < window:
			open++
			if _, err := sw.opts.Queue.Add(tx, next, args{row.ID, number}); err != nil {
				return err
			}
		}
	}
	if over == spec.Runs() {
		return tx.SetSweepState(row.ID, store.SweepDone, "")
	}
	return nil
}

// jobsOf returns the open jobs of a sweep by their number in its plan.
func jobsOf(tx *store.Tx, sweep string) (map[int64]store.Job, error) {
	all, err := tx.JobsOf(sweep)
	jobs := map[int64]store.Job{}
	for _, j := range all {
		var of args
		if json.Unmarshal([]byte(j.Args), &of) == nil {
			jobs[of.Number] = j
		}
	}
	return jobs, err
}

// memberOf returns a run of a plan, as the store has it.
func memberOf(kept []store.SweepRun, number int64) store.SweepRun {
	for i := range kept {
		if kept[i].Number == number {
			return kept[i]
		}
	}
	return store.SweepRun{Number: number, Return: math.NaN()}
}

// end stores how a run ended, in its sweep and in its own row.
func end(tx *store.Tx, sweep string, of store.SweepRun, outcome, reason string) error {
	row, err := tx.Run(of.Run)
	switch {
	case errors.Is(err, store.ErrNotFound):
	case err != nil:
		return err
	case row.State != store.Done && row.State != store.Diverged:
		row.Progress.State, row.Progress.Reason = store.Done, reason
		if err := tx.SetProgress(of.Run, row.Progress); err != nil {
			return err
		}
	}
	of.Outcome, of.Reason = outcome, reason
	return tx.SetSweepRun(sweep, of)
}

// cancelJobs ends the jobs of a sweep, except jobs whose runs end by themselves, and returns the numbers of these runs.
// A run that has given way or lost its job meanwhile is not among them.
func (sw *Sweeps) cancelJobs(tx *store.Tx, sweep string, except map[string]*training) (left map[int64]bool, err error) {
	kept, err := tx.SweepRuns(sweep)
	if err != nil {
		return nil, err
	}
	jobs, err := jobsOf(tx, sweep)
	left = map[int64]bool{}
	for number, j := range jobs {
		t := except[memberOf(kept, number).Run]
		switch {
		case err != nil:
		case t != nil && t.run.HasJob() && t.work.Has(j):
			left[number] = true
		default:
			err = sw.opts.Queue.Cancel(tx, j.ID, stopped)
		}
	}
	return left, err
}

// stopIn ends a sweep in the store, with all its runs, but leaves the runs that this process trains.
func (sw *Sweeps) stopIn(tx *store.Tx, id string, here map[string]*training, reason string) error {
	left, err := sw.cancelJobs(tx, id, here) // before the sweep is locked, as in the transaction that ends a job
	if err != nil {
		return err
	}
	row, err := tx.LockSweep(id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return errUnknown
	case err != nil:
		return err
	case row.State != store.SweepRunning:
		return errcode.Errorf(errcode.Conflict, "this sweep is over")
	}
	kept, err := tx.SweepRuns(id)
	if err != nil {
		return err
	}
	for _, of := range kept {
		if of.Outcome != "" || left[of.Number] {
			continue
		}
		if err := end(tx, id, of, Cut, reason); err != nil {
			return err
		}
	}
	return tx.SetSweepState(id, store.SweepStopped, reason)
}

// Elsewhere is lab.Elsewhere for the runs of sweeps.
func Elsewhere(tx *store.Tx, run string) (words string, running bool, err error) {
	sweep, number, err := tx.SweepOpen(run)
	if err != nil || sweep == "" {
		return "", false, err
	}
	jobs, err := jobsOf(tx, sweep)
	if j := jobs[number]; j.State == store.JobRunning {
		return fmt.Sprintf("a run of a sweep, trained by %s: this page shows its stored part", j.Worker), true, err
	}
	return "a run of a sweep, which waits for its turn: this page shows its stored part", false, err
}
