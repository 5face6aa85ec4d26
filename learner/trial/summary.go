package trial

// The combined results of the seeds of one configuration. The JSON keys never change their meaning.

import (
	"math"
	"time"

	"impalab/learner/hyper"
	"impalab/learner/stats"
)

// Estimate is an interquartile mean over seeds with its 95 % bootstrap interval.
type Estimate struct {
	Mean Number `json:"iqm" nullable:"true" doc:"Interquartile mean; null before the first value."`
	Low  Number `json:"low" nullable:"true" doc:"Lower end of its 95 % bootstrap interval over seeds."`
	High Number `json:"high" nullable:"true" doc:"Upper end."`
}

// NewEstimate returns the estimate of values in any order; of no values it is None.
func NewEstimate(values []float64) Estimate {
	if len(values) == 0 {
		return Estimate{None, None, None}
	}
	mean, low, high := Interval(values, stats.InterquartileMean)
	return Estimate{Number(mean), Number(low), Number(high)}
}

// times returns the estimate of the value times k.
func (e Estimate) times(k Number) Estimate { return Estimate{k * e.Mean, k * e.Low, k * e.High} }

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
	PerSec   Number        `json:"steps_per_s"`
}

// Summarise combines the runs of one configuration. wall and cpu are of all runs; nil: the processor time is not known.
func Summarise(cfg hyper.Config, runs []Report, wall time.Duration, cpu *float64) Summary {
	s := Summary{World: cfg.World, Algo: string(cfg.Algo), Wall: wall.Seconds(), CPU: cpu}
	for _, r := range runs {
		s.Seeds = append(s.Seeds, r.Seed)
		s.Steps += r.Steps
		if r.Diverged {
			s.Diverged++
		}
	}
	s.Final, _ = estimate(runs, func(r *Report) Number { return r.ReturnMean100 })
	s.Best, s.Missing = estimate(runs, func(r *Report) Number { return r.ReturnBest100 })
	s.Missing = len(runs) - s.Missing
	s.MeanRun, _ = estimate(runs, func(r *Report) Number { return r.ReturnMeanRun })
	s.Bias, s.Biased = estimate(runs, func(r *Report) Number { return r.ValueBias })
	s.ToSolved, s.Solved = middle(runs, func(r *Report) Number { return r.StepsToSolved })
	s.PerSec = perSecond(s.Steps, wall)
	for k, task := range runs[0].Tasks {
		score, _ := estimate(runs, func(r *Report) Number { return r.Tasks[k].Score }) // with an episode of the task
		s.Tasks = append(s.Tasks, TaskSummary{task.World, score})
	}
	return s
}

// estimate returns the estimate of a number over the runs in which it is known, and their count.
func estimate(runs []Report, of func(*Report) Number) (Estimate, int) {
	var values []float64
	for i := range runs {
		if v := of(&runs[i]); v.known() {
			values = append(values, float64(v))
		}
	}
	return NewEstimate(values), len(values)
}

// middle returns the median of the steps until an event, and the count of the runs that had it. The others count with
// infinite time.
func middle(runs []Report, of func(*Report) Number) (m Middle, known int) {
	steps := make([]float64, len(runs))
	for i := range runs {
		if v := of(&runs[i]); v.known() {
			steps[i] = float64(v)
			known++
		} else {
			steps[i] = math.Inf(1)
		}
	}
	mid, low, high := Interval(steps, median)
	return Middle{Number(mid), Number(low), Number(high)}, known
}

// TaskSummary combines the seeds' results on one task.
type TaskSummary struct {
	World string   `json:"world"`
	Score Estimate `json:"score"`
}
