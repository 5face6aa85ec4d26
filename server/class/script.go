package class

// The room's plan with all its answers: what a teacher prints.

import (
	"impalab/server/errcode"
	"impalab/server/exercise"
)

// Script is the plan of a room for its teacher.
type Script struct {
	Title string       `json:"title"`
	For   string       `json:"for"`
	Aim   string       `json:"aim"`
	Hint  string       `json:"hint" doc:"If it goes fast, or something fails."`
	Steps []ScriptStep `json:"steps"`
}

// ScriptStep is a step with what only the teacher reads.
type ScriptStep struct {
	Title   string `json:"title"`
	From    int    `json:"from" doc:"Minutes into the lesson."`
	Minutes int    `json:"minutes"`
	Say     string `json:"say"`
	Teacher string `json:"teacher"`
	Ask     string `json:"ask"`
	Answer  string `json:"answer"`
}

// Script is for the teacher alone.
func (r *Room) Script() (Script, error) {
	r.mu.Lock()
	plan := exercise.PlanNamed(r.set.Plan)
	r.mu.Unlock()
	if plan == nil {
		return Script{}, errcode.Errorf(errcode.Conflict, "this room's plan is of another build; choose one of GET /plans")
	}
	s := Script{plan.Title, plan.For, plan.Aim, plan.Hint, []ScriptStep{}}
	from := 0
	add := func(step *exercise.Step) {
		one := ScriptStep{Title: step.Title, From: from, Minutes: step.Minutes, Say: step.Say, Teacher: step.Teacher,
			Ask: step.Sentence}
		if q := step.Predict; q != nil {
			one.Ask, one.Answer = q.Ask, q.Truth()+". "+q.Reveal
		}
		if e, err := exercise.Named(step.Exercise); err == nil {
			one.Ask, one.Answer = e.Ask, e.Answer
		}
		s.Steps = append(s.Steps, one)
		from += step.Minutes
	}
	for i := range plan.Steps {
		add(&plan.Steps[i])
	}
	for _, name := range plan.Homework {
		if e, err := exercise.Named(name); err == nil {
			add(&exercise.Step{Title: "Homework: " + e.Title, Exercise: name})
		}
	}
	return s, nil
}
