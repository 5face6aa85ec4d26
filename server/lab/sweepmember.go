package lab

// One run of a sweep in the hands of this process, which begins it or goes on with it, trains it while the job is its
// own, and writes what it comes to with the job's end.

import (
	"context"
	"errors"
	"time"

	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/job"
	"impalab/server/store"
	"impalab/web/wire"
)

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
		case !store.MayPass(err) && errcode.Of(err) != errcode.Full && !errors.Is(err, errDropped):
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
	if code := errcode.Of(err); code != "" && !errors.Is(err, errTooMany) && ctx.Err() == nil && m.lab.ctx.Err() == nil {
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
			if spec, rec = &loaded, kept; rec.state == store.Paused { // by a hand that may reach it no more
				rec.state = store.Queued
			}
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
			r.touch()
			if err := m.lab.writeDown(ctx, []*Run{r}, whole); err != nil { // all that it told is there before its outcome
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
