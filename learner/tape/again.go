package tape

import (
	"context"
	"errors"

	"impalab/learner"
	"impalab/learner/telemetry"
)

// ErrEnough ends Again before its last update, without an error.
var ErrEnough = errors.New("enough was seen")

// Again has a learner that stands where the past begins learn it again, and calls seen behind each update from one to
// another: just before whatever was changed at that very moment. These updates are described to described, if it is
// there. Between any two, going's error ends it. It reports whether anything was seen.
func (p *Past) Again(l *learner.Learner, from, to uint64, going func() error, described func(*telemetry.Update),
	seen func() error) (any bool, err error) {
	next := from // to be seen
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
	if err == nil && l.Finished() { // behind its last update nothing is between two
		err = look()
	}
	if errors.Is(err, ErrEnough) {
		err = nil
	}
	return next > from, err
}
