package class

import (
	"errors"
	"strings"

	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/exercise"
	"impalab/server/store"
)

// unknownPlan refuses a plan's name.
func unknownPlan(name string) error {
	var names []string
	for _, p := range exercise.Plans() {
		names = append(names, p.Name)
	}
	return &errcode.Error{Code: errcode.Refused, Err: hyper.Unknown("plan", name, names, "plans: "+
		""+strings.Join(names, ", "))}
}

var (
	errForbidden = errcode.Errorf(errcode.Forbidden, "this is not yours: the key does not fit this room; join it, or "+
		"open "+
		"the teacher's link")

	errGone   = errcode.Errorf(errcode.NotFound, "this room has been deleted")
	errClosed = errcode.Errorf(errcode.Conflict, "this room is closed: what you have sent is kept, and nothing more "+
		"can be sent")
)

// kept is an error of the store as callers see it: what is full or away may be tried again.
func kept(err error) error {
	switch {
	case err == nil:
		return nil
	case store.MayPass(err):
		return errcode.Errorf(errcode.Full, "it could not be kept, so nothing has changed: %w", err)
	case errors.Is(err, store.ErrNotFound):
		return errGone
	}
	return err
}
