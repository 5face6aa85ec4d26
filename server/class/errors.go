package class

import (
	"errors"
	"fmt"
	"strings"

	"impalab/learner/hyper"
	"impalab/server/coded"
	"impalab/server/exercise"
	"impalab/server/store"
)

// Code and Error are what crosses the border of this package.
type (
	Code  = coded.Code
	Error = coded.Error
)

const (
	NotFound  = coded.NotFound
	Forbidden = coded.Forbidden // the key or the secret is not one for this
	Refused   = coded.Refused   // it cannot be, for a reason that the sentence gives
	Conflict  = coded.Conflict  // it cannot be now
	Full      = coded.Full
	TooFast   = coded.TooFast
)

// CodeOf is the code of an error; "" for a fault of our own.
func CodeOf(err error) Code { return coded.Of(err) }

func refused(format string, args ...any) error {
	return &Error{Code: Refused, Err: fmt.Errorf(format, args...)}
}

// unknownPlan refuses a plan's name.
func unknownPlan(name string) error {
	var names []string
	for _, p := range exercise.Plans() {
		names = append(names, p.Name)
	}
	return &Error{Code: Refused, Err: hyper.Unknown("plan", name, names, "plans: "+strings.Join(names, ", "))}
}

func conflict(sentence string) error { return &Error{Code: Conflict, Err: errors.New(sentence)} }

var (
	errForbidden = &Error{Code: Forbidden,
		Err: errors.New("this is not yours: the key does not fit this room; join it, or open " +
			"the teacher's link")}

	errGone   = &Error{Code: NotFound, Err: errors.New("this room has been deleted")}
	errClosed = conflict("this room is closed: what you have sent is kept, and nothing more can be sent")
)

// kept is an error of the store as callers see it: what is full or away may be tried again.
func kept(err error) error {
	switch {
	case err == nil:
		return nil
	case store.MayPass(err):
		return &Error{Code: Full, Err: fmt.Errorf("it could not be kept, so nothing has changed: %w", err)}
	case errors.Is(err, store.ErrNotFound):
		return errGone
	}
	return err
}
