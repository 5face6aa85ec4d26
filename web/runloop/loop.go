package runloop

import (
	"cmp"
	"context"
	"errors"
	"time"

	"impalab/learner"
	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/web/number"
	"impalab/web/watch"
)

// loop does the work between two updates of one learner. It runs on the run's goroutine.
type loop struct {
	ctx     context.Context
	run     *Run
	past    tape.Past
	watch   *watch.Watch
	pace    watch.Pace
	report  *watch.Report
	ahead   watch.Ahead
	holding bool   // a core
	kept    uint64 // the update of the newest snapshot that the host has; 0: the beginning needs none
}

// Train runs one learner from the run's present step until the run has ended or is interrupted. It returns a panic of
// the learner's goroutines as an error, or panics. While Train waits it holds no core.
func (r *Run) Train(ctx context.Context) (err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
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
		if r.Cores != nil {
			r.Cores.Drain()
		}
	}()
	d.acquire()
	l, reported, err := r.Host.Learner()
	if err != nil {
		return err
	}
	d.kept = l.Updates() // it comes from a snapshot
	d.past, r.turns = r.Record.toCome(l.Updates(), r.Link.Turns)
	if d.watch, err = watch.NewWatch(r.Topic, r.Record, r.Cores, l, stop); err != nil {
		return err
	}
	d.pace, d.report = watch.NewPace(l), watch.NewReport(r.Topic, r.Record, l, reported)
	result, err := l.Run(ctx, learner.Hooks{Between: d.between,
		Due:    func() bool { return r.State() == Stepping || d.report.Due(l) },
		Update: d.report.Update, Episode: d.report.Episode})
	d.report.Flush(l, true, err == nil) // before viewers read that the run has ended
	r.Record.advance(l)
	d.release()
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx) // the watch may have stopped it
	}
	if errors.Is(err, actor.ErrNotFinite) {
		result.Diverged, err = err.Error(), nil
	}
	if err != nil {
		if errors.As(err, new(Interrupted)) {
			d.snapshot(l, false)
		}
		return err
	}
	d.watch.Finish(l)
	end := tape.Event{Kind: tape.Ended, Update: l.Updates(), Step: l.Steps(), State: tape.Done,
		ParamsSHA256: l.ParamsSHA256(), Device: l.Machine().Device.Name}
	event, reason := End, "the budget of "+number.Count(l.Config().Steps)+" steps is spent"
	if result.Diverged != "" {
		event, reason, end.State, end.Reason = Diverge, result.Diverged, tape.Diverged, result.Diverged
	}
	r.Record.Append(end)
	r.Happens(event, 0, reason)
	d.snapshot(l, true)
	return nil
}

// between is the learner's Between hook.
func (d *loop) between(l *learner.Learner) error {
	r := d.run
	r.Host.Breathe()
	d.report.Points(l, false) // before any snapshot, which includes how far the points have come
	returning, err := d.past.Apply(l)
	if err != nil {
		return err
	}
	if returning {
		return d.retrain(l, d.past.Progress(l))
	}
	r.Record.markNow(l)
	r.Record.advance(l)
	d.applyPlanned(l)
	if l.Steps() < r.Link.UpTo && !r.Host.Rests() { // the run stood there in another browser
		return d.retrain(l, d.ahead.Words(l, r.Link.UpTo))
	}
	if r.State().Returning() && l.Steps() >= r.Link.UpTo {
		r.Happens(Arrive, 0, d.past.Differs())
		d.pace.Restart(l)
	}
	stepped := r.State() == Stepping
	if stepped {
		r.Happens(Updated, 0, "")
	}
	for {
		if err := d.mustStop(); err != nil {
			return err
		}
		for r.State() != Stepping { // later requests wait until the step is done
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
		d.snapshotNow(l)
		if r.State() == Stepping || wait <= 0 && !still {
			d.acquire()
			return nil
		}
		d.release()
		var timer <-chan time.Time
		if !still {
			timer = time.After(wait)
		}
		select {
		case <-r.wake:
		case <-timer:
		case <-d.ctx.Done():
		}
	}
}

// retrain is between while the run retrains to its last step: it answers no requests and ignores the speed.
func (d *loop) retrain(l *learner.Learner, progress string) error {
	if err := d.mustStop(); err != nil {
		return err
	}
	d.watch.Offer(l, false, false)
	d.report.Flush(l, false, false)
	d.snapshotNow(l) // else a server that is killed again would return from the same snapshot
	if progress != "" {
		d.run.Happens(Return, 0, progress)
	}
	d.acquire()
	return nil
}

// mustStop returns why the learner must stop, or nil.
func (d *loop) mustStop() error { return cmp.Or(d.ctx.Err(), d.run.Interruption()) }

// wait returns the delay before the next update, or reports that the run stands still.
func (d *loop) wait(l *learner.Learner) (wait time.Duration, still bool) {
	if d.run.State().Paused() || d.run.Host.Rests() {
		d.pace.Restart(l)
		return 0, true
	}
	return d.pace.Wait(l), false
}

// acquire waits for a core. A run that has a core yields it to runs that have used less.
func (d *loop) acquire() {
	if d.holding {
		d.run.Cores.Yield()
		return
	}
	d.run.Cores.Acquire()
	d.holding = true
}

func (d *loop) release() {
	if d.holding {
		d.holding = false
		d.run.Cores.Release()
	}
}

// Snapshot is the state of a learner after an update.
type Snapshot struct {
	Update, Step uint64
	Changes      int  // of the tape until then
	Marked       bool // taken before a change: people return here
	Blob         []byte
	Reported     watch.Reported // how far the points of its curves had come
}

// snapshotNow takes a snapshot when one is due.
func (d *loop) snapshotNow(l *learner.Learner) {
	if d.run.keeping.Due() {
		d.snapshot(l, false)
	}
}

// snapshotBefore takes a snapshot before a change, unless viewers would have to wait for it.
func (d *loop) snapshotBefore(l *learner.Learner) {
	if d.run.keeping.Mark() {
		d.snapshot(l, true)
	}
}

// snapshot takes a snapshot of a reference run, on a core. It yields meanwhile, because a large network takes long.
// Without it the run is recomputed from an earlier one. A run has one state at an update, so an unmarked snapshot is
// taken once.
func (d *loop) snapshot(l *learner.Learner, marked bool) {
	if l.Config().Mode == hyper.Live || !marked && l.Updates() == d.kept {
		return
	}
	d.acquire()
	r := d.run
	start := time.Now()
	blob, err := l.Snapshot()
	r.keeping.Schedule(start)
	if err != nil {
		return
	}
	r.Record.mark(l)
	if r.Host.Save(Snapshot{Update: l.Updates(), Step: l.Steps(), Changes: r.Record.changesUntil(l.Updates()),
		Marked: marked, Blob: blob, Reported: d.report.Reported()}) {
		d.kept = l.Updates()
	}
}
