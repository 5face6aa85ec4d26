package lab

// The runs of a sweep are jobs of the store's queue, a few at a time. Whoever takes one, this process or an impalab
// worker, trains it (sweepmember.go), and what it comes to is written with the job's end, in one transaction, which
// queues what comes next.

import (
	"encoding/json"
	"errors"
	"math"

	"impalab/server/errcode"
	"impalab/server/job"
	"impalab/server/store"
)

const (
	sweepKind, sweepLast = "sweep", store.JobPriorities
	sweepWindow          = 16  // runs of one sweep that are jobs at a time: all workers together find enough
	mostCost             = 1e5 // of a run, in thousands of steps: turns are times, and may never come to be future ones
)

// sweepArgs is what a job is told: a place of a plan.
type sweepArgs struct {
	Sweep  string `json:"sweep"`
	Number int64  `json:"number"`
}

// Kinds are the jobs that the runs of sweeps are.
func (l *Lab) Kinds() []job.Kind {
	return []job.Kind{{Name: sweepKind, Slots: l.opts.AtOnce, Work: l.trainMember}}
}

// advance queues what comes next of a sweep that the transaction has locked, and ends the sweep with its last run. A
// run whose job has failed is lost.
func (l *Lab) advance(tx *store.Tx, row *store.Sweep, spec *SweepSpec) error {
	switch {
	case row.State != store.SweepRunning:
		return nil
	case l.opts.Queue == nil:
		return errNoQueue
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
	next := job.Order{Kind: sweepKind, Priority: sweepLast, Submitter: row.ID,
		Cost: int64(min(spec.Base.Config.Steps/1000, mostCost)) * max(1, own)} // shares are fair between addresses
	over, open := 0, 0
	for number := range int64(spec.Runs()) {
		of := placeOf(kept, number)
		j, known := jobs[number]
		switch {
		case of.Outcome != "":
			over++
		case known && j.State == store.JobFailed:
			over++
			of.Outcome, of.Reason = string(Lost), j.Reason
			if err := errors.Join(endRow(tx, of.Run, of.Reason), tx.SetSweepRun(row.ID, of)); err != nil {
				return err
			}
		case known:
			open++
		case open < sweepWindow:
			open++
			next.Args = sweepArgs{row.ID, number}
			if _, err := l.opts.Queue.Add(tx, next); err != nil {
				return err
			}
		}
	}
	if over == spec.Runs() {
		return tx.SetSweepState(row.ID, store.SweepDone, "")
	}
	return nil
}

// jobsOf are the jobs of a sweep by their place in its plan: those that are not over, and those that have failed.
func jobsOf(tx *store.Tx, sweep string) (map[int64]store.Job, error) {
	all, err := tx.JobsOf(sweep)
	jobs := map[int64]store.Job{}
	for _, j := range all {
		var of sweepArgs
		if j.Kind != sweepKind || json.Unmarshal([]byte(j.Args), &of) != nil {
			continue
		}
		if _, known := jobs[of.Number]; !known || j.State != store.JobFailed {
			jobs[of.Number] = j
		}
	}
	return jobs, err
}

// placeOf is a place of a plan, as the store has it.
func placeOf(kept []store.SweepRun, number int64) store.SweepRun {
	for i := range kept {
		if kept[i].Number == number {
			return kept[i]
		}
	}
	return store.SweepRun{Number: number, Return: math.NaN()}
}

// endRow has a run that nobody goes on with say so.
func endRow(tx *store.Tx, id, reason string) error {
	row, err := tx.Run(id)
	if errors.Is(err, store.ErrNotFound) || err == nil && (row.State == store.Done || row.State == store.Diverged) {
		return nil
	}
	if err != nil {
		return err
	}
	row.Progress.State, row.Progress.Reason = store.Done, reason
	return tx.SetProgress(id, row.Progress)
}

// cancelJobs ends the jobs of a sweep but for those of runs that end by themselves, and says which places those have. A
// run that has given way or lost its job meanwhile is not among them.
func (l *Lab) cancelJobs(tx *store.Tx, sweep string, but map[string]*Run) (left map[int64]bool, err error) {
	kept, err := tx.SweepRuns(sweep)
	if err != nil {
		return nil, err
	}
	jobs, err := jobsOf(tx, sweep)
	left = map[int64]bool{}
	for number, j := range jobs {
		switch {
		case err != nil || j.State == store.JobFailed:
		case but[placeOf(kept, number).Run].has(j):
			left[number] = true
		default:
			err = l.opts.Queue.Cancel(tx, j.ID, errStopped.Error())
		}
	}
	return left, err
}

// stopSweep ends a sweep in the store, with all its runs but those that this process trains.
func (l *Lab) stopSweep(tx *store.Tx, id string, here map[string]*Run) error {
	left, err := l.cancelJobs(tx, id, here) // before the sweep is locked, as those who end a job do it
	if err != nil {
		return err
	}
	row, err := tx.LockSweep(id)
	if errors.Is(err, store.ErrNotFound) {
		return errUnknownSweep
	}
	if err == nil && row.State != store.SweepRunning {
		err = errcode.Errorf(errcode.Conflict, "this sweep is over")
	}
	if err != nil {
		return err
	}
	kept, err := tx.SweepRuns(id)
	if err != nil {
		return err
	}
	for _, of := range kept {
		if of.Outcome != "" || left[of.Number] {
			continue
		}
		of.Outcome, of.Reason = string(Cut), errStopped.Error()
		if err := errors.Join(endRow(tx, of.Run, of.Reason), tx.SetSweepRun(id, of)); err != nil {
			return err
		}
	}
	return tx.SetSweepState(id, store.SweepStopped, errStopped.Error())
}

// has reports whether the run is trained here as this job.
func (r *Run) has(j store.Job) bool {
	if r == nil {
		return false
	}
	r.record.mu.Lock()
	defer r.record.mu.Unlock()
	return r.record.work != nil && r.record.work.Has(j)
}

// runsOf are the runs of a sweep that this process trains.
func (l *Lab) runsOf(sweep string) map[string]*Run {
	here := map[string]*Run{}
	for _, r := range l.held() {
		r.record.mu.Lock()
		if r.record.sweep == sweep && r.record.work != nil && r.ctx.Err() == nil {
			here[r.id] = r
		}
		r.record.mu.Unlock()
	}
	return here
}
