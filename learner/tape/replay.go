package tape

import (
	"context"
	"errors"
	"fmt"

	"impalab/learner"
	"impalab/learner/hyper"
)

// Options say how a tape is replayed. The zero value replays all of it on every core.
type Options struct {
	Engine learner.Engine                   // makes the learner
	Until  uint64                           // stop after this update, before the changes there; 0: at the end of the tape
	From   []byte                           // a snapshot of the run to begin at; nil: at the start
	Seed   func(ref string) (uint64, error) // resolves a seed that the tape only refers to; nil: none can be
	Hooks  learner.Hooks                    // the caller's; its Between comes after the tape's
}

// Outcome is the result of a replay.
type Outcome struct {
	ParamsSHA256 string  `json:"params_sha256"` // of the last parameters
	Update       uint64  `json:"update"`
	Step         uint64  `json:"steps"`
	Checked      int     `json:"checked"`       // lines of the tape whose parameters were compared
	DiffersAt    *uint64 `json:"differs_at"`    // the update of the first line that differs; nil: none does
	Why          string  `json:"why,omitempty"` // how it differs

	// Arithmetic is the learner's. A part of the tape with another arithmetic has other parameters: no hash of that
	// part is compared, nor whether the run diverged.
	Arithmetic string  `json:"arithmetic"`
	OtherFrom  *uint64 `json:"other_from"`           // the update from which the tape has such a part; nil: it has none
	OtherMade  string  `json:"other_with,omitempty"` // the arithmetic of that part

	Outside *uint64 `json:"outside_from"` // update after which an actor outside the server supplied data; nil: none did
	outside *Event  // its line
}

// Same reports whether everything that was compared is equal.
func (o *Outcome) Same() bool { return o.DiffersAt == nil }

// errReached ends a replay.
var errReached = errors.New("the end of the tape")

// Replay trains a tape's run again and makes its changes before the same updates. The outcome names the first line that
// differs: another build, another machine or an edited tape made it. Replay continues to the end, so that the outcome
// is a whole run. It refuses the tape of a live run, settings that this build does not know, and changes that the
// learner refuses.
func Replay(ctx context.Context, t *Tape, o Options) (Outcome, error) {
	l, outcome, err := Reach(ctx, t, o)
	if l != nil {
		l.Close()
	}
	return outcome, err
}

// Reach is Replay that also returns the learner, to inspect or to continue. To rewind a run, reach an earlier update. A
// fork continues from there with a tape that begins with Before of the same update. The caller closes the learner;
// after an error there is none.
func Reach(ctx context.Context, t *Tape, o Options) (*learner.Learner, Outcome, error) {
	end := o.Until
	switch last, _ := t.Last(); {
	case end > last:
		return nil, Outcome{}, fmt.Errorf("the tape ends at update %d: it does not reach update %d", last, end)
	case end == 0 && t.End() == nil:
		end = last
	}
	l, err := t.begin(&o)
	if err != nil {
		return nil, Outcome{}, err
	}
	f := Follow(t)
	f.until = o.Until
	hooks := o.Hooks
	hooks.Between = func(l *learner.Learner) error {
		if err := f.Between(l); err != nil {
			return err
		}
		if o.Hooks.Between != nil {
			if err := o.Hooks.Between(l); err != nil {
				return err
			}
		}
		if end > 0 && l.Updates() >= end || f.over(l) {
			return errReached
		}
		return nil
	}
	if end == 0 && t.End() == nil { // the run made no update
		err = f.Between(l)
	} else {
		_, err = l.Run(ctx, hooks)
	}
	switch {
	case err == nil:
		f.stopped(l)
	case !errors.Is(err, errReached):
		outcome := f.outcome(l)
		l.Close()
		return nil, outcome, err
	}
	return l, f.outcome(l), nil
}

// begin returns the learner of the tape's run, at its start or at the snapshot.
func (t *Tape) begin(o *Options) (*learner.Learner, error) {
	cfg, err := t.Config(o.Seed)
	if err != nil {
		return nil, err
	}
	if cfg.Mode == hyper.Live {
		return nil, errors.New("this tape is of a live run, whose actors race the learner: no replay gives the same " +
			"bytes; only mode=reference can be replayed")
	}
	if o.From == nil {
		o.Engine.Like = t.Arithmetic
		l, err := o.Engine.New(cfg)
		if err != nil {
			return nil, fmt.Errorf("the tape's settings: %w", err)
		}
		return l, nil
	}
	l, err := o.Engine.Resume(o.From)
	if err != nil {
		return nil, err
	}
	if o.Until > 0 && l.Updates() >= o.Until {
		err = fmt.Errorf("the snapshot is of update %d already, and the replay ends at %d", l.Updates(), o.Until)
	} else if cfg.Seed != l.Config().Seed {
		err = errors.New("the snapshot is of a run with another seed than the tape's")
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Follower makes a tape's changes in a learner, and compares its marks with the learner's parameters.
type Follower struct {
	rest  []Event
	until uint64  // leave out the changes made there; 0: leave out none
	begun *uint64 // the learner's first update; nil: it has not begun

	stretches []stretch // of the tape
	at        int       // the stretch of the newest line
	since     uint64    // the update at which the way of that stretch begins
	way       int       // the learner's, to compare with a stretch's
	Outcome
}

// Follow begins at the tape's first line. A learner that continues from a snapshot skips the lines before it. Changes
// made at the snapshot's own update are applied again.
func Follow(t *Tape) *Follower { return &Follower{rest: t.Events, stretches: t.stretches()} }

// Between compares and changes the learner as the tape says for its update. Call it in the Between hook.
func (f *Follower) Between(l *learner.Learner) error {
	if f.begun == nil {
		at := l.Updates()
		f.begun, f.Arithmetic = &at, l.Arithmetic()
		f.way, _ = beginning(l, f.stretches)
	}
	for len(f.rest) > 0 && f.rest[0].Update <= l.Updates() {
		e := f.rest[0]
		if e.Kind == Ended { // the learner is still running: over and stopped handle the end
			return nil
		}
		if f.pass(); e.Update < l.Updates() {
			continue
		}
		switch {
		case e.Kind == Marked:
			f.compare(e, l)
		case e.Kind == Changed && (f.until == 0 || e.Update < f.until):
			if err := f.change(e, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// pass goes to the next line. It begins the next stretch of the tape, or records the first actor outside the server.
func (f *Follower) pass() {
	e := f.rest[0]
	f.rest = f.rest[1:]
	switch {
	case e.Kind == Continued:
		if f.stretches[f.at+1].way != f.stretches[f.at].way {
			f.since = e.Update
		}
		f.at++
	case e.Kind == Outside && f.outside == nil:
		f.outside, f.Outside = &e, &e.Update
	}
}

// other reports and records whether the tape's parameters have another way than the learner's.
func (f *Follower) other() bool {
	now := &f.stretches[f.at]
	if now.way == f.way {
		return false
	}
	if f.OtherFrom == nil {
		since := f.since
		f.OtherFrom, f.OtherMade = &since, now.arithmetic
	}
	return true
}

func (f *Follower) change(e Event, l *learner.Learner) error {
	change, err := hyper.ParseChange(e.Key, e.To)
	if err != nil {
		return fmt.Errorf("the tape's change before update %d: %w", e.Update+1, err)
	}
	if e.Step != l.Steps() {
		f.differ(e, "the tape has it at step %d, and it is at step %d", e.Step, l.Steps())
	}
	before := l.Config().Get(e.Key)
	if before != e.From && e.Update != *f.begun {
		f.differ(e, "the tape changes %s from %s, and it was %s", e.Key, e.From, before)
	}
	if _, err := l.Apply(change); err != nil {
		return fmt.Errorf("the tape's change before update %d: %w", e.Update+1, err)
	}
	return nil
}

func (f *Follower) compare(e Event, l *learner.Learner) {
	if e.Step != l.Steps() {
		f.differ(e, "the tape has it at step %d, and it is at step %d", e.Step, l.Steps())
	}
	if f.other() {
		return
	}
	f.Checked++
	if now := l.ParamsSHA256(); now != e.ParamsSHA256 {
		f.differ(e, "the tape has parameters %.12s, and they are %.12s", e.ParamsSHA256, now)
	}
}

// differ records the first difference.
func (f *Follower) differ(e Event, format string, args ...any) {
	if f.DiffersAt == nil {
		f.DiffersAt, f.Why = &e.Update, fmt.Sprintf(format, args...)
		if f.outside != nil {
			f.Why += ": " + f.outside.outsideWords() + ", which the tape does not hold"
		}
	}
}

// over reports whether the learner has passed the end of the run on the tape.
func (f *Follower) over(l *learner.Learner) bool {
	if len(f.rest) == 0 || f.rest[0].Kind != Ended {
		return false
	}
	e := f.rest[0]
	if l.Updates() > e.Update || l.Updates() == e.Update && e.State == Done {
		if e.State == Done || !f.other() {
			f.differ(e, "the run on the tape was %s after it, and this one continues", e.State)
		}
		return true
	}
	return false
}

// stopped compares a learner whose run has ended with the end on the tape.
func (f *Follower) stopped(l *learner.Learner) {
	state := Done
	if l.Diverged() != "" {
		state = Diverged
	}
	all := f.rest
	for len(f.rest) > 0 {
		e := f.rest[0]
		f.pass()
		if (state == Diverged || e.State == Diverged) && f.other() { // one run may diverge where the other does not
			return
		}
		if e.Update != l.Updates() || e.Kind == Ended && e.State != state {
			f.differ(Event{Update: l.Updates()}, "this run is %s after it, and the tape continues to update %d", state,
				all[len(all)-1].Update)
			return
		}
		if e.Kind == Marked || e.Kind == Ended { // a change after the last update has no effect
			f.compare(e, l)
		}
	}
}

func (f *Follower) outcome(l *learner.Learner) Outcome {
	o := f.Outcome
	o.ParamsSHA256, o.Update, o.Step = l.ParamsSHA256(), l.Updates(), l.Steps()
	return o
}
