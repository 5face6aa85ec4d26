// Package trial trains one configuration over seeds and says what the seeds say together: the command line, the
// results page and whatever else compares runs use it. Look at Trial.Run first, then at Summarise; Studies lists what
// the papers' figures compare.
package trial

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/collapse"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
)

// Trial is one configuration over seeds.
type Trial struct {
	Config hyper.Config
	Seeds  []uint64
	Jobs   int                  // seeds that train at once; of one alone its processor time is known
	Hooks  func() learner.Hooks // watches one run, each its own; nil: none
	Finish Finisher             // nil: nothing more is wanted of a run
	Kept   Keeper               // nil: every run is trained
	Script *Script              // what is done to each run on the way; nil: nothing
	Falls  bool                 // each run is watched for falls, and judged

	// Called is what errors call the run of a seed; nil: "seed 7". Secret seeds have names of their own.
	Called func(seed uint64) string

	// Begin makes the learner of a run; nil: a new one.
	Begin func(cfg hyper.Config) (*learner.Learner, error)
	// Stop is told of every run that has stopped, however it did; one with mode=reference then stands between two updates.
	// nil: nobody is.
	Stop func(*learner.Learner) error

	resumable *resumable // of a trial that may be interrupted (Go); else nil
}

// Finisher takes what else is wanted of a run that has spent its budget, while its learner is still there.
type Finisher func(context.Context, *learner.Learner, *Report) error

// Keeper holds finished runs. Load has the report of a run with exactly these settings, or none.
type Keeper interface {
	Load(cfg *hyper.Config) (Report, bool)
	Save(cfg *hyper.Config, r *Report) error
}

// Budget is the steps of all seeds together.
func (t *Trial) Budget() uint64 { return t.Config.Steps * uint64(len(t.Seeds)) }

// Run trains every seed, Jobs at a time, and tells done of each as it ends. The results come back in the order of
// Seeds; when ctx ends, those begun come back as far as they got. A panic in a run is its error, with the stack.
func (t *Trial) Run(ctx context.Context, done func(Report)) ([]Report, error) {
	type outcome struct {
		report Report
		err    error
		begun  bool
	}
	outcomes := make([]outcome, len(t.Seeds))
	next := make(chan int)
	var workers sync.WaitGroup // each ends when next is closed
	var printing sync.Mutex
	for range t.Jobs {
		workers.Go(func() {
			for i := range next {
				o := &outcomes[i]
				o.begun = true
				o.err = schedule.Catch(func() (err error) { o.report, err = t.train(ctx, t.Seeds[i]); return err })
				if o.err == nil {
					printing.Lock()
					done(o.report)
					printing.Unlock()
				}
			}
		})
	}
	for i := range t.Seeds {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
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

// train trains one seed. A run that ctx ended is reported as far as it got.
func (t *Trial) train(ctx context.Context, seed uint64) (Report, error) {
	cfg := t.Config
	cfg.Seed = seed
	if t.Kept != nil {
		if r, ok := t.Kept.Load(&cfg); ok {
			return r, nil
		}
	}
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
	hooks, traces, drawn := learner.Hooks{}, lastTraces{}, Curve{Budget: cfg.Steps}
	drawn.pass(l)
	if t.Hooks != nil {
		hooks = t.Hooks()
	}
	if t.resumable != nil {
		hooks, began = t.resumable.record(&drawn, &traces, hooks), t.resumable.began
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
			return Report{}, err // the learner has made it
		}
		falls = new(Falls)
		hooks = falls.record(&collapse.Watch{Random: float64(world.Random), Solved: float64(world.Solved)}, hooks)
	}
	result, err := l.Run(running, hooks)
	drawn.reach(l)
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
	if err == nil && result.Diverged == "" {
		if err := t.look(ctx, l, &report); err != nil {
			return Report{}, fmt.Errorf("%s: %w", t.called(seed), err)
		}
	}
	report.Curve, report.Turned, report.Falls = drawn, turned, falls
	report.Interrupted = ctx.Err() != nil && err != nil
	report.Traces = newTraces(traces.newest.List())
	if t.Jobs == 1 { // no other run shares the process: its processor time is its own
		report.CPU = cpu()
	}
	if t.Kept != nil {
		return report, t.Kept.Save(&cfg, &report)
	}
	return report, nil
}

func (t *Trial) called(seed uint64) string {
	if t.Called != nil {
		return t.Called(seed)
	}
	return fmt.Sprintf("seed %d", seed)
}

// whole has a run end with ctx between two updates, and not inside of one, whose unrolls would be lost: it could not
// go on from there to the bytes of a run that was left alone.
func whole(ctx context.Context, hooks learner.Hooks) (context.Context, learner.Hooks) {
	between := hooks.Between
	hooks.Between = func(l *learner.Learner) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if between != nil {
			return between(l)
		}
		return nil
	}
	return context.WithoutCancel(ctx), hooks
}

// look measures what is only known at the end.
func (t *Trial) look(ctx context.Context, l *learner.Learner, report *Report) error {
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

// lastTraces keeps what the algorithm last told of itself. A run that ends at its budget is described then; of one that
// ends before, the newest of every hundredth update counts.
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
