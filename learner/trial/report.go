package trial

// The report of one trained seed. The JSON keys never change their meaning.

import (
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

// Report is one trained seed.
type Report struct {
	World    string `json:"world"`
	Algo     string `json:"algo"`
	Seed     uint64 `json:"seed"`
	Steps    uint64 `json:"steps"`
	Updates  uint64 `json:"updates"`
	Episodes uint64 `json:"episodes"`

	ReturnMean100 Number `json:"return_mean_100"` // mean return of the last hundred training episodes
	ReturnBest100 Number `json:"return_best_100"` // the best such mean in the run
	ReturnMeanRun Number `json:"return_mean_run"` // mean of return_mean_100 over the updates of the run
	ValueBias     Number `json:"value_bias"`      // mean of V − G at the end, in rewards as learned; null: not known
	StepsToSolved Number `json:"steps_to_solved"` // until return_mean_100 first reached the world's Solved; null: never
	ParamsSHA256  string `json:"params_sha256"`
	Arithmetic    string `json:"arithmetic"` // of the parameters
	Device        string `json:"device"`     // that computed the parameters
	DeviceExact   bool   `json:"device_exact"`
	DeviceWhy     string `json:"device_why"` // why this device

	Tasks []Task `json:"tasks,omitempty"` // of a suite, whose returns above are mean capped normalised scores

	Wall        float64  `json:"wall_s"`
	CPU         *float64 `json:"cpu_s"` // all cores; null when other seeds ran beside this one
	StepsPerSec Number   `json:"steps_per_s"`
	Diverged    bool     `json:"diverged"`
	Reason      string   `json:"reason,omitempty"`      // why it diverged
	Interrupted bool     `json:"interrupted,omitempty"` // a signal ended the run before its budget

	Curve      Curve       `json:"-"`
	Evaluation *Evaluation `json:"-"` // nil: not evaluated

	Traces []Trace `json:"traces,omitempty"` // the algorithm's quantities beside θ at the end

	Turned *Turned `json:"turned,omitempty"` // the outcome of a script; nil: there was none
	Falls  *Falls  `json:"falls,omitempty"`  // nil: the run was not watched
	Thin   *Thin   `json:"thin,omitempty"`   // nil: not asked for

	Spreads []Spread `json:"spreads,omitempty"` // of Trial.Quantities
}

// Trace is one quantity of telemetry's table.
type Trace struct {
	Name  string `json:"name"`
	Value Number `json:"value"`
	Bound Number `json:"bound"` // null: none
}

func newTraces(traces []telemetry.AlgoValue) (out []Trace) {
	for _, t := range traces {
		out = append(out, Trace{telemetry.AlgoMetrics[t.Of].Name, single(t.Value), single(t.Bound)})
	}
	return out
}

// Task is one task of a suite.
type Task struct {
	World         string `json:"world"`
	Episodes      int    `json:"episodes"`
	ReturnMean100 Number `json:"return_mean_100"`
	Score         Number `json:"score"` // of that mean: 0 is the uniform policy, 1 the reference or better
}

func newTasks(results []learner.TaskResult) (tasks []Task) {
	for _, t := range results {
		tasks = append(tasks, Task{t.World, t.Episodes, Number(t.ReturnMean100), Number(t.Score)})
	}
	return tasks
}

// NewReport returns the report of a run of cfg that took so much time.
func NewReport(cfg *hyper.Config, r *learner.Result, wall time.Duration) Report {
	return Report{
		World: cfg.World, Algo: string(cfg.Algo), Seed: cfg.Seed,
		Steps: r.Steps, Updates: r.Updates, Episodes: r.Episodes,
		ReturnMean100: Number(r.ReturnMean100), ReturnBest100: Number(r.ReturnBest100),
		ReturnMeanRun: Number(r.ReturnMeanRun), ValueBias: None,
		StepsToSolved: solvedAfter(r.StepsToSolved), ParamsSHA256: r.ParamsSHA256, Arithmetic: r.Arithmetic,
		Device: r.Device.Name, DeviceExact: r.Device.Exact, DeviceWhy: r.Device.Why,
		Wall: wall.Seconds(), StepsPerSec: perSecond(r.Steps, wall),
		Diverged: r.Diverged != "", Reason: r.Diverged, Tasks: newTasks(r.Tasks),
	}
}

// perSecond returns None where the clock did not move, as in the shortest runs. The clock of Windows moves in steps of
// up to 16 ms.
func perSecond(steps uint64, wall time.Duration) Number {
	if wall <= 0 {
		return None
	}
	return Number(float64(steps) / wall.Seconds())
}

// solvedAfter returns the steps to the solution, or None.
func solvedAfter(steps uint64) Number {
	if steps == 0 {
		return None
	}
	return Number(steps)
}
