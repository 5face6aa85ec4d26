package class

import (
	"errors"
	"strings"

	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/exercise"
	"impalab/server/store"
)

var (
	errForbidden = errcode.Errorf(errcode.Forbidden, "this is not yours: the key does not fit this room; join it, or "+
		"open the teacher's link")
	errGone   = errcode.Errorf(errcode.NotFound, "this room has been deleted")
	errClosed = errcode.Errorf(errcode.Conflict, "this room is closed: what you have sent is kept, and nothing more can "+
		"be sent")
	errNoRoom = errcode.Errorf(errcode.NotFound, "there is no room with this code; look at it again: it has six letters, "+
		"and no vowels")
	errNoTask = errcode.Errorf(errcode.Conflict, "your teacher has not come to this step yet, or the lesson has another "+
		"plan now")
	errOldPlan  = errcode.Errorf(errcode.Conflict, "this room's plan is of another build; choose one of GET /plans")
	errNoMemory = errcode.Errorf(errcode.Full, "the rooms that are in use take all the memory that this server has for "+
		"rooms; try again in a few minutes, or ask the server's host to raise --max-memory")
)

func refused(err error) error { return &errcode.Error{Code: errcode.Refused, Err: err} }

func unknownPlan(name string) error {
	var names []string
	for _, p := range exercise.Plans() {
		names = append(names, p.Name)
	}
	return refused(hyper.Unknown("plan", name, names, "plans: "+strings.Join(names, ", ")))
}

// storeError returns an error of the store as callers get it.
func storeError(err error) error {
	switch {
	case store.MayPass(err):
		return errcode.Errorf(errcode.Full, "it could not be kept, so nothing has changed: %w", err)
	case errors.Is(err, store.ErrNotFound):
		return errGone
	}
	return err
}
