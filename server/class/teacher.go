package class

// The teacher's view: a tile for each student, the most urgent first; and the script of the plan.

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"impalab/web/exercise"
)

// Teacher is the teacher's view.
type Teacher struct {
	Shared
	Notes string `json:"notes" doc:"What the teacher says and does at this step."`
	Tiles []Tile `json:"tiles" doc:"Students who need attention come first."`
	Runs  int    `json:"runs" doc:"Answers without a verdict yet."`
}

// Tile is one student in the teacher's view.
type Tile struct {
	Number   int64   `json:"number"`
	Nickname string  `json:"nickname"`
	State    string  `json:"state" enum:"help,stuck,idle,working,found,gone"`
	Why      string  `json:"why" doc:"Why stuck or idle."`
	Step     int     `json:"step"`
	Guessed  bool    `json:"guessed" doc:"A guess or a sentence was sent at this step."`
	Earlier  bool    `json:"earlier" doc:"The run is of an earlier step: this step trains nothing."`
	Credit   float64 `json:"credit" doc:"For all hand-ins."`
	Acts     *Actor  `json:"acts" doc:"The student's part in the fleet; null before there is any."`
	exercise.Shown
}

const (
	idleAfter  = 4 * time.Minute
	goneAfter  = 15 * time.Second
	stuckAfter = 3 // equal tries
)

// urgency orders tiles by their states.
var urgency = []string{"help", "stuck", "idle", "working", "found", "gone"}

// AsTeacher returns the teacher's view.
func (r *Room) AsTeacher() Teacher {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := Teacher{Shared: r.shared(true), Tiles: []Tile{}}
	var here *exercise.Step
	if plan, err := exercise.PlanNamed(r.set.Plan); err == nil {
		here = &plan.Steps[min(r.set.Step, len(plan.Steps)-1)]
		t.Notes, t.Task, t.Homework = here.Teacher, exercise.TaskOf(here), append(t.Homework, plan.Homework...)
	}
	for _, a := range r.answers {
		if a.open() {
			t.Runs++
		}
	}
	graded := r.graded()
	for _, m := range r.present() {
		t.Tiles = append(t.Tiles, r.tile(m, here, graded))
	}
	slices.SortStableFunc(t.Tiles, func(a, b Tile) int {
		return cmp.Compare(slices.Index(urgency, a.State), slices.Index(urgency, b.State))
	})
	return t
}

// trains reports whether a step has runs of its own.
func trains(step *exercise.Step) bool {
	e, err := exercise.Named(step.Exercise)
	return step.Run != nil || err == nil && e.Trained()
}

func (r *Room) tile(m *member, here *exercise.Step, graded []string) Tile {
	t := Tile{Number: m.Number, Nickname: m.Nickname, Step: m.Step, State: "working",
		Shown: exercise.Shown{Differs: []exercise.KeyAndValue{}}, Credit: r.credit(m, graded), Acts: r.actorView(m.Number)}
	if r.set.Follow {
		t.Step = r.set.Step
	}
	task := "" // the newest run of any
	if here != nil && r.set.Follow && trains(here) {
		task = cmp.Or(here.Exercise, here.Name)
	}
	if s := m.shown(task); s != nil {
		t.Shown, t.Earlier = *s, task == "" && r.set.Follow
		t.Poses = nil // a tile has no room for them
	}
	same, last, waits := 0, "", false
	for _, a := range m.answers {
		waits = waits || a.open()
		if here == nil || a.Task != here.Name && a.Task != here.Exercise {
			continue
		}
		t.Guessed = t.Guessed || a.Kind == Guess || a.Kind == Sentence
		if said := a.Answer.Answer; a.Kind == Try && said == last {
			same++
		} else {
			same, last = 1, said
		}
		if a.Kind == HandIn && a.result.Credit == 1 {
			t.State = "found"
		}
	}
	quiet := r.now().Sub(m.acted)
	switch {
	case m.Help:
		t.State, t.Why = "help", "asks for help"
	case t.State == "found":
	case m.streams == 0 && r.now().Sub(m.seen) > goneAfter:
		t.State, t.Why = "gone", "has left"
	case same >= stuckAfter && here != nil && here.Exercise != "":
		t.State, t.Why = "stuck", fmt.Sprintf("the same %d times", same)
	case quiet > idleAfter && !waits:
		t.State, t.Why = "idle", fmt.Sprintf("idle for %d min", int(quiet.Minutes()))
	}
	return t
}

// Script is the plan of a room with all answers, for its teacher to print.
type Script struct {
	Title string       `json:"title"`
	For   string       `json:"for"`
	Aim   string       `json:"aim"`
	Hint  string       `json:"hint" doc:"What to do if the lesson goes fast, or if something fails."`
	Steps []ScriptStep `json:"steps"`
}

// ScriptStep is a step of a Script.
type ScriptStep struct {
	Title   string `json:"title"`
	From    int    `json:"from" doc:"Minutes into the lesson."`
	Minutes int    `json:"minutes"`
	Say     string `json:"say"`
	Teacher string `json:"teacher"`
	Ask     string `json:"ask"`
	Answer  string `json:"answer"`
}

// Script returns the script of the room's plan.
func (r *Room) Script() (Script, error) {
	r.mu.Lock()
	plan, err := exercise.PlanNamed(r.set.Plan)
	r.mu.Unlock()
	if err != nil {
		return Script{}, errOldPlan
	}
	s := Script{plan.Title, plan.For, plan.Aim, plan.Hint, []ScriptStep{}}
	from := 0
	for _, step := range plan.Whole() {
		line := ScriptStep{Title: step.Title, From: from, Minutes: step.Minutes, Say: step.Say, Teacher: step.Teacher,
			Ask: step.Sentence}
		if q := step.Predict; q != nil {
			line.Ask, line.Answer = q.Ask, q.Truth()+". "+q.Reveal
		}
		if e, err := exercise.Named(step.Exercise); err == nil {
			line.Ask, line.Answer = e.Ask, e.Answer
		}
		s.Steps = append(s.Steps, line)
		from += step.Minutes
	}
	return s, nil
}
