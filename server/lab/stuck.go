package lab

import (
	"context"
	"errors"

	"impalab/web/wire"
)

// stuck returns why nothing can be stored at the moment, for people, or nil.
func (l *Lab) stuck() error {
	if reason := l.full.Load(); reason != nil {
		return *reason
	}
	return nil
}

// noteKept notes whether the store works, and tells the pages: runs wait while it does not, so that nothing is lost. It
// ignores an error of a caller who has gone.
func (l *Lab) noteKept(ctx context.Context, err error) {
	before := l.stuck()
	switch {
	case err != nil && ctx.Err() != nil:
	case err == nil && before != nil:
		l.full.Store(nil)
		l.opts.Log.Info("runs are stored again")
		l.notifyAll("")
	case err != nil && before == nil && l.ctx.Err() == nil:
		reason := Unstored(err)
		l.full.Store(&reason)
		l.opts.Log.Error("runs cannot be stored, and wait", "error", err)
		l.notifyAll(reason.Error())
	}
}

var (
	errFull   = errors.New("the server's disk is full: runs wait, and continue when there is room again")
	errUnkept = errors.New("the server cannot store runs at the moment: they wait, and continue when it can; its log " +
		"has the details")
)

// notifyAll tells the pages of all runs that have not ended that they wait, or that they continue.
func (l *Lab) notifyAll(reason string) {
	for _, r := range l.hosted() {
		shown := r.State().Wire()
		if wire.Over(shown) {
			continue
		}
		if reason != "" && shown == wire.StateRunning {
			shown = wire.StatePaused
		}
		r.Topic.Publish(&wire.Status{State: shown, Reason: reason}, 0)
		r.Signal()
	}
}
