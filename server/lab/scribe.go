package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"impalab/learner/schedule"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/runloop"
	"impalab/web/wire"
)

// The scribe takes new data of all runs to the store. Runs for which a caller waits go at once, in one transaction; the
// others a few times a second. After kill -9 a run recomputes what its tape says.

const (
	scribeEvery = 250 * time.Millisecond
	curvesEvery = 5 * time.Second // or with the run's next snapshot or state
)

// scribe runs until the lab closes.
func (l *Lab) scribe() {
	tick := time.NewTicker(scribeEvery)
	defer tick.Stop()
	for {
		keep := func() error { return l.writeDown(l.ctx, l.held(), usual) }
		select {
		case <-tick.C:
		case <-l.urgent:
			runs := slices.DeleteFunc(l.held(), func(r *Run) bool { return !r.urgent.Swap(false) })
			keep = func() error { return l.writeDown(l.ctx, runs, soon) }
		case <-l.ctx.Done():
			return
		}
		if err := schedule.Catch(keep); errors.As(err, new(*schedule.Fault)) {
			l.Fault("the scribe", "", err)
		}
	}
}

// hurry lets the scribe store a run at once.
func (r *Run) hurry() {
	r.record.Touch()
	r.urgent.Store(true)
	select {
	case r.lab.urgent <- struct{}{}:
	default: // the scribe will come
	}
}

// kept waits until the store has all that is known of the run now.
func (r *Run) kept(ctx context.Context) error {
	answer := make(chan error, 1)
	r.record.Lock()
	r.record.waiting = append(r.record.waiting, answer)
	r.record.Unlock()
	r.hurry()
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-r.gone: // letGo may have answered
	}
	select {
	case err := <-answer:
		return err
	default:
		return gone(r.Why())
	}
}

// batch is the new data of one run, on its way to the store.
type batch struct {
	r         *Run
	progress  store.Progress
	settings  string
	lines     []string // of the tape
	first     int      // event of the first of them
	curves    map[string][]store.Point
	points    int
	judged    int
	snapshots []runloop.Snapshot
	events    int            // that wait for this
	waiting   []chan<- error // people who do
	job       Job            // that it is stored for; nil: none
	refused   error          // why the store takes nothing of this run
}

// extent is how much new data is taken to the store.
type extent uint8

const (
	soon  extent = iota // the tape and the state
	usual               // snapshots too, and curves when there are more of them
	whole               // everything
)

// writeDown takes new data of some runs to the store, in one transaction.
func (l *Lab) writeDown(ctx context.Context, runs []*Run, much extent) error {
	select {
	case l.writing <- struct{}{}:
		defer func() { <-l.writing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	var batches []*batch
	for _, r := range runs {
		if much != whole && r.ctx.Err() != nil {
			continue // letGo stores it, and its page may already have loaded it again
		}
		if b := r.batch(much); b != nil {
			batches = append(batches, b)
		}
	}
	if len(batches) == 0 && l.stuck() == nil {
		return nil
	}
	err := l.write(ctx, batches)
	result := err
	for _, b := range batches {
		why := b.settle(ctx, err)
		if why == ErrUnstorable {
			l.opts.Log.Error("a run cannot be stored, and leaves memory", "run", b.r.ID, "error", b.refused)
			result = cmp.Or(result, error(&errcode.Error{Code: errcode.Conflict, Err: b.refused}))
		}
		if why != nil {
			b.r.End(why)
		}
	}
	l.noteKept(ctx, err)
	return result
}

// write takes the batches to the store, all or none. If the store refuses a run, it stores the others without it.
func (l *Lab) write(ctx context.Context, batches []*batch) error {
	for {
		var failed *batch
		err := l.store.Do(ctx, func(tx *store.Tx) error {
			failed = nil
			for _, b := range batches {
				if b.refused != nil {
					continue
				}
				if err := b.write(tx); err != nil {
					failed = b
					return fmt.Errorf("run %s: %w", b.r.ID, err)
				}
			}
			return nil
		})
		if failed == nil || endOf(err) == nil {
			return err
		}
		failed.refused = err
	}
}

// endOf returns why the lab stops holding a run for which the store gave an error; nil: it tries again.
func endOf(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound): // deleted, or forgotten after a long time without viewers
		return ErrDeleted
	case errors.Is(err, store.ErrLost):
		return ErrLost
	case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrInvalid), errors.Is(err, store.ErrDamaged):
		return ErrUnstorable
	}
	return nil
}

// batch returns the new data of a run, or nil.
func (r *Run) batch(much extent) *batch {
	c := r.record
	c.Lock()
	dirty := c.Dirty
	c.Unlock()
	if !dirty || c.elsewhere {
		return nil
	}
	b := &batch{r: r, events: r.events.waiting()} // no newer than the data
	b.progress = r.progress()                     // no newer than the lines: a run that is done has said so on its tape
	b.take(much)
	if len(b.lines) > 0 {
		b.settings = r.settings() // no older than the lines
	}
	return b
}

// take fills in what of a run's record is to be stored now.
func (b *batch) take(much extent) {
	c := b.r.record
	c.Lock()
	defer c.Unlock()
	b.lines, b.first = c.news(), c.stored
	b.waiting, c.waiting = c.waiting, nil
	c.Dirty, b.job = false, c.job
	if much == soon {
		return
	}
	b.snapshots = slices.Clone(c.snapshots) // the run replaces them in place
	still := b.progress.State != store.Running && b.progress.State != store.Paused
	// A run that resumes from a snapshot publishes nothing from before it a second time.
	if much == whole || still || len(c.snapshots) > 0 || time.Since(c.curved) > curvesEvery {
		c.curved = time.Now()
		b.points, b.judged = len(c.Points), len(c.Judged)
		b.curves = store.CurvesOf(c.Points, c.Judged)
	}
}

func (b *batch) write(tx *store.Tx) error {
	id := b.r.ID
	if b.job != nil {
		if err := b.job.Hold(tx, len(b.snapshots) > 0); err != nil {
			return err
		}
	}
	if err := tx.SetProgress(id, b.progress); err != nil {
		return err
	}
	if len(b.lines) > 0 {
		if err := tx.AppendTape(id, int64(b.first)+2, b.lines...); err != nil {
			return err
		}
		if err := tx.SetSettings(id, b.settings); err != nil {
			return err
		}
	}
	if len(b.curves) > 0 {
		if err := tx.AppendCurves(id, b.curves); err != nil {
			return err
		}
	}
	for _, s := range b.snapshots {
		err := tx.AddSnapshot(id, store.Snapshot{Update: int64(s.Update), Step: int64(s.Step), Marked: s.Marked,
			Data: pack(s)})
		if err != nil && !errors.Is(err, store.ErrInvalid) { // a snapshot is too large: the run is recomputed without it
			return err
		}
	}
	return nil
}

// settle answers the callers that wait for the batch, and drops the stored data. It returns why the run must end, or
// nil.
func (b *batch) settle(ctx context.Context, err error) (why error) {
	c := b.r.record
	switch why = endOf(b.refused); {
	case why == ErrUnstorable:
		err = &errcode.Error{Code: errcode.Conflict, Err: b.refused}
	case why != nil:
		err = gone(why)
	case err != nil && ctx.Err() != nil: // who asked for it has gone, and the scribe tries again
		c.Lock()
		c.waiting, b.waiting = append(b.waiting, c.waiting...), nil
		c.Unlock()
	case err != nil:
		err = &errcode.Error{Code: errcode.Full, Err: err}
	}
	c.Lock()
	if err != nil {
		c.Dirty = true
	} else {
		c.stored = b.first + len(b.lines)
		c.Points, c.Judged = c.Points[b.points:], c.Judged[b.judged:]
		for len(b.snapshots) > 0 && len(c.snapshots) > 0 && &c.snapshots[0].Blob[0] == &b.snapshots[0].Blob[0] {
			b.r.lab.budget.addFreed(float64(len(c.snapshots[0].Blob)))
			c.snapshots, b.snapshots = slices.Delete(c.snapshots, 0, 1), b.snapshots[1:] // tens of megabytes
		}
		c.Dirty = c.Dirty || len(c.Points)+len(c.Judged)+len(c.snapshots) > 0
	}
	c.Unlock()
	for _, answer := range b.waiting {
		answer <- err
	}
	if err == nil {
		b.r.events.stored(b.events)
	}
	return why
}

// progress returns how far the run has come, as rows have it.
func (r *Run) progress() store.Progress {
	resting := r.resting()
	state, reason := r.Now()
	kept := StateOf(state.Wire())
	switch {
	case state.Paused(): // also while it waits for memory, or returns
		kept = store.Paused
	case resting && !state.Over():
		kept = store.Resting
	}
	return progressOf(kept, reason, r.record.Position())
}

// settings returns those in force, as rows have them.
func (r *Run) settings() string {
	cfg := r.Config()
	return SettingsJSON(&r.spec.Link, &cfg)
}

// StateOf returns a state of pages as the store and the API name it.
func StateOf(state uint8) store.State {
	switch state {
	case wire.StateDone, wire.StateStopped:
		return store.Done
	case wire.StateDiverged:
		return store.Diverged
	case wire.StatePaused:
		return store.Paused
	case wire.StateQueued:
		return store.Queued
	}
	return store.Running
}

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
		l.tellAll("")
	case err != nil && before == nil && l.ctx.Err() == nil:
		reason := Unstored(err)
		l.full.Store(&reason)
		l.opts.Log.Error("runs cannot be stored, and wait", "error", err)
		l.tellAll(reason.Error())
	}
}

var (
	errFull   = errors.New("the server's disk is full: runs wait, and continue when there is room again")
	errUnkept = errors.New("the server cannot store runs at the moment: they wait, and continue when it can; its log " +
		"has the details")
)

// tellAll tells the pages of all runs that have not ended that they wait, or that they continue.
func (l *Lab) tellAll(reason string) {
	for _, r := range l.held() {
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
