package lab

import (
	"context"
	"errors"

	"impalab/learner"
	"impalab/web/wire"
)

// look is told the learner between two updates, or why there is none. It runs on the run's goroutine and must not wait.
type look func(l *learner.Learner, err error)

var errNoLearner = errors.New("this run is over, and its learner is gone: fork it, and look at the fork")

// Unroll is one trajectory of the newest batch of a run, as its learner sees it with the parameters of now. It waits
// until an update has ended. Anybody who knows the run may look; the run learns what it would have learned.
func (l *Lab) Unroll(ctx context.Context, id string, column int) (*learner.Inspected, error) {
	v, err := l.join(ctx, id, "")
	if err != nil {
		return nil, err
	}
	defer v.Leave()
	type answer struct {
		in  *learner.Inspected
		err error
	}
	came := make(chan answer, 1)
	err = v.enqueue(request{look: func(l *learner.Learner, err error) {
		var a answer
		if a.err = err; err == nil {
			a.in, a.err = l.Inspect(column)
		}
		came <- a
	}})
	if err != nil {
		return nil, &Error{Full, err}
	}
	select {
	case a := <-came:
		switch {
		case errors.Is(a.err, errRunOver), wire.Over(v.now()) && a.err != nil:
			return nil, &Error{Conflict, errNoLearner}
		case a.err != nil && v.now() == wire.StateQueued:
			return nil, &Error{Full, a.err}
		case a.err != nil:
			return nil, &Error{Conflict, a.err}
		}
		return a.in, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-v.ctx.Done():
		return nil, gone(context.Cause(v.ctx))
	}
}
