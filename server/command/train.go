package command

// train runs the learner without a page: one seed, or many side by side. What it prints with --json is what
// the tables in the README are made of.

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/trial"
)

type Train struct {
	runFlags
	deviceFlags
	Steps string `help:"Environment steps to train for; 0: until interrupted. (the preset's, or 250000)" placeholder:"N"`
	Seeds string `help:"Train several seeds and sum them up, like 11-18 or 1,2,5." placeholder:"LIST"`
	Jobs  int    `help:"Seeds trained at once (the number of cores)." placeholder:"N"`
	JSON  bool   `help:"Print one JSON object a line; the last line is the result."`
	Plot  string `help:"Draw the curves of all seeds into this .svg or .png." placeholder:"FILE"`
	historyFlags
}

// Help is printed under train --help.
func (Train) Help() string {
	return `Examples:

  impalab train --world cartpole --seed 1 --steps 250000
  impalab train --world cartpole --set lag=8 --set rho=1 --json
  impalab train --preset lag-cliff --set correction=none --seeds 11-18 --json
  impalab train --preset catch --seeds 1-5 --steps 30000 --plot curves.svg
  impalab train --preset lag-cliff --turn 80000:lag=64 --turn 115000:correction=none --tape run.tape
  impalab train --preset laser --save run.snapshot      # Ctrl-C saves it, too
  impalab train --resume run.snapshot --save run.snapshot

A turn changes a setting before the first update that begins at its step or after; impalab settings says which can. A
tape holds the settings, the turns, and a hash of the parameters every 100 updates: impalab replay trains it again and
compares. A run that goes on from a snapshot comes to the bytes that it would have come to without the pause.

The same seed and settings give the same parameters, byte for byte, unless mode=live.
With --seeds each run is one line, and the last line sums them up: interquartile mean and 95 % bootstrap
interval over seeds.
A run that diverges is a result: it is reported with its reason, and the exit code stays 0.`
}

// Run trains.
func (t *Train) Run(ctx context.Context, prog *Program) error {
	engine, letGo, err := t.engine(ctx)
	if err != nil {
		return err
	}
	defer letGo()
	plan, past, err := t.plan(engine)
	if err != nil {
		return err
	}
	defer past.close()
	if t.Plot != "" {
		if err := plottable(t.Plot, plan.Config.Steps); err != nil {
			return UsageError{err}
		}
	}
	prog.warn(&plan.Config)

	out := reporter{out: prog.Stdout, json: t.JSON}
	plan.Stop = past.stop
	began, cpu := time.Now(), trial.StartCPU()
	results, err := prog.train(ctx, plan, past.hooks, out.run)
	if t.Seeds != "" && len(results) > 0 {
		out.summary(trial.Summarise(plan.Config, results, time.Since(began), cpu()))
	}
	if t.Plot != "" && len(results) > 0 {
		curves := make([]trial.Curve, len(results))
		for i := range results {
			curves[i] = results[i].Curve
		}
		title := fmt.Sprintf("%s, %s, %d seeds", plan.Config.World, plan.Config.Algo, len(results))
		if err := DrawCurves(t.Plot, title, curves); err != nil {
			return err
		}
	}
	return err
}

// ParseTrain reads the flags of impalab train.
func ParseTrain(flags string) (*Train, error) {
	t := &Train{}
	parser, err := kong.New(t, kong.Name("impalab train"), kong.Exit(func(int) {}))
	if err != nil {
		return nil, err
	}
	if _, err := parser.Parse(strings.Fields(flags)); err != nil {
		return nil, fmt.Errorf("%s: %w", flags, err)
	}
	return t, nil
}

// Plan returns the trial that the flags ask for, and a function that adds the planned turns to the hooks of a run.
func (t *Train) Plan() (*trial.Trial, func(learner.Hooks) learner.Hooks, error) {
	plan, past, err := t.plan(onCores)
	if err != nil {
		return nil, nil, err
	}
	return plan, past.hooks, nil
}

// plan is what the flags ask for, and what is done to it and kept of it.
func (t *Train) plan(engine learner.Engine) (*trial.Trial, *history, error) {
	if t.Resume == "" {
		plan, err := newTrial(engine, &t.runFlags, t.Steps, t.Seeds, t.Jobs)
		if err != nil {
			return nil, nil, err
		}
		past, err := t.history(plan, nil)
		return plan, past, err
	}
	l, err := t.open(engine, t.Resume, t.Seeds, t.Steps)
	if err != nil {
		return nil, nil, UsageError{fmt.Errorf("--resume %w", err)}
	}
	cfg := *l.Config()
	plan := &trial.Trial{Config: cfg, Seeds: []uint64{cfg.Seed}, Jobs: 1}
	plan.Begin = func(hyper.Config) (*learner.Learner, error) { return l, nil }
	past, err := t.history(plan, l)
	if err != nil {
		l.Close()
	}
	return plan, past, err
}

// newTrial reads flags. Its error says what is wrong with them, or that the machine has too little memory.
func newTrial(engine learner.Engine, flags *runFlags, steps, seeds string, jobs int) (*trial.Trial, error) {
	cfg, err := flags.config(steps)
	if err != nil {
		return nil, err
	}
	t := &trial.Trial{Config: cfg, Seeds: []uint64{cfg.Seed}, Begin: engine.New}
	if seeds != "" {
		if flags.Seed != "" {
			return nil, UsageError{errors.New("--seed and --seeds are both given: use one of them")}
		}
		if t.Seeds, err = seedList(seeds); err != nil {
			return nil, UsageError{err}
		}
	}
	if t.Jobs, err = atOnce(jobs); err != nil {
		return nil, err
	}
	t.Jobs = min(t.Jobs, len(t.Seeds))
	kernels, err := t.Config.Kernels("")
	if err == nil {
		err = engine.Devices.Takes(kernels)
	}
	if err == nil {
		err = affordable(&t.Config, t.Jobs)
	}
	if err != nil {
		return nil, UsageError{err}
	}
	return t, nil
}

// seedList reads what --seeds lists.
func seedList(text string) ([]uint64, error) {
	seeds, err := trial.ParseSeeds(text)
	if err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	return seeds, nil
}

// atOnce is how many runs go on together: as many as asked for, or one for each core.
func atOnce(asked int) (int, error) {
	if asked < 0 {
		return 0, UsageError{fmt.Errorf("--jobs %d: must be 1 or more", asked)}
	}
	if asked == 0 {
		return runtime.GOMAXPROCS(0), nil
	}
	return asked, nil
}

// warn says what a configuration's settings come to where they do not say so themselves, and which guarantees it gives
// up.
func (prog *Program) warn(cfg *hyper.Config) {
	for i := range hyper.Table {
		row := &hyper.Table[i]
		value := cfg.Get(row.Key)
		if meaning := row.Meaning(cfg, value); meaning != "" {
			fmt.Fprintf(prog.Stderr, "%s=%s: %s\n", row.Key, value, meaning)
		}
	}
	for _, warning := range cfg.Warnings() {
		fmt.Fprintln(prog.Stderr, "warning:", warning)
	}
}
