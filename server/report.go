package main

// What train says at the end: a sentence for people, or one JSON object a line for scripts. The JSON keys never
// change their meaning.

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

// number is a float that JSON shows as null when there is none (NaN).
type number float64

// none is a number that there is not.
var none = number(math.NaN())

// MarshalJSON implements json.Marshaler.
func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = none
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

func (n number) String() string {
	if math.IsNaN(float64(n)) {
		return "none yet"
	}
	return fmt.Sprintf("%.4g", float64(n))
}

// runReport is one trained seed.
type runReport struct {
	World    string `json:"world"`
	Algo     string `json:"algo"`
	Seed     uint64 `json:"seed"`
	Steps    uint64 `json:"steps"`
	Updates  uint64 `json:"updates"`
	Episodes uint64 `json:"episodes"`

	ReturnMean100 number `json:"return_mean_100"` // mean return of the last hundred training episodes
	ReturnBest100 number `json:"return_best_100"` // the best such mean in the run
	ReturnMeanRun number `json:"return_mean_run"` // mean of return_mean_100 over the updates of the run
	ValueBias     number `json:"value_bias"`      // mean of V − G under the last policy, as the learner sees rewards; null: not known
	StepsToSolved number `json:"steps_to_solved"` // when return_mean_100 of a hundred first reached what the world calls solved; null: never
	ParamsSHA256  string `json:"params_sha256"`

	Tasks []taskReport `json:"tasks,omitempty"` // of a suite, whose returns above are mean capped normalised scores

	Wall        float64  `json:"wall_s"`
	CPU         *float64 `json:"cpu_s"` // all cores; null when other seeds ran beside this one
	StepsPerSec float64  `json:"steps_per_s"`
	Diverged    bool     `json:"diverged"`
	Reason      string   `json:"reason,omitempty"`      // why it diverged
	Interrupted bool     `json:"interrupted,omitempty"` // a signal came before the budget was spent

	curve      curve       // for --plot
	evaluation *evaluation // of eval and reproduce; nil: none was wanted, or the run diverged

	Traces []traceReport `json:"traces,omitempty"` // what the algorithm kept beside θ, as it last was
}

// traceReport is one quantity of telemetry's table.
type traceReport struct {
	Name  string `json:"name"`
	Value number `json:"value"`
	Bound number `json:"bound"` // null: none
}

// single is a float32 without the figures that it never had.
func single(v float32) number {
	exact, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	return number(exact)
}

func newTraceReports(traces []telemetry.Trace) (out []traceReport) {
	for _, t := range traces {
		out = append(out, traceReport{telemetry.Quantities[t.Of].Name, single(t.Value), single(t.Bound)})
	}
	return out
}

// taskReport is one task of a suite.
type taskReport struct {
	World         string `json:"world"`
	Episodes      int    `json:"episodes"`
	ReturnMean100 number `json:"return_mean_100"`
	Score         number `json:"score"` // of that mean: 0 is the uniform policy, 1 the reference or better
}

// taskSummary is what many seeds say about one task.
type taskSummary struct {
	World string   `json:"world"`
	Score estimate `json:"score"`
}

// summariseTasks takes the tasks of the seeds that have had an episode of each.
func summariseTasks(runs []runReport) (tasks []taskSummary) {
	for k := range runs[0].Tasks {
		var scores []float64
		for _, r := range runs {
			if v := float64(r.Tasks[k].Score); !math.IsNaN(v) {
				scores = append(scores, v)
			}
		}
		tasks = append(tasks, taskSummary{runs[0].Tasks[k].World, newEstimate(scores)})
	}
	return tasks
}

func newTaskReports(results []learner.TaskResult) (tasks []taskReport) {
	for _, t := range results {
		tasks = append(tasks, taskReport{t.World, t.Episodes, number(t.ReturnMean100), number(t.Score)})
	}
	return tasks
}

func newRunReport(cfg *hyper.Config, r *learner.Result, wall time.Duration) runReport {
	return runReport{
		World: cfg.World, Algo: string(cfg.Algo), Seed: cfg.Seed,
		Steps: r.Steps, Updates: r.Updates, Episodes: r.Episodes,
		ReturnMean100: number(r.ReturnMean100), ReturnBest100: number(r.ReturnBest100),
		ReturnMeanRun: number(r.ReturnMeanRun), ValueBias: none,
		StepsToSolved: solvedAfter(r.StepsToSolved), ParamsSHA256: r.ParamsSHA256,
		Wall: wall.Seconds(), StepsPerSec: float64(r.Steps) / wall.Seconds(),
		Diverged: r.Diverged != "", Reason: r.Diverged, Tasks: newTaskReports(r.Tasks),
	}
}

// solvedAfter is the steps it took, or none.
func solvedAfter(steps uint64) number {
	if steps == 0 {
		return none
	}
	return number(steps)
}

// estimate is an interquartile mean over seeds with its 95 % bootstrap interval.
type estimate struct {
	Mean number `json:"iqm"`
	Low  number `json:"low"`
	High number `json:"high"`
}

func newEstimate(values []float64) estimate {
	if len(values) == 0 {
		return estimate{none, none, none}
	}
	mean, low, high := interval(values, interquartileMean)
	return estimate{number(mean), number(low), number(high)}
}

// middle is a median over seeds with its 95 % bootstrap interval; null: never.
type middle struct {
	Median number `json:"median"`
	Low    number `json:"low"`
	High   number `json:"high"`
}

// summary is what many seeds of one configuration say together.
type summary struct {
	World    string        `json:"world"`
	Algo     string        `json:"algo"`
	Seeds    []uint64      `json:"seeds"`
	Steps    uint64        `json:"steps"` // all seeds together
	Final    estimate      `json:"return_mean_100"`
	Best     estimate      `json:"return_best_100"`
	MeanRun  estimate      `json:"return_mean_run"`
	Bias     estimate      `json:"value_bias"`
	Biased   int           `json:"value_bias_seeds"`       // whose bias is known
	ToSolved middle        `json:"median_steps_to_solved"` // over all seeds; one that did not get there took for ever
	Solved   int           `json:"solved"`                 // how many got there
	Diverged int           `json:"diverged"`               // seeds that did; they count with what they had
	Tasks    []taskSummary `json:"tasks,omitempty"`        // of a suite
	Missing  int           `json:"missing"`                // seeds that never had a hundred episodes, or none: not in the estimate of the best
	Wall     float64       `json:"wall_s"`
	CPU      *float64      `json:"cpu_s"`
	PerSec   float64       `json:"steps_per_s"`
}

func summarise(cfg hyper.Config, runs []runReport, wall time.Duration, cpu *float64) summary {
	s := summary{World: cfg.World, Algo: string(cfg.Algo), Wall: wall.Seconds(), CPU: cpu}
	var final, best, run, bias, solved []float64
	for _, r := range runs {
		s.Seeds = append(s.Seeds, r.Seed)
		s.Steps += r.Steps
		if r.Diverged {
			s.Diverged++
		}
		if v := float64(r.ReturnMean100); !math.IsNaN(v) {
			final = append(final, v)
		}
		if v := float64(r.ReturnMeanRun); !math.IsNaN(v) {
			run = append(run, v)
		}
		if v := float64(r.ValueBias); !math.IsNaN(v) {
			bias = append(bias, v)
		}
		if v := float64(r.StepsToSolved); !math.IsNaN(v) {
			solved = append(solved, v)
			s.Solved++
		} else {
			solved = append(solved, math.Inf(1))
		}
		if v := float64(r.ReturnBest100); !math.IsNaN(v) {
			best = append(best, v)
		} else {
			s.Missing++
		}
	}
	s.Final, s.Best = newEstimate(final), newEstimate(best)
	s.MeanRun, s.Bias, s.Biased = newEstimate(run), newEstimate(bias), len(bias)
	mid, low, high := interval(solved, median)
	s.ToSolved = middle{number(mid), number(low), number(high)}
	s.PerSec = float64(s.Steps) / wall.Seconds()
	s.Tasks = summariseTasks(runs)
	return s
}

// reporter prints reports.
type reporter struct {
	out  io.Writer
	json bool
}

func (p *reporter) run(r runReport) {
	if p.json {
		p.line(r)
		return
	}
	what := "mean return of the last 100 episodes"
	if r.Tasks != nil {
		what = "mean capped normalised score of the last 100 episodes of each task"
	}
	fmt.Fprintf(p.out, "%s, %s, seed %d: %s %s, best %s\n", r.World, r.Algo, r.Seed, what, r.ReturnMean100, r.ReturnBest100)
	for _, t := range r.Tasks {
		fmt.Fprintf(p.out, "  %-16s score %s, mean return %s, %d episodes\n", t.World, t.Score, t.ReturnMean100, t.Episodes)
	}
	fmt.Fprintf(p.out, "  %d steps, %d updates, %d episodes in %.1f s: %.0f steps/s; parameters %.12s\n",
		r.Steps, r.Updates, r.Episodes, r.Wall, r.StepsPerSec, r.ParamsSHA256)
	if r.Diverged {
		fmt.Fprintf(p.out, "  diverged: %s\n", r.Reason)
	}
}

func (p *reporter) summary(s summary) {
	if p.json {
		p.line(s)
		return
	}
	for _, t := range s.Tasks {
		fmt.Fprintf(p.out, "%s: score %s (%s to %s)\n", t.World, t.Score.Mean, t.Score.Low, t.Score.High)
	}
	fmt.Fprintf(p.out, "%d seeds: interquartile mean %s (95 %% interval over seeds %s to %s), best %s (%s to %s), over the run %s (%s to %s), %d diverged\n",
		len(s.Seeds), s.Final.Mean, s.Final.Low, s.Final.High, s.Best.Mean, s.Best.Low, s.Best.High,
		s.MeanRun.Mean, s.MeanRun.Low, s.MeanRun.High, s.Diverged)
}

// line prints one object on one line.
func (p *reporter) line(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic("server: a report that JSON cannot hold: " + err.Error())
	}
	fmt.Fprintf(p.out, "%s\n", text)
}
