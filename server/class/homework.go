package class

// The teacher's table of exercises: how far each student is, and everything that a student has sent to one of them.

import (
	"cmp"
	"slices"
	"time"

	"impalab/server/errcode"
	"impalab/web/exercise"
)

// Homework is the exercises of a room and how far each student is.
type Homework struct {
	Exercises []Assigned `json:"exercises" doc:"In the order of the plan."`
	Students  []Progress `json:"students" doc:"By nickname."`
}

// Assigned is an exercise, as the teacher reads it.
type Assigned struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Ask    string `json:"ask" doc:"The task, as students read it."`
	Answer string `json:"answer" doc:"A solution."`
	Note   string `json:"note" doc:"For the teacher; empty if the plan has none."`
	Tries  int    `json:"tries" doc:"Allowed hand-ins."`
	Solved int    `json:"solved" doc:"How many students have it right."`

	Due *time.Time `json:"due" doc:"Later hand-ins are late; null for no date."`
}

// Progress is a student's part of the table.
type Progress struct {
	Number   int64      `json:"number"`
	Nickname string     `json:"nickname"`
	Solved   int        `json:"solved" doc:"Exercises with full credit."`
	Cells    []Attempts `json:"cells" doc:"One for each exercise."`
}

// Attempts count the answers of one student to one exercise.
type Attempts struct {
	Tried    int      `json:"tried" doc:"Runs and checks that earn no credit."`
	HandedIn int      `json:"handed_in" doc:"Hand-ins."`
	Open     bool     `json:"open" doc:"An answer is being judged."`
	Credit   *float64 `json:"credit" doc:"The best of all hand-ins; null before one is judged."`
	Late     bool     `json:"late" doc:"No hand-in before the due date has this credit."`
}

// Homework returns the table.
func (r *Room) Homework() Homework {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := Homework{Exercises: []Assigned{}, Students: []Progress{}}
	for _, name := range r.graded() {
		w.Exercises = append(w.Exercises, r.column(name))
	}
	for _, m := range r.present() {
		row := Progress{Number: m.Number, Nickname: m.Nickname, Cells: []Attempts{}}
		for i := range w.Exercises {
			c := r.cell(m, w.Exercises[i].Name)
			if c.Credit != nil && *c.Credit == 1 {
				row.Solved++
				w.Exercises[i].Solved++
			}
			row.Cells = append(row.Cells, c)
		}
		w.Students = append(w.Students, row)
	}
	folded := func(row Progress) string { return r.members[row.Number-1].Folded }
	slices.SortFunc(w.Students, func(a, b Progress) int { return cmp.Compare(folded(a), folded(b)) })
	return w
}

// column describes an exercise. One of an earlier build has only its name.
func (r *Room) column(name string) Assigned {
	c := Assigned{Name: name, Title: name, Due: r.due(name)}
	if e, err := exercise.Named(name); err == nil {
		c.Title, c.Ask, c.Answer, c.Tries = e.Title, e.Ask, e.Answer, e.Tries
	}
	if plan, err := exercise.PlanNamed(r.set.Plan); err == nil {
		for _, s := range plan.Steps {
			if s.Exercise == name {
				c.Note = s.Teacher
			}
		}
	}
	return c
}

func (r *Room) cell(m *member, name string) (c Attempts) {
	for _, a := range m.answers {
		switch {
		case a.Task != name || a.unjudged():
			continue
		case a.Kind == HandIn:
			c.HandedIn++
		default:
			c.Tried++
		}
		c.Open = c.Open || a.open()
	}
	b := r.best(m, name)
	c.Credit, c.Late = b.all, b.late()
	return c
}

// Work is everything that a student has sent to an exercise.
type Work struct {
	Number   int64          `json:"number"`
	Nickname string         `json:"nickname"`
	Task     *exercise.Task `json:"task" doc:"The exercise, as the student sees it."`
	Sent     []Attempt      `json:"sent" doc:"Newest first."`
}

// Attempt is an answer to an exercise, as the teacher sees it.
type Attempt struct {
	Given
	Changed []Changed       `json:"changed" doc:"Settings that differ from the start."`
	Run     *exercise.Shown `json:"run" doc:"The answer's first run; null for an exercise without runs."`
	Asked   float64         `json:"asked" doc:"The return that the exercise asks for; 0 for another measure."`
	AskedAt float64         `json:"asked_at" doc:"Its place in the chart, in hundredths from the top; -1: outside."`
}

// Changed is a setting that a student has changed.
type Changed struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	From  string `json:"from" doc:"At the start."`
	To    string `json:"to"`
}

// Work returns everything that a member has sent to an exercise of the room.
func (r *Room) Work(number int64, name string) (Work, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.member(number)
	if m == nil {
		return Work{}, errcode.Errorf(errcode.NotFound, "there is no member %d in this room", number)
	}
	e, err := exercise.Named(name)
	if err != nil || !slices.Contains(r.graded(), name) {
		return Work{}, errcode.Errorf(errcode.NotFound, "%.40s is not an exercise of this room; its homework lists them",
			name)
	}
	w := Work{Number: number, Nickname: m.Nickname, Task: exercise.TaskOf(&exercise.Step{Exercise: name}),
		Sent: []Attempt{}}
	for _, a := range slices.Backward(m.answers) {
		if a.Task == name {
			w.Sent = append(w.Sent, r.sentWork(a, e, w.Task.Keys))
		}
	}
	return w, nil
}

func (r *Room) sentWork(a *answer, e *exercise.Exercise, keys []exercise.Knob) Attempt {
	s := Attempt{Given: r.sentAnswer(a), Changed: []Changed{}, Run: a.shown(), AskedAt: -1}
	for _, k := range keys {
		if to, changed := a.said.Settings[k.Key.Key]; changed {
			s.Changed = append(s.Changed, Changed{k.Key.Key, k.Title, k.Value, to})
		}
	}
	if e.Reach == nil || e.Reach.Measure != exercise.OfReturn {
		return s
	}
	if s.Asked = e.Reach.Public.From; a.Kind == HandIn {
		s.Asked = e.Reach.Hidden.From
	}
	if s.Run != nil {
		s.AskedAt = s.Run.Place(s.Asked)
	}
	return s
}
