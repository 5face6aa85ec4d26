// Package seedjob trains one configuration over seeds as a job: an entry of the board, or an answer of a class. If its
// worker dies, at most two seconds of training are lost, or twenty times the duration of a snapshot. The next worker
// gets the same reports to the digit. A sweep instead has runs of the lab, which people can watch.
package seedjob

import (
	"context"
	"errors"
	"time"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/trial"
	"impalab/server/job"
	"impalab/server/store"
)

// keepEvery is the time between two snapshots.
const keepEvery = 2 * time.Second

// Order is a configuration and its seeds.
type Order struct {
	Config hyper.Config
	Seeds  []uint64
	Called func(seed uint64) string // a seed's name in errors; nil: its number
	Share  *schedule.Share          // of the cores, never of a device, which may compute other bits

	Progress func(steps uint64) // called with the steps of all seeds so far
}

// Train trains the seeds one after the other on the cores, from the job's last snapshot.
func Train(ctx context.Context, w *job.Work, o Order) ([]trial.Report, error) {
	whole := trial.Trial{Config: o.Config, Seeds: o.Seeds, Jobs: 1, Called: o.Called, Hooks: func() learner.Hooks {
		return learner.Hooks{Between: func(*learner.Learner) error { o.Share.Yield(); return nil }}
	}}
	o.Share.Hold()
	defer o.Share.Drain()
	reports, err := whole.Go(ctx, trial.Way{From: w.Resumed(), Every: keepEvery, Progress: o.Progress, Keep: w.Keep,
		Engine: learner.Engine{Lower: graph.Lower, Cores: o.Share}})
	if err == nil {
		err = ctx.Err()
	}
	return reports, err
}

// Again returns an error that lets the queue repeat the job, or nil if training would fail again.
func Again(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case store.MayPass(err), errors.Is(err, store.ErrLost):
		return err
	}
	return nil
}
