package lab

import (
	"cmp"
	"context"
	"time"

	"impalab/learner"
	"impalab/learner/tape"
	"impalab/web/watch"
	"impalab/web/wire"
)

// loop is what happens between two updates: the run comes back to where it stood, settings change, it pauses, steps,
// and is held to its speed. It runs on the learner's goroutine.
type loop struct {
	ctx     context.Context // of this learner
	run     *Run
	learner *learner.Learner
	past    tape.Past
	watch   *watch.Watch
	pace    watch.Pace
	report  *watch.Report
	step    bool // one update, then paused
	held    bool // a core
	ahead   watch.Ahead
}

// due says whether the next update is described: when it is time, and always when it was asked for by itself.
func (d *loop) due() bool { return d.step || d.report.Due(d.learner) }

// between is the learner's Between hook.
func (d *loop) between(l *learner.Learner) error {
	r := d.run
	r.steps.Store(l.Steps())
	d.report.Points(l, false) // before any snapshot, which says how far they have come
	if returning, err := d.past.Apply(l); err != nil || returning {
		return d.onTheWay(l, err)
	}
	r.record.markNow(l)
	r.stand(l)
	r.takeTurns(l)
	if l.Steps() < r.spec.UpTo && !d.rests() {
		return d.catchUp(l)
	}
	if r.now() == wire.StateReturning { // it is where it stood, or rests on the way
		state, why := r.goesOn()
		r.setState(state, cmp.Or(d.past.Differs(), why))
		d.pace.Restart(l)
	}
	stepped := d.step
	d.step = false
	for {
		if err := r.mustLeave(); err != nil {
			return err
		}
		for !d.step { // a step is followed by its update; later requests wait
			req, ok := r.nextRequest()
			if !ok {
				break
			}
			d.handle(req, l)
		}
		wait, paused := d.wait(l)
		d.watch.Offer(l, paused, stepped)
		stepped = false
		d.report.Flush(l, paused, false)
		r.keepNow(l)
		if d.step || wait <= 0 && !paused {
			d.hold()
			return nil
		}
		d.release()
		var timer <-chan time.Time
		if !paused {
			timer = time.After(wait)
		}
		select {
		case <-r.wake:
		case <-timer:
		case <-d.ctx.Done():
			return d.ctx.Err()
		}
	}
}

// onTheWay is between while the run comes back to where it stood: nobody can steer it, and it keeps no speed.
func (d *loop) onTheWay(l *learner.Learner, err error) error {
	switch {
	case err != nil:
		return err
	case d.ctx.Err() != nil:
		return d.ctx.Err()
	}
	if err := d.run.mustLeave(); err != nil {
		return err
	}
	d.watch.Offer(l, false, false)
	d.report.Flush(l, false, false)
	d.run.keepNow(l) // else a server that is killed again during the return would return from the same snapshot
	if words := d.past.Progress(l); words != "" {
		d.run.setState(wire.StateReturning, words)
	}
	d.hold()
	return nil
}

// catchUp is between while the run comes to where it stood elsewhere, in a browser: it trusts nothing that came from
// there, and learns all of it. It is on its way like one that comes back, but its turns are planned.
func (d *loop) catchUp(l *learner.Learner) error {
	r := d.run
	if err := r.mustLeave(); err != nil {
		return err
	}
	d.watch.Offer(l, false, false)
	d.report.Flush(l, false, false)
	r.keepNow(l)
	if words := d.ahead.Words(l, r.spec.UpTo); words != "" {
		r.setState(wire.StateReturning, words)
	}
	d.hold()
	return d.ctx.Err()
}

// hold is what an update needs: a core. A run that has one leaves it to others when they have had less.
func (d *loop) hold() {
	if d.held {
		d.run.cores.Yield()
		return
	}
	d.run.cores.Hold()
	d.held = true
}

// release is for waiting.
func (d *loop) release() {
	if d.held {
		d.held = false
		d.run.cores.Release()
	}
}

// wait is how long the next update is held back, or that the run is paused: by hand, because nobody watches, or because
// what it tells cannot be kept.
func (d *loop) wait(l *learner.Learner) (time.Duration, bool) {
	if d.rests() {
		d.pace.Restart(l)
		return 0, true
	}
	return d.pace.Wait(l), false
}

// rests reports that the run is paused.
func (d *loop) rests() bool {
	r := d.run
	return r.now() == wire.StatePaused || r.resting() || r.lab.stuck() != nil
}
