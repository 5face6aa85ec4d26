package command

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"impalab/learner"
	"impalab/learner/device"
	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/server/atomicfile"
	"impalab/server/picture"
)

// Train trains without a page: one seed, or many side by side.
type Train struct {
	runFlags
	deviceFlags
	Steps string `help:"Environment steps to train for; 0: until interrupted. (the preset's, or 250000)" placeholder:"N"`
	seedFlags
	JSON bool   `help:"Print one JSON object a line; the last line is the result."`
	Plot string `help:"Draw the curves of all seeds into this .svg or .png." placeholder:"FILE"`
	historyFlags
}

func (Train) Help() string {
	return `Examples:

  impalab train --world cartpole --seed 1 --steps 250000
  impalab train --world cartpole --set lag=8 --set rho=1 --json
  impalab train --preset lag-cliff --set correction=none --seeds 11-18 --json
  impalab train --preset catch --seeds 1-5 --steps 30000 --plot curves.svg
  impalab train --preset lag-cliff --turn 80000:lag=64 --turn 115000:correction=none --tape run.tape
  impalab train --preset laser --save run.snapshot      # Ctrl-C saves the run too
  impalab train --resume run.snapshot --save run.snapshot

A turn changes a setting before the first update that begins at or after its step; impalab settings lists the settings
that can change. A tape holds the settings, the turns, and a hash of the parameters every 100 updates: impalab replay
trains it again and compares. A run that resumes from a snapshot ends with exactly the parameters of an uninterrupted
run.

The same seed and settings give the same parameters, byte for byte, unless mode=live. With --seeds each run is one line,
and the last line sums them up: interquartile mean and 95 % bootstrap interval over seeds. A run that diverges is a
result: its report has the reason, and the exit code stays 0.`
}

func (t *Train) Run(ctx context.Context, prog *Program) error {
	engine, closeEngine, err := t.engine(ctx)
	if err != nil {
		return err
	}
	defer closeEngine()
	plan, past, err := t.plan(engine)
	if err == nil && t.Plot != "" {
		err = plottable(t.Plot, plan.Config.Steps)
	}
	defer past.close()
	if err != nil {
		return UsageError{err}
	}
	prog.warn(&plan.Config)
	plan.Stop = past.stop
	began, cpu := time.Now(), trial.StartCPU()
	results, err := prog.train(ctx, plan, past.hooks, func(r trial.Report) { printRun(prog.Stdout, t.JSON, r) })
	if t.Seeds != "" && len(results) > 0 {
		printSummary(prog.Stdout, t.JSON, trial.Summarise(plan.Config, results, time.Since(began), cpu()))
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

// plan returns the trial that the flags ask for, and its turns, tape and snapshot.
func (t *Train) plan(engine learner.Engine) (*trial.Trial, *history, error) {
	if t.Resume == "" {
		plan, err := t.trial(engine, &t.runFlags, t.Steps)
		if err != nil {
			return nil, nil, err
		}
		past, err := t.history(plan, nil)
		return plan, past, err
	}
	l, err := t.resume(engine, t.Resume, t.Seeds, t.Steps)
	if err != nil {
		return nil, nil, fmt.Errorf("--resume %w", err)
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

// printRun prints the report of one run.
func printRun(out io.Writer, json bool, r trial.Report) {
	if json {
		printJSON(out, r)
		return
	}
	measure := "mean return of the last 100 episodes"
	if r.Tasks != nil {
		measure = "mean capped normalised score of the last 100 episodes of each task"
	}
	fmt.Fprintf(out, "%s, %s, seed %d: %s %s, best %s\n", r.World, r.Algo, r.Seed, measure, r.ReturnMean100,
		r.ReturnBest100)
	for _, t := range r.Tasks {
		fmt.Fprintf(out, "  %-16s score %s, mean return %s, %d episodes\n", t.World, t.Score, t.ReturnMean100, t.Episodes)
	}
	took := "a time too short to measure"
	if r.Wall > 0 {
		took = fmt.Sprintf("%.1f s: %.0f steps/s", r.Wall, r.StepsPerSec)
	}
	fmt.Fprintf(out, "  %d steps, %d updates, %d episodes in %s; parameters %.12s\n", r.Steps, r.Updates, r.Episodes, took,
		r.ParamsSHA256)
	if r.Device != device.CPU {
		fmt.Fprintf(out, "  computed on %s, %s\n", r.Device, r.DeviceWhy)
	}
	if r.Diverged {
		fmt.Fprintf(out, "  diverged: %s\n", r.Reason)
	}
}

// printSummary prints the summary of several runs.
func printSummary(out io.Writer, json bool, s trial.Summary) {
	if json {
		printJSON(out, s)
		return
	}
	for _, t := range s.Tasks {
		fmt.Fprintf(out, "%s: score %s (%s to %s)\n", t.World, t.Score.Mean, t.Score.Low, t.Score.High)
	}
	fmt.Fprintf(out, "%d seeds: interquartile mean %s (95 %% interval over seeds %s to %s), best %s (%s to %s), over "+
		"the run %s (%s to %s), %d diverged\n",
		len(s.Seeds), s.Final.Mean, s.Final.Low, s.Final.High, s.Best.Mean, s.Best.Low, s.Best.High,
		s.MeanRun.Mean, s.MeanRun.Low, s.MeanRun.High, s.Diverged)
}

// plottable returns an error if the file's ending is unknown, its folder cannot be written, or the runs have no end.
func plottable(file string, budget uint64) error {
	if ext := filepath.Ext(file); ext != ".svg" && ext != ".png" {
		return fmt.Errorf("--plot %q: must be a file whose name ends in .svg or .png", file)
	}
	if budget == 0 {
		return fmt.Errorf("--plot with steps=0: a curve needs an end; set --steps")
	}
	return writable("--plot", file)
}

// DrawCurves writes the curves of runs of one budget into a file.
func DrawCurves(file, title string, curves []trial.Curve) error {
	return DrawChart(file, picture.Seeds(title, curves), "Mean return of the last 100 episodes over environment steps: "+
		"each seed, their interquartile mean, its 95 % interval.")
}

// DrawChart writes a chart with a line below it into a file.
func DrawChart(file string, c picture.Chart, from string) error {
	sheet := picture.Sheet{Chart: c, From: from}
	encode := sheet.SVG
	if filepath.Ext(file) == ".png" {
		encode = sheet.PNG
	}
	drawn, err := encode()
	if err == nil {
		err = atomicfile.WriteFile(file, drawn, 0o644)
	}
	if err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	return nil
}
