package lab

import (
	"context"
	"time"

	"impalab/learner"
	"impalab/web/wire"
)

// loop is what happens between two updates: settings change, the run pauses, steps or begins anew, and is held
// to its speed. It runs on the learner's goroutine.
type loop struct {
	ctx    context.Context // of this learner
	run    *Run
	watch  *watch
	pace   pace
	report *report
	again  *plan // set when the learner stops because a restart was asked for
	step   bool  // one update, then paused
	held   bool  // a core
}

// due says whether the next update is described: when it is time, and always when it was asked for by itself.
func (d *loop) due() bool { return d.step || d.report.due() }

// between is the learner's Between hook.
func (d *loop) between(l *learner.Learner) error {
	r := d.run
	r.steps.Store(l.Steps())
	stepped := d.step
	d.step = false
	for {
		if r.mustLeave() {
			return errGiveWay
		}
		for !d.step { // a step is followed by its update; later requests wait
			req, ok := r.nextRequest()
			if !ok {
				break
			}
			if err := d.handle(req, l); err != nil {
				return err
			}
		}
		wait, paused := d.wait(l)
		d.watch.offer(l, paused, stepped)
		stepped = false
		d.report.flush(l, paused)
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

// wait is how long the next update is held back, or that the run is paused: by hand, or because nobody watches.
func (d *loop) wait(l *learner.Learner) (time.Duration, bool) {
	d.run.mu.Lock()
	state, watching, left := d.run.state, d.run.watching, d.run.left
	d.run.mu.Unlock()
	if state == wire.StatePaused || (watching == 0 && time.Since(left) > d.run.lab.opts.Rest) {
		d.pace.restart(l)
		return 0, true
	}
	return d.pace.wait(l), false
}

// handle carries out one request. It returns errRestart if the request needs a new learner.
func (d *loop) handle(req request, l *learner.Learner) error {
	o, err := d.run.planned(req)
	if err == nil && req.goesOn() {
		err = d.run.steer(req, l)
	}
	switch {
	case err != nil:
		d.run.refuse(req, err)
	case o != nil:
		d.again = o
		return errRestart
	case req.key() == "speed":
		d.pace.restart(l)
	case req.verb == wire.VerbPlay:
		d.pace.restart(l)
		d.run.answerState(req.owner, wire.StateRunning, "")
	case req.verb == wire.VerbPause:
		d.run.answerState(req.owner, wire.StatePaused, "")
	case req.verb == wire.VerbStep:
		d.run.answerState(req.owner, wire.StatePaused, "")
		d.step = true
	}
	return nil
}

// pace holds a run to its speed without drifting: it counts from when the speed was last set.
type pace struct {
	from  time.Time
	steps uint64
}

func newPace(l *learner.Learner) pace { return pace{time.Now(), l.Steps()} }

func (p *pace) restart(l *learner.Learner) { *p = newPace(l) }

// wait is how long until the next update is due at Speed steps a second. A run that fell behind does not rush
// to catch up for more than a quarter of a second.
func (p *pace) wait(l *learner.Learner) time.Duration {
	speed := l.Config().Speed
	due := p.from.Add(time.Duration(float64(l.Steps()-p.steps) / speed * float64(time.Second)))
	wait := time.Until(due)
	if wait < -time.Second/4 {
		p.restart(l)
	}
	return wait
}
