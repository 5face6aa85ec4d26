package command

// train runs the learner without a page: one seed, or many side by side. What it prints with --json is what
// the tables in the README are made of.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/server/atomicfile"
)

type Train struct {
	runFlags
	Steps string `help:"Environment steps to train for; 0: until interrupted. (the preset's, or 250000)" placeholder:"N"`
	Seeds string `help:"Train several seeds and sum them up, like 11-18 or 1,2,5." placeholder:"LIST"`
	Jobs  int    `help:"Seeds trained at once (the number of cores)." placeholder:"N"`
	JSON  bool   `help:"Print one JSON object a line; the last line is the result."`
	Plot  string `help:"Draw the curves of all seeds into this .svg, .png or .pdf." placeholder:"FILE"`
	Save  string `help:"Write the run at its end into this file, for eval." placeholder:"FILE"`
}

// Help is printed under train --help.
func (Train) Help() string {
	return `Examples:

  impalab train --world cartpole --seed 1 --steps 250000
  impalab train --world cartpole --set lag=8 --set rho=1 --json
  impalab train --preset lag-cliff --set correction=none --seeds 11-18 --json
  impalab train --preset catch --seeds 1-5 --steps 30000 --plot curves.svg

The same seed and settings give the same parameters, byte for byte, unless mode=live.
With --seeds each run is one line, and the last line sums them up: interquartile mean and 95 % bootstrap
interval over seeds.
A run that diverges is a result: it is reported with its reason, and the exit code stays 0.`
}

// Run trains.
func (t *Train) Run(ctx context.Context, prog *Program) error {
	plan, err := newTrial(&t.runFlags, t.Steps, t.Seeds, t.Jobs)
	if err != nil {
		return err
	}
	if t.Plot != "" {
		if err := plottable(t.Plot, plan.Config.Steps); err != nil {
			return UsageError{err}
		}
	}
	if t.Save != "" {
		if plan.Finish, err = t.saver(plan); err != nil {
			return UsageError{err}
		}
	}
	prog.warn(&plan.Config)

	out := reporter{out: prog.Stdout, json: t.JSON}
	meter := newMeter(prog.Stderr, plan.Budget(), time.Now)
	plan.Hooks = meter.hooks
	began, cpu := time.Now(), trial.StartCPU()
	results, err := plan.Run(ctx, func(r trial.Report) {
		meter.clear()
		out.run(r)
	})
	meter.clear()
	if t.Seeds != "" && len(results) > 0 {
		out.summary(trial.Summarise(plan.Config, results, time.Since(began), cpu()))
	}
	if t.Plot != "" && len(results) > 0 {
		curves := make([]trial.Curve, len(results))
		for i := range results {
			curves[i] = results[i].Curve
		}
		title := fmt.Sprintf("%s, %s, %d seeds", plan.Config.World, plan.Config.Algo, len(results))
		if err := drawCurves(t.Plot, title, curves); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	return err
}

// saver writes the run into the file that --save names, as it stands when its budget is spent.
func (t *Train) saver(p *trial.Trial) (trial.Finisher, error) {
	switch {
	case len(p.Seeds) > 1:
		return nil, fmt.Errorf("--save %q: one file holds one run; train one seed, with --seed", t.Save)
	case p.Config.Steps == 0:
		return nil, fmt.Errorf("--save %q with steps=0: it is written when the budget is spent; set --steps", t.Save)
	case p.Config.Mode == hyper.Live:
		return nil, fmt.Errorf("--save %q with mode=live: its actors never stand still; set mode=reference", t.Save)
	}
	if err := atomicfile.Check(filepath.Dir(t.Save)); err != nil {
		return nil, fmt.Errorf("--save %q cannot be written: %w", t.Save, err)
	}
	return func(_ context.Context, l *learner.Learner, _ *trial.Report) error {
		blob, err := l.Snapshot()
		if err != nil {
			return err
		}
		return atomicfile.WriteFile(t.Save, blob, 0o644)
	}, nil
}

// newTrial reads flags. Its error says what is wrong with them, or that the machine has too little memory.
func newTrial(flags *runFlags, steps, seeds string, jobs int) (*trial.Trial, error) {
	cfg, err := flags.config(steps)
	if err != nil {
		return nil, err
	}
	t := &trial.Trial{Config: cfg, Seeds: []uint64{cfg.Seed}}
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
	if err := affordable(&t.Config, t.Jobs); err != nil {
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
		return 0, UsageError{fmt.Errorf("--jobs %d: want 1 or more", asked)}
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
