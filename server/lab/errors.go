package lab

import (
	"context"
	"errors"
	"fmt"
)

// Code is what kind of error crosses the lab's border, for those who answer machines. The sentence is for people.
type Code string

const (
	NotFound Code = "not_found" // no such run, or a key that is not its own: which of the two is nobody's business
	Refused  Code = "refused"   // it cannot be, for a reason that the sentence gives
	Conflict Code = "conflict"  // it cannot be now: the run is over, or there is another of that name
	Full     Code = "full"      // there is no room; later there may be
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

var errUnknownRun = &Error{NotFound, errors.New("there is no such run here, or the key is not its own")}

// refused is err with its code, unless it has one.
func refused(err error) error {
	if CodeOf(err) != "" {
		return err
	}
	if errors.Is(err, errRunOver) {
		return &Error{Conflict, err}
	}
	if errors.Is(err, errFull) || errors.Is(err, errUnkept) {
		return &Error{Full, err}
	}
	return &Error{Refused, err}
}

// unkept is what is answered where something was done and the store does not have it.
func unkept(done string, why error) error {
	if code := CodeOf(why); code == Conflict || code == NotFound || errors.Is(why, context.DeadlineExceeded) {
		return why
	}
	return &Error{Full, fmt.Errorf("%s, but cannot be kept: %w", done, why)}
}

// gone is why a run did not answer, for those who asked it.
func gone(why error) error {
	if errors.Is(why, errDeleted) {
		return errUnknownRun
	}
	return &Error{Full, why} // the store has the run: whoever asks again finds it
}
