package lab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"impalab/learner"
	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/work"
	"impalab/web/wire"
)

var (
	// errRestart stops a learner because another is to begin.
	errRestart = errors.New("begin anew")
	// errGiveWay stops a learner because others are to have its room.
	errGiveWay = errors.New("give way")
	// errInternal is shown to people when the learner panics; the log has the details.
	errInternal = errors.New("an internal error stopped the learner; the server's log has the details; other settings may work")
	// errRunOver refuses to play, pause or step a run that is over.
	errRunOver = errors.New("this run is over; start it again")
	// errQueued refuses the same to a run that waits for room.
	errQueued = errors.New("this run waits for room on the server, and begins by itself")
)

// loop is the run's goroutine: one learner after another, until the run is dropped.
func (r *Run) loop() {
	defer r.release()
	defer r.end()
	defer r.topic.Close("this run has ended; reload the page to begin another")
	defer r.shelf.clear(r.id)
	for r.waitForRoom() {
		again, err := r.train()
		switch {
		case r.ctx.Err() != nil:
			return
		case errors.Is(err, errGiveWay):
			r.release()
			if !r.waitForWatcher() {
				return
			}
			r.ask()
			continue
		case again == nil:
			if err != nil {
				r.setState(wire.StateStopped, err.Error())
			}
			r.release() // the learner is gone
			if again = r.waitForRestart(); again == nil {
				return
			}
		}
		r.restart(again)
	}
}

// restart makes a new configuration the one in force, and sees to its room.
func (r *Run) restart(o *plan) {
	r.mu.Lock()
	r.cfg, r.preset, r.unknown = o.cfg, o.preset, nil
	r.mu.Unlock()
	if r.claim == nil || !r.lab.budget.resize(r.claim, r.lab.bytes(&o.cfg)) {
		r.release()
		r.ask()
	}
	r.mu.Lock()
	if r.state = wire.StateRunning; !r.room {
		r.state = wire.StateQueued
	}
	r.mu.Unlock()
	r.steps.Store(0)
	r.topic.Begin(r.welcome())
}

// waitForWatcher waits until somebody would miss the run; false: it has been dropped.
func (r *Run) waitForWatcher() bool {
	for r.watchers() == 0 {
		select {
		case <-r.wake:
		case <-r.ctx.Done():
			return false
		}
	}
	return true
}

// waitForRoom waits until the run has its room; false: it has been dropped. A restart meanwhile changes what it begins
// with, and what it would have gone on from is of no use any more.
func (r *Run) waitForRoom() bool {
	told, resume := "", wire.StateRunning
	for {
		r.mu.Lock()
		room, words, state := r.room, r.words, r.state
		r.mu.Unlock()
		switch {
		case room && state == wire.StateQueued:
			r.setState(resume, "")
			return true
		case room:
			return true
		case words != told:
			if state == wire.StatePaused {
				resume = state
			}
			told = words
			r.setState(wire.StateQueued, words)
		}
		if o := r.idle(errQueued); o != nil {
			resume, told = wire.StateRunning, ""
			r.shelf.clear(r.id)
			r.restart(o)
			continue
		}
		select {
		case <-r.wake:
		case <-r.ctx.Done():
			return false
		}
	}
}

// waitForRestart waits, after a run is over, until a browser asks for a restart. Settings still change meanwhile.
func (r *Run) waitForRestart() *plan {
	for {
		if o := r.idle(errRunOver); o != nil {
			return o
		}
		select {
		case <-r.wake:
		case <-r.ctx.Done():
			return nil
		}
	}
}

// idle carries out what is asked while there is no learner, up to a restart, which it returns. To play, pause or step is
// refused.
func (r *Run) idle(refusal error) *plan {
	for req, ok := r.nextRequest(); ok; req, ok = r.nextRequest() {
		o, err := r.planned(req)
		switch {
		case err != nil:
		case o != nil:
			return o
		case req.goesOn():
			err = r.prepare(req)
		default:
			err = refusal
		}
		if err != nil {
			r.refuse(req, err)
		}
	}
	return nil
}

// train runs one learner, or goes on with one that gave way, to its end. It returns the plan of the restart that was
// asked for, if any.
func (r *Run) train() (again *plan, err error) {
	err = work.Catch(func() (err error) {
		again, err = r.learn()
		return err
	})
	if fault := (*work.Fault)(nil); errors.As(err, &fault) {
		r.lab.fault(r, fault)
		return nil, errInternal
	}
	return again, err
}

// learn is train without a net below it: a panic on any of the learner's goroutines comes out of it, as an error or as
// a panic. While it waits, and while it ends what it began, it holds no core.
func (r *Run) learn() (again *plan, err error) {
	ctx, end := context.WithCancelCause(r.ctx)
	defer end(nil)
	d := &loop{ctx: ctx, run: r}
	var l *learner.Learner
	defer func() {
		d.release()
		if d.watch != nil {
			d.watch.close()
		}
		if l != nil {
			l.Close()
		}
		r.cores.Drain()
	}()
	d.hold()
	if l, err = r.newLearner(); err != nil {
		return nil, err
	}
	if d.watch, err = newWatch(r, l, end); err != nil {
		return nil, err
	}
	d.pace, d.report = newPace(l), newReport(r.topic, l)
	result, err := l.Run(ctx, learner.Hooks{Between: d.between, Due: d.due, Update: d.report.update, Episode: d.report.episode})
	r.steps.Store(l.Steps())
	d.report.flush(l, true) // how it ended, before it is said that it did
	d.release()
	switch {
	case errors.Is(err, errRestart):
		return d.again, nil
	case errors.Is(err, errGiveWay):
		d.hold()
		if blob, err := l.Snapshot(); err == nil { // else it is live, and begins anew
			if err := r.shelf.put(r.id, blob); err != nil {
				r.lab.opts.Log.Error("a run gave way and begins anew", "run", r.id, "error", err)
			}
		}
		return nil, errGiveWay
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx) // the watch may have ended it
	}
	if errors.Is(err, actor.ErrNotFinite) {
		result.Diverged, err = err.Error(), nil
	}
	if err != nil {
		return nil, err
	}
	d.watch.finish(l)
	if result.Diverged == "" {
		r.setState(wire.StateFinished, fmt.Sprintf("the budget of %d steps is spent", l.Config().Steps))
		return nil, nil
	}
	d.hold()
	r.setState(wire.StateDiverged, result.Diverged+r.lab.saveSnapshot(r.id, l))
	return nil, nil
}

// newLearner makes the learner of the settings in force, or goes on with the one that gave way under them: hot settings
// may have changed while it waited.
func (r *Run) newLearner() (*learner.Learner, error) {
	r.mu.Lock()
	cfg := r.cfg
	r.mu.Unlock()
	saved, err := r.shelf.take(r.id)
	if err != nil {
		r.lab.opts.Log.Error("a run that gave way begins anew", "run", r.id, "error", err)
	}
	if saved == nil || err != nil {
		return learner.NewOn(r.cores, cfg)
	}
	l, err := learner.ResumeOn(r.cores, saved)
	if err != nil {
		return nil, err
	}
	for _, s := range cfg.Settings() {
		if l.Config().Get(s.Key) != s.Value {
			change, err := hyper.ParseChange(s.Key, s.Value)
			if err == nil {
				_, err = l.Apply(change)
			}
			if err != nil {
				l.Close()
				return nil, err
			}
		}
	}
	return l, nil
}

// ask asks for room for the settings in force.
func (r *Run) ask() {
	r.mu.Lock()
	r.room, r.leave = false, false
	cfg := r.cfg
	r.mu.Unlock()
	r.claim = &claim{tenant: r, address: r.address, bytes: r.lab.bytes(&cfg)}
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

func (r *Run) drop() { r.end() }

// putAway has a learner that rests give its memory back. A live one stays: it could not go on.
func (r *Run) putAway() {
	r.mu.Lock()
	resting := r.room && !r.leave && r.cfg.Mode != hyper.Live
	r.mu.Unlock()
	if resting {
		r.giveWay()
	}
}

// mustLeave reports whether the run is to give way.
func (r *Run) mustLeave() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.leave
}
