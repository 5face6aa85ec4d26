package lab

import (
	"context"
	"errors"

	"impalab/learner"
	"impalab/server/errcode"
	"impalab/web/wire"
)

// look is told the learner between two updates, or why there is none. It runs on the run's goroutine and must not wait.
type look func(l *learner.Learner, err error)

var errNoLearner = errors.New("this run is over, and its learner is gone: fork it, and look at the fork")

// Unroll is one trajectory of a batch of a run, as its learner saw it with the parameters behind an update; 0: behind
// the newest. Of the newest it waits until an update has ended, an earlier one is learned again beside the run. Anybody
// who knows the run may look; the run learns what it would have learned.
func (l *Lab) Unroll(ctx context.Context, id string, column int, update uint64) (*learner.Inspected, error) {
	v, err := l.join(ctx, id, "")
	if err != nil {
		return nil, err
	}
	defer v.Leave()
	in, err := v.newest(ctx, column, update)
	if errors.Is(err, errEarlier) || update > 0 && errors.Is(err, errNoLearner) {
		return l.earlier(ctx, id, column, update)
	}
	return in, err
}

// errEarlier says that the run has gone on from the update that was asked for.
var errEarlier = errors.New("the run has gone on")

// newest looks at the run's own learner, if it stands behind that update; 0: behind any.
func (v *viewer) newest(ctx context.Context, column int, update uint64) (*learner.Inspected, error) {
	type answer struct {
		in  *learner.Inspected
		err error
	}
	came := make(chan answer, 1)
	err := v.enqueue(request{look: func(l *learner.Learner, err error) {
		var a answer
		switch a.err = err; {
		case err != nil:
		case update > 0 && l.Updates() != update:
			a.err = errEarlier
		default:
			a.in, a.err = l.Inspect(column)
		}
		came <- a
	}})
	if err != nil {
		return nil, &errcode.Error{Code: errcode.Full, Err: err}
	}
	select {
	case a := <-came:
		switch {
		case errors.Is(a.err, errEarlier):
			return nil, a.err
		case errors.Is(a.err, errRunOver), wire.Over(v.now()) && a.err != nil:
			return nil, &errcode.Error{Code: errcode.Conflict, Err: errNoLearner}
		case a.err != nil && v.now() == wire.StateQueued:
			return nil, &errcode.Error{Code: errcode.Full, Err: a.err}
		case a.err != nil:
			return nil, &errcode.Error{Code: errcode.Conflict, Err: a.err}
		}
		return a.in, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-v.ctx.Done():
		return nil, gone(context.Cause(v.ctx))
	}
}

// earlier learns a run again up to an update, from its nearest snapshot, and looks there: just before whatever was
// changed at that very moment.
func (l *Lab) earlier(ctx context.Context, id string, column int, update uint64) (in *learner.Inspected, err error) {
	err = l.again(ctx, id, update, update, nil, func(again *learner.Learner) (err error) {
		in, err = again.Inspect(column)
		return err
	})
	return in, err
}
