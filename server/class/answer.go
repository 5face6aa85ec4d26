package class

// Answers of students: guesses, sentences, tries and hand-ins.

import (
	"context"
	"slices"

	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/exercise"
)

// Kinds of answers.
const (
	Guess    = "guess"    // of a question; the last one before the truth is shown counts
	Sentence = "sentence" // on the wall without a name; the last one counts
	Try      = "try"      // a run, or the public check of an exercise
	HandIn   = "hand-in"  // for credit
)

// maxOpen is the number of a member's answers that wait for their verdict.
const maxOpen = 2

// Answer takes a member's answer to a task: the name of a step, or of its exercise. It judges an answer that needs no
// training at once, in less than a millisecond.
func (r *Room) Answer(ctx context.Context, number int64, kind, task string, said exercise.Answer) (int64, error) {
	r.changing.Lock()
	defer r.changing.Unlock()
	a := &answer{Answer: store.Answer{Number: int64(len(r.answers) + 1), Member: number, Kind: kind, Task: task},
		said: said}
	trains, err := r.judge(a)
	if err != nil {
		return 0, err
	}
	a.Answer.Answer = store.JSON(a.said)
	if trains {
		r.describe(a)
	} else {
		r.seal(a)
		a.Verdict = store.JSON(a.result)
	}
	if n := len(a.Answer.Answer); n > maxAnswer {
		return 0, errcode.Errorf(errcode.Refused, "this answer has %d bytes, and the limit is %d: make it "+
			"shorter", n, maxAnswer)
	}
	if err := r.fits(bytesOf(&a.Answer)); err != nil {
		return 0, err
	}
	err = r.commit(ctx, func(tx *store.Tx) error {
		if trains {
			if err := r.enqueue(ctx, tx, a); err != nil {
				return err
			}
		}
		return tx.AddAnswer(r.code, a.Answer)
	}, func() {
		a.Sent = r.now().UnixMilli()
		r.members[number-1].acted = r.now()
		r.addAnswer(a)
		r.grow(bytesOf(&a.Answer))
	})
	return a.Number, err
}

// task returns the step that is open to the class and has this name or exercise; nil if there is none.
func (r *Room) task(name string) *exercise.Step {
	plan, err := exercise.PlanNamed(r.set.Plan)
	if err != nil {
		return nil
	}
	for i, s := range plan.Whole() {
		if (s.Name == name || s.Exercise == name) && r.reached(plan, i) {
			return &s
		}
	}
	return nil
}

// reached reports whether students may be at a step: the teacher's or an earlier one, any step of a plan without
// minutes, or the homework after the last step.
func (r *Room) reached(plan *exercise.Plan, step int) bool {
	return step <= r.set.Step || plan.Minutes == 0 || step >= len(plan.Steps) && r.set.Step == len(plan.Steps)-1
}

// most is the number of answers of a kind to one task, and the sentence for one more.
var most = map[string]struct {
	times int
	say   string
}{
	Guess:    {50, "you have changed your guess often enough: the last one counts"},
	Sentence: {50, "you have changed your sentence often enough: the last one counts"},
	Try:      {50, "that was tried often enough; change the question, or ask your teacher"},
}

// judge checks an answer, and writes its verdict into it or reports that runs decide it. The caller holds changing.
func (r *Room) judge(a *answer) (trains bool, err error) {
	m := r.member(a.Member)
	switch {
	case m == nil:
		return false, errForbidden
	case r.deleted:
		return false, errGone
	case r.closed:
		return false, errClosed
	case r.set.Frozen:
		return false, errcode.Errorf(errcode.Conflict, "your teacher has stopped the room for a moment: look up; what you "+
			"have is still here")
	}
	step := r.task(a.Task)
	if step == nil {
		return false, errNoTask
	}
	for key := range a.said.Settings {
		if slices.Contains(r.set.Locked, key) {
			return false, errcode.Errorf(errcode.Refused, "%s is locked by your teacher: leave it as it is", key)
		}
	}
	before, open := r.sent(m, a.Task, a.Kind)
	if open >= maxOpen {
		return false, errcode.Errorf(errcode.Conflict, "two of your answers are being judged; wait for them")
	}
	e, unknown := exercise.Named(step.Exercise)
	if limit, limited := most[a.Kind]; limited && before >= limit.times {
		return false, errcode.Errorf(errcode.Conflict, "%s", limit.say)
	}
	switch {
	case a.Kind == Guess && step.Predict != nil:
		if r.set.Revealed[step.Name] {
			return false, errcode.Errorf(errcode.Conflict, "the answer has been shown already: your guess came too late, and "+
				"does not count")
		}
		a.said, err = step.Predict.Asked(&a.said)
	case a.Kind == Sentence && step.Sentence != "":
		a.said = exercise.Answer{Text: a.said.Text}
		err = exercise.CheckSentence(&a.said)
	case a.Kind == Try && step.Run != nil:
		a.said, trains = exercise.Answer{Settings: a.said.Settings}, true
		_, err = step.Run.Config(a.said.Settings)
	case unknown == nil && (a.Kind == Try || a.Kind == HandIn):
		if err := r.mayTry(e, a, before); err != nil {
			return false, err
		}
		if a.Kind == HandIn && e.Untouched(&a.said) {
			return false, errcode.Refuse(exercise.ErrUntouched)
		}
		a.said, err = e.Asked(&a.said)
		switch trains = e.Trained(); {
		case trains || err != nil:
		case a.Kind == HandIn:
			a.result.Verdict, err = e.Judge(&a.said, exercise.Hidden{Seed: r.unrollSeed(a.Member, e, before)})
		default:
			a.result.Verdict, err = e.Public(&a.said, nil)
		}
		a.said.Targets = nil // long, and no longer needed
	default:
		return false, errcode.Errorf(errcode.Refused, "this step takes no %.20s", a.Kind)
	}
	if err != nil {
		return false, errcode.Refuse(err)
	}
	return trains, nil
}

// sent counts a member's answers of a kind to a task, and all open answers of the member.
func (r *Room) sent(m *member, task, kind string) (before, open int) {
	for _, other := range m.answers {
		if other.open() {
			open++
		}
		if other.Task == task && other.Kind == kind && !other.unjudged() {
			before++
		}
	}
	return before, open
}

// mayTry returns an error if the exercise was handed in or checked too often, or if the targets are of another draw.
func (r *Room) mayTry(e *exercise.Exercise, a *answer, before int) error {
	if err := e.Spent(a.Kind == HandIn, before); err != nil {
		return errcode.Errorf(errcode.Conflict, "%w", err)
	}
	if a.Kind == HandIn && e.Program != nil && a.said.Draw != r.drawName(a.Member, e, before) {
		return errcode.Errorf(errcode.Conflict, "these targets are of another draw: ask for the unrolls of this hand-in, "+
			"and send their draw")
	}
	return nil
}

// unrollSeed returns the seed of a member's unrolls after a number of hand-ins.
func (r *identity) unrollSeed(member int64, e *exercise.Exercise, before int) (seed [32]byte) {
	copy(seed[:], draw(r.secret, "unrolls", e.Name, member, before))
	return seed
}

// drawName returns the name of these unrolls.
func (r *identity) drawName(member int64, e *exercise.Exercise, before int) string {
	return exercise.Letters(draw(r.secret, "draw", e.Name, member, before)[:5])
}

// Unrolls returns the unrolls for a member's program: the public ones for a try, or the next hand-in's.
func (r *Room) Unrolls(number int64, task, kind string) (exercise.Inputs, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.member(number)
	if m == nil {
		return exercise.Inputs{}, errForbidden
	}
	step := r.task(task)
	if step == nil {
		return exercise.Inputs{}, errNoTask
	}
	e, err := exercise.Named(step.Exercise)
	if err != nil || e.Program == nil {
		return exercise.Inputs{}, errcode.Errorf(errcode.Refused, "%.40s is not a task for a program: it has no unrolls",
			task)
	}
	if kind == Try {
		return e.Program.PublicInputs(), nil
	}
	before, _ := r.sent(m, task, HandIn)
	if err := e.Spent(true, before); err != nil {
		return exercise.Inputs{}, errcode.Errorf(errcode.Conflict, "%w", err)
	}
	return e.Program.Inputs(r.drawName(number, e, before), r.unrollSeed(number, e, before)), nil
}

// unjudged reports whether a hand-in could not be judged. It does not count as a try.
func (a *answer) unjudged() bool { return a.Kind == HandIn && !a.open() && a.Credit == nil }

// seal gives a hand-in its credit and a receipt that only this room can write.
func (r *identity) seal(a *answer) {
	if a.Kind != HandIn {
		return
	}
	credit := a.result.Credit
	a.Credit = &credit
	a.result.Receipt = exercise.Letters(r.receipt(a, credit))
}

func (r *identity) receipt(a *answer, credit float64) []byte {
	return draw(r.secret, "receipt", r.code, a.Member, a.Number, a.Task, store.JSON(a.said), credit)[:10]
}

// OwnChange is a member's change of their own state; nil fields stay.
type OwnChange struct {
	Step *int  `json:"step,omitempty" doc:"Of the plan, where the teacher lets students go back."`
	Help *bool `json:"help,omitempty" doc:"Ask the teacher to come."`
}

// ChangeOwn changes a member's step, or calls for help.
func (r *Room) ChangeOwn(ctx context.Context, number int64, c OwnChange) error {
	r.changing.Lock()
	defer r.changing.Unlock()
	m := r.member(number)
	if m == nil {
		return errForbidden
	}
	if r.closed {
		return errClosed
	}
	row := m.Member
	if c.Step != nil {
		plan, err := exercise.PlanNamed(r.set.Plan)
		if err != nil || *c.Step < 0 || *c.Step >= len(plan.Steps) || !r.reached(plan, *c.Step) {
			return errNoTask
		}
		if r.set.Follow && *c.Step != r.set.Step {
			return errcode.Errorf(errcode.Conflict, "your teacher keeps all students at one step for now")
		}
		row.Step = *c.Step
	}
	set(&row.Help, c.Help)
	return r.setMember(ctx, m, row, func() {})
}

// Enter counts an open page, of a member or of the teacher (0), until leave is called.
func (r *Room) Enter(number int64) (leave func()) {
	count := func(by int) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.watchers += by
		if m := r.member(number); m != nil {
			m.streams += by
			m.seen = r.now()
		}
		r.notify()
	}
	count(1)
	return func() { count(-1) }
}
