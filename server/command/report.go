package command

// What train says at the end: a sentence for people, or one JSON object a line for scripts.

import (
	"encoding/json"
	"fmt"
	"io"

	"impalab/learner/device"
	"impalab/learner/trial"
)

// reporter prints reports.
type reporter struct {
	out  io.Writer
	json bool
}

func (p *reporter) run(r trial.Report) {
	if p.json {
		p.line(r)
		return
	}
	what := "mean return of the last 100 episodes"
	if r.Tasks != nil {
		what = "mean capped normalised score of the last 100 episodes of each task"
	}
	fmt.Fprintf(p.out, "%s, %s, seed %d: %s %s, best %s\n", r.World, r.Algo, r.Seed, what, r.ReturnMean100,
		r.ReturnBest100)
	for _, t := range r.Tasks {
		fmt.Fprintf(p.out, "  %-16s score %s, mean return %s, %d episodes\n", t.World, t.Score, t.ReturnMean100, t.Episodes)
	}
	fmt.Fprintf(p.out, "  %d steps, %d updates, %d episodes in %.1f s: %.0f steps/s; parameters %.12s\n",
		r.Steps, r.Updates, r.Episodes, r.Wall, r.StepsPerSec, r.ParamsSHA256)
	if r.Device != device.CPU {
		fmt.Fprintf(p.out, "  computed on %s, %s\n", r.Device, r.DeviceWhy)
	}
	if r.Diverged {
		fmt.Fprintf(p.out, "  diverged: %s\n", r.Reason)
	}
}

func (p *reporter) summary(s trial.Summary) {
	if p.json {
		p.line(s)
		return
	}
	for _, t := range s.Tasks {
		fmt.Fprintf(p.out, "%s: score %s (%s to %s)\n", t.World, t.Score.Mean, t.Score.Low, t.Score.High)
	}
	fmt.Fprintf(p.out, "%d seeds: interquartile mean %s (95 %% interval over seeds %s to %s), best %s (%s to %s), over "+
		"the run %s (%s to %s), %d diverged\n",
		len(s.Seeds), s.Final.Mean, s.Final.Low, s.Final.High, s.Best.Mean, s.Best.Low, s.Best.High,
		s.MeanRun.Mean, s.MeanRun.Low, s.MeanRun.High, s.Diverged)
}

// line prints one object on one line.
func (p *reporter) line(v any) { printJSON(p.out, v) }

// printJSON prints v as one line of JSON.
func printJSON(w io.Writer, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic("command: JSON cannot hold a report: " + err.Error())
	}
	fmt.Fprintf(w, "%s\n", text)
}
