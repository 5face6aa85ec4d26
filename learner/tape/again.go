package tape

import (
	"context"
	"errors"

	"impalab/learner"
	"impalab/learner/telemetry"
)

// ErrEnough ends Again before its last update, without an error.
var ErrEnough = errors.New("enough was seen")

// Again lets a learner that stands at the start of the past learn it again. It calls seen after each update from one to
// another, before the changes made there, and described with the description of each of these updates; nil: none is
// wanted. An error of going, which is called between two updates, ends it. It reports whether seen was called.
func (p *Past) Again(l *learner.Learner, from, to uint64, going func() error, described func(*telemetry.Update),
	seen func() error) (any bool, err error) {
	next := from // the next update for seen
	look := func() error {
		if l.Updates() < next {
			return nil
		}
		next++
		return seen()
	}
	_, err = l.Run(context.Background(), learner.Hooks{
		Due:    func() bool { return l.Updates()+1 >= from },
		Update: described,
		Between: func(*learner.Learner) error {
			if err := going(); err != nil {
				return err
			}
			if err := look(); err != nil {
				return err
			}
			if next > to {
				return ErrEnough
			}
			_, err := p.Apply(l)
			return err
		}})
	if err == nil && l.Finished() { // the Between hook is not called after the last update
		err = look()
	}
	if errors.Is(err, ErrEnough) {
		err = nil
	}
	return next > from, err
}
