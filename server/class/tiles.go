package class

// What a teacher sees: a tile for each student, whoever needs attention first.

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"impalab/server/exercise"
)

// Teacher is what a teacher sees.
type Teacher struct {
	Shared
	Notes    string   `json:"notes" doc:"What the teacher says and does at this step."`
	Task     *Task    `json:"task"`
	Homework []string `json:"homework"`
	Tiles    []Tile   `json:"tiles" doc:"Who needs attention first."`
	Runs     int      `json:"runs" doc:"Answers that are being judged."`
}

// Tile is one student as the teacher sees them.
type Tile struct {
	Number   int64   `json:"number"`
	Nickname string  `json:"nickname"`
	State    string  `json:"state" enum:"help,stuck,idle,working,found,gone"`
	Why      string  `json:"why" doc:"Of being stuck or idle, in words."`
	Step     int     `json:"step"`
	Guessed  bool    `json:"guessed" doc:"A guess or a sentence was sent at this step."`
	Earlier  bool    `json:"earlier" doc:"The run is of an earlier step: this one trains nothing."`
	Credit   float64 `json:"credit" doc:"Of all that was handed in."`
	Acts     *Actor  `json:"acts" doc:"The part in the fleet; null before there is any."`
	Shown
}

// A tile is stuck or idle after so long.
const (
	idleAfter  = 4 * time.Minute
	goneAfter  = 15 * time.Second
	stuckAfter = 3 // tries of the same
)

// AsTeacher is what the teacher sees.
func (r *Room) AsTeacher() Teacher {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := Teacher{Shared: r.shared(true), Tiles: []Tile{}, Homework: []string{}}
	var here *exercise.Step
	if plan := exercise.PlanNamed(r.set.Plan); plan != nil {
		here = &plan.Steps[min(r.set.Step, len(plan.Steps)-1)]
		t.Notes, t.Task, t.Homework = here.Teacher, taskOf(here), append(t.Homework, plan.Homework...)
	}
	for _, a := range r.answers {
		if a.open {
			t.Runs++
		}
	}
	graded := r.graded()
	for _, m := range r.members {
		if !m.removed() {
			t.Tiles = append(t.Tiles, r.tile(m, here, graded))
		}
	}
	slices.SortStableFunc(t.Tiles, func(a, b Tile) int { return cmp.Compare(urgency(a.State), urgency(b.State)) })
	return t
}

// urgency orders tiles: who asks comes first, who is done or has left comes last.
func urgency(state string) int {
	return slices.Index([]string{"help", "stuck", "idle", "working", "found", "gone"}, state)
}

// trains reports whether a step has runs of its own.
func trains(step *exercise.Step) bool {
	e, err := exercise.Named(step.Exercise)
	return step.Run != nil || err == nil && e.Trained()
}

func (r *Room) tile(m *member, here *exercise.Step, graded []string) Tile {
	t := Tile{Number: m.Number, Nickname: m.Nickname, Step: m.Step, State: "working",
		Shown: Shown{Curve: []float64{}, Differs: []KeyAndValue{}}, Credit: m.credit(graded),
		Acts: r.seenActor(m.Number)}
	if r.set.Follow {
		t.Step = r.set.Step
	}
	task := "" // the newest run of any
	if here != nil && r.set.Follow && trains(here) {
		task = cmp.Or(here.Exercise, here.Name)
	}
	if s := m.shown(task); s != nil {
		t.Shown, t.Earlier = *s, task == "" && r.set.Follow
	}
	same, last, waits := 0, "", false
	for _, a := range m.answers {
		waits = waits || a.open
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
