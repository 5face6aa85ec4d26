package lab

import (
	"context"
	"errors"

	"impalab/server/errcode"
	"impalab/server/store"
)

// Shorten keeps a link's fragment and returns the code that stands for it: the same one for the same fragment.
func (l *Lab) Shorten(ctx context.Context, fragment string) (code string, err error) {
	err = l.store.Do(ctx, func(tx *store.Tx) (err error) {
		code, err = tx.Shorten(fragment)
		return err
	})
	switch {
	case errors.Is(err, store.ErrInvalid):
		return "", &errcode.Error{Code: errcode.Refused, Err: err}
	}
	return code, store.Coded(err, errUnknownLink)
}

// Expand is the fragment that a code stands for.
func (l *Lab) Expand(ctx context.Context, code string) (fragment string, err error) {
	fragment, err = store.Get(ctx, l.store, func(tx *store.Tx) (string, error) { return tx.Expand(code) })
	switch {
	case errors.Is(err, store.ErrNotFound):
		return "", errUnknownLink
	case errors.Is(err, store.ErrUnavailable):
		return "", &errcode.Error{Code: errcode.Full, Err: err}
	}
	return fragment, err
}

var errUnknownLink = errcode.Errorf(errcode.NotFound, "there is no such short link here: it may be mistyped, or of "+
	"another server")
