package class

// A student's view: the task, and the student's own answers with their verdicts.

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"impalab/server/errcode"
	"impalab/web/exercise"
)

// Student is a student's view.
type Student struct {
	Shared
	Number   int64           `json:"number"`
	Nickname string          `json:"nickname"`
	Own      int             `json:"own" doc:"This student's step."`
	Help     bool            `json:"help"`
	Answers  []Given         `json:"answers" doc:"To this task, newest first."`
	Due      *time.Time      `json:"due" doc:"Of this task: a later hand-in is marked as late; null for no date."`
	Run      *exercise.Shown `json:"run" doc:"The newest run of this task; null before the first."`
	Credit   float64         `json:"credit"`
	Of       float64         `json:"of" doc:"The most credit for the exercises of the plan."`
	Acts     *Actor          `json:"acts" doc:"This student's part in the fleet; null before there is any."`
}

// Given is one of a student's own answers.
type Given struct {
	Number  int64           `json:"number"`
	Kind    string          `json:"kind" enum:"guess,try,hand-in,sentence"`
	Task    string          `json:"task"`
	Said    exercise.Answer `json:"said"`
	Open    bool            `json:"open" doc:"It has no verdict yet."`
	Place   int             `json:"place" doc:"In the queue; 0: it is in training or judged."`
	Wait    int             `json:"wait_s" doc:"Estimated wait, in seconds."`
	Credit  *float64        `json:"credit" doc:"Null for none."`
	Say     string          `json:"say"`
	Receipt string          `json:"receipt"`
	Sent    time.Time       `json:"sent"`
	Late    bool            `json:"late" doc:"A hand-in after the due date."`
	Passed  bool            `json:"passed" doc:"A try that fulfils the public part of its exercise."`
}

// AsStudent returns a member's view of the homework task, or of the lesson for "".
func (r *Room) AsStudent(number int64, task string) (Student, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.member(number)
	if m == nil {
		return Student{}, errForbidden
	}
	if r.deleted {
		return Student{}, errGone
	}
	graded := r.graded()
	s := Student{Shared: r.shared(false), Number: m.Number, Nickname: m.Nickname, Own: m.Step, Help: m.Help,
		Answers: []Given{}, Credit: r.credit(m, graded), Of: float64(len(graded)),
		Acts: r.actorView(number)}
	plan, err := exercise.PlanNamed(r.set.Plan)
	if err != nil {
		return s, nil
	}
	if r.set.Follow || s.Own >= len(plan.Steps) || !r.reached(plan, s.Own) {
		s.Own = r.set.Step
	}
	step := &plan.Steps[s.Own]
	if r.set.Step == len(plan.Steps)-1 {
		s.Homework = append(s.Homework, plan.Homework...)
		if slices.Contains(plan.Homework, task) {
			step = r.task(task)
		}
	}
	s.Task = exercise.TaskOf(step)
	name := cmp.Or(step.Exercise, step.Name)
	for _, a := range slices.Backward(m.answers) {
		if a.Task == name || a.Task == step.Name {
			s.Answers = append(s.Answers, r.sentAnswer(a))
		}
	}
	s.Run, s.Due = m.shown(name), r.due(name)
	if s.Own != r.set.Step { // an earlier step has its own guesses
		s.Guesses = nil
		if step.Predict != nil && r.set.Revealed[step.Name] {
			s.Guesses = r.guesses(step)
		}
	}
	return s, nil
}

// sentAnswer returns an answer as its sender sees it.
func (r *Room) sentAnswer(a *answer) Given {
	g := Given{Number: a.Number, Kind: a.Kind, Task: a.Task, Said: a.said, Open: a.open(), Credit: a.Credit,
		Say: a.result.Say, Receipt: a.result.Receipt, Sent: time.UnixMilli(a.Sent).UTC(), Late: r.late(a),
		Passed: a.Kind == Try && !a.open() && a.result.Credit == 1}
	if a.open() {
		g.Place, g.Wait = a.place, int(a.wait.Round(5*time.Second).Seconds())
		g.Say = "It is being trained."
		if a.place > 0 {
			g.Say = fmt.Sprintf("Place %d in the queue, about %d s; it begins by itself.", a.place, max(5, g.Wait))
		}
	}
	return g
}

// SentAnswer returns one answer, to its member or to the teacher.
func (r *Room) SentAnswer(who Role, number int64) (Given, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if number >= 1 && number <= int64(len(r.answers)) {
		if a := r.answers[number-1]; who.Teacher || a.Member == who.Member {
			return r.sentAnswer(a), nil
		}
	}
	return Given{}, errcode.Errorf(errcode.NotFound, "there is no answer %d of yours in this room", number)
}
