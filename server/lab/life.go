package lab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"impalab/learner"
	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/web/actorwire"
	"impalab/web/watch"
	"impalab/web/wire"
)

// Why a run's goroutine ends.
var (
	errClosing = errors.New("the server is stopping") // the run is kept, and goes on when the server is there again
	errDropped = errors.New("the run is not held any more")
	errDeleted = errors.New("the run has been deleted")
	errStopped = errors.New("stopped by hand")
	// errUnkeepable: the store has something else of this run than the run says.
	errUnkeepable = errors.New("the run cannot be kept; the server's log has the details")
	errLost       = errors.New("another process goes on with the run")
)

var (
	// errGiveWay stops a learner because others are to have its room.
	errGiveWay = errors.New("give way")
	// errInternal is shown to people when the learner panics; the log has the details.
	errInternal = errors.New("an internal error stopped the learner; the server's log has the details; other settings " +
		"may work")
	// errRunOver refuses to change, play, pause or step a run that is over.
	errRunOver = errors.New("this run is over: begin another, or fork this one")
	// errQueued refuses to play, pause or step a run that waits for room.
	errQueued = errors.New("this run waits for room on the server, and begins by itself")
	// errLiveLeaves ends a live run that would have to rest.
	errLiveLeaves = errors.New("others need its room, and a live run cannot be kept: begin it again, or choose " +
		"mode=reference")
)

// live is the run's goroutine: it has a learner whenever there is room for one and somebody who wants it to go on.
func (r *Run) live() {
	defer r.release()
	defer r.end(errDropped)
	defer func() { r.remote.Close(context.Cause(r.ctx)) }()
	if r.record.elsewhere != "" {
		r.follow()
		return
	}
	for !wire.Over(r.now()) && r.waitForWatcher() {
		r.ask()
		if !r.waitForRoom() {
			break
		}
		err := r.train()
		r.release() // the learner is gone
		if err != nil && !errors.Is(err, errGiveWay) && !errors.Is(err, errStopped) && r.ctx.Err() == nil {
			r.setState(wire.StateStopped, err.Error())
		}
	}
	if r.ctx.Err() == nil {
		r.remote.Close(actorwire.Final{Reason: "the run is over"})
	}
	for r.ctx.Err() == nil { // it is over; people may still look at it
		r.refuseAll(errRunOver)
		r.waitForSignal()
	}
}

// now is the run's state.
func (r *Run) now() uint8 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// goesOn returns the state that the run takes up where it stands, and its reason: a pause lasts until somebody ends it.
func (r *Run) goesOn() (state uint8, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.paused {
		return wire.StatePaused, r.why
	}
	return wire.StateRunning, ""
}

// waitForSignal waits until something about the run has changed; false: it is not to be held any more.
func (r *Run) waitForSignal() bool {
	select {
	case <-r.wake:
		return true
	case <-r.ctx.Done():
		return false
	}
}

// waitForWatcher waits until somebody would miss the run; false: it is not to be held any more.
func (r *Run) waitForWatcher() bool {
	for r.ctx.Err() == nil && !r.unwatchedSince().IsZero() {
		if r.endAtRest() {
			return false
		}
		r.handleAtRest(errQueued)
		if !r.waitForSignal() {
			return false
		}
	}
	return r.ctx.Err() == nil
}

// waitForRoom waits until the run has its room; false: it is not to be held any more.
func (r *Run) waitForRoom() bool {
	told := ""
	for {
		r.mu.Lock()
		room, words, state := r.room, r.words, r.state
		r.mu.Unlock()
		switch {
		case room && state == wire.StateQueued:
			r.setState(r.goesOn())
			return true
		case room:
			return true
		case words != told:
			told = words
			r.setState(wire.StateQueued, words)
		}
		if r.endAtRest() {
			return false
		}
		r.handleAtRest(errQueued)
		if !r.waitForSignal() {
			return false
		}
	}
}

// endAtRest ends a run that was told to while it has no learner.
func (r *Run) endAtRest() bool {
	r.mu.Lock()
	ended := r.ended
	r.mu.Unlock()
	if ended {
		r.setState(wire.StateDone, errStopped.Error())
	}
	return ended
}

// train runs one learner from where the run stands until it is over or gives way.
func (r *Run) train() error {
	err := schedule.Catch(r.learn)
	if fault := (*schedule.Fault)(nil); errors.As(err, &fault) {
		r.lab.fault(r, fault)
		return errInternal
	}
	return err
}

// learn is train without a net below it: a panic on any of the learner's goroutines comes out of it, as an error or as
// a panic. While it waits, and while it ends what it began, it holds no core.
func (r *Run) learn() (err error) {
	ctx, end := context.WithCancelCause(r.ctx)
	defer end(nil)
	d := &loop{ctx: ctx, run: r}
	var l *learner.Learner
	defer func() {
		d.release()
		if d.watch != nil {
			d.watch.Close()
		}
		if l != nil {
			l.Close()
		}
		r.cores.Drain()
	}()
	d.hold()
	if l, d.past, err = r.resume(); err != nil {
		return err
	}
	d.learner = l
	if d.watch, err = watch.NewWatch(r.topic, r.record, r.cores, l, end); err != nil {
		return err
	}
	d.pace, d.report = watch.NewPace(l), r.report
	result, err := l.Run(ctx, learner.Hooks{Between: d.between, Due: d.due, Update: d.report.Update,
		Episode: d.report.Episode})
	d.report.Flush(l, true, err == nil) // how it ended, before it is said that it did
	r.stand(l)
	d.release()
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx) // the watch may have ended it
	}
	if errors.Is(err, actor.ErrNotFinite) {
		result.Diverged, err = err.Error(), nil
	}
	switch {
	case errors.Is(err, errDropped), errors.Is(err, errDeleted):
		return err
	case errors.Is(err, errGiveWay) && r.cfg.Mode == hyper.Live:
		return errLiveLeaves
	case err != nil && !errors.Is(err, errGiveWay) && !errors.Is(err, errClosing) && !errors.Is(err, errStopped):
		return err
	}
	if err != nil { // it may go on later, from where it stands
		d.hold() // a snapshot of a large network takes seconds
		r.snapshot(l, false)
		if errors.Is(err, errStopped) { // its tape has a mark where it stands, and no end: it could have gone on
			r.setState(wire.StateDone, err.Error())
		}
		return err
	}
	d.watch.Finish(l)
	if result.Diverged == "" {
		r.finish(l, wire.StateDone, fmt.Sprintf("the budget of %d steps is spent", l.Config().Steps))
	} else {
		r.finish(l, wire.StateDiverged, result.Diverged)
	}
	d.hold()
	r.snapshot(l, true)
	return nil
}

// ask asks for room for the settings in force.
func (r *Run) ask() {
	r.mu.Lock()
	r.room, r.leave = false, false
	cfg := r.cfg
	r.mu.Unlock()
	r.claim = &claim{tenant: r, address: r.spec.Owner.Address, purpose: r.spec.Purpose, bytes: r.lab.bytes(&cfg)}
	r.lab.budget.ask(r.claim)
}

// grow asks for the room that a hot setting takes, or gives some back.
func (r *Run) grow(cfg *hyper.Config) error {
	if bytes := r.lab.bytes(cfg); r.claim != nil && bytes != r.claim.bytes && !r.lab.budget.resize(r.claim, bytes) {
		return fmt.Errorf("there is no room for that on the server now: the run would take %s of memory", formatBytes(bytes))
	}
	return nil
}

// release gives the room back.
func (r *Run) release() {
	if r.claim != nil {
		r.mu.Lock()
		r.room = false
		r.mu.Unlock()
		r.lab.budget.release(r.claim)
		r.claim = nil
	}
}

// A run is a tenant of the lab's budget.

func (r *Run) admitted() {
	r.mu.Lock()
	r.room = true
	r.mu.Unlock()
	r.signal()
}

func (r *Run) queued(place int, wait time.Duration) {
	words := queuedWords(place, wait)
	r.mu.Lock()
	news := words != r.words
	r.words = words
	r.mu.Unlock()
	if news {
		r.signal()
	}
}

func (r *Run) giveWay() {
	r.mu.Lock()
	r.leave = true
	r.mu.Unlock()
	r.signal()
}

func (r *Run) drop() { r.end(errDropped) }

// putAway has a learner that rests give its memory back. A live one stays: it could not go on.
func (r *Run) putAway() {
	r.mu.Lock()
	resting := r.room && !r.leave && r.cfg.Mode != hyper.Live
	r.mu.Unlock()
	if resting {
		r.giveWay()
	}
}

// mustLeave is why the learner is to stop, if it is.
func (r *Run) mustLeave() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.ended:
		return errStopped
	case r.leave:
		return errGiveWay
	}
	return nil
}
