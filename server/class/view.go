package class

// What a teacher and a student see, as a page and programs get it. A view is all there is to know, so a stream of views
// loses nothing: the newest says it all. No right answer is in a view before the teacher has shown it, and no hidden
// seed ever.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"impalab/learner/hyper"
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
	Guessed  bool    `json:"guessed" doc:"At this step."`
	Credit   float64 `json:"credit" doc:"Of all that was handed in."`
	Shown
}

// Student is what a student sees.
type Student struct {
	Shared
	Number   int64    `json:"number"`
	Nickname string   `json:"nickname"`
	Own      int      `json:"own" doc:"The step that this student is at."`
	Help     bool     `json:"help"`
	Task     *Task    `json:"task"`
	Homework []string `json:"homework" doc:"Names of exercises, once the plan is at its end."`
	Answers  []Given  `json:"answers" doc:"To this task, newest first."`
	Run      *Shown   `json:"run" doc:"The newest run of this task; null before the first."`
	Credit   float64  `json:"credit"`
	Of       float64  `json:"of" doc:"The credit that there is for what was set."`
}

// Given is one of a student's own answers.
type Given struct {
	Number  int64           `json:"number"`
	Kind    string          `json:"kind" enum:"guess,try,hand-in"`
	Task    string          `json:"task"`
	Said    exercise.Answer `json:"said"`
	Open    bool            `json:"open" doc:"It has not been judged yet."`
	Place   int             `json:"place" doc:"In the queue; 0: it is being trained, or judged."`
	Wait    int             `json:"wait_s" doc:"How long that may take, in seconds."`
	Credit  *float64        `json:"credit" doc:"Null where there is none."`
	Say     string          `json:"say"`
	Receipt string          `json:"receipt"`
	Sent    time.Time       `json:"sent"`
}

// A tile is stuck or idle after so long.
const (
	idleAfter  = 4 * time.Minute
	goneAfter  = 15 * time.Second
	stuckAfter = 3 // tries of the same
)

// shared is what both see. The caller holds mu.
func (r *Room) shared(teacher bool) Shared {
	s := Shared{Code: r.code, Title: r.set.Title, Plan: r.set.Plan, Step: r.set.Step, Follow: r.set.Follow,
		Frozen: r.set.Frozen, Closed: r.closed, Locked: append([]string{}, r.set.Locked...), Timer: r.set.Timer,
		Steps: []string{}, KeptUntil: r.used.Add(r.rooms.opts.Keep).UTC().Truncate(24 * time.Hour)}
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
	if m := r.member(r.set.Spotlight); m != nil {
		s.Spotlight = r.shown(m, "")
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

// shown is the newest run of a member, of one task or of any; nil before the first.
func (r *Room) shown(m *member, task string) *Shown {
	for i := len(r.answers) - 1; i >= 0; i-- {
		a := r.answers[i]
		if a.Member != m.Number || task != "" && a.Task != task || a.result.Steps == 0 {
			continue
		}
		s := &Shown{Curve: a.result.Curve, Whole: curvePoints, Steps: a.result.Steps, Differs: []KeyAndValue{}}
		if a.open {
			s.Curve = a.curve.points
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
	for _, m := range r.members {
		if !m.removed() {
			t.Tiles = append(t.Tiles, r.tile(m, here))
		}
	}
	slices.SortStableFunc(t.Tiles, func(a, b Tile) int { return cmp.Compare(urgency(a.State), urgency(b.State)) })
	return t
}

// urgency orders tiles: who asks comes first, who is done or has left comes last.
func urgency(state string) int {
	return slices.Index([]string{"help", "stuck", "idle", "working", "found", "gone"}, state)
}

func (r *Room) tile(m *member, here *exercise.Step) Tile {
	t := Tile{Number: m.Number, Nickname: m.Nickname, Step: m.Step, State: "working",
		Shown: Shown{Curve: []float64{}, Differs: []KeyAndValue{}}, Credit: r.credit(m)}
	if r.set.Follow {
		t.Step = r.set.Step
	}
	if s := r.shown(m, ""); s != nil {
		t.Shown = *s
	}
	same, last, waits := 0, "", false
	for _, a := range r.answers {
		if a.Member != m.Number {
			continue
		}
		waits = waits || a.open
		if here == nil || a.Task != here.Name && a.Task != here.Exercise {
			continue
		}
		t.Guessed = t.Guessed || a.Kind == Guess
		if said := text(a.said); a.Kind == Try && said == last {
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

// best is the best credit of a member's for an exercise, and whether anything was handed in.
func (r *Room) best(m int64, name string) (credit float64, handedIn bool) {
	for _, a := range r.answers {
		if a.Member == m && a.Kind == HandIn && a.Task == name && a.Credit != nil {
			credit, handedIn = max(credit, *a.Credit), true
		}
	}
	return credit, handedIn
}

func (r *Room) credit(m *member) (sum float64) {
	for _, name := range r.graded() {
		credit, _ := r.best(m.Number, name)
		sum += credit
	}
	return sum
}

// graded are the names of the exercises of the room's plan, and those that were handed in before it had this plan.
func (r *Room) graded() (names []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if plan := exercise.PlanNamed(r.set.Plan); plan != nil {
		for _, s := range plan.Steps {
			add(s.Exercise)
		}
		for _, name := range plan.Homework {
			add(name)
		}
	}
	for _, a := range r.answers {
		if a.Kind == HandIn {
			add(a.Task)
		}
	}
	return names
}

// AsStudent is what a member sees; task: the homework that is looked at, or "".
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
	s := Student{Shared: r.shared(false), Number: m.Number, Nickname: m.Nickname, Own: m.Step, Help: m.Help,
		Answers: []Given{}, Homework: []string{}, Credit: r.credit(m), Of: float64(len(r.graded()))}
	plan := exercise.PlanNamed(r.set.Plan)
	if plan == nil {
		return s, nil
	}
	if r.set.Follow || !r.reached(plan, s.Own) || s.Own >= len(plan.Steps) {
		s.Own = r.set.Step
	}
	step := &plan.Steps[s.Own]
	if r.set.Step == len(plan.Steps)-1 {
		s.Homework = append(s.Homework, plan.Homework...)
		if slices.Contains(plan.Homework, task) {
			step = &exercise.Step{Name: task, Exercise: task}
		}
	}
	s.Task = taskOf(step)
	name := step.Name
	if step.Exercise != "" {
		name = step.Exercise
	}
	for i := len(r.answers) - 1; i >= 0; i-- {
		if a := r.answers[i]; a.Member == number && (a.Task == name || a.Task == step.Name) {
			given := r.given(a)
			if len(s.Answers) > 0 {
				given.Said.Text = "" // the newest is what one goes on from
			}
			s.Answers = append(s.Answers, given)
		}
	}
	s.Run = r.shown(m, name)
	if step.Predict != nil && s.Own != r.set.Step && r.set.Revealed[step.Name] {
		s.Guesses = r.guesses(step)
	}
	if s.Own != r.set.Step && step.Predict == nil {
		s.Guesses = nil
	}
	return s, nil
}

// given is an answer as its sender sees it.
func (r *Room) given(a *answer) Given {
	g := Given{Number: a.Number, Kind: a.Kind, Task: a.Task, Said: a.said, Open: a.open, Credit: a.Credit,
		Say: a.result.Say, Receipt: a.result.Receipt, Sent: time.UnixMilli(a.Sent).UTC()}
	if a.open {
		place, wait := r.rooms.grader.where(a)
		g.Place, g.Wait = place, int(wait.Round(5*time.Second).Seconds())
		if place > 0 {
			g.Say = fmt.Sprintf("Place %d in the queue, about %d s; it begins by itself.", place, max(5, g.Wait))
		} else {
			g.Say = "It is being trained."
		}
	}
	return g
}

// Given is one answer: of a member's own, or of anybody's for the teacher.
func (r *Room) Given(who Role, number int64) (Given, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if number >= 1 && number <= int64(len(r.answers)) {
		if a := r.answers[number-1]; who.Teacher || a.Member == who.Member {
			return r.given(a), nil
		}
	}
	return Given{}, &Error{Code: NotFound, Err: fmt.Errorf("there is no answer %d of yours in this room", number)}
}

// Task is a step as students see it: nothing in it tells a right answer.
type Task struct {
	Name    string     `json:"name"`
	Kind    string     `json:"kind" enum:"read,predict,run,reach,find,number,numbers,cause,program"`
	Title   string     `json:"title"`
	Say     string     `json:"say"`
	Ask     string     `json:"ask"`
	Choose  []string   `json:"choose"`
	Then    string     `json:"then"`
	Second  []string   `json:"second"`
	From    float64    `json:"from"`
	To      float64    `json:"to"`
	Log     bool       `json:"log"`
	Unit    string     `json:"unit"`
	Names   []string   `json:"names"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	Keys    []Knob     `json:"keys"`
	Steps   uint64     `json:"steps"`
	Preset  string     `json:"preset"`
	Start   string     `json:"start" doc:"Settings of the start, as a link of the Lab has them."`
	Text    string     `json:"text" doc:"Formulas to go on from."`
	HandIns int        `json:"hand_ins" doc:"How often it may be handed in; 0: it earns no credit."`
	Public  bool       `json:"public" doc:"It can be checked, or tried, before it is handed in."`
}

// Knob is a setting that may be changed.
type Knob struct {
	exercise.Key
	Title string `json:"title"`
	Value string `json:"value" doc:"At the start."`
}

func options(of []exercise.Option) []string {
	list := []string{}
	for _, o := range of {
		list = append(list, o.Say)
	}
	return list
}

func taskOf(step *exercise.Step) *Task {
	t := &Task{Name: step.Name, Kind: "read", Title: step.Title, Say: step.Say, Choose: []string{}, Second: []string{},
		Names: []string{}, Columns: []string{}, Rows: [][]string{}, Keys: []Knob{}}
	switch {
	case step.Predict != nil:
		q := step.Predict
		t.Kind, t.Ask, t.Choose, t.From, t.To, t.Log, t.Unit = "predict", q.Ask, options(q.Choose), q.From,
			q.To, q.Log, q.Unit
	case step.Run != nil:
		t.Kind, t.Public = "run", true
		t.start(step.Run)
	case step.Exercise != "":
		e, err := exercise.Named(step.Exercise)
		if err != nil {
			return t
		}
		t.Name, t.Title, t.Ask, t.HandIns = e.Name, e.Title, e.Ask, e.Tries
		switch {
		case e.Reach != nil:
			t.Kind, t.Public = "reach", true
			t.start(&e.Reach.Start)
		case e.Find != nil:
			t.Kind, t.Public = "find", true
			t.Keys = []Knob{{e.Find.Key, titleOf(e.Find.Key.Key), ""}}
		case e.Number != nil:
			t.Kind, t.Unit = "number", e.Number.Unit
		case e.Numbers != nil:
			t.Kind, t.Public, t.Names = "numbers", true, e.Numbers.Names
		case e.Program != nil:
			t.Kind, t.Public, t.Text = "program", true, e.Program.Start
		case e.Cause != nil:
			t.Kind, t.Columns, t.Rows = "cause", e.Cause.Columns, e.Cause.Rows
			t.Choose, t.Then, t.Second = options(e.Cause.Choose), e.Cause.Then, options(e.Cause.Second)
		}
	}
	return t
}

func (t *Task) start(s *exercise.Start) {
	cfg := s.Base()
	t.Steps, t.Preset = s.Steps, s.Preset
	preset, _ := hyper.FromPreset(s.Preset) // a test reads every file
	t.Start = "p=" + s.Preset
	for _, d := range cfg.Diff(&preset) {
		t.Start += "&" + d.Key + "=" + d.Value
	}
	for _, k := range s.Keys {
		t.Keys = append(t.Keys, Knob{k, titleOf(k.Key), cfg.Get(k.Key)})
	}
}

func titleOf(key string) string {
	row, err := hyper.Lookup(key)
	if err != nil {
		return key
	}
	return strings.TrimSpace(row.Symbol + " " + row.Words)
}
