package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/server/errcode"
	"impalab/server/places"
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

// Recomputed updates have places: many for quick work, so that an address with slow work does not make others wait, and
// a few for slow work.
type recomputing struct {
	quick, slow *places.Places
	pace        atomic.Int64 // nanoseconds that a billion operations take, as last measured
}

// AgainWithin is how long recomputing updates takes, at most, with its wait.
const AgainWithin = 25 * time.Second

// quickWork takes less time than slow work.
const quickWork = time.Second

func newRecomputing(cores int) *recomputing {
	limits := places.Limits{What: "recomputing these updates", Instead: "ask for fewer updates, or for earlier ones",
		Total: 2 * cores, Each: 1, Within: AgainWithin}
	r := &recomputing{slow: places.New(limits)}
	limits.Total = 8 * cores
	r.quick = places.New(limits)
	r.pace.Store(int64(time.Second / (maxWork / 1e9)))
	return r
}

// cost returns how long some operations take, by the last measurement.
func (r *recomputing) cost(work float64) time.Duration {
	return time.Duration(min(work/1e9*float64(r.pace.Load()), float64(time.Hour)))
}

// measure notes how long some operations took.
func (r *recomputing) measure(work float64, took time.Duration) {
	before := r.pace.Load()
	r.pace.Store(max(1, before+(int64(float64(took)/(work/1e9))-before)/4))
}

// again recomputes a run, and calls seen after each update of a range, before any change that was made there. Described
// gets these updates, if it is not nil. Each call is a learner of its own, with a place and memory beside the runs.
func (l *Lab) again(ctx context.Context, id string, from, to uint64, described func(*telemetry.Update),
	seen func(*learner.Learner) error) error {
	work, updates, err := l.workAgain(ctx, id, from, to)
	if err != nil {
		return err
	}
	at, cost := l.recomputing.slow, l.recomputing.cost(work*updates)
	if cost < quickWork {
		at = l.recomputing.quick
	}
	return at.Do(ctx, cost, func(ctx context.Context) error {
		spec, rec, err := l.settle(ctx, id)
		if err != nil {
			return err
		}
		last, _ := rec.Tape.Last()
		switch {
		case from > rec.At.Updates:
			return unreached(from, rec.At.Updates)
		case rec.damage != nil && to > last:
			return errcode.Errorf(errcode.Conflict, "the run can be looked at up to update %d: %w", last, rec.damage)
		}
		cfg, err := rec.Tape.At(spec.Config, math.MaxUint64)
		if err != nil {
			return &errcode.Error{Code: errcode.Conflict, Err: err}
		}
		bytes, err := l.Admit(&cfg)
		if err != nil {
			return &errcode.Error{Code: errcode.Full, Err: err}
		}
		return l.beside(ctx, bytes, func(cores *schedule.Share, going func() error) error {
			again, err := l.before(ctx, rec, &spec, from, cores)
			if err != nil {
				return err
			}
			defer closeBeside(cores, again)
			to := min(to, rec.At.Updates)
			first, began := again.Updates(), time.Now()
			past := rec.Tape.Past(first, to)
			any, err := past.Again(again, from, to, func() error {
				if done, took := again.Updates()-first, time.Since(began); done > 0 && took > quickWork/4 {
					rest := time.Duration(float64(took) / float64(done) * float64(to-again.Updates()))
					if err := at.Fits(ctx, rest); err != nil {
						return err
					}
				}
				return going()
			}, described, func() error { return seen(again) })
			if done := again.Updates() - first; done > 0 {
				l.recomputing.measure(work*float64(done), time.Since(began))
			}
			switch {
			case err == nil && any:
				return nil
			case ctx.Err() != nil, errcode.Of(err) != "":
				return err
			case err == nil:
				err = fmt.Errorf("the run ends before update %d", from)
			}
			return &errcode.Error{Code: errcode.Conflict, Err: err}
		})
	})
}

// workAgain returns the operations of one update of a run, by estimate, and how many updates it takes to recompute a
// range; or why the range cannot be recomputed.
func (l *Lab) workAgain(ctx context.Context, id string, from, to uint64) (work, updates float64, err error) {
	_, cfg, err := l.brief(ctx, id)
	if err != nil {
		return 0, 0, err
	}
	kept, err := l.snapshots(ctx, id)
	if err != nil {
		return 0, 0, err
	}
	reached, err := l.Reached(ctx, id, math.MaxUint64)
	if err != nil {
		return 0, 0, err
	}
	switch {
	case cfg.Mode == hyper.Live:
		return 0, 0, errcode.Errorf(errcode.Conflict, "a live run never repeats a moment, so only its newest "+
			"update can be shown; choose mode=reference")
	case from > reached:
		return 0, 0, unreached(from, reached)
	}
	nearest := uint64(0)
	for _, at := range kept {
		if at < from {
			nearest = max(nearest, at)
		}
	}
	cost, err := learner.CostOf(&cfg)
	return cost.Work, float64(min(to, reached) - nearest), err
}

// Reached returns an update, or the last update of the run if that is earlier.
func (l *Lab) Reached(ctx context.Context, id string, update uint64) (uint64, error) {
	row, _, err := l.brief(ctx, id)
	reached := uint64(row.Updates)
	if r := l.run(id); r != nil && !r.record.elsewhere {
		reached = r.record.Position().Updates
	}
	return min(update, reached), err
}

// brief returns the row of a run and its settings in force, without its tape. A setting of another build is left out.
func (l *Lab) brief(ctx context.Context, id string) (row store.Run, cfg hyper.Config, err error) {
	err = l.view(ctx, func(tx *store.Tx) (err error) {
		row, err = tx.Run(id)
		return err
	})
	settings, _, _ := ReadSettings(row.Settings)
	for key, value := range settings {
		cfg.Set(key, value)
	}
	return row, cfg, err
}

func unreached(update, reached uint64) error {
	return refused(fmt.Errorf("update %d: the run has reached update %d", update, reached))
}

// before returns a learner of a run as it stood before an update: at its nearest snapshot, or at its beginning. It
// takes a core, which its caller holds from then on.
func (l *Lab) before(ctx context.Context, rec *record, spec *Spec, update uint64, cores *schedule.Share) (
	*learner.Learner, error) {
	engine := learner.Engine{Lower: graph.Lower, Cores: cores}
	saved, err := l.snapshotAt(ctx, rec, update-1)
	cores.Acquire()
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
		return nil, noAnswer(r.Why())
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
