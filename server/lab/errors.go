package lab

import (
	"context"
	"errors"
	"fmt"

	"impalab/server/coded"
)

// Code and Error are what crosses the border of this package.
type (
	Code  = coded.Code
	Error = coded.Error
)

const (
	NotFound = coded.NotFound // no such run, or a key that is not its own: which of the two is nobody's business
	Refused  = coded.Refused  // it cannot be, for a reason that the sentence gives
	Conflict = coded.Conflict // it cannot be now: the run is over, or there is another of that name
	Full     = coded.Full     // there is no room; later there may be
)

// CodeOf is the code of an error; "" for a fault of our own.
func CodeOf(err error) Code { return coded.Of(err) }

var errUnknownRun = &Error{Code: NotFound, Err: errors.New("there is no such run here, or the key is not its own")}

// refused is err with its code, unless it has one.
func refused(err error) error {
	if CodeOf(err) != "" {
		return err
	}
	if errors.Is(err, errRunOver) {
		return &Error{Code: Conflict, Err: err}
	}
	if errors.Is(err, errFull) || errors.Is(err, errUnkept) {
		return &Error{Code: Full, Err: err}
	}
	return &Error{Code: Refused, Err: err}
}

// unkept is what is answered where something was done and the store does not have it.
func unkept(done string, why error) error {
	if code := CodeOf(why); code == Conflict || code == NotFound || errors.Is(why, context.DeadlineExceeded) {
		return why
	}
	return &Error{Code: Full, Err: fmt.Errorf("%s, but cannot be kept: %w", done, why)}
}

// gone is why a run did not answer, for those who asked it.
func gone(why error) error {
	if errors.Is(why, errDeleted) {
		return errUnknownRun
	}
	return &Error{Code: Full, Err: why} // the store has the run: whoever asks again finds it
}
