package lab

import (
	"context"
	"errors"
	"fmt"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/watch"
	"impalab/web/wire"
)

// An earlier moment of a run is made again beside it: a learner comes from the nearest snapshot to the same bytes.

// MaxMoments is how many updates are made again at once.
const MaxMoments = 64

// Moments are what pages are shown of the updates from one to another, made again: of each its x-ray, on a finite world
// the gauge, the parameters where they are asked for, and the watched world, which takes one step with each update from
// the start of an episode. An update that was shown live has the same x-ray and gauge, byte for byte, but for the speed
// of then. There are fewer where the run has not come to the last of them, or they would fill more than a frame.
func (l *Lab) Moments(ctx context.Context, id string, from, to uint64, parameters bool) ([]wire.Message, error) {
	switch {
	case from == 0 || to < from:
		return nil, refused(fmt.Errorf("updates %d to %d: the first is 1, and the last comes after it", from, to))
	case to-from >= MaxMoments:
		return nil, refused(fmt.Errorf("updates %d to %d: at most %d are made again at once", from, to, MaxMoments))
	}
	made := watch.Moments{Parameters: parameters}
	described := func(u *telemetry.Update) { made.Newest = *u }
	err := l.again(ctx, id, from, to, described, func(again *learner.Learner) error {
		full, err := made.Add(again)
		if full {
			return tape.ErrEnough
		}
		return err
	})
	return made.Made, err
}

// again learns a run again up to an update, from its nearest snapshot, and calls seen behind each one from some update
// on: just before whatever was changed at that very moment. These updates are described to described, if it is there.
// One at a time: each is a learner of its own.
func (l *Lab) again(ctx context.Context, id string, from, to uint64, described func(*telemetry.Update),
	seen func(*learner.Learner) error) error {
	select {
	case l.relearns <- struct{}{}:
		defer func() { <-l.relearns }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := l.settle(ctx, id); err != nil {
		return err
	}
	spec, rec, err := l.load(ctx, id)
	if err != nil {
		return err
	}
	last, _ := rec.tape.Last()
	switch {
	case spec.Config.Mode == hyper.Live:
		return errcode.Errorf(errcode.Conflict, "a live run does not come to the same moment twice, so only its newest "+
			"update can be looked at; choose mode=reference")
	case from > rec.stands.Updates:
		return refused(fmt.Errorf("update %d: the run has come to update %d", from, rec.stands.Updates))
	case rec.damage != nil && to > last:
		return errcode.Errorf(errcode.Conflict, "the run can be looked at up to update %d: %w", last, rec.damage)
	}
	to = min(to, rec.stands.Updates)
	again, err := l.before(ctx, rec, &spec, from)
	if err != nil {
		return err
	}
	defer again.Close()
	p := rec.tape.Past(again.Updates(), to)
	any, err := p.Again(again, from, to, ctx.Err, described, func() error { return seen(again) })
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

// before is a learner of a run as it stood before an update: at its nearest snapshot, or at its beginning.
func (l *Lab) before(ctx context.Context, rec *record, spec *Spec, update uint64) (*learner.Learner, error) {
	engine := learner.Engine{Lower: graph.Lower}
	saved, err := l.snapshotAt(ctx, rec, update-1)
	if err == nil {
		again, err := engine.Resume(saved.blob)
		if err == nil {
			return again, nil
		}
	} else if !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	return engine.New(spec.Config) // there is none, or another build wrote it
}
