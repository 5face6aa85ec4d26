package board

import (
	"errors"

	"impalab/server/errcode"
	"impalab/server/store"
)

func refused(err error) error { return &errcode.Error{Code: errcode.Refused, Err: err} }

// kept is an error of the store as callers see it: what is full or away may be tried again.
func kept(err error) error {
	switch {
	case store.MayPass(err):
		return errcode.Errorf(errcode.Full, "it could not be kept, so nothing has changed: %w", err)
	case errors.Is(err, store.ErrNotFound):
		return errcode.Errorf(errcode.NotFound, "the board has no such row")
	}
	return err
}
