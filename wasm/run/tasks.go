package run

import (
	"math"
	"strings"

	"impalab/envs"
	"impalab/web/chart"
	"impalab/web/number"

	"impalab/web/link"
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

// score is a task of a suite at the cursor.
type score struct {
	envs.Task
	mean    float64 // return, NaN before the first episode
	watched bool
}

// relative is the mean return between a random policy, 0, and the reference, 1.
func (s *score) relative() float64 { return s.Score(s.mean) }

// scores returns the tasks of the suite, or nil for a single world.
func (m *Run) scores() (list []score) {
	x, f := m.Seen(), m.Watched()
	for k, t := range m.tasks() {
		one := score{Task: t, mean: math.NaN(), watched: f != nil && f.World == t.World}
		if x != nil && k < len(x.Returns) {
			one.mean = float64(x.Returns[k])
		}
		list = append(list, one)
	}
	return list
}

func (m *Run) taskChart(w, h float64) string {
	var bars []chart.Task
	for _, s := range m.scores() {
		bars = append(bars, chart.Task{Title: link.WorldTitle(s.World), Score: s.relative(), Watched: s.watched})
	}
	if bars == nil {
		return ""
	}
	return chart.DrawTasks(bars, w, h)
}

// taskStory is the chart in words, for screen readers.
func (m *Run) taskStory() string {
	var story []string
	for _, s := range m.scores() {
		words := s.World + " " + number.Fixed(s.relative(), 2)
		if s.watched {
			words += ", on stage"
		}
		story = append(story, words)
	}
	return strings.Join(story, "; ")
}

func (m *Run) taskTable() Table {
	t := Table{Caption: "Score of each world, 0 at a random policy and 1 at the reference (" + m.Moment() + ")",
		Head: []string{"World", "Score", "Return"}}
	for _, s := range m.scores() {
		t.Rows = append(t.Rows, []string{s.World, number.Fixed(s.relative(), 2), number.Score(s.mean)})
	}
	return t
}
