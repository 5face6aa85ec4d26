package trainer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"impalab/learner"
	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/web/watch"
	"impalab/web/wire"
)

// live is the run's goroutine: it learns until the run is over, and then refuses what is asked, until it is dropped.
func (r *Run) live() {
	defer r.topic.Close("this run is not held any more; reload the page to begin anew")
	if err := schedule.Catch(r.learn); err != nil && r.end() == nil {
		r.setState(wire.StateStopped, err.Error())
	}
	for r.end() == nil {
		for req, ok := r.next(); ok; req, ok = r.next() {
			r.refuse(req, errRunOver)
		}
		<-r.wake
	}
}

// loop is what happens between two updates: the run comes back to where it stood, settings change, it pauses, steps,
// and is held to its speed. It runs on the learner's goroutine.
type loop struct {
	ctx     context.Context
	run     *Run
	past    tape.Past
	watch   *watch.Watch
	pace    watch.Pace
	report  *watch.Report
	step    bool // one update, then paused
	keeping watch.Keeping
	ahead   watch.Ahead
}

// learn runs one learner from where the run stands until it is over.
func (r *Run) learn() (err error) {
	ctx, end := context.WithCancelCause(context.Background())
	defer end(nil)
	d := &loop{ctx: ctx, run: r}
	l, told, err := r.resume()
	if err != nil {
		return err
	}
	defer l.Close()
	d.past = r.record.past(l.Updates())
	r.turns = r.record.turnsToCome(r.asked.Turns)
	if d.watch, err = watch.NewWatch(r.topic, r.record, nil, l, end); err != nil {
		return err
	}
	defer d.watch.Close()
	d.pace, d.report = watch.NewPace(l), watch.NewReport(r.topic, r.record, l, told)
	result, err := l.Run(ctx, learner.Hooks{Between: d.between,
		Due:    func() bool { return d.step || d.report.Due(l) },
		Update: d.report.Update, Episode: d.report.Episode})
	d.report.Flush(l, true, err == nil) // how it ended, before it is said that it did
	r.record.stand(l)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx) // the watch may have ended it
	}
	if errors.Is(err, actor.ErrNotFinite) {
		result.Diverged, err = err.Error(), nil
	}
	if err != nil {
		return err
	}
	d.watch.Finish(l)
	over := tape.Event{Kind: tape.Ended, Update: l.Updates(), Step: l.Steps(), State: tape.Done,
		ParamsSHA256: l.ParamsSHA256()}
	state, reason := wire.StateDone, fmt.Sprintf("the budget of %d steps is spent", l.Config().Steps)
	if result.Diverged != "" {
		state, reason, over.State, over.Reason = wire.StateDiverged, result.Diverged, tape.Diverged, result.Diverged
	}
	r.record.append(over)
	d.keep(l)
	r.setState(state, reason)
	return nil
}

// resume makes the run's learner: from its newest snapshot, or from the beginning.
func (r *Run) resume() (l *learner.Learner, told watch.Reported, err error) {
	engine := learner.Engine{Lower: r.trainer.opts.Lower}
	if err := r.trainer.opts.Prepare(&r.asked.Config); err != nil {
		return nil, told, err
	}
	if s, ok := r.record.newest(); ok {
		l, err = engine.Resume(s.blob)
		return l, s.told, err
	}
	l, err = engine.New(r.asked.Config)
	return l, told, err
}

// between is the learner's Between hook.
func (d *loop) between(l *learner.Learner) error {
	r := d.run
	r.trainer.opts.Breathe()
	d.report.Points(l, false) // before any snapshot, which says how far they have come
	if returning, err := d.past.Apply(l); err != nil || returning {
		return d.onTheWay(l, err)
	}
	r.record.stand(l)
	d.takeTurns(l)
	if l.Steps() < r.asked.UpTo && !r.rests() {
		return d.catchUp(l)
	}
	if l.Steps() >= r.asked.UpTo && r.arrives() || r.now() == wire.StateReturning { // or it rests on the way
		r.setState(r.goesOn())
		d.pace.Restart(l)
	}
	stepped := d.step
	d.step = false
	for {
		if err := d.mustEnd(); err != nil {
			return err
		}
		for !d.step { // a step is followed by its update; later requests wait
			req, ok := r.next()
			if !ok {
				break
			}
			d.handle(req, l)
		}
		wait, still := d.wait(l)
		d.watch.Offer(l, still, stepped)
		stepped = false
		d.report.Flush(l, still, false)
		d.keepNow(l)
		if d.step || wait <= 0 && !still {
			return nil
		}
		var timer <-chan time.Time
		if !still {
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
	if err == nil {
		err = d.mustEnd()
	}
	if err != nil {
		return err
	}
	d.watch.Offer(l, false, false)
	d.report.Flush(l, false, false)
	if words := d.past.Progress(l); words != "" {
		d.run.setState(wire.StateReturning, words)
	}
	return nil
}

// catchUp is between while the run comes to where it stood elsewhere. It is on its way there like one that comes back,
// but its turns are planned.
func (d *loop) catchUp(l *learner.Learner) error {
	if err := d.mustEnd(); err != nil {
		return err
	}
	d.watch.Offer(l, false, false)
	d.report.Flush(l, false, false)
	d.keepNow(l)
	if words := d.ahead.Words(l, d.run.asked.UpTo); words != "" {
		d.run.setState(wire.StateReturning, words)
	}
	return nil
}

// mustEnd is why the learner is to stop, if it is.
func (d *loop) mustEnd() error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	return d.run.end()
}

// wait is how long the next update is held back, or that the run stands still.
func (d *loop) wait(l *learner.Learner) (wait time.Duration, still bool) {
	if d.run.rests() {
		d.pace.Restart(l)
		return 0, true
	}
	return d.pace.Wait(l), false
}

// handle carries out one request.
func (d *loop) handle(req request, l *learner.Learner) {
	switch {
	case req.change != nil:
		d.keepBefore(l)
		if err := d.run.change(req, l); err != nil {
			d.run.refuse(req, err)
		}
		d.pace.Restart(l) // the speed may be another
	case req.verb == wire.VerbPlay:
		d.pace.Restart(l)
		d.run.play(req.owner)
	case req.verb == wire.VerbPause:
		d.run.pause(req.owner, "")
	case req.verb == wire.VerbPauseFell:
		d.run.pause(req.owner, wire.ReasonFell)
	case req.verb == wire.VerbStep:
		d.run.pause(req.owner, "")
		d.step = true
	}
}

// takeTurns makes the planned turns that are due before the next update.
func (d *loop) takeTurns(l *learner.Learner) {
	r := d.run
	for len(r.turns) > 0 && r.turns[0].Step <= l.Steps() {
		turn := r.turns[0]
		r.turns = r.turns[1:]
		d.keepBefore(l)
		if err := r.change(request{by: tape.ByTurn, change: &turn.Change}, l); err != nil {
			now := l.Config().Get(turn.Change.Key())
			r.record.change(telemetry.Changed{ // to itself, so that the tape says that its turn came
				Step: l.Steps(), Update: l.Updates(), Key: turn.Change.Key(), From: now, To: now,
			}, tape.ByTurn)
			r.setState(r.now(), fmt.Sprintf("the turn %s was not made: %v", turn, err))
		}
	}
}

// keepNow takes a snapshot when one is due.
func (d *loop) keepNow(l *learner.Learner) {
	if d.keeping.Due() {
		d.keep(l)
	}
}

// keepBefore takes one before a change, unless that would keep people waiting.
func (d *loop) keepBefore(l *learner.Learner) {
	if d.keeping.Mark() {
		d.keep(l)
	}
}

// keep takes one. A run that cannot be snapshotted is learned again from its beginning instead.
func (d *loop) keep(l *learner.Learner) {
	if l.Config().Mode == hyper.Live {
		return
	}
	start := time.Now()
	err := d.run.record.take(l, d.report.Reported())
	d.keeping.Took(start)
	if err != nil {
		d.keeping.Later(time.Hour)
	}
}
