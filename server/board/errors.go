package board

import (
	"errors"
	"fmt"

	"impalab/server/store"
)

// Code is what kind of error crosses the border, for those who answer machines. The sentence is for people.
type Code string

const (
	NotFound Code = "not_found"
	Refused  Code = "refused"  // it cannot be, for a reason that the sentence gives
	TooFast  Code = "too_fast" // too much of one address waits already
	Full     Code = "full"
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

func refused(err error) error { return &Error{Refused, err} }

// kept is an error of the store as callers see it: what is full or away may be tried again.
func kept(err error) error {
	switch {
	case errors.Is(err, store.ErrFull), errors.Is(err, store.ErrUnavailable):
		return &Error{Full, fmt.Errorf("it could not be kept, so nothing has changed: %w", err)}
	case errors.Is(err, store.ErrNotFound):
		return &Error{NotFound, errors.New("the board has no such row")}
	}
	return err
}
