package class

// What students do: guess, try, hand in, go to a step, ask for help.

import (
	"context"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"

	"impalab/server/errcode"
	"impalab/server/exercise"
	"impalab/server/store"
)

// Kinds of answers.
const (
	Guess  = "guess"   // of a prediction: the last before the truth is shown counts
	Try    = "try"     // a run, or the public check of an exercise
	HandIn = "hand-in" // what earns credit

	Sentence = "sentence" // the last counts; it stands on the wall without a name
)

// What one member may ask for.
const (
	maxGuesses = 50  // of one question
	maxTries   = 200 // of one task
	maxOpen    = 2   // that wait to be judged
)

var errNoTask = errcode.Errorf(errcode.Conflict, "your teacher has not come to this step yet, or the lesson has "+
	"another plan now")

// Answer takes an answer of a member to a task: the name of a step, or of an exercise in it. Judging takes long. So it
// happens outside of the locks of the room, for one answer of a member at a time.
func (r *Room) Answer(ctx context.Context, number int64, kind, task string, said exercise.Answer) (int64, error) {
	done, err := r.turn(ctx, number)
	if err != nil {
		return 0, err
	}
	defer done()
	a := &answer{Answer: store.Answer{Member: number, Kind: kind, Task: task}, said: said}
	judge, err := r.admit(a)
	if err == nil {
		err = judge()
	}
	if err != nil {
		return 0, err
	}
	r.changing.Lock()
	defer r.changing.Unlock()
	if _, err := r.admit(a); err != nil { // the teacher may have gone on meanwhile
		return 0, err
	}
	a.Number = int64(len(r.answers) + 1)
	a.Answer.Answer = text(a.said)
	if !a.open {
		r.seal(a)
		a.Verdict = text(a.result)
	}
	if len(a.Answer.Answer) > maxAnswer {
		return 0, errcode.Errorf(errcode.Refused, "this answer takes %d bytes, and at most %d are kept of one: make it "+
			"shorter",
			len(a.Answer.Answer), maxAnswer)
	}
	if err := r.fits(a.size()); err != nil {
		return 0, err
	}
	err = r.do(ctx, func(tx *store.Tx) error {
		if err := tx.AddAnswer(r.code, a.Answer); err != nil || !a.open {
			return err
		}
		return r.enqueue(tx, a)
	})
	if err != nil {
		return 0, err
	}
	r.grow(a.size())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members[number-1].acted = r.now()
	a.Sent = r.now().UnixMilli()
	r.put(a)
	r.tell()
	return a.Number, nil
}

// turn waits until no other answer of a member is being taken; the function it returns ends the turn.
func (r *Room) turn(ctx context.Context, number int64) (done func(), err error) {
	r.mu.Lock()
	m := r.member(number)
	r.mu.Unlock()
	if m == nil {
		return nil, errForbidden
	}
	select {
	case m.turn <- struct{}{}:
		return func() { <-m.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// task is the step that is open to the class and has this name or this exercise; homework is open from the last step
// on.
func (r *Room) task(name string) *exercise.Step {
	plan := exercise.PlanNamed(r.set.Plan)
	if plan == nil {
		return nil
	}
	for i := range plan.Steps {
		s := &plan.Steps[i]
		if (s.Name == name || s.Exercise == name) && r.reached(plan, i) {
			return s
		}
	}
	if slices.Contains(plan.Homework, name) && r.set.Step == len(plan.Steps)-1 {
		return &exercise.Step{Name: name, Exercise: name}
	}
	return nil
}

// reached reports whether the class may be at a step: up to the teacher's, or at any of a plan that has no minutes.
func (r *Room) reached(plan *exercise.Plan, step int) bool {
	return step <= r.set.Step || plan.Minutes == 0
}

// admit refuses an answer that cannot be taken as the room is now. The function that it returns looks at what was said,
// and judges it where nothing has to be trained; it needs no lock.
func (r *Room) admit(a *answer) (judge func() error, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.member(a.Member)
	switch {
	case m == nil:
		return nil, errForbidden
	case r.deleted:
		return nil, errGone
	case r.closed:
		return nil, errClosed
	case r.set.Frozen:
		return nil, errcode.Errorf(errcode.Conflict, "your teacher has stopped the room for a moment: look up; what you "+
			"have is still here")
	}
	step := r.task(a.Task)
	if step == nil {
		return nil, errNoTask
	}
	for key := range a.said.Settings {
		if slices.Contains(r.set.Locked, key) {
			return nil, errcode.Errorf(errcode.Refused, "%s is locked by your teacher: leave it as it is", key)
		}
	}
	before, open := m.sent(a.Task, a.Kind)
	switch e, err := exercise.Named(step.Exercise); {
	case open >= maxOpen:
		return nil, errcode.Errorf(errcode.Conflict, "two of your answers are being judged; wait for them")
	case a.Kind == Guess && step.Predict != nil:
		if r.set.Revealed[step.Name] {
			return nil, errcode.Errorf(errcode.Conflict, "the answer has been shown already: your guess came too late, and "+
				"does not count")
		}
		if before >= maxGuesses {
			return nil, errcode.Errorf(errcode.Conflict, "you have changed your guess often enough: the last one counts")
		}
		return func() error { return a.guess(step.Predict) }, nil
	case a.Kind == Sentence && step.Sentence != "":
		if before >= maxGuesses {
			return nil, errcode.Errorf(errcode.Conflict, "you have changed your sentence often enough: the "+
				"last one counts")
		}
		return a.sentence, nil
	case a.Kind == Try && step.Run != nil:
		if before >= maxTries {
			return nil, errcode.Errorf(errcode.Conflict, "that was tried often enough; change the question, or ask your teacher")
		}
		return func() error { return a.train(step.Run) }, nil
	case err == nil && (a.Kind == Try || a.Kind == HandIn):
		if err := r.turns(e, a, before); err != nil {
			return nil, err
		}
		return func() error { return a.exercise(e, r.unrollSeed(a.Member, e, before)) }, nil
	}
	return nil, errcode.Errorf(errcode.Refused, "this step takes no %.20s", a.Kind)
}

// sent counts the answers of a member's to a task that were judged or will be, and all that are open.
func (m *member) sent(task, kind string) (before, open int) {
	for _, other := range m.answers {
		if other.open {
			open++
		}
		if other.Task == task && other.Kind == kind && !other.unjudged() {
			before++
		}
	}
	return before, open
}

func (a *answer) guess(of *exercise.Question) error {
	a.said = of.Asked(&a.said)
	if err := of.Check(&a.said); err != nil {
		return errcode.Errorf(errcode.Refused, "%w", err)
	}
	return nil
}

func (a *answer) sentence() error {
	a.said = exercise.Answer{Text: a.said.Text}
	if err := exercise.CheckSentence(&a.said); err != nil {
		return errcode.Errorf(errcode.Refused, "%w", err)
	}
	return nil
}

func (a *answer) train(start *exercise.Start) error {
	if _, err := start.Config(a.said.Settings); err != nil {
		return errcode.Errorf(errcode.Refused, "%w", err)
	}
	a.said, a.open = exercise.Answer{Settings: a.said.Settings}, true
	return nil
}

// turns refuses an answer to an exercise that has been answered often enough, or with targets of another draw.
func (r *Room) turns(e *exercise.Exercise, a *answer, before int) error {
	most := maxTries
	switch {
	case a.Kind == HandIn:
		most = e.Tries
	case e.Find != nil:
		most = e.Find.Hints
	}
	if before >= most {
		if a.Kind == HandIn {
			return allHandedIn(most)
		}
		return errcode.Errorf(errcode.Conflict, "this has been checked %d times, which is all there are: hand it in", most)
	}
	if e.Program != nil && a.Kind == HandIn && a.said.Draw != r.drawName(a.Member, e, before) {
		return errcode.Errorf(errcode.Conflict, "these targets are of another draw: ask for the unrolls of this "+
			"hand-in, and send their draw")
	}
	return nil
}

// exercise judges an answer to an exercise, but for what runs decide. seed is that of the unrolls of a hand-in.
func (a *answer) exercise(e *exercise.Exercise, seed [32]byte) error {
	a.said = e.Asked(&a.said)
	err := e.Check(&a.said)
	switch {
	case err == nil && e.Trained():
		a.open = true
		return nil
	case err == nil && a.Kind == HandIn:
		a.result.Verdict, err = e.Judge(&a.said, exercise.Hidden{Seed: seed})
	case err == nil:
		a.result.Verdict, err = e.Public(&a.said, nil)
	}
	if err != nil {
		return errcode.Errorf(errcode.Refused, "%w", err)
	}
	a.said.Targets = nil // they were judged, and are long
	return nil
}

// unrollSeed is what the unrolls of a member's next hand-in follow from, after so many.
func (r *Room) unrollSeed(member int64, e *exercise.Exercise, before int) (seed [32]byte) {
	copy(seed[:], draw(r.secret, "unrolls", e.Name, member, before))
	return seed
}

// drawName names these unrolls.
func (r *Room) drawName(member int64, e *exercise.Exercise, before int) string {
	return written(draw(r.secret, "draw", e.Name, member, before)[:5])
}

// written is bytes as people copy them.
func written(b []byte) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b)
}

// Unrolls are what a member's own program computes the targets of: those that everybody may know for a try, and for a
// hand-in those of the next. They are others after it.
func (r *Room) Unrolls(number int64, task, kind string) (exercise.Inputs, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.member(number) == nil {
		return exercise.Inputs{}, errForbidden
	}
	step := r.task(task)
	if step == nil {
		return exercise.Inputs{}, errNoTask
	}
	e, err := exercise.Named(step.Exercise)
	if err != nil || e.Program == nil {
		return exercise.Inputs{}, errcode.Errorf(errcode.Refused, "%.40s is no task for a program: it has no unrolls", task)
	}
	if kind == Try {
		return e.Program.PublicInputs(), nil
	}
	before := 0
	for _, a := range r.answers {
		if a.Member == number && a.Task == task && a.Kind == HandIn {
			before++
		}
	}
	if before >= e.Tries {
		return exercise.Inputs{}, allHandedIn(e.Tries)
	}
	return e.Program.Inputs(r.drawName(number, e, before), r.unrollSeed(number, e, before)), nil
}

func allHandedIn(times int) error {
	return errcode.Errorf(errcode.Conflict, "this has been handed in %d times, which is all there are; the best "+
		"counts", times)
}

// unjudged reports whether an answer was handed in and could not be judged. It costs no turn.
func (a *answer) unjudged() bool { return a.Kind == HandIn && !a.open && a.Credit == nil }

// seal gives what was handed in its credit and a receipt: what only this room can have written about it.
func (r *identity) seal(a *answer) {
	if a.Kind != HandIn {
		return
	}
	credit := a.result.Credit
	a.Credit = &credit
	a.result.Receipt = r.receipt(a, credit)
}

func (r *identity) receipt(a *answer, credit float64) string {
	sum := draw(r.secret, "receipt", r.code, a.Member, a.Number, a.Task, text(a.said), credit)
	code := written(sum[:10])
	return strings.Join([]string{code[:4], code[4:8], code[8:12], code[12:16]}, "-")
}

// Own is what a member changes for themselves; nil: as it is.
type Own struct {
	Step *int  `json:"step,omitempty" doc:"Of the plan, where the teacher lets everybody go back."`
	Help *bool `json:"help,omitempty" doc:"Ask the teacher to come."`
}

// Move changes what a member sees, or calls for help.
func (r *Room) Move(ctx context.Context, number int64, o Own) error {
	r.changing.Lock()
	defer r.changing.Unlock()
	m, plan := r.member(number), exercise.PlanNamed(r.set.Plan)
	if m == nil {
		return errForbidden
	}
	if r.closed {
		return errClosed
	}
	state := m.memberState
	if o.Step != nil {
		if plan == nil || *o.Step < 0 || *o.Step >= len(plan.Steps) || !r.reached(plan, *o.Step) {
			return errNoTask
		}
		if r.set.Follow && *o.Step != r.set.Step {
			return errcode.Errorf(errcode.Conflict, "your teacher keeps everybody at one step for now")
		}
		state.Step = *o.Step
	}
	if o.Help != nil {
		state.Help = *o.Help
	}
	return r.keepMember(ctx, m, m.Member, state)
}

// Enter counts a page of a member's as open until the function it returns is called; 0: the teacher's.
func (r *Room) Enter(number int64) (leave func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	count := func(by int) {
		r.watchers += by
		if m := r.member(number); m != nil {
			m.streams += by
			m.seen = r.now()
		}
		r.tell()
	}
	count(1)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		count(-1)
	}
}

// ran is what is said of a run that nobody grades.
func ran(m *exercise.Measured) (exercise.Verdict, error) {
	end := m.Returns[0]
	v := exercise.Verdict{Figure: &end, Say: fmt.Sprintf("It ended at %.0f.", end)}
	if end < exercise.FallenBelow {
		v.Say = fmt.Sprintf("It fell: it ended at %.1f.", end)
	}
	return v, nil
}
