package board

import (
	"errors"
	"fmt"

	"impalab/server/coded"
	"impalab/server/store"
)

// Code and Error are what crosses the border of this package.
type (
	Code  = coded.Code
	Error = coded.Error
)

const (
	NotFound = coded.NotFound
	Refused  = coded.Refused // it cannot be, for a reason that the sentence gives
	TooFast  = coded.TooFast // too much of one address waits already
	Full     = coded.Full
)

// CodeOf is the code of an error; "" for a fault of our own.
func CodeOf(err error) Code { return coded.Of(err) }

func refused(err error) error { return &Error{Code: Refused, Err: err} }

// kept is an error of the store as callers see it: what is full or away may be tried again.
func kept(err error) error {
	switch {
	case store.MayPass(err):
		return &Error{Code: Full, Err: fmt.Errorf("it could not be kept, so nothing has changed: %w", err)}
	case errors.Is(err, store.ErrNotFound):
		return &Error{Code: NotFound, Err: errors.New("the board has no such row")}
	}
	return err
}
