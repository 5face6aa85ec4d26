package run

import (
	"math"
	"strings"

	"impalab/envs"
	"impalab/web/chart"
	"impalab/web/number"
)

// tasks returns the tasks of the suite in force, or nil for a single world.
func (m *Run) tasks() []envs.Task {
	if _, tasks, err := envs.Describe(m.force.World); err == nil && len(tasks) > 1 {
		return tasks
	}
	return nil
}

// Suite reports whether the agent learns several worlds at once.
func (m *Run) Suite() bool { return m.tasks() != nil }

// returns are the mean returns of a suite's tasks at the cursor, NaN before the first episode.
func (m *Run) returns(tasks int) []float64 {
	x := m.seen()
	out := make([]float64, tasks)
	for k := range out {
		out[k] = math.NaN()
		if x != nil && k < len(x.Returns) {
			out[k] = float64(x.Returns[k])
		}
	}
	return out
}

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

func (m *Run) taskChart(w, h float64) string {
	tasks := m.tasks()
	if tasks == nil {
		return ""
	}
	returns, shown := m.returns(len(tasks)), m.onStage(tasks)
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
	returns, shown := m.returns(len(tasks)), m.onStage(tasks)
	var story []string
	for k, t := range tasks {
		words := t.World + " " + number.Fixed(t.Score(returns[k]), 2)
		if k == shown {
			words += ", on stage"
		}
		story = append(story, words)
	}
	return strings.Join(story, "; ")
}
