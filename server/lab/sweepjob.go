package lab

// The runs of a sweep are jobs of the store's queue. Whoever takes one, this process or an impalab worker, begins its
// run or goes on with it, and what that comes to is written with the job's end, in one transaction, which queues what
// comes next. Everything that is kept of the run until then is kept while the job is ours.

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"time"

	"impalab/learner/hyper"
	"impalab/server/job"
	"impalab/server/store"
	"impalab/web/wire"
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

// cancelJobs ends the jobs of a sweep but for those of runs that end by themselves.
func (l *Lab) cancelJobs(tx *store.Tx, sweep string, but map[string]*Run) error {
	kept, err := tx.SweepRuns(sweep)
	if err != nil {
		return err
	}
	jobs, err := jobsOf(tx, sweep)
	for number, j := range jobs {
		if err == nil && j.State != store.JobFailed && but[placeOf(kept, number).Run] == nil {
			err = l.opts.Queue.Cancel(tx, j.ID, errStopped.Error())
		}
	}
	return err
}

// stopSweep ends a sweep in the store, with all its runs but those that this process trains.
func (l *Lab) stopSweep(tx *store.Tx, id string, here map[string]*Run) error {
	if err := l.cancelJobs(tx, id, here); err != nil { // before the sweep is locked, as those who end a job do it
		return err
	}
	row, err := tx.LockSweep(id)
	if errors.Is(err, store.ErrNotFound) {
		return errUnknownSweep
	}
	if err == nil && row.State != store.SweepRunning {
		err = &Error{Code: Conflict, Err: errors.New("this sweep is over")}
	}
	if err != nil {
		return err
	}
	kept, err := tx.SweepRuns(id)
	if err != nil {
		return err
	}
	for _, of := range kept {
		if of.Outcome != "" || here[of.Run] != nil {
			continue
		}
		of.Outcome, of.Reason = string(Cut), errStopped.Error()
		if err := errors.Join(endRow(tx, of.Run, of.Reason), tx.SetSweepRun(id, of)); err != nil {
			return err
		}
	}
	return tx.SetSweepState(id, store.SweepStopped, errStopped.Error())
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

// membership is one run of a sweep in the hands of this process.
type membership struct {
	lab  *Lab
	work *job.Work
	told sweepArgs
	spec SweepSpec
	of   store.SweepRun

	stopped bool // the sweep has been
}

// trainMember does one job. What stands in its way and may pass is waited for.
func (l *Lab) trainMember(ctx context.Context, w *job.Work) error {
	m := &membership{lab: l, work: w}
	if err := w.Args(&m.told); err != nil {
		return err
	}
	for {
		err := m.train(ctx)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !store.MayPass(err) && CodeOf(err) != Full && !errors.Is(err, errDropped):
			return err
		}
		l.opts.Log.Warn("a run of a sweep waits", "sweep", m.told.Sweep, "number", m.told.Number, "error", err)
		select {
		case <-time.After(sweepAgain):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// train begins the run or goes on with it, until it is over.
func (m *membership) train(ctx context.Context) error {
	spec, rec, fault, err := m.begin(ctx)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return job.Refuse(errUnknownSweep)
	case err != nil:
		return err
	case m.of.Outcome != "":
		return m.work.Finish(func(*store.Tx) error { return nil })
	case fault != nil:
		return m.settle(ctx, nil, Lost, fault.Error())
	case m.stopped:
		return m.settle(ctx, nil, Cut, errStopped.Error())
	}
	m.lab.wakeSweep(m.told.Sweep)
	r, err := m.hold(ctx, spec, rec)
	if code := CodeOf(err); code != "" && !errors.Is(err, errTooMany) && ctx.Err() == nil && m.lab.ctx.Err() == nil {
		return m.settle(ctx, nil, Lost, err.Error())
	}
	if err != nil {
		return err
	}
	return m.await(ctx, r)
}

// begin finds the job's place in the plan, and has its run begin there if none has. fault is why none ever can.
func (m *membership) begin(ctx context.Context) (spec *Spec, rec *record, fault, err error) {
	l := m.lab
	var row store.Sweep
	err = l.store.View(ctx, func(tx *store.Tx) (err error) { row, err = tx.Sweep(m.told.Sweep); return err })
	if err != nil {
		return nil, nil, nil, err
	}
	if m.spec, err = readPlan(row.Plan); err != nil {
		return nil, nil, nil, job.Refuse(err)
	}
	m.spec.Base.Owner = Owner{row.Owner, row.Address}
	cell, seed := m.spec.place(int(m.told.Number))
	one := m.spec.Base
	if one.Config, fault = m.spec.config(cell); fault == nil {
		fault = l.admit(&one.Config) // the limits may have changed since
	}
	one.Config.Seed, one.Turns = seed, append([]hyper.Turn{}, m.spec.Base.Turns...)
	fresh := newRecord(store.NewID(), l.opts.Build, &one)
	run, lines, err := fresh.row(&one)
	if err != nil {
		return nil, nil, nil, err
	}
	begun := false
	err = m.work.Do(func(tx *store.Tx) error {
		begun = false
		now, err := tx.LockSweep(m.told.Sweep)
		if err != nil {
			return err
		}
		m.stopped = now.State != store.SweepRunning
		kept, err := tx.SweepRuns(m.told.Sweep)
		m.of = placeOf(kept, m.told.Number)
		if err != nil || m.stopped || m.of.Run != "" || m.of.Outcome != "" || fault != nil {
			return err
		}
		m.of.Run, begun = fresh.id, true
		return errors.Join(tx.AddSweepRun(m.told.Sweep, m.told.Number, run), tx.AppendTape(fresh.id, 1, lines...))
	})
	switch {
	case err != nil:
		return nil, nil, nil, err
	case begun:
		return &one, fresh, nil, nil
	case m.of.Run != "":
		return nil, nil, nil, nil
	}
	return nil, nil, fault, nil
}

// hold has the run be held here, as the job's. Without a record it is loaded.
func (m *membership) hold(ctx context.Context, spec *Spec, rec *record) (*Run, error) {
	l, id := m.lab, m.of.Run
	for ctx.Err() == nil {
		l.mu.Lock()
		old := l.runs[id]
		l.mu.Unlock()
		if old != nil { // somebody looks at it, or it was this process's before
			old.end(errDropped)
			select {
			case <-old.gone:
			case <-ctx.Done():
			}
			continue
		}
		if rec == nil {
			loaded, kept, err := l.load(ctx, id)
			if err == nil {
				err = l.mayGoOn(&loaded, kept)
			}
			if err != nil {
				return nil, err
			}
			spec, rec = &loaded, kept
		}
		rec.elsewhere, rec.sweep, rec.work = "", m.told.Sweep, m.work
		r, err := l.keepHeld(*spec, rec)
		if err != nil || r != nil && r.record == rec {
			return r, err
		}
		rec = nil
	}
	return nil, ctx.Err()
}

// await waits until the run is over, is gone, or is to be somebody else's.
func (m *membership) await(ctx context.Context, r *Run) error {
	tick := time.NewTicker(sweepTells)
	defer tick.Stop()
	for began := time.Now(); ; {
		select {
		case <-r.over:
			if err := r.kept(ctx); err != nil {
				return err
			}
			p := r.progress()
			return m.settle(ctx, r, outcomeOf(r.now(), p, m.spec.Base.Config.Steps), p.Reason)
		case <-r.gone:
			why := context.Cause(r.ctx)
			if errors.Is(why, errDeleted) || errors.Is(why, errUnkeepable) {
				return m.settle(ctx, r, Lost, why.Error())
			}
			return why
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), store.ErrLost) {
				r.end(errLost)
			} else {
				r.stop(errClosing) // it keeps where it stands
			}
			<-r.gone
			return ctx.Err()
		case <-tick.C:
			m.work.Progress(int64(r.steps.Load()), int64(m.spec.Base.Config.Steps))
			if time.Since(began) < m.lab.opts.Turn {
				continue
			}
			began = time.Now()
			if behind, wait := m.othersWait(ctx); wait {
				r.stop(errClosing)
				<-r.gone
				return job.GiveWay(behind)
			}
		}
	}
}

// outcomeOf is what a run came to that is over.
func outcomeOf(state uint8, p store.Progress, budget uint64) Outcome {
	switch {
	case state == wire.StateDiverged:
		return Diverged
	case state == wire.StateStopped, uint64(p.Steps) < budget:
		return Cut
	}
	return Finished
}

// othersWait is the first job in line of a sweep of which nobody trains anything.
func (m *membership) othersWait(ctx context.Context) (first store.Job, wait bool) {
	err := m.lab.store.View(ctx, func(tx *store.Tx) error {
		running, err := tx.JobsIn(store.JobRunning)
		if err != nil {
			return err
		}
		busy := map[string]bool{}
		for i := range running {
			busy[running[i].Submitter] = true
		}
		queued, err := tx.JobsIn(store.JobQueued)
		wait = false
		for i := range queued {
			if !wait && queued[i].Kind == sweepKind && !busy[queued[i].Submitter] {
				first, wait = queued[i], true
			}
		}
		return err
	})
	return first, wait && err == nil
}

// settle keeps what the run came to, ends the job, and lets go of the run. The scribe waits meanwhile: it keeps for the
// job what comes before, and what comes after for nobody.
func (m *membership) settle(ctx context.Context, r *Run, outcome Outcome, reason string) error {
	l := m.lab
	select {
	case l.writing <- struct{}{}:
		defer func() { <-l.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	of := m.of
	of.Outcome, of.Reason = string(outcome), reason
	if r != nil {
		p := r.progress()
		of.Steps, of.Return = p.Steps, p.ReturnMean100
	}
	err := m.work.Finish(func(tx *store.Tx) error {
		row, err := tx.LockSweep(m.told.Sweep)
		if err != nil {
			return err
		}
		if err := errors.Join(endRow(tx, of.Run, reason), tx.SetSweepRun(row.ID, of)); err != nil {
			return err
		}
		return l.advance(tx, &row, &m.spec)
	})
	if err == nil && r != nil {
		r.record.mu.Lock()
		r.record.work = nil
		r.record.mu.Unlock()
		if r.watchers() == 0 {
			r.end(errDropped) // the store has it, and whoever wants to see it finds it there
		}
	}
	l.wakeSweep(m.told.Sweep)
	return err
}
