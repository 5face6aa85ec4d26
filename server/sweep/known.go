package sweep

import (
	"context"
	"errors"
	"time"

	"impalab/learner/schedule"
	"impalab/learner/trial"
	"impalab/server/errcode"
	"impalab/server/store"
)

// The sweeps that this process has read from the store.

// add adds a sweep whose runs have not been read yet. The caller holds mu.
func (sw *Sweeps) add(row *store.Sweep, spec Spec) *Sweep {
	s := &Sweep{ID: row.ID, Spec: spec, all: sw, created: row.Created, info: infoOf(row, &spec), looked: time.Now(),
		lines: map[string]Line{}, bands: map[bandKey]trial.Estimate{}}
	sw.held[s.ID] = s
	return s
}

// Find returns the sweep of a name, as the store has it.
func (sw *Sweeps) Find(ctx context.Context, id string) (*Sweep, error) {
	s, err := sw.find(ctx, id)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.looked = time.Now()
	old := s.read.IsZero() || s.info.State == store.SweepRunning && time.Since(s.read) > readEvery
	s.mu.Unlock()
	if old {
		err = s.refresh(ctx)
	}
	return s, err
}

// find returns a sweep that is held, or holds it from now on.
func (sw *Sweeps) find(ctx context.Context, id string) (*Sweep, error) {
	sw.mu.Lock()
	s := sw.held[id]
	sw.mu.Unlock()
	if s != nil {
		return s, nil
	}
	row, err := store.Get(ctx, sw.store, func(tx *store.Tx) (store.Sweep, error) { return tx.Sweep(id) })
	if errors.Is(err, store.ErrNotFound) {
		return nil, errUnknown
	}
	if err != nil {
		return nil, err
	}
	spec, err := readPlan(&row)
	if err != nil {
		return nil, &errcode.Error{Code: errcode.Conflict, Err: err}
	}
	sw.mu.Lock()
	defer sw.mu.Unlock()
	if s := sw.held[id]; s != nil { // meanwhile
		return s, nil
	}
	return sw.add(&row, spec), nil
}

// owned returns a sweep of this key.
func (sw *Sweeps) owned(ctx context.Context, id, key string) (*Sweep, error) {
	s, err := sw.Find(ctx, id)
	if err == nil && !s.Owns(key) {
		err = errUnknown
	}
	return s, err
}

// readAll reads all sweeps that continue, and drops the others a while after the last look.
func (sw *Sweeps) readAll() {
	sw.mu.Lock()
	var due []*Sweep
	for id, s := range sw.held {
		s.mu.Lock()
		idle := time.Since(s.looked)
		switch {
		case s.info.State != store.SweepRunning && idle > sw.opts.Forget:
			delete(sw.held, id)
		case s.info.State == store.SweepRunning && (idle < readIdle || time.Since(s.read) > readIdle):
			due = append(due, s)
		}
		s.mu.Unlock()
	}
	sw.mu.Unlock()
	for _, s := range due {
		err := schedule.Catch(func() error { return s.refresh(sw.ctx) })
		switch {
		case errors.As(err, new(*schedule.Fault)):
			sw.lab.Fault("a sweep", s.ID, err)
		case err != nil && sw.ctx.Err() == nil:
			sw.opts.Log.Warn("a sweep waits", "sweep", s.ID, "error", err)
		}
	}
}

// refresh reads the sweep in the store.
func (s *Sweep) refresh(ctx context.Context) error {
	sw := s.all
	var row store.Sweep
	var kept []store.SweepRun
	var jobs map[int64]store.Job
	err := sw.store.View(ctx, func(tx *store.Tx) (err error) {
		if row, err = tx.Sweep(s.ID); err != nil {
			return err
		}
		if kept, err = tx.SweepRuns(s.ID); err != nil {
			return err
		}
		jobs, err = jobsOf(tx, s.ID)
		return err
	})
	switch {
	case errors.Is(err, store.ErrNotFound): // another process deleted it
		sw.forget(s)
		return errUnknown
	case err != nil:
		return err
	}
	s.load(&row, kept, jobs)
	return nil
}

// forget stops holding a sweep, which was deleted.
func (sw *Sweeps) forget(s *Sweep) {
	sw.mu.Lock()
	defer sw.mu.Unlock()
	if sw.held[s.ID] == s {
		delete(sw.held, s.ID)
	}
}
