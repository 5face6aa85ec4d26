package envs

import (
	"fmt"
	"strings"
)

// A suite is several worlds that one agent plays at once, as IMPALA, PopArt and LASER do with Atari and DMLab. Returns
// of different worlds are compared by capped human-normalised score: 0 is the uniform policy, 1 the reference or
// better.

// Suite is a list of tasks. One agent sees them all through one shape of observation and one set of actions.
type Suite struct {
	Name, Title string
	Tasks       []Task
}

// Task is one world of a suite with the returns that its score is measured by. Both zero: the world's own Random and
// Solved.
type Task struct {
	World             string
	Random, Reference float64
}

// Suites is every suite there is. References of the grid games are fixed marks of this project and no published result.
var Suites = []Suite{
	{"tiny", "Six small worlds", []Task{
		{World: "catch"}, {World: "chain"}, {World: "cliff"}, {World: "four-rooms"}, {World: "deep-sea:size=5"},
		{World: "t-maze:length=5"},
	}},
	{"control-7", "Seven tasks of motion", []Task{
		{World: "cartpole"}, {World: "mountain-car"}, {World: "mountain-car-continuous"}, {World: "acrobot"},
		{World: "pendulum"},
		{World: "swing-up"}, {World: "reacher"},
	}},
	{"grid-5", "Five grid games", []Task{
		{"breakout", .52, 25.9}, {"asterix", .52, 31.5}, {"freeway", .08, 61.3}, {"seaquest", .09, 24.5},
		{"space-invaders", 2.78, 277},
	}},
	{"rooms-5", "Five tasks in rooms", []Task{
		{World: "rooms-watermaze"}, {World: "rooms-keys-doors"}, {World: "rooms-lasertag"}, {World: "rooms-explore"},
		{World: "rooms-collect"},
	}},
}

// LookupSuite finds a suite by name, its scores filled in. Its errors list the suites, or name the missing world.
func LookupSuite(name string) (*Suite, error) {
	names := make([]string, len(Suites))
	for i, s := range Suites {
		names[i] = s.Name
		if s.Name != name {
			continue
		}
		tasks := make([]Task, len(s.Tasks))
		for k, t := range s.Tasks {
			e, err := Lookup(t.World)
			if err != nil {
				return nil, fmt.Errorf("suite %q: %w", name, err)
			}
			if t.Random == 0 && t.Reference == 0 {
				t.Random, t.Reference = float64(e.Spec.Random), float64(e.Spec.Solved)
			}
			tasks[k] = t
		}
		s.Tasks = tasks
		return &s, nil
	}
	return nil, fmt.Errorf("unknown suite %.64q: must be one of %s", name, strings.Join(names, ", "))
}

// Score is the capped normalised score of a mean return: min(1, (r − random) / (reference − random)).
func (t *Task) Score(mean float64) float64 {
	return min(1, (mean-t.Random)/(t.Reference-t.Random))
}

// SuiteVector is a Vector whose copies play the tasks of a suite. Its spec belongs to no world of the table.
type SuiteVector struct {
	vector
	tasks int
}

// Task is the number of the task that copy i plays: copies are dealt to the tasks in turn.
func (v *SuiteVector) Task(i int) int { return i % v.tasks }

// Vector makes n copies, at least one for each task, and starts them from the seed. Where all tasks have images of one
// size, observations are images with as many channels as the task with most. Elsewhere they are flat and as long as the
// longest; missing parts are 0. The actions are the actions of the task with most; a task without an action takes its
// action 0 instead.
func (s *Suite) Vector(n int, seed uint64) (*SuiteVector, error) {
	if n < len(s.Tasks) || n > MaxVector {
		return nil, fmt.Errorf("%d copies for the %d tasks of %q: choose %d to %d", n, len(s.Tasks), s.Name,
			len(s.Tasks), MaxVector)
	}
	spec, entries, err := s.spec()
	if err != nil {
		return nil, err
	}
	fresh := func(i int) World {
		e := entries[i%len(entries)]
		return &suited{World: e.New(), of: spec}
	}
	return &SuiteVector{*newVector(spec, fresh, n, seed), len(entries)}, nil
}

// Describe describes a world or a suite, with its tasks: a world is one task, a suite several.
func Describe(name string) (*Spec, []Task, error) {
	if s, err := LookupSuite(name); err == nil {
		spec, _, err := s.spec()
		return spec, s.Tasks, err
	}
	e, err := Lookup(name)
	if err != nil {
		return nil, nil, err
	}
	return e.Spec, []Task{{e.Spec.Name, float64(e.Spec.Random), float64(e.Spec.Solved)}}, nil
}

// spec is the agent's view of a suite, and the worlds of its tasks.
func (s *Suite) spec() (*Spec, []*Entry, error) {
	entries := make([]*Entry, len(s.Tasks))
	spec := &Spec{
		Name: s.Name, Title: s.Title,
		Summary: fmt.Sprintf("%s at once; a score of 1 is as good as each world's reference.", s.Title),
		Source:  "the worlds' own",
		Random:  0, Solved: 1, // scores, not returns
	}
	for k, t := range s.Tasks {
		e, err := Lookup(t.World)
		if err != nil {
			return nil, nil, fmt.Errorf("suite %q: %w", s.Name, err)
		}
		entries[k] = e
		if len(e.Spec.Actions) > len(spec.Actions) {
			spec.Actions = e.Spec.Actions
		}
		spec.Limit = max(spec.Limit, e.Spec.Limit)
		spec.View = [2]float32{max(spec.View[0], e.Spec.View[0]), max(spec.View[1], e.Spec.View[1])}
		spec.Rate = max(spec.Rate, e.Spec.Rate)
	}
	spec.Obs = together(entries)
	return spec, entries, nil
}

// together is the shape that all observations fit into.
func together(entries []*Entry) []int {
	first := entries[0].Spec.Obs
	images, channels, size := len(first) == 3, 0, 0
	for _, e := range entries {
		o := e.Spec.Obs
		size = max(size, e.Spec.Size())
		if images = images && len(o) == 3 && o[0] == first[0] && o[1] == first[1]; images {
			channels = max(channels, o[2])
		}
	}
	if images {
		return []int{first[0], first[1], channels}
	}
	return []int{size}
}

// Fit lays the observation of a world, at the start of obs, out as its suite shows it: an image with more channels, or
// zeros behind. It changes nothing for a world outside a suite.
func Fit(obs []float32, world, suite *Spec) {
	size := world.Size()
	clear(obs[size:])
	if len(suite.Obs) != 3 {
		return
	}
	have, most := world.Obs[2], suite.Obs[2]
	// from behind: nothing is overwritten before it has moved
	for pixel := size/have - 1; pixel >= 0 && have < most; pixel-- {
		to := obs[pixel*most : (pixel+1)*most]
		copy(to, obs[pixel*have:(pixel+1)*have])
		clear(to[have:])
	}
}

// suited is a world that takes a suite's actions and fills a suite's observations.
type suited struct {
	World
	of *Spec // the suite's
}

func (w *suited) Step(r *Rand, action int) Outcome {
	if uint(action) >= uint(len(w.of.Actions)) {
		panic("envs: action out of range of a suite")
	}
	if action >= len(w.World.Spec().Actions) {
		action = 0
	}
	return w.World.Step(r, action)
}

func (w *suited) Observe(obs []float32) {
	world := w.World.Spec()
	w.World.Observe(obs[:world.Size()])
	Fit(obs, world, w.of)
}
