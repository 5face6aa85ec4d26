package lab

import (
	"time"

	"impalab/learner"
	"impalab/web/wire"
)

// driver is what happens between two updates: settings change, the run pauses, steps or begins anew, and is held
// to its speed. It runs on the learner's goroutine.
type driver struct {
	run    *Run
	watch  *watch
	pace   pace
	report *report
	again  *outcome // why the learner stops, when it is to begin anew
	step   bool     // one update, then paused
}

// due says whether the next update is described: when it is time, and always when it was asked for by itself.
func (d *driver) due() bool { return d.step || d.report.due() }

// between is the learner's Between hook.
func (d *driver) between(l *learner.Learner) error {
	r := d.run
	r.steps.Store(l.Steps())
	stepped := d.step
	d.step = false
	for {
		for !d.step { // after a step comes its update; what was asked later waits
			a, ok := r.next()
			if !ok {
				break
			}
			if err := d.obey(a, l); err != nil {
				return err
			}
		}
		wait, paused := d.wait(l)
		d.watch.offer(l, paused, stepped)
		stepped = false
		d.report.flush(l, paused)
		if d.step {
			return nil
		}
		if wait <= 0 && !paused {
			return nil
		}
		var timer <-chan time.Time
		if !paused {
			timer = time.After(wait)
		}
		select {
		case <-r.wake:
		case <-timer:
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
	}
}

// wait is how long the next update is held back, or that the run is paused: by hand, or because nobody watches.
func (d *driver) wait(l *learner.Learner) (time.Duration, bool) {
	d.run.mu.Lock()
	state, watching, left := d.run.state, d.run.watching, d.run.left
	d.run.mu.Unlock()
	if state == wire.StatePaused || (watching == 0 && time.Since(left) > d.run.lab.opts.Rest) {
		d.pace.restart(l)
		return 0, true
	}
	return d.pace.wait(l), false
}

// obey does one thing that a browser asked for. errBegin says that it needs another learner.
func (d *driver) obey(a ask, l *learner.Learner) error {
	o, err := d.run.weigh(a)
	if err == nil && a.key != "" && !o.anew {
		_, err = l.Patch(a.key, a.value)
	}
	switch {
	case err != nil: // it was fine when it was asked; something in between has changed that
		d.run.refuse(a, err)
	case o.anew:
		d.again = &o
		return errBegin
	case a.key != "":
		d.run.enforce(a, o, l.Steps(), l.Updates())
		if a.key == "speed" {
			d.pace.restart(l)
		}
	case a.verb == wire.VerbPlay:
		d.pace.restart(l)
		d.run.become(wire.StateRunning, "")
	case a.verb == wire.VerbPause:
		d.run.become(wire.StatePaused, "")
	case a.verb == wire.VerbStep:
		d.run.become(wire.StatePaused, "")
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
