package tape

import (
	"context"
	"errors"
	"fmt"

	"impalab/learner"
	"impalab/learner/hyper"
)

// Options are how a tape is replayed. The zero value replays all of it on every core.
type Options struct {
	Engine learner.Engine                   // what it is learned on
	Until  uint64                           // stop after this update, before the changes there; 0: where the tape ends
	From   []byte                           // a snapshot of the run on the way, to begin at; nil: at the start
	Seed   func(ref string) (uint64, error) // resolves a seed that the tape only refers to; nil: it cannot be
	Hooks  learner.Hooks                    // who else listens; its Between comes after the tape's
}

// Outcome is what a replay came to.
type Outcome struct {
	ParamsSHA256 string // of the parameters it ended with
	Update, Step uint64
	Checked      int     // lines of the tape whose parameters were compared
	DiffersAt    *uint64 // the update of the first line that does not hold; nil: all hold
	Why          string  // what does not hold there

	// Arithmetic is the learner's. Where a part of the tape was made with another, other parameters are to be expected: no
	// hash of that part is compared, nor whether the run diverged.
	Arithmetic string
	Other      bool   // there is such a part,
	OtherFrom  uint64 // from this update on
	OtherMade  string // with this arithmetic

	Outside *uint64 // the update after which an actor from outside first supplied data, which the tape lacks; nil: none
	outside *Event  // that line
}

// Same reports whether everything that was compared was equal.
func (o *Outcome) Same() bool { return o.DiffersAt == nil }

// errReached stops a replay where it is to end.
var errReached = errors.New("the end of the tape")

// Replay trains a tape's run again, makes its changes before the same updates, and says at which line, if at any, it
// came to something else: another build, another machine, or an edited tape. After that it goes on to the end, so that
// the outcome is a whole run. A tape that cannot be replayed is an error: a live run's, one with settings that this
// build does not have, and one whose changes the learner refuses.
func Replay(ctx context.Context, t *Tape, o Options) (Outcome, error) {
	l, outcome, err := Reach(ctx, t, o)
	if l != nil {
		l.Close()
	}
	return outcome, err
}

// Reach is Replay that hands over the learner as it then stands, to look at or to go on from: rewinding a run is
// Reach of an earlier update, and a fork goes on from there with a tape that begins with Before of the same update.
// The caller closes the learner. With an error there is none.
func Reach(ctx context.Context, t *Tape, o Options) (*learner.Learner, Outcome, error) {
	end := o.Until
	switch last, _ := t.Last(); {
	case end > last:
		return nil, Outcome{}, fmt.Errorf("the tape ends at update %d: it does not say what was done up to %d", last, end)
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
	if end == 0 && t.End() == nil { // nothing was ever learned
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

// begin is the learner of the tape's run, at its start or at the snapshot.
func (t *Tape) begin(o *Options) (*learner.Learner, error) {
	cfg, err := t.Config(o.Seed)
	if err != nil {
		return nil, err
	}
	if cfg.Mode == hyper.Live {
		return nil, errors.New("this tape is of a live run, whose actors race the learner: no replay comes to the same " +
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
		err = fmt.Errorf("the snapshot stands at update %d already, and the replay is to end at %d", l.Updates(), o.Until)
	} else if cfg.Seed != l.Config().Seed {
		err = errors.New("the snapshot is of a run with another seed than the tape's")
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Follower makes a tape's changes in a learner, and compares its marks with what the learner has come to.
type Follower struct {
	rest  []Event
	until uint64  // changes made there are left out; 0: none are
	begun *uint64 // the update at which the learner began to follow; nil: it has not

	stretches []stretch // of the tape,
	at        int       // which the newest of its lines belongs to,
	since     uint64    // and the update at which that begins
	way       int       // the learner's, to compare with a stretch's
	Outcome
}

// Follow begins at the tape's first line. A learner that goes on from a snapshot passes over what lies before it; of
// the changes at the snapshot's own update it may have had some, and is made them once more.
func Follow(t *Tape) *Follower { return &Follower{rest: t.Events, stretches: t.stretches()} }

// Between compares and changes what the tape has for the present update. It belongs in the Between hook.
func (f *Follower) Between(l *learner.Learner) error {
	if f.begun == nil {
		at := l.Updates()
		f.begun, f.Arithmetic = &at, l.Arithmetic()
		f.way, _ = beginning(l, f.stretches)
	}
	for len(f.rest) > 0 && f.rest[0].Update <= l.Updates() {
		e := f.rest[0]
		if e.Kind == Ended { // that it is here says that the learner has not ended: over and stopped see to it
			return nil
		}
		f.rest = f.rest[1:]
		switch e.Kind {
		case Continued:
			f.goOn(e)
		case Outside:
			f.supplied(e)
		}
		if e.Update < l.Updates() {
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

// goOn is where the next stretch of the tape begins.
func (f *Follower) goOn(e Event) {
	if now := f.at + 1; f.stretches[now].way != f.stretches[f.at].way {
		f.since = e.Update
	}
	f.at++
}

// other reports whether the tape's parameters are of another way than the learner's here, and notes it.
func (f *Follower) other() bool {
	now := &f.stretches[f.at]
	if now.way == f.way {
		return false
	}
	if !f.Other {
		f.Other, f.OtherFrom, f.OtherMade = true, f.since, now.arithmetic
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

// differ keeps the first difference.
func (f *Follower) differ(e Event, format string, args ...any) {
	if f.DiffersAt == nil {
		f.DiffersAt, f.Why = &e.Update, fmt.Sprintf(format, args...)
		if f.outside != nil {
			f.Why += ": " + f.outside.outsideWords() + ", which the tape does not hold"
		}
	}
}

// supplied keeps the first line of an actor from outside.
func (f *Follower) supplied(e Event) {
	if f.outside == nil {
		f.outside, f.Outside = &e, &e.Update
	}
}

// over reports whether the learner has gone past the end of the run on the tape.
func (f *Follower) over(l *learner.Learner) bool {
	if len(f.rest) == 0 || f.rest[0].Kind != Ended {
		return false
	}
	e := f.rest[0]
	if l.Updates() > e.Update || l.Updates() == e.Update && e.State == Done {
		if e.State == Done || !f.other() {
			f.differ(e, "the run on the tape was %s after it, and this one goes on", e.State)
		}
		return true
	}
	return false
}

// stopped compares a learner whose run has ended with how the tape says that it did.
func (f *Follower) stopped(l *learner.Learner) {
	state := Done
	if l.Diverged() != "" {
		state = Diverged
	}
	for ; len(f.rest) > 0; f.rest = f.rest[1:] {
		e := f.rest[0]
		switch e.Kind {
		case Continued:
			f.goOn(e)
		case Outside:
			f.supplied(e)
		}
		if (state == Diverged || e.State == Diverged) && f.other() { // either may, and the other not
			return
		}
		if e.Update != l.Updates() || e.Kind == Ended && e.State != state {
			f.differ(Event{Update: l.Updates()}, "this run is %s after it, and the tape goes on to update %d", state,
				f.rest[len(f.rest)-1].Update)
			return
		}
		if e.Kind == Marked || e.Kind == Ended { // a change after the last update is none
			f.compare(e, l)
		}
	}
}

func (f *Follower) outcome(l *learner.Learner) Outcome {
	o := f.Outcome
	o.ParamsSHA256, o.Update, o.Step = l.ParamsSHA256(), l.Updates(), l.Steps()
	return o
}
