package sweep

import (
	"context"
	"errors"
	"slices"
	"time"

	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/job"
	"impalab/server/lab"
	"impalab/server/store"
)

// training is one run of a sweep that this process trains as a job. The result is stored with the job's end,
// in one transaction.
type training struct {
	all  *Sweeps
	work *job.Work
	told args
	spec Spec
	of   store.SweepRun
	run  *lab.Run
}

// trainingOf returns the runs of a sweep that this process trains.
func (sw *Sweeps) trainingOf(sweep string) map[string]*training {
	sw.mu.Lock()
	defer sw.mu.Unlock()
	return sw.trains(sweep)
}

// trains is trainingOf for a caller that holds mu.
func (sw *Sweeps) trains(sweep string) map[string]*training {
	here := map[string]*training{}
	for id, t := range sw.training {
		if t.told.Sweep == sweep && t.run.HasJob() {
			here[id] = t
		}
	}
	return here
}

// train does one job. It tries again after an error that may pass.
func (sw *Sweeps) train(ctx context.Context, w *job.Work) error {
	t := &training{all: sw, work: w}
	if err := w.Args(&t.told); err != nil {
		return err
	}
	for {
		err := t.train(ctx)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !store.MayPass(err) && errcode.Of(err) != errcode.Full && !errors.Is(err, lab.ErrDropped):
			return err
		}
		sw.opts.Log.Warn("a run of a sweep waits", "sweep", t.told.Sweep, "number", t.told.Number, "error", err)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// train begins or continues the run, until it has ended.
func (t *training) train(ctx context.Context) error {
	sw := t.all
	cut, fault, err := t.begin(ctx)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return job.Refuse(errUnknown)
	case err != nil:
		return err
	case t.of.Outcome != "":
		return t.work.Finish(func(*store.Tx) error { return nil })
	case fault != nil && t.of.Run == "":
		return t.finish(ctx, Lost, fault.Error())
	case cut:
		return t.finish(ctx, Cut, stopped)
	}
	run, err := sw.lab.HostFor(ctx, t.of.Run, t.work)
	if code := errcode.Of(err); code != "" && !errors.Is(err, lab.ErrTooMany) && ctx.Err() == nil && sw.ctx.Err() == nil {
		return t.finish(ctx, Lost, err.Error())
	}
	if err != nil {
		return err
	}
	sw.mu.Lock()
	t.run, sw.training[t.of.Run] = run, t
	sw.mu.Unlock()
	before := run.Status().Steps
	sw.speed.begin(time.Now())
	defer func() {
		sw.mu.Lock()
		delete(sw.training, t.of.Run)
		sw.mu.Unlock()
		sw.speed.end(time.Now(), t.estimated(run.Status().Steps-before))
	}()
	return t.await(ctx)
}

// estimated returns the time on one core of some steps of the run, by secondsOf.
func (t *training) estimated(steps int64) float64 {
	cell, _ := t.spec.member(int(t.told.Number))
	cfg, err := t.spec.config(cell)
	if err != nil || steps <= 0 {
		return 0
	}
	cfg.Steps = uint64(steps)
	return secondsOf(&cfg)
}

// begin finds the job's run in the plan, and begins it if that has not happened. Cut says that the sweep was stopped
// first, and fault why the run can never begin.
func (t *training) begin(ctx context.Context) (cut bool, fault, err error) {
	row, err := store.Get(ctx, t.all.store, func(tx *store.Tx) (store.Sweep, error) { return tx.Sweep(t.told.Sweep) })
	if err != nil {
		return false, nil, err
	}
	if t.spec, err = readPlan(&row); err != nil {
		return false, nil, job.Refuse(err)
	}
	cell, seed := t.spec.member(int(t.told.Number))
	one := t.spec.Base
	if one.Config, fault = t.spec.config(cell); fault == nil {
		_, fault = t.all.lab.Admit(&one.Config) // the limits may have changed since
	}
	one.Config.Seed, one.Turns = seed, append([]hyper.PlannedChange{}, t.spec.Base.Turns...)
	run, lines := t.all.lab.NewRun(&one)
	err = t.work.Do(func(tx *store.Tx) error {
		now, err := tx.LockSweep(t.told.Sweep)
		if err != nil {
			return err
		}
		cut = now.State != store.SweepRunning
		kept, err := tx.SweepRuns(t.told.Sweep)
		t.of = memberOf(kept, t.told.Number)
		if err != nil || cut || t.of.Run != "" || t.of.Outcome != "" || fault != nil {
			return err
		}
		t.of.Run = run.ID
		return errors.Join(tx.AddSweepRun(t.told.Sweep, t.told.Number, run), tx.AppendTape(run.ID, 1, lines...))
	})
	return cut, fault, err
}

// await waits until the run has ended, is gone, or is to be trained by another process.
func (t *training) await(ctx context.Context) error {
	sw, r := t.all, t.run
	tick := time.NewTicker(readEvery)
	defer tick.Stop()
	for began := time.Now(); ; {
		select {
		case <-r.Ended():
			if err := sw.lab.Flush(ctx, r.ID); err != nil { // all that it told is stored before its outcome
				return err
			}
			is := r.Status()
			t.of.Steps, t.of.Return = is.Steps, is.ReturnMean100
			return t.finish(ctx, outcomeOf(&is, t.spec.Base.Config.Steps), is.Reason)
		case <-r.Done():
			why := r.Why()
			if errors.Is(why, lab.ErrDeleted) || errors.Is(why, lab.ErrUnstorable) {
				is := r.Status()
				t.of.Steps, t.of.Return = is.Steps, is.ReturnMean100
				return t.finish(ctx, Lost, why.Error())
			}
			return why
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), store.ErrLost) {
				r.End(lab.ErrLost)
			} else {
				r.Suspend()
			}
			<-r.Done()
			return ctx.Err()
		case <-tick.C:
			t.work.Progress(r.Status().Steps, int64(t.spec.Base.Config.Steps))
			if time.Since(began) < sw.opts.Turn {
				continue
			}
			began = time.Now()
			if behind, wait := t.othersWait(ctx); wait {
				r.Suspend()
				<-r.Done()
				return job.GiveWay(behind)
			}
		}
	}
}

// outcomeOf returns how a run ended.
func outcomeOf(is *lab.Status, budget uint64) string {
	switch {
	case is.State == store.Diverged:
		return Diverged
	case uint64(is.Steps) < budget:
		return Cut
	}
	return Finished
}

// othersWait returns the first queued job of a sweep that trains nothing.
func (t *training) othersWait(ctx context.Context) (first store.Job, wait bool) {
	var running, queued []store.Job
	err := t.all.store.View(ctx, func(tx *store.Tx) (err error) { running, queued, err = tx.JobsOpen(); return err })
	i := slices.IndexFunc(queued, func(j store.Job) bool {
		return j.Kind == kind && !slices.ContainsFunc(running, func(r store.Job) bool { return r.Submitter == j.Submitter })
	})
	if err != nil || i < 0 {
		return first, false
	}
	return queued[i], true
}

// finish stores how the run ended, ends the job, and queues the next runs.
func (t *training) finish(ctx context.Context, outcome, reason string) error {
	return t.all.lab.FinishJob(ctx, t.run, func() error {
		return t.work.Finish(func(tx *store.Tx) error {
			row, err := tx.LockSweep(t.told.Sweep)
			if err != nil {
				return err
			}
			if err := end(tx, row.ID, t.of, outcome, reason); err != nil {
				return err
			}
			return t.all.advance(tx, &row, &t.spec)
		})
	})
}
