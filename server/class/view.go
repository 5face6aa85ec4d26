package class

// What a teacher and a student see, as a page and programs get it: what both see is here. A view is all there is to
// know, so a stream of views loses nothing: the newest says it all. No right answer is in a view before the teacher has
// shown it, and no hidden seed ever.

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"impalab/server/exercise"
)

// Shared is what both see.
type Shared struct {
	Code      string    `json:"code"`
	Title     string    `json:"title"`
	Plan      string    `json:"plan"`
	Step      int       `json:"step" doc:"Of the plan, from 0, that the teacher is at."`
	Steps     []string  `json:"steps" doc:"Titles of the plan's steps."`
	Follow    bool      `json:"follow"`
	Frozen    bool      `json:"frozen"`
	Closed    bool      `json:"closed"`
	Locked    []string  `json:"locked"`
	Timer     int64     `json:"timer" doc:"When it ends, milliseconds since 1970; 0: none."`
	Now       int64     `json:"-"`
	KeptUntil time.Time `json:"kept_until" doc:"When the room is forgotten, unless it is used before."`
	Spotlight *Shown    `json:"spotlight" doc:"A run that all see, without a name; null: none."`
	Guesses   *Guesses  `json:"guesses" doc:"What the class has guessed at this step; null where nothing is asked, and for students before the truth is shown."`
	Wall      *Wall     `json:"wall" doc:"The sentences that the class has written at this step; null where none is asked for, and for students before they are shown."`
	Fleet     *Fleet    `json:"fleet" doc:"The run that students' browsers act for; null before there was one."`
}

// Shown is a run.
type Shown struct {
	Curve   []float64     `json:"curve" doc:"Mean return of the last hundred episodes, at equal distances of the budget."`
	Whole   int           `json:"whole" doc:"How many points a whole curve has."`
	Steps   uint64        `json:"steps" doc:"Of the whole run."`
	Differs []KeyAndValue `json:"differs" doc:"Settings that differ from the start."`
}

// KeyAndValue is a setting.
type KeyAndValue struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Guesses are the answers of a class to a question.
type Guesses struct {
	Sent     int      `json:"sent"`
	Of       int      `json:"of"`
	Columns  []int    `json:"columns" doc:"How many guesses lie in each column, from the left."`
	Labels   []string `json:"labels" doc:"One for each column."`
	Revealed bool     `json:"revealed"`
	Truth    string   `json:"truth" doc:"Empty before it is shown."`
	At       int      `json:"at" doc:"The column of the truth; -1 before it is shown."`
	Say      string   `json:"say"`
}

// Wall is what a class has written, without names.
type Wall struct {
	Sent      int         `json:"sent"`
	Of        int         `json:"of"`
	Revealed  bool        `json:"revealed" doc:"All see it; else the teacher alone."`
	Sentences []OnTheWall `json:"sentences" doc:"In an order that says nothing of who wrote them."`
}

// OnTheWall is a sentence.
type OnTheWall struct {
	Number int64  `json:"number" doc:"To take it off the wall by."`
	Text   string `json:"text"`
}

// wall is the newest sentence of everybody who is here, but for those that the teacher has taken off.
func (r *Room) wall(step *exercise.Step) *Wall {
	w := &Wall{Revealed: r.set.Revealed[step.Name], Sentences: []OnTheWall{}}
	for _, m := range r.members {
		if m.removed() {
			continue
		}
		w.Of++
		for _, a := range slices.Backward(m.answers) {
			if a.Kind != Sentence || a.Task != step.Name {
				continue
			}
			if w.Sent++; !slices.Contains(r.set.Hidden, a.Number) {
				w.Sentences = append(w.Sentences, OnTheWall{a.Number, a.said.Text})
			}
			break
		}
	}
	place := func(s OnTheWall) []byte { return draw(r.secret, "wall", s.Number) }
	slices.SortFunc(w.Sentences, func(a, b OnTheWall) int { return bytes.Compare(place(a), place(b)) })
	return w
}

// shared is what both see. The caller holds mu.
func (r *Room) shared(teacher bool) Shared {
	s := Shared{Code: r.code, Title: r.set.Title, Plan: r.set.Plan, Step: r.set.Step, Follow: r.set.Follow,
		Frozen: r.set.Frozen, Closed: r.closed, Locked: append([]string{}, r.set.Locked...), Timer: r.set.Timer,
		Steps: []string{}, KeptUntil: r.lastUse().Add(r.rooms.opts.Keep).UTC().Truncate(24 * time.Hour),
		Fleet: r.seenFleet()}
	plan := exercise.PlanNamed(r.set.Plan)
	if plan == nil {
		return s
	}
	for _, step := range plan.Steps {
		s.Steps = append(s.Steps, step.Title)
	}
	step := &plan.Steps[min(r.set.Step, len(plan.Steps)-1)]
	if step.Predict != nil && (teacher || r.set.Revealed[step.Name]) {
		s.Guesses = r.guesses(step)
	}
	if step.Sentence != "" && (teacher || r.set.Revealed[step.Name]) {
		s.Wall = r.wall(step)
	}
	if m := r.member(r.set.Spotlight); m != nil {
		s.Spotlight = m.shown("")
	}
	return s
}

// guesses counts the newest guess of everybody who is here.
func (r *Room) guesses(step *exercise.Step) *Guesses {
	q := step.Predict
	g := &Guesses{Columns: make([]int, q.Bins()), Revealed: r.set.Revealed[step.Name], At: -1, Labels: q.Labels()}
	newest := map[int64]*answer{}
	for _, a := range r.answers {
		if a.Kind == Guess && a.Task == step.Name {
			newest[a.Member] = a
		}
	}
	for _, m := range r.members {
		if m.removed() {
			continue
		}
		g.Of++
		if a := newest[m.Number]; a != nil && q.Check(&a.said) == nil {
			g.Sent++
			g.Columns[q.Bin(&a.said)]++
		}
	}
	if g.Revealed {
		g.Truth, g.At, g.Say = q.Truth(), q.TruthBin(), q.Reveal
	}
	return g
}

// shown is the newest run of one task, or of any; nil before the first.
func (m *member) shown(task string) *Shown {
	for _, a := range slices.Backward(m.answers) {
		if task != "" && a.Task != task || a.result.Steps == 0 {
			continue
		}
		s := &Shown{Curve: a.result.Curve, Whole: curvePoints, Steps: a.result.Steps, Differs: []KeyAndValue{}}
		if a.open {
			s.Curve = a.curve
		}
		s.Curve = append([]float64{}, s.Curve...)
		for key, value := range a.said.Settings {
			s.Differs = append(s.Differs, KeyAndValue{key, value})
		}
		slices.SortFunc(s.Differs, func(a, b KeyAndValue) int { return cmp.Compare(a.Key, b.Key) })
		return s
	}
	return nil
}
