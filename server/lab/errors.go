package lab

import (
	"context"
	"errors"

	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/runloop"
)

var errUnknownRun = errcode.Errorf(errcode.NotFound, "run not found, or wrong key")

// refused returns err with its code.
func refused(err error) error {
	code := errcode.Refused
	switch {
	case errcode.Of(err) != "":
		return err
	case errors.Is(err, runloop.ErrOver):
		code = errcode.Conflict
	case errors.Is(err, errFull), errors.Is(err, errUnkept):
		code = errcode.Full
	}
	return &errcode.Error{Code: code, Err: err}
}

// unkept is the answer where something was done and the store does not have it.
func unkept(done string, why error) error {
	if code := errcode.Of(why); code == errcode.Conflict || code == errcode.NotFound ||
		errors.Is(why, context.DeadlineExceeded) {
		return why
	}
	return errcode.Errorf(errcode.Full, "%s, but is not stored: %w", done, Unstored(why))
}

// Unstored returns the reason that visitors read when the store fails. The log has the store's own words and its paths.
func Unstored(err error) error {
	if errors.Is(err, store.ErrFull) {
		return errFull
	}
	return errUnkept
}

// noAnswer returns the error of a run that did not answer.
func noAnswer(why error) error {
	if errors.Is(why, ErrDeleted) {
		return errUnknownRun
	}
	return &errcode.Error{Code: errcode.Full, Err: why} // the store has the run: who asks again finds it
}
