package class

import (
	"errors"
	"fmt"

	"impalab/server/store"
)

// Code is what kind of error crosses the border, for those who answer machines. The sentence is for people.
type Code string

const (
	NotFound  Code = "not_found"
	Forbidden Code = "forbidden" // the key or the secret is not one for this
	Refused   Code = "refused"   // it cannot be, for a reason that the sentence gives
	Conflict  Code = "conflict"  // it cannot be now
	Full      Code = "full"
	TooFast   Code = "too_fast"
)

// Error is an error with its code.
type Error struct {
	Code Code
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// CodeOf is the code of an error; "" for a fault of our own.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func refused(format string, args ...any) error { return &Error{Refused, fmt.Errorf(format, args...)} }
func conflict(sentence string) error           { return &Error{Conflict, errors.New(sentence)} }

var (
	errForbidden = &Error{Forbidden, errors.New("this is not yours: the key does not fit this room; join it, or open " +
		"the teacher's link")}
	errGone   = &Error{NotFound, errors.New("this room has been deleted")}
	errClosed = conflict("this room is closed: what you have sent is kept, and nothing more can be sent")
)

// kept is an error of the store as callers see it: what is full or away may be tried again.
func kept(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrFull), errors.Is(err, store.ErrUnavailable):
		return &Error{Full, fmt.Errorf("it could not be kept, so nothing has changed: %w", err)}
	case errors.Is(err, store.ErrNotFound):
		return errGone
	}
	return err
}
