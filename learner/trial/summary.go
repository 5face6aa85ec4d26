package trial

// The combined results of the seeds of one configuration. The JSON keys never change their meaning.

import (
	"math"
	"time"

	"impalab/learner/hyper"
)

// Estimate is an interquartile mean over seeds with its 95 % bootstrap interval.
type Estimate struct {
	Mean Number `json:"iqm"`
	Low  Number `json:"low"`
	High Number `json:"high"`
}

// NewEstimate returns the estimate of values in any order; of no values it is None.
func NewEstimate(values []float64) Estimate {
	if len(values) == 0 {
		return Estimate{None, None, None}
	}
	mean, low, high := Interval(values, InterquartileMean)
	return Estimate{Number(mean), Number(low), Number(high)}
}

// Middle is a median over seeds with its 95 % bootstrap interval; null: never.
type Middle struct {
	Median Number `json:"median"`
	Low    Number `json:"low"`
	High   Number `json:"high"`
}

// Summary combines the seeds of one configuration.
type Summary struct {
	World    string        `json:"world"`
	Algo     string        `json:"algo"`
	Seeds    []uint64      `json:"seeds"`
	Steps    uint64        `json:"steps"` // all seeds together
	Final    Estimate      `json:"return_mean_100"`
	Best     Estimate      `json:"return_best_100"`
	MeanRun  Estimate      `json:"return_mean_run"`
	Bias     Estimate      `json:"value_bias"`
	Biased   int           `json:"value_bias_seeds"`       // seeds with a known bias
	ToSolved Middle        `json:"median_steps_to_solved"` // over all seeds; a seed that never solved the world has infinite time
	Solved   int           `json:"solved"`                 // seeds that solved the world
	Diverged int           `json:"diverged"`               // seeds that diverged; they count with their last returns
	Tasks    []TaskSummary `json:"tasks,omitempty"`        // of a suite
	Missing  int           `json:"missing"`                // seeds without a hundred episodes: not in Best
	Wall     float64       `json:"wall_s"`
	CPU      *float64      `json:"cpu_s"`
	PerSec   float64       `json:"steps_per_s"`
}

// Summarise combines the runs of one configuration. wall and cpu are of all runs; nil: the processor time is not known.
func Summarise(cfg hyper.Config, runs []Report, wall time.Duration, cpu *float64) Summary {
	s := Summary{World: cfg.World, Algo: string(cfg.Algo), Wall: wall.Seconds(), CPU: cpu}
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
	s.Final, s.Best = NewEstimate(final), NewEstimate(best)
	s.MeanRun, s.Bias, s.Biased = NewEstimate(run), NewEstimate(bias), len(bias)
	mid, low, high := Interval(solved, median)
	s.ToSolved = Middle{Number(mid), Number(low), Number(high)}
	s.PerSec = float64(s.Steps) / wall.Seconds()
	s.Tasks = summariseTasks(runs)
	return s
}

// TaskSummary combines the seeds' results on one task.
type TaskSummary struct {
	World string   `json:"world"`
	Score Estimate `json:"score"`
}

// summariseTasks combines the seeds that have had an episode of each task.
func summariseTasks(runs []Report) (tasks []TaskSummary) {
	for k := range runs[0].Tasks {
		var scores []float64
		for _, r := range runs {
			if v := float64(r.Tasks[k].Score); !math.IsNaN(v) {
				scores = append(scores, v)
			}
		}
		tasks = append(tasks, TaskSummary{runs[0].Tasks[k].World, NewEstimate(scores)})
	}
	return tasks
}
