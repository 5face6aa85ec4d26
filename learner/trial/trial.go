// Package trial trains one configuration over seeds and combines the results. Look at Trial.Run first, then at
// Summarise; Studies returns the comparisons of the papers' figures.
package trial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
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
	hooks, traces, drawn := learner.Hooks{}, lastTraces{}, Curve{Budget: cfg.Steps, looks: t.Poses}
	drawn.reach(l, math.NaN())
	if t.Hooks != nil {
		hooks = t.Hooks()
	}
	spread := newSpreads(t.Quantities)
	if t.resumable != nil {
		hooks, began = t.resumable.record(&drawn, &traces, spread, hooks), t.resumable.began
	}
	running := ctx
	if cfg.Mode == hyper.Reference {
		running, hooks = whole(ctx, hooks)
	}
	hooks = drawn.record(traces.listen(hooks))
	var turned *Turned
	if t.Script != nil {
		turned = newTurned()
		hooks = t.Script.record(turned, hooks)
	}
	var falls *Falls
	var world *envs.Spec
	if t.Falls {
		if world, _, err = envs.Describe(cfg.World); err != nil {
			return Report{}, err // never: the learner has made the world
		}
		falls = &Falls{Fell: None, Onset: None}
		hooks = falls.record(world, hooks)
	}
	if len(t.Quantities) > 0 {
		hooks = spread.listen(hooks)
	}
	result, err := l.Run(running, hooks)
	drawn.reach(l, l.Return100())
	if result.Diverged != "" {
		drawn.hold(l.Return100())
	}
	drawn.look(l)
	if turned != nil {
		turned.reach(t.Script, l)
	}
	if falls != nil {
		falls.Judged = judge(&drawn, float64(world.Random), float64(world.Solved))
	}
	if t.Stop != nil {
		if err := t.Stop(l); err != nil {
			return Report{}, fmt.Errorf("%s: %w", t.called(seed), err)
		}
	}
	if err != nil && ctx.Err() == nil {
		return Report{}, fmt.Errorf("%s: %w", t.called(seed), err)
	}
	if err != nil && t.resumable != nil {
		if err := t.resumable.keep(l); err != nil {
			return Report{}, fmt.Errorf("%s: %w", t.called(seed), err)
		}
	}
	report := NewReport(&cfg, &result, time.Since(began))
	if err == nil {
		if err := t.finish(ctx, l, &report); err != nil {
			return Report{}, fmt.Errorf("%s: %w", t.called(seed), err)
		}
	}
	report.Curve, report.Turned, report.Falls, report.Spreads = drawn, turned, falls, spread.list()
	report.Interrupted = ctx.Err() != nil && err != nil
	report.Traces = newTraces(traces.newest.List())
	if t.Jobs == 1 { // no other run shares the process
		report.CPU = cpu()
	}
	return report, nil
}

func (t *Trial) called(seed uint64) string {
	if i := slices.Index(t.Seeds, seed); t.Names != nil {
		return "seed " + t.Names[i]
	}
	return fmt.Sprintf("seed %d", seed)
}

// whole lets ctx end a run only between two updates: a run that ends inside one loses unrolls, and could not continue
// to the same bytes.
func whole(ctx context.Context, hooks learner.Hooks) (context.Context, learner.Hooks) {
	return context.WithoutCancel(ctx), first(hooks, func(*learner.Learner) error { return ctx.Err() })
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

// finish measures the values that are known only at the end. A run that diverged has its last finite parameters.
func (t *Trial) finish(ctx context.Context, l *learner.Learner, report *Report) error {
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

// lastTraces stores the algorithm's newest traces. A run that ends early has the traces of the last
// hundredth update.
type lastTraces struct {
	newest  telemetry.Traces
	updates int
}

func (t *lastTraces) listen(to learner.Hooks) learner.Hooks {
	due, update := to.Due, to.Update
	to.Due = func() bool {
		t.updates++
		return t.updates%100 == 1 || due != nil && due()
	}
	to.Update = func(u *telemetry.Update) {
		t.newest = u.Traces
		if update != nil {
			update(u)
		}
	}
	return to
}
