package lab

import (
	"context"
	"errors"
	"fmt"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/runloop"
	"impalab/web/wire"
)

// Earlier moments of a run are recomputed beside it, from the nearest snapshot to the same bytes.

// Moments returns what pages are shown of a range of updates, recomputed (see runloop.Moments). The range ends early
// where the run stands.
func (l *Lab) Moments(ctx context.Context, id string, from, to uint64, parameters bool) ([]wire.Message, error) {
	if err := runloop.CheckMoments(from, to); err != nil {
		return nil, refused(err)
	}
	return runloop.Moments(parameters, func(described func(*telemetry.Update), seen func(*learner.Learner) error) error {
		return l.again(ctx, id, from, to, described, seen)
	})
}

// again recomputes a run, and calls seen after each update of a range, before any change that was made there. Described
// gets these updates, if it is not nil. Each call is a learner of its own, so it makes one at a time.
func (l *Lab) again(ctx context.Context, id string, from, to uint64, described func(*telemetry.Update),
	seen func(*learner.Learner) error) error {
	select {
	case l.recomputing <- struct{}{}:
		defer func() { <-l.recomputing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	spec, rec, err := l.settle(ctx, id)
	if err != nil {
		return err
	}
	last, _ := rec.Tape.Last()
	switch {
	case spec.Config.Mode == hyper.Live:
		return errcode.Errorf(errcode.Conflict, "a live run never repeats a moment, so only its newest "+
			"update can be shown; choose mode=reference")
	case from > rec.At.Updates:
		return refused(fmt.Errorf("update %d: the run has reached update %d", from, rec.At.Updates))
	case rec.damage != nil && to > last:
		return errcode.Errorf(errcode.Conflict, "the run can be looked at up to update %d: %w", last, rec.damage)
	}
	to = min(to, rec.At.Updates)
	again, err := l.before(ctx, rec, &spec, from)
	if err != nil {
		return err
	}
	defer again.Close()
	past := rec.Tape.Past(again.Updates(), to)
	any, err := past.Again(again, from, to, ctx.Err, described, func() error { return seen(again) })
	switch {
	case err == nil && any:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		err = fmt.Errorf("the run ends before update %d", from)
	}
	return &errcode.Error{Code: errcode.Conflict, Err: err}
}

// before returns a learner of a run as it stood before an update: at its nearest snapshot, or at its beginning.
func (l *Lab) before(ctx context.Context, rec *record, spec *Spec, update uint64) (*learner.Learner, error) {
	engine := learner.Engine{Lower: graph.Lower}
	saved, err := l.snapshotAt(ctx, rec, update-1)
	if err == nil {
		if again, err := engine.Resume(saved.Blob); err == nil {
			return again, nil
		}
	} else if !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	return engine.New(spec.Config) // there is none, or another build wrote it
}

var (
	errNoLearner = errors.New("this run is over, and its learner is gone: fork it, and look at the fork")
	errEarlier   = errors.New("the run has made later updates")
)

// Unroll returns one trajectory of the batch behind an update of a run; 0: behind the newest. It waits until the newest
// update has ended; an earlier one it recomputes. Anybody who knows the run may ask. The run's bytes do not change.
func (l *Lab) Unroll(ctx context.Context, id string, column int, update uint64) (in *learner.Inspected, err error) {
	r, err := l.join(ctx, id)
	if err != nil {
		return nil, err
	}
	defer r.Leave()
	in, err = r.newest(ctx, column, update)
	if errors.Is(err, errEarlier) || update > 0 && errors.Is(err, errNoLearner) {
		err = l.again(ctx, id, update, update, nil, func(again *learner.Learner) (err error) {
			in, err = again.Inspect(column)
			return err
		})
	}
	return in, err
}

// newest inspects the run's own learner, if it stands behind that update; 0: behind any.
func (r *Run) newest(ctx context.Context, column int, update uint64) (*learner.Inspected, error) {
	done := make(chan struct{})
	var in *learner.Inspected
	var failed error
	inspect := func(l *learner.Learner, err error) {
		switch failed = err; {
		case err != nil:
		case update > 0 && l.Updates() != update:
			failed = errEarlier
		default:
			in, failed = l.Inspect(column)
		}
		close(done)
	}
	if err := r.Ask(runloop.Request{Inspect: inspect}); err != nil {
		return nil, &errcode.Error{Code: errcode.Full, Err: err}
	}
	select {
	case <-done:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-r.ctx.Done():
		return nil, gone(r.Why())
	}
	state := r.State()
	switch {
	case failed == nil, errors.Is(failed, errEarlier):
		return in, failed
	case state.Over():
		return nil, &errcode.Error{Code: errcode.Conflict, Err: errNoLearner}
	case state.Wire() == wire.StateQueued:
		return nil, &errcode.Error{Code: errcode.Full, Err: failed}
	}
	return nil, &errcode.Error{Code: errcode.Conflict, Err: failed}
}
