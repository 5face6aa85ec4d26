package run

import (
	"math"

	"impalab/envs"
	"impalab/web/chart"
	"impalab/web/number"
	"impalab/web/wire"
)

// tasks are those of the suite in force; nil on a world by itself.
func (m *Run) tasks() []envs.Task {
	if _, tasks, err := envs.Describe(m.force.World); err == nil && len(tasks) > 1 {
		return tasks
	}
	return nil
}

// Suite reports whether the agent learns several worlds at once.
func (m *Run) Suite() bool { return m.tasks() != nil }

// returns are the mean returns of a suite's tasks, NaN where no episode has ended yet.
func (m *Run) returns(x *wire.XRay, tasks int) []float64 {
	out := make([]float64, tasks)
	for k := range out {
		out[k] = math.NaN()
		if x != nil && k < len(x.Returns) {
			out[k] = float64(x.Returns[k])
		}
	}
	return out
}

// onStage is the task of the watched episode, −1 before the first.
func (m *Run) onStage(tasks []envs.Task) int {
	if f := m.Watched(); f != nil {
		for k, t := range tasks {
			if t.World == f.World {
				return k
			}
		}
	}
	return -1
}

type taskRises struct {
	xray  any
	stage string
}

func (m *Run) taskChart(w, h float64) string {
	tasks := m.tasks()
	if tasks == nil {
		return ""
	}
	returns, shown := m.returns(m.seen(), len(tasks)), m.onStage(tasks)
	bars := make([]chart.Task, len(tasks))
	for k, t := range tasks {
		bars[k] = chart.Task{Title: t.World, Score: t.Score(returns[k]), Watched: k == shown}
		if e, err := envs.Lookup(t.World); err == nil {
			bars[k].Title = e.Spec.Title
		}
	}
	return chart.DrawTasks(bars, w, h)
}

// taskStory is the chart in words, for screen readers.
func (m *Run) taskStory() string {
	tasks := m.tasks()
	story := ""
	returns, shown := m.returns(m.seen(), len(tasks)), m.onStage(tasks)
	for k, t := range tasks {
		if k > 0 {
			story += "; "
		}
		story += t.World + " " + number.Fixed(t.Score(returns[k]), 2)
		if k == shown {
			story += ", on stage"
		}
	}
	return story
}
