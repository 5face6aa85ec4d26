package lab

import (
	"context"
	"errors"
	"math"

	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/hub"
	"impalab/web/runloop"
)

// Find returns the run of a name: a held run, or a run of the store, which is held from now on.
func (l *Lab) Find(ctx context.Context, id string) (*Run, error) {
	for {
		if r := l.run(id); r != nil {
			if r.ctx.Err() == nil {
				return r, nil
			}
			select {
			case <-r.gone: // the store has all of it now
			case <-ctx.Done():
				return nil, noAnswer(context.Cause(ctx))
			}
		}
		spec, rec, bytes, err := l.loadToHold(ctx, id)
		if err != nil {
			return nil, err
		}
		if r, err := l.hostOnce(ctx, spec, rec, bytes); r != nil || err != nil {
			return r, err
		}
	}
}

// loadToHold reads a run that may be held, and returns the memory that it takes.
func (l *Lab) loadToHold(ctx context.Context, id string) (spec Spec, rec *record, bytes float64, err error) {
	if spec, rec, err = l.load(ctx, id); err == nil {
		bytes, err = l.mayContinue(&spec, rec)
	}
	return spec, rec, bytes, err
}

// mayContinue returns the memory that a run takes. It refuses a run that could neither continue nor be shown: its
// stored data are damaged, or it takes more memory than one run may have here.
func (l *Lab) mayContinue(spec *Spec, rec *record) (bytes float64, err error) {
	if rec.state == store.Done || rec.state == store.Diverged {
		return 0, nil
	}
	if rec.damage != nil {
		return 0, errcode.Errorf(errcode.Conflict, "the run cannot continue: %w; fork it from before that", rec.damage)
	}
	cfg, err := rec.Tape.At(spec.Config, math.MaxUint64)
	if err != nil {
		return 0, nil // the tape names a setting of another build, and the learner reports it
	}
	if bytes, err = l.Admit(&cfg); err != nil {
		return 0, errcode.Errorf(errcode.Full, "the run cannot continue: %w", err)
	}
	return bytes, nil
}

// join finds a run and counts a viewer in.
func (l *Lab) join(ctx context.Context, id string) (*Run, error) {
	r, err := l.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	r.Join() // before tend can drop it
	if r.ctx.Err() != nil {
		r.Leave()
		return nil, errUnknownRun
	}
	return r, nil
}

// Owned returns a run of this key, held until Leave.
func (l *Lab) Owned(ctx context.Context, id, key string) (*Run, error) {
	r, err := l.join(ctx, id)
	if err == nil && !r.spec.Owner.Has(key) {
		r.Leave()
		return nil, errUnknownRun
	}
	return r, err
}

// Join returns a run as the holder of this key may use it, until Leave. Anybody may look at it.
func (l *Lab) Join(ctx context.Context, id, key string) (hub.Run, error) {
	r, err := l.join(ctx, id)
	if err != nil {
		return nil, err
	}
	return &runloop.Viewer{Run: &r.Run, Steers: r.spec.Owner.Has(key)}, nil
}

// Patch changes settings, all of them or none, and waits until they are in force and stored.
func (r *Run) Patch(ctx context.Context, settings []hyper.Setting) (runloop.Answer, error) {
	var none runloop.Answer
	var changes []hyper.Change
	for _, s := range settings {
		change, err := hyper.ParseHot(s.Key, s.Value)
		if err != nil {
			return none, refused(err)
		}
		changes = append(changes, change)
	}
	answer := make(chan runloop.Answer, 1)
	if err := r.Ask(runloop.Request{By: tape.ByAPI, Changes: changes, Answer: answer}); err != nil {
		return none, &errcode.Error{Code: errcode.Full, Err: err}
	}
	select {
	case a := <-answer:
		if a.Err != nil {
			return a, refused(a.Err)
		}
		if err := r.flush(ctx); err != nil {
			return a, unkept("it is in force", err)
		}
		return a, nil
	case <-ctx.Done():
		return none, ctx.Err()
	case <-r.ctx.Done():
		return none, noAnswer(r.Why())
	}
}

// Stop ends a run where it stands, and waits until the store has that. Only the run's key may.
func (l *Lab) Stop(ctx context.Context, id, key string) error {
	r, err := l.Owned(ctx, id, key)
	if err != nil {
		return err
	}
	defer r.Leave()
	if r.record.elsewhere {
		return &errcode.Error{Code: errcode.Conflict, Err: errElsewhere}
	}
	if r.State().Over() {
		return &errcode.Error{Code: errcode.Conflict, Err: runloop.ErrOver}
	}
	r.Interrupt(errStopped)
	select {
	case <-r.Ended():
	case <-ctx.Done():
		return ctx.Err()
	case <-r.ctx.Done():
		return noAnswer(r.Why())
	}
	if err := r.flush(ctx); err != nil {
		return unkept("it has stopped", err)
	}
	return nil
}

// Halt ends the run where it stands.
func (r *Run) Halt() { r.Interrupt(errStopped) }

// Delete forgets a run. Its forks stay. Only the run's key may.
func (l *Lab) Delete(ctx context.Context, id, key string) error {
	r, err := l.Find(ctx, id)
	if err != nil {
		return err
	}
	if !r.spec.Owner.Has(key) {
		return errUnknownRun
	}
	err = l.store.Do(ctx, func(tx *store.Tx) error { return tx.DeleteRun(id) })
	if err != nil && !errors.Is(err, store.ErrNotFound) { // else it was forgotten meanwhile
		return err
	}
	r.End(ErrDeleted)
	return nil
}
