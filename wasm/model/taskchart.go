package model

import (
	"math"

	"impalab/envs"
	"impalab/web/wire"
)

// tasks are those of the suite in force; nil on a world by itself.
func (m *Model) tasks() []envs.Task {
	if _, tasks, err := envs.Describe(m.force.World); err == nil && len(tasks) > 1 {
		return tasks
	}
	return nil
}

// Suite reports whether the agent learns several worlds at once.
func (m *Model) Suite() bool { return m.tasks() != nil }

// returns are the mean returns of a suite's tasks, NaN where no episode has ended yet.
func (m *Model) returns(x *wire.XRay, tasks int) []float64 {
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
func (m *Model) onStage(tasks []envs.Task) int {
	if m.Frame != nil {
		for k, t := range tasks {
			if t.World == m.Frame.World {
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

// taskChart has a bar for each task of a suite: its capped normalised score, 0 at a random policy's return and 1 at the
// reference's. A dot stands before the task whose episode is watched.
func taskChart(m *Model, w, h float64) string {
	var s svg
	tasks := m.tasks()
	if tasks == nil {
		return ""
	}
	const names, figures, top = 130, 48, 4
	foot := h - barsFoot
	x := scale{0, 1, names, w - figures}
	each := (foot - top) / float64(len(tasks))
	returns, shown := m.returns(m.XRay, len(tasks)), m.onStage(tasks)
	for k, t := range tasks {
		y := top + (float64(k)+0.5)*each
		title := t.World
		if e, err := envs.Lookup(t.World); err == nil {
			title = e.Spec.Title
		}
		if k == shown {
			s.circle("dot", 6, y, 3.5)
		}
		s.text("label", start, 14, y+4, title)
		s.line("tick", x.from, y, x.to, y)
		text := none
		if score := t.Score(returns[k]); finite(float32(score)) {
			text = fixed(score, 2)
			if score > 0 {
				s.rect("bar pi", x.from, y-each/4, x.at(score)-x.from, each/2)
			}
		}
		s.text("label", end, w-4, y+4, text)
	}
	for _, end := range [...]struct {
		at    float64
		words string
	}{{0, "random"}, {1, "reference"}} {
		s.line("tick", x.at(end.at), top, x.at(end.at), foot)
		s.text("label", middle, x.at(end.at), h-4, end.words)
	}
	return s.String()
}

// taskStory is the chart in words, for screen readers.
func (m *Model) taskStory() string {
	tasks := m.tasks()
	story := ""
	returns, shown := m.returns(m.XRay, len(tasks)), m.onStage(tasks)
	for k, t := range tasks {
		if k > 0 {
			story += "; "
		}
		story += t.World + " " + fixed(t.Score(returns[k]), 2)
		if k == shown {
			story += ", on stage"
		}
	}
	return story
}
