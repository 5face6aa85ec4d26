package main

// train runs the learner without a page: one seed, or many side by side. What it prints with --json is what
// the tables in the README are made of.

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

type trainCommand struct {
	runFlags
	Steps string `help:"Environment steps to train for; 0: until interrupted. (the preset's, or 250000)" placeholder:"N"`
	Seeds string `help:"Train several seeds and sum them up, like 11-18 or 1,2,5." placeholder:"LIST"`
	Jobs  int    `help:"Seeds trained at once (the number of cores)." placeholder:"N"`
	JSON  bool   `help:"Print one JSON object a line; the last line is the result."`
	Plot  string `help:"Draw the curves of all seeds into this .svg, .png or .pdf." placeholder:"FILE"`
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
	cfg, err := t.config(t.Steps)
	if err != nil {
		return err
	}
	seeds := []uint64{cfg.Seed}
	if t.Seeds != "" {
		if t.Seed != "" {
			return usageError{errors.New("--seed and --seeds are both given: use one of them")}
		}
		if seeds, err = parseSeeds(t.Seeds); err != nil {
			return usageError{err}
		}
	}
	jobs, err := atOnce(t.Jobs)
	if err != nil {
		return err
	}
	jobs = min(jobs, len(seeds))
	if err := affordable(&cfg, jobs); err != nil {
		return usageError{err}
	}
	if t.Plot != "" {
		if err := plottable(t.Plot, cfg.Steps); err != nil {
			return usageError{err}
		}
	}
	m.warn(&cfg)

	out := reporter{out: m.Stdout, json: t.JSON}
	meter := newMeter(m.Stderr, cfg.Steps*uint64(len(seeds)), time.Now)
	began, cpu := time.Now(), startCPU()
	results, err := trainSeeds(ctx, cfg, seeds, jobs, meter, func(r runReport) {
		meter.clear()
		out.run(r)
	})
	meter.clear()
	if t.Seeds != "" && len(results) > 0 {
		out.summary(summarise(cfg, results, time.Since(began), cpu()))
	}
	if t.Plot != "" && len(results) > 0 {
		curves := make([]curve, len(results))
		for i := range results {
			curves[i] = results[i].curve
		}
		title := fmt.Sprintf("%s, %s, %d seeds", cfg.World, cfg.Algo, len(results))
		if err := drawCurves(t.Plot, title, curves); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

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
		if meaning := row.Meaning(cfg); meaning != "" {
			fmt.Fprintf(m.Stderr, "%s=%s: %s\n", row.Key, cfg.Get(row.Key), meaning)
		}
	}
	for _, warning := range cfg.Warnings() {
		fmt.Fprintln(m.Stderr, "warning:", warning)
	}
}

// trainSeeds trains every seed, jobs at a time, and tells done of each as it ends. The results come back in the
// order of seeds; when ctx ends, those begun come back as far as they got.
func trainSeeds(ctx context.Context, cfg hyper.Config, seeds []uint64, jobs int, meter *meter, done func(runReport)) ([]runReport, error) {
	type outcome struct {
		report runReport
		err    error
		begun  bool
	}
	outcomes := make([]outcome, len(seeds))
	next := make(chan int)
	var workers sync.WaitGroup // each ends when next is closed
	var printing sync.Mutex
	for range jobs {
		workers.Go(func() {
			for i := range next {
				cfg := cfg
				cfg.Seed = seeds[i]
				o := &outcomes[i]
				o.begun = true
				o.report, o.err = trainOne(ctx, cfg, jobs == 1, meter)
				if o.err == nil {
					printing.Lock()
					done(o.report)
					printing.Unlock()
				}
			}
		})
	}
	for i := range seeds {
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

// trainOne trains one seed. alone says that no other run shares the process, so that its processor time is its own.
// A run that ctx ended is reported as far as it got.
func trainOne(ctx context.Context, cfg hyper.Config, alone bool, meter *meter) (runReport, error) {
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
		return runReport{}, fmt.Errorf("seed %d: %w", cfg.Seed, err)
	}
	report := newRunReport(&cfg, &result, time.Since(began))
	if err == nil && result.Diverged == "" {
		bias, err := l.ValueBias()
		if err != nil {
			return runReport{}, fmt.Errorf("seed %d: %w", cfg.Seed, err)
		}
		report.ValueBias = number(bias)
	}
	report.curve = drawn
	report.Interrupted = ctx.Err() != nil && err != nil
	report.Traces = newTraceReports(traces.newest.List())
	if alone {
		report.CPU = cpu()
	}
	return report, nil
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
