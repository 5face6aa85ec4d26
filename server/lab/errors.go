package lab

import (
	"context"
	"errors"

	"impalab/server/errcode"
	"impalab/server/store"
)

var errUnknownRun = errcode.Errorf(errcode.NotFound, "run not found, or wrong key")

// refused is err with its code, unless it has one.
func refused(err error) error {
	if errcode.Of(err) != "" {
		return err
	}
	if errors.Is(err, errRunOver) {
		return &errcode.Error{Code: errcode.Conflict, Err: err}
	}
	if errors.Is(err, errFull) || errors.Is(err, errUnkept) {
		return &errcode.Error{Code: errcode.Full, Err: err}
	}
	return &errcode.Error{Code: errcode.Refused, Err: err}
}

// unkept is what is answered where something was done and the store does not have it.
func unkept(done string, why error) error {
	if code := errcode.Of(why); code == errcode.Conflict || code == errcode.NotFound ||
		errors.Is(why, context.DeadlineExceeded) {
		return why
	}
	return errcode.Errorf(errcode.Full, "%s, but is not stored: %w", done, unstored(why))
}

// unstored returns the reason that visitors read when the store fails. The log has the store's own words and its paths.
func unstored(err error) error {
	if errors.Is(err, store.ErrFull) {
		return errFull
	}
	return errUnkept
}

// gone is why a run did not answer, for those who asked it.
func gone(why error) error {
	if errors.Is(why, errDeleted) {
		return errUnknownRun
	}
	return &errcode.Error{Code: errcode.Full, Err: why} // the store has the run: whoever asks again finds it
}
