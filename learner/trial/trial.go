// Package trial trains one configuration over seeds and combines the results. Look at Trial.Run first, then at
// Summarise; Studies returns the comparisons of the papers' figures.
package trial

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
)

// Trial is one configuration over seeds.
type Trial struct {
	Config hyper.Config
	Seeds  []uint64
	Jobs   int                  // seeds that train at once; with 1 the processor time of each is known
	Hooks  func() learner.Hooks // returns the hooks of one run; nil: none
	Finish Finisher             // nil: measure nothing more
	Script *Script              // changes each run on the way; nil: none does
	Falls  bool                 // watch each run for falls, and judge it
	Thin   bool                 // record when its effective sample becomes small
	Poses  bool                 // the curves have poses of the world's stick

	Quantities []string // of telemetry's table, recorded over the updates of each run

	Names []string // of secret seeds in errors; nil: the seeds' numbers

	// Begin makes the learner of a run; nil: Engine.New does.
	Begin func(cfg hyper.Config) (*learner.Learner, error)
	// Stop receives the learner of every run that has stopped, between two updates with mode=reference; nil: not
	// wanted.
	Stop func(*learner.Learner) error

	resumable *resumable // of an interruptible trial (Go); else nil
}

// Finisher measures more of a finished run, before its learner closes.
type Finisher func(context.Context, *learner.Learner, *Report) error

// Budget returns the steps of all seeds together.
func (t *Trial) Budget() uint64 { return t.Config.Steps * uint64(len(t.Seeds)) }

// Run trains every seed, Jobs at a time, and reports each to done as it ends. The results are in the order of Seeds.
// When ctx ends, runs that have begun report their results so far. A panic in a run is its error, with the stack.
func (t *Trial) Run(ctx context.Context, done func(Report)) ([]Report, error) {
	type outcome struct {
		report Report
		err    error
		begun  bool
	}
	outcomes := make([]outcome, len(t.Seeds))
	var workers errgroup.Group
	workers.SetLimit(t.Jobs)
	var printing sync.Mutex
	for i := range t.Seeds {
		if ctx.Err() != nil {
			break
		}
		workers.Go(func() error {
			o := &outcomes[i]
			o.begun = true
			o.err = schedule.Catch(func() (err error) { o.report, err = t.train(ctx, t.Seeds[i]); return err })
			if o.err == nil {
				printing.Lock()
				done(o.report)
				printing.Unlock()
			}
			return nil
		})
	}
	workers.Wait()

	var reports []Report
	var errs []error
	for _, o := range outcomes {
		switch {
		case o.err != nil:
			errs = append(errs, o.err)
		case o.begun:
			reports = append(reports, o.report)
		}
	}
	return reports, errors.Join(errs...)
}

// train trains one seed. If ctx ends the run, the report has its results so far.
func (t *Trial) train(ctx context.Context, seed uint64) (Report, error) {
	cfg := t.Config
	cfg.Seed = seed
	began, cpu := time.Now(), StartCPU()
	begin := t.Begin
	switch {
	case t.resumable != nil:
		begin = t.resumable.begin
	case begin == nil:
		begin = learner.Engine{Lower: graph.Lower}.New
	}
	l, err := begin(cfg)
	if err != nil {
		return Report{}, err
	}
	defer l.Close()
	hooks, watched := learner.Hooks{}, t.watch(l)
	if t.Hooks != nil {
		hooks = t.Hooks()
	}
	if t.resumable != nil {
		hooks, began = t.resumable.record(watched, hooks), t.resumable.began
	}
	result, err := l.Run(ctx, watched.listen(hooks))
	watched.end(l)
	report := NewReport(&cfg, &result, time.Since(began))
	watched.fill(&report)
	report.Interrupted = ctx.Err() != nil && err != nil
	if report.Interrupted {
		err = nil
	}
	if t.Stop != nil {
		err = errors.Join(err, t.Stop(l))
	}
	if err == nil {
		err = t.finish(ctx, l, &report)
	}
	if err != nil {
		return Report{}, fmt.Errorf("%s: %w", t.called(seed), err)
	}
	if t.Jobs == 1 { // no other run shares the process
		report.CPU = cpu()
	}
	return report, nil
}

// finish stores the state of an interrupted run. Of any other run it measures the values that are known only at the
// end; a run that diverged has its last finite parameters.
func (t *Trial) finish(ctx context.Context, l *learner.Learner, report *Report) error {
	if report.Interrupted {
		if t.resumable != nil {
			return t.resumable.save(l)
		}
		return nil
	}
	bias, err := l.ValueBias()
	if err != nil {
		return err
	}
	report.ValueBias = Number(bias)
	if t.Finish != nil {
		return t.Finish(ctx, l, report)
	}
	return nil
}

func (t *Trial) called(seed uint64) string {
	if i := slices.Index(t.Seeds, seed); t.Names != nil {
		return "seed " + t.Names[i]
	}
	return fmt.Sprintf("seed %d", seed)
}

// first returns hooks whose Between calls do before its own.
func first(hooks learner.Hooks, do func(*learner.Learner) error) learner.Hooks {
	next := hooks.Between
	hooks.Between = func(l *learner.Learner) error {
		if err := do(l); err != nil || next == nil {
			return err
		}
		return next(l)
	}
	return hooks
}
