package main

// train runs the learner without a page: one seed, or many side by side. What it prints with --json is what
// the tables in the README are made of.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/server/atomicfile"
)

type trainCommand struct {
	runFlags
	Steps string `help:"Environment steps to train for; 0: until interrupted. (the preset's, or 250000)" placeholder:"N"`
	Seeds string `help:"Train several seeds and sum them up, like 11-18 or 1,2,5." placeholder:"LIST"`
	Jobs  int    `help:"Seeds trained at once (the number of cores)." placeholder:"N"`
	JSON  bool   `help:"Print one JSON object a line; the last line is the result."`
	Plot  string `help:"Draw the curves of all seeds into this .svg, .png or .pdf." placeholder:"FILE"`
	Save  string `help:"Write the run at its end into this file, for eval." placeholder:"FILE"`
}

// Help is printed under train --help.
func (trainCommand) Help() string {
	return `Examples:

  impalab train --world cartpole --seed 1 --steps 250000
  impalab train --world cartpole --set lag=8 --set rho=1 --json
  impalab train --preset lag-cliff --set correction=none --seeds 11-18 --json
  impalab train --preset catch --seeds 1-5 --steps 30000 --plot curves.svg

The same seed and settings give the same parameters, byte for byte, unless mode=live.
With --seeds each run is one line, and the last line sums them up: interquartile mean and 95 % bootstrap interval over seeds.
A run that diverges is a result: it is reported with its reason, and the exit code stays 0.`
}

// Run trains.
func (t *trainCommand) Run(ctx context.Context, m *Main) error {
	plan, err := newPlan(&t.runFlags, t.Steps, t.Seeds, t.Jobs)
	if err != nil {
		return err
	}
	if t.Plot != "" {
		if err := plottable(t.Plot, plan.cfg.Steps); err != nil {
			return usageError{err}
		}
	}
	if t.Save != "" {
		if plan.finish, err = t.saver(plan); err != nil {
			return usageError{err}
		}
	}
	m.warn(&plan.cfg)

	out := reporter{out: m.Stdout, json: t.JSON}
	meter := newMeter(m.Stderr, plan.budget(), time.Now)
	began, cpu := time.Now(), startCPU()
	results, err := plan.train(ctx, meter, func(r runReport) {
		meter.clear()
		out.run(r)
	})
	meter.clear()
	if t.Seeds != "" && len(results) > 0 {
		out.summary(summarise(plan.cfg, results, time.Since(began), cpu()))
	}
	if t.Plot != "" && len(results) > 0 {
		curves := make([]curve, len(results))
		for i := range results {
			curves[i] = results[i].curve
		}
		title := fmt.Sprintf("%s, %s, %d seeds", plan.cfg.World, plan.cfg.Algo, len(results))
		if err := drawCurves(t.Plot, title, curves); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

// saver writes the run into the file that --save names, as it stands when its budget is spent.
func (t *trainCommand) saver(p *plan) (finisher, error) {
	switch {
	case len(p.seeds) > 1:
		return nil, fmt.Errorf("--save %q: one file holds one run; train one seed, with --seed", t.Save)
	case p.cfg.Steps == 0:
		return nil, fmt.Errorf("--save %q with steps=0: it is written when the budget is spent; set --steps", t.Save)
	case p.cfg.Mode == hyper.Live:
		return nil, fmt.Errorf("--save %q with mode=live: its actors never stand still; set mode=reference", t.Save)
	}
	if err := atomicfile.Check(filepath.Dir(t.Save)); err != nil {
		return nil, fmt.Errorf("--save %q cannot be written: %w", t.Save, err)
	}
	return func(_ context.Context, l *learner.Learner, _ *runReport) error {
		blob, err := l.Snapshot()
		if err != nil {
			return err
		}
		return atomicfile.WriteFile(t.Save, blob, 0o644)
	}, nil
}

// plan is one configuration over seeds.
type plan struct {
	cfg    hyper.Config
	seeds  []uint64
	jobs   int
	finish finisher // nil: nothing more is wanted of a run
	kept   *keeper  // nil: every run is trained
}

// finisher takes what else is wanted of a run that has spent its budget, while its learner is still there.
type finisher func(context.Context, *learner.Learner, *runReport) error

// newPlan reads flags. Its error says what is wrong with them, or that the machine has not the memory.
func newPlan(flags *runFlags, steps, seeds string, jobs int) (*plan, error) {
	cfg, err := flags.config(steps)
	if err != nil {
		return nil, err
	}
	p := &plan{cfg: cfg, seeds: []uint64{cfg.Seed}}
	if seeds != "" {
		if flags.Seed != "" {
			return nil, usageError{errors.New("--seed and --seeds are both given: use one of them")}
		}
		if p.seeds, err = parseSeeds(seeds); err != nil {
			return nil, usageError{err}
		}
	}
	if p.jobs, err = atOnce(jobs); err != nil {
		return nil, err
	}
	p.jobs = min(p.jobs, len(p.seeds))
	if err := affordable(&p.cfg, p.jobs); err != nil {
		return nil, usageError{err}
	}
	return p, nil
}

// budget is the steps of all seeds together.
func (p *plan) budget() uint64 { return p.cfg.Steps * uint64(len(p.seeds)) }

// atOnce is how many runs go on together: as many as asked for, or one for each core.
func atOnce(asked int) (int, error) {
	if asked < 0 {
		return 0, usageError{fmt.Errorf("--jobs %d: want 1 or more", asked)}
	}
	if asked == 0 {
		return runtime.GOMAXPROCS(0), nil
	}
	return asked, nil
}

// warn says what a configuration's settings come to where they do not say so themselves, and which guarantees it gives up.
func (m *Main) warn(cfg *hyper.Config) {
	for i := range hyper.Table {
		row := &hyper.Table[i]
		value := cfg.Get(row.Key)
		if meaning := row.Meaning(cfg, value); meaning != "" {
			fmt.Fprintf(m.Stderr, "%s=%s: %s\n", row.Key, value, meaning)
		}
	}
	for _, warning := range cfg.Warnings() {
		fmt.Fprintln(m.Stderr, "warning:", warning)
	}
}

// train trains every seed, jobs at a time, and tells done of each as it ends. The results come back in the order of
// seeds; when ctx ends, those begun come back as far as they got.
func (p *plan) train(ctx context.Context, meter *meter, done func(runReport)) ([]runReport, error) {
	type outcome struct {
		report runReport
		err    error
		begun  bool
	}
	outcomes := make([]outcome, len(p.seeds))
	next := make(chan int)
	var workers sync.WaitGroup // each ends when next is closed
	var printing sync.Mutex
	for range p.jobs {
		workers.Go(func() {
			for i := range next {
				o := &outcomes[i]
				o.begun = true
				o.report, o.err = p.trainOne(ctx, p.seeds[i], meter)
				if o.err == nil {
					printing.Lock()
					done(o.report)
					printing.Unlock()
				}
			}
		})
	}
	for i := range p.seeds {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()

	var reports []runReport
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

// trainOne trains one seed. A run that ctx ended is reported as far as it got.
func (p *plan) trainOne(ctx context.Context, seed uint64, meter *meter) (runReport, error) {
	cfg := p.cfg
	cfg.Seed = seed
	if r, ok := p.kept.load(&cfg); ok {
		return r, nil
	}
	began, cpu := time.Now(), startCPU()
	l, err := learner.New(cfg)
	if err != nil {
		return runReport{}, err
	}
	defer l.Close()
	hooks, traces, drawn := meter.hooks(), lastTraces{}, curve{budget: cfg.Steps}
	result, err := l.Run(ctx, drawn.record(traces.listen(hooks)))
	drawn.reach(l)
	if err != nil && ctx.Err() == nil {
		return runReport{}, fmt.Errorf("seed %d: %w", seed, err)
	}
	report := newRunReport(&cfg, &result, time.Since(began))
	if err == nil && result.Diverged == "" {
		if err := p.look(ctx, l, &report); err != nil {
			return runReport{}, fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	report.curve = drawn
	report.Interrupted = ctx.Err() != nil && err != nil
	report.Traces = newTraceReports(traces.newest.List())
	if p.jobs == 1 { // no other run shares the process: its processor time is its own
		report.CPU = cpu()
	}
	return report, p.kept.save(&cfg, &report)
}

// look measures what is only known at the end.
func (p *plan) look(ctx context.Context, l *learner.Learner, report *runReport) error {
	bias, err := l.ValueBias()
	if err != nil {
		return err
	}
	report.ValueBias = number(bias)
	if p.finish != nil {
		return p.finish(ctx, l, report)
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

// startCPU begins to measure processor time; what it gives back reads it: nil where the system does not tell.
func startCPU() func() *float64 {
	before, ok := cpuSeconds()
	return func() *float64 {
		if !ok {
			return nil
		}
		now, _ := cpuSeconds()
		used := now - before
		return &used
	}
}
