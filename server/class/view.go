package class

// The views of teacher and student, for pages and programs; both have the parts in this file. A view is complete, so in
// a stream of views the newest is enough. No view has a right answer before the teacher shows it, or a hidden seed.

import (
	"bytes"
	"math"
	"slices"
	"time"

	"impalab/learner/trial"
	"impalab/web/chart"
	"impalab/web/exercise"
)

// Shared is the part of a view that both have.
type Shared struct {
	Code      string          `json:"code"`
	Title     string          `json:"title"`
	Plan      string          `json:"plan"`
	Step      int             `json:"step" doc:"The teacher's step of the plan, from 0."`
	Steps     []string        `json:"steps" doc:"Titles of the plan's steps."`
	Follow    bool            `json:"follow"`
	Frozen    bool            `json:"frozen"`
	Closed    bool            `json:"closed"`
	Complete  bool            `json:"complete" doc:"No new student can join."`
	Locked    []string        `json:"locked"`
	Timer     int64           `json:"timer" doc:"Its end, in milliseconds since 1970; 0: none."`
	KeptUntil time.Time       `json:"kept_until" doc:"When the room is deleted, unless it is used before."`
	Spotlight *exercise.Shown `json:"spotlight" doc:"A run that all see, without a name; null: none."`
	Guesses   *Guesses        `json:"guesses" doc:"The class's guesses at this step; null for a step without a question, and for students before the answer is shown."`
	Wall      *Wall           `json:"wall" doc:"The class's sentences at this step; null for a step without, and for students before they are shown."`
	Task      *exercise.Task  `json:"task"`
	Homework  []string        `json:"homework" doc:"Names of exercises; for students at the last step of the plan."`
	Fleet     *Fleet          `json:"fleet" doc:"The run that students' browsers act for; null before there was one."`
}

// Guesses are a class's answers to a question.
type Guesses struct {
	Sent     int      `json:"sent"`
	Of       int      `json:"of"`
	Columns  []int    `json:"columns" doc:"How many guesses are in each column, from the left."`
	Labels   []string `json:"labels" doc:"One for each column."`
	Chart    string   `json:"chart" doc:"Inside of an SVG, 400 by 120: a dot for each guess, and a line at the truth once it is shown."`
	Revealed bool     `json:"revealed"`
	Truth    string   `json:"truth" doc:"Empty before it is shown."`
	At       int      `json:"at" doc:"The truth's column; -1 before it is shown."`
	Say      string   `json:"say"`
}

// Wall is the class's sentences, without names.
type Wall struct {
	Sent      int            `json:"sent"`
	Of        int            `json:"of"`
	Revealed  bool           `json:"revealed" doc:"Everybody sees it; otherwise only the teacher."`
	Sentences []WallSentence `json:"sentences" doc:"In an order that does not tell their writers."`
}

// WallSentence is a sentence on the wall.
type WallSentence struct {
	Number int64  `json:"number" doc:"To take it off the wall."`
	Text   string `json:"text"`
}

// shared returns the part that both views have. The caller holds mu.
func (r *Room) shared(teacher bool) Shared {
	s := Shared{Code: r.code, Title: r.set.Title, Plan: r.set.Plan, Step: r.set.Step, Follow: r.set.Follow,
		Frozen: r.set.Frozen, Closed: r.closed, Complete: r.set.Complete, Locked: append([]string{}, r.set.Locked...),
		Timer: r.set.Timer,
		Steps: []string{}, Homework: []string{}, KeptUntil: r.lastUse().Add(r.rooms.opts.Keep).UTC().Truncate(24 * time.Hour),
		Fleet: r.fleetView()}
	plan, err := exercise.PlanNamed(r.set.Plan)
	if err != nil {
		return s
	}
	for _, step := range plan.Steps {
		s.Steps = append(s.Steps, step.Title)
	}
	step := &plan.Steps[min(r.set.Step, len(plan.Steps)-1)]
	if teacher || r.set.Revealed[step.Name] {
		if step.Predict != nil {
			s.Guesses = r.guesses(step)
		}
		if step.Sentence != "" {
			s.Wall = r.wall(step)
		}
	}
	if m := r.member(r.set.Spotlight); m != nil {
		s.Spotlight = m.shown("")
	}
	return s
}

// newest returns each member's newest answer of a kind to a task, and the number of all members.
func (r *Room) newest(kind, task string) (answers []*answer, members int) {
	for _, m := range r.present() {
		members++
		for _, a := range slices.Backward(m.answers) {
			if a.Kind == kind && a.Task == task {
				answers = append(answers, a)
				break
			}
		}
	}
	return answers, members
}

// wall returns each member's newest sentence, without the sentences that the teacher has taken off.
func (r *Room) wall(step *exercise.Step) *Wall {
	w := &Wall{Revealed: r.set.Revealed[step.Name], Sentences: []WallSentence{}}
	answers, members := r.newest(Sentence, step.Name)
	w.Sent, w.Of = len(answers), members
	for _, a := range answers {
		if !slices.Contains(r.set.Hidden, a.Number) {
			w.Sentences = append(w.Sentences, WallSentence{a.Number, a.said.Text})
		}
	}
	order := func(s WallSentence) []byte { return draw(r.secret, "wall", s.Number) }
	slices.SortFunc(w.Sentences, func(a, b WallSentence) int { return bytes.Compare(order(a), order(b)) })
	return w
}

// guesses counts each member's newest guess.
func (r *Room) guesses(step *exercise.Step) *Guesses {
	q := step.Predict
	g := &Guesses{Revealed: r.set.Revealed[step.Name], At: -1, Labels: q.Labels()}
	g.Columns = make([]int, len(g.Labels))
	answers, members := r.newest(Guess, step.Name)
	g.Of = members
	for _, a := range answers {
		if _, err := q.Asked(&a.said); err == nil { // the plan may have changed
			g.Sent++
			g.Columns[q.Bin(&a.said)]++
		}
	}
	if g.Revealed {
		g.Truth, g.At, g.Say = q.Truth(), q.TruthBin(), q.Reveal
	}
	g.Chart = chart.DrawDots(g.Columns, g.At, 400, 120)
	return g
}

// shown returns a member's newest run of a task, or of any task for ""; nil before the first.
func (m *member) shown(task string) *exercise.Shown {
	for _, a := range slices.Backward(m.answers) {
		if s := a.shown(); s != nil && (task == "" || a.Task == task) {
			return s
		}
	}
	return nil
}

// shown returns the answer's first run; nil if runs do not decide it.
func (a *answer) shown() *exercise.Shown {
	if a.result.Steps == 0 {
		return nil
	}
	points := a.result.Curve
	if a.open() {
		points = a.curve
	}
	c := &exercise.Curve{Budget: a.result.Steps}
	c.Steps = c.Budget * uint64(len(points)) / exercise.CurvePoints
	for _, x := range points {
		c.At = append(c.At, float64(x))
	}
	return exercise.Show(a.said.Settings, a.result.World, c, a.result.Poses)
}

// thin returns a trial's curve with exercise.CurvePoints points.
func thin(all []float64) (points []trial.Number) {
	const each = trial.CurvePoints / exercise.CurvePoints
	for i := each - 1; i < len(all); i += each {
		points = append(points, trial.Number(math.Round(all[i]*100)/100))
	}
	return points
}
