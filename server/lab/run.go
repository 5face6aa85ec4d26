package lab

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/remote"
	"impalab/learner/schedule"
	"impalab/learner/tape"
	"impalab/server/store"
	"impalab/web/actorwire"
	"impalab/web/hub"
	"impalab/web/runloop"
	"impalab/web/watch"
	"impalab/web/wire"
)

// Run is one run that the lab holds. It is the host of its loop: the loop owns the learner, the lab gives it memory,
// cores and a store.
type Run struct {
	runloop.Run
	lab    *Lab
	spec   Spec
	events events // all that the topic tells goes through it
	record *record
	remote *remote.Actors  // actors in other processes
	ctx    context.Context // ends when the run is held no more
	stop   context.CancelCauseFunc
	gone   chan struct{} // closed when the store then has all of it
	claim  *claim        // nil while it needs no memory; of the run's goroutine
	bytes  float64       // that it takes, by estimate; of the run's goroutine
	begun  time.Time     // zero if the store had the run before
	urgent atomic.Bool   // a caller waits until it is stored

	heldFor string // hash of the address that it counts for among the held runs; "": none

	mu      sync.Mutex
	forked  bool // it has a fork, and is worth storing
	dropped bool // it is not worth storing
}

// Why the lab stops holding a run, or stops its learner.
var (
	errClosing    = runloop.Interrupted("the server is stopping") // the run continues when the server is there again
	errStopped    = runloop.Interrupted("stopped by hand")
	ErrDropped    = errors.New("the run has left memory")
	ErrDeleted    = errors.New("the run has been deleted")
	ErrLost       = errors.New("another process continues the run")
	ErrUnstorable = errors.New("the run cannot be stored; the server's log has the details") // the store contradicts it
	errInternal   = errors.New("an internal error stopped the learner; the server's log has the details; other " +
		"settings may work")
)

var (
	errQueued   = errors.New("this run waits for room on the server, and begins by itself")
	errLiveGone = errors.New("a live run cannot continue after the server has stopped: start it again, or choose " +
		"mode=reference")
	errLiveLeaves = errors.New("other runs need its memory, and a live run cannot be stored: start it again, or choose " +
		"mode=reference")
	// errFixed refuses to change or pause a run of a sweep: its cell would be of other settings than it says.
	errFixed = errors.New("this run follows the plan of its sweep: fork it, and change the fork")
)

// host puts a run with this record into memory, and publishes its past.
func (l *Lab) host(spec Spec, rec *record, bytes float64) *Run {
	r := &Run{lab: l, spec: spec, record: rec, bytes: bytes, remote: remote.NewActors(), gone: make(chan struct{})}
	r.Run = runloop.Run{ID: rec.id, Build: l.opts.Build, Link: &r.spec.Link, From: spec.From, Record: rec.Record, Host: r,
		Cores: l.cores.Share(spec.Owner.Address+" "+spec.Purpose.String(), purposes[spec.Purpose].weight),
		Topic: l.hub.Topic(hub.History, uint64(time.Now().UnixMicro()))} // later than any earlier number
	r.events.topic = r.Topic
	r.ctx, r.stop = context.WithCancelCause(l.ctx)
	switch {
	case rec.elsewhere:
		r.Begin(runloop.Queued, "")
	case rec.state == store.Paused:
		r.Begin(runloop.Paused, rec.reason)
	case rec.state == store.Done:
		r.Begin(runloop.Done, rec.reason)
	case rec.state == store.Diverged:
		r.Begin(runloop.Diverged, rec.reason)
	case rec.state == "":
		r.begun = time.Now()
		r.BeginLinked()
	default:
		r.Begin(runloop.Running, "")
	}
	if rec.state != "" {
		rec.SetPublished(nil, nil) // the store has them
	}
	return r
}

// live is the run's goroutine.
func (r *Run) live() {
	if err := schedule.Catch(func() error { r.train(); return nil }); err != nil {
		r.lab.Fault("a run", r.ID, err)
	}
	r.End(ErrDropped)
	r.remote.Close(context.Cause(r.ctx))
	r.release()
	r.lab.letGo(r)
	close(r.gone)
}

// train lets the run have a learner whenever it has memory and a viewer or a result needs it. When the run is over,
// people may still look at it.
func (r *Run) train() {
	if r.record.elsewhere {
		r.follow()
		return
	}
	for r.wait(func() bool { return r.unwatchedSince().IsZero() }) && r.waitForMemory() {
		err := schedule.Catch(func() error { return r.Train(r.ctx) })
		if fault := (*schedule.Fault)(nil); errors.As(err, &fault) {
			r.lab.Fault("a run", r.ID, fault)
			err = errInternal
		}
		r.release()
		cfg := r.Config()
		switch {
		case err == nil || r.ctx.Err() != nil:
		case errors.Is(err, errStopped): // its tape ends with a mark: it could have continued
			r.Happens(runloop.End, 0, errStopped.Error())
		case errors.Is(err, runloop.GiveWay) && cfg.Mode == hyper.Live:
			r.Happens(runloop.Fail, 0, errLiveLeaves.Error())
		case !errors.Is(err, runloop.GiveWay):
			r.Happens(runloop.Fail, 0, err.Error())
		}
	}
	if r.ctx.Err() == nil {
		r.remote.Close(actorwire.Final{Reason: "the run is over"})
	}
	for r.ctx.Err() == nil {
		r.RefuseAll(runloop.ErrOver)
		select {
		case <-r.Woken():
		case <-r.ctx.Done():
		}
	}
}

// wait answers requests until something is the case; false: the run is over or held no more.
func (r *Run) wait(until func() bool) bool {
	for !r.State().Over() && !until() {
		if errors.Is(r.Interruption(), errStopped) {
			r.Happens(runloop.End, 0, errStopped.Error())
			return false
		}
		r.AnswerAtRest(errQueued)
		select {
		case <-r.Woken():
		case <-r.ctx.Done():
			return false
		}
	}
	return r.ctx.Err() == nil && !r.State().Over()
}

// waitForMemory claims memory for the settings in force, and waits for it.
func (r *Run) waitForMemory() bool {
	r.Resume()
	r.claim = &claim{tenant: r, address: r.spec.Owner.Address, purpose: r.spec.Purpose, bytes: r.bytes}
	r.lab.budget.ask(r.claim)
	told := ""
	return r.wait(func() bool {
		holds, words := r.lab.budget.status(r.claim)
		switch {
		case holds:
			r.Happens(runloop.Admit, 0, "")
		case words != told:
			told = words
			r.Happens(runloop.Queue, 0, words)
		}
		return holds
	})
}

// release gives the run's memory back to the lab.
func (r *Run) release() {
	if r.claim != nil {
		r.lab.budget.release(r.claim)
		r.claim = nil
	}
}

// The run is a tenant of the lab's budget.

// unwatchedSince returns since when no viewer and no result needs the run; zero while one does.
func (r *Run) unwatchedSince() time.Time {
	n, left := r.Watchers()
	if n > 0 || r.spec.Purpose != Watch && !r.record.elsewhere && !r.State().Over() {
		return time.Time{}
	}
	return left
}

func (r *Run) changed() { r.Signal() }
func (r *Run) giveWay() { r.Interrupt(runloop.GiveWay) }
func (r *Run) drop()    { r.End(ErrDropped) }

// Learner implements runloop.Host. It returns the learner at the newest snapshot that can be used, or at the beginning.
func (r *Run) Learner() (l *learner.Learner, reported watch.Reported, err error) {
	c, at := r.record, r.record.Position()
	engine := learner.Engine{Lower: graph.Lower, Cores: r.Cores, Devices: r.lab.opts.Devices, Remotes: r.remote,
		Like: c.Tape.Arithmetic}
	l, reported, err = r.resume(engine, at.Updates)
	if errors.Is(err, store.ErrNotFound) {
		if r.spec.Config.Mode == hyper.Live && at.Updates > 0 {
			return nil, reported, errLiveGone
		}
		l, err = engine.New(r.spec.Config)
	}
	if err != nil {
		return nil, reported, err
	}
	c.Lock()
	defer c.Unlock()
	c.computed = l.Machine().Device
	if line, other := c.Tape.Continue(l, r.lab.opts.Build, at.Updates, at.Steps); other {
		c.Tape.Events, c.Dirty = append(c.Tape.Events, line), true
		r.lab.opts.Log.Info("a run continues in another program", "run", r.ID, "update", at.Updates, "since",
			line.Since, "arithmetic", line.Arithmetic)
	}
	return l, reported, nil
}

// resume returns a learner at the newest snapshot at or before an update that can be used. Without one the error is
// store.ErrNotFound.
func (r *Run) resume(engine learner.Engine, update uint64) (l *learner.Learner, reported watch.Reported, err error) {
	for {
		saved, err := r.lab.snapshotAt(r.ctx, r.record, update)
		if err == nil {
			done := r.lab.budget.borrow(float64(len(saved.Blob)))
			l, err = engine.Resume(saved.Blob)
			done()
			if err == nil {
				return l, saved.Reported, nil
			}
		} else if !errors.Is(err, store.ErrDamaged) {
			return nil, reported, err
		}
		r.lab.opts.Log.Warn("a snapshot cannot be used; the run is retrained from an earlier one, or from its start", "run",
			r.ID, "update", saved.Update, "error", err)
		if saved.Update == 0 {
			return nil, reported, store.ErrNotFound
		}
		update = saved.Update - 1
	}
}

// Fixed implements runloop.Host.
func (r *Run) Fixed() error {
	if r.record.fixed {
		return errFixed
	}
	return r.lab.stuck()
}

// Rests implements runloop.Host.
func (r *Run) Rests() bool { return r.resting() || r.lab.stuck() != nil }

// resting reports whether the run waits for a viewer.
func (r *Run) resting() bool {
	since := r.unwatchedSince()
	return !since.IsZero() && time.Since(since) > r.lab.opts.Rest
}

// Publish implements runloop.Host.
func (r *Run) Publish(event wire.Message, owner uint64) {
	if r.events.publish(event, owner) && owner != 0 {
		r.hurry()
	}
}

// Breathe implements runloop.Host.
func (r *Run) Breathe() {}

// End stops holding the run. Its goroutines end where they would next take a core. Why says whether to store it.
func (r *Run) End(why error) {
	r.stop(why)
	r.Cores.Close()
}

// Done is closed when the run has left memory and the store has all of it. Why then returns the reason.
func (r *Run) Done() <-chan struct{} { return r.gone }

// Why returns why the run is held no more, or nil.
func (r *Run) Why() error { return context.Cause(r.ctx) }

// hardlyBegun reports whether a page began the run, changed nothing and left within seconds: it is not worth storing.
func (r *Run) hardlyBegun() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, left := r.Watchers()
	if r.begun.IsZero() || r.spec.Purpose != Watch || n > 0 || left.Sub(r.begun) > littleToLose || r.forked ||
		r.lab.ctx.Err() != nil {
		return false
	}
	r.record.Lock()
	defer r.record.Unlock()
	r.dropped = !slices.ContainsFunc(r.record.Tape.Events, func(e tape.Event) bool { return e.Kind == tape.Changed })
	return r.dropped
}

// hasFork notes that the run has a fork, and is worth storing. False says that it is too late.
func (r *Run) hasFork() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forked = true
	return !r.dropped
}
