package lab

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"impalab/learner/schedule"
	"impalab/server/errcode"
	"impalab/server/job"
	"impalab/server/store"
	"impalab/web/wire"
)

// The scribe takes what is new of all runs to the store: what somebody waits for at once, that of all runs in one
// transaction, and while it is being committed more gathers for the next; the rest a few times a second. What kill -9
// takes with it is made again: a run learns again what its tape says.

const (
	scribeEvery = 250 * time.Millisecond
	curvesEvery = 5 * time.Second // or with the run's next state or change
)

// scribe runs until the lab closes.
func (l *Lab) scribe() {
	defer l.gone.Done()
	tick := time.NewTicker(scribeEvery)
	defer tick.Stop()
	for {
		keep := func() error { return l.writeDown(l.ctx, l.held(), usual) }
		select {
		case <-tick.C:
		case <-l.urgent.wake:
			keep = func() error { return l.writeDown(l.ctx, l.urgent.take(), soon) }
		case <-l.ctx.Done():
			return
		}
		if err := schedule.Catch(keep); errors.As(err, new(*schedule.Fault)) {
			l.panics.Add(1)
			l.opts.Log.Error("panic while runs were kept", "error", err)
		}
	}
}

// urgent are the runs of which somebody waits until the store has what is new.
type urgent struct {
	mu   sync.Mutex
	runs map[*Run]bool
	wake chan struct{}
}

func (u *urgent) add(r *Run) {
	u.mu.Lock()
	u.runs[r] = true
	u.mu.Unlock()
	select {
	case u.wake <- struct{}{}:
	default: // the scribe will come
	}
}

func (u *urgent) take() []*Run {
	u.mu.Lock()
	defer u.mu.Unlock()
	runs := slices.Collect(maps.Keys(u.runs))
	clear(u.runs)
	return runs
}

// kept waits until the store has all that is known of the run now.
func (r *Run) kept(ctx context.Context) error {
	answer := make(chan error, 1)
	r.record.mu.Lock()
	r.record.waiting, r.record.dirty = append(r.record.waiting, answer), true
	r.record.mu.Unlock()
	r.lab.urgent.add(r)
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-r.gone: // its last words may have answered
	}
	select {
	case err := <-answer:
		return err
	default:
		return gone(context.Cause(r.ctx))
	}
}

// held is every run there is.
func (l *Lab) held() []*Run {
	l.mu.Lock()
	defer l.mu.Unlock()
	runs := make([]*Run, 0, len(l.runs))
	for _, r := range l.runs {
		runs = append(runs, r)
	}
	return runs
}

// batch is what is taken to the store of one run.
type batch struct {
	r         *Run
	progress  store.Progress
	settings  string
	lines     []string // of the tape
	first     int      // event of the first of them
	curves    map[string][]store.Point
	points    int
	judged    int
	snapshots []snapshot
	told      int            // events that wait for this
	waiting   []chan<- error // people who do
	gone      bool           // the store has no such run any more
	work      *job.Work      // that it is kept for; nil: for no job
	lost      bool           // to another process
	fault     error          // what stands against keeping this run, and no other
}

// extent is how much of what is new is taken to the store.
type extent uint8

const (
	soon  extent = iota // the tape and the state: nobody should wait for the rest
	usual               // snapshots, too, and curves when there is more of them
	whole               // everything
)

// writeDown takes what is new of some runs to the store, all in one transaction.
func (l *Lab) writeDown(ctx context.Context, runs []*Run, much extent) error {
	select {
	case l.writing <- struct{}{}:
		defer func() { <-l.writing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	var batches []batch
	for _, r := range runs {
		if b, ok := r.batch(much); ok {
			batches = append(batches, b)
		}
	}
	if len(batches) == 0 && l.stuck() == nil {
		return nil
	}
	err, faulty := l.write(ctx, batches)
	for faulty { // without the run at fault: the others are to be kept
		err, faulty = l.write(ctx, batches)
	}
	for i := range batches {
		b := &batches[i]
		b.settle(ctx, err)
		switch {
		case b.fault != nil:
			l.opts.Log.Error("a run cannot be kept, and is held no more", "run", b.r.id, "error", b.fault)
			b.r.end(errUnkeepable)
		case b.lost:
			b.r.end(errLost)
		case b.gone: // deleted, or forgotten because nobody came back to it
			b.r.end(errDeleted)
		}
	}
	l.noteKept(ctx, err)
	for i := range batches {
		if b := &batches[i]; err == nil && b.fault != nil {
			err = &errcode.Error{Code: errcode.Conflict, Err: b.fault}
		}
	}
	return err
}

// write takes all batches without a fault to the store, or none of them. It reports whether it has found one at fault.
func (l *Lab) write(ctx context.Context, batches []batch) (err error, faulty bool) {
	err = l.store.Do(ctx, func(tx *store.Tx) error {
		for i := range batches {
			b := &batches[i]
			if b.fault != nil {
				continue
			}
			err := b.write(tx)
			b.gone, b.lost = errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrLost)
			if err == nil || b.gone || b.lost {
				continue
			}
			if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrInvalid) || errors.Is(err, store.ErrDamaged) {
				b.fault, faulty = err, true
			}
			return fmt.Errorf("run %s: %w", b.r.id, err)
		}
		return nil
	})
	return err, faulty
}

// batch is what is new of a run.
func (r *Run) batch(much extent) (b batch, ok bool) {
	c := r.record
	c.mu.Lock()
	dirty := c.dirty
	c.mu.Unlock()
	if !dirty || c.elsewhere != "" {
		return b, false
	}
	b = batch{r: r, told: r.voice.waiting()} // no newer than what they tell of
	b.progress = r.progress()                // no newer than the lines: a run that is done has said so on its tape
	b.take(much)
	if len(b.lines) > 0 {
		b.settings = r.settings() // no older than the lines
	}
	return b, true
}

// take fills in what of a run's record is to be kept now.
func (b *batch) take(much extent) {
	c := b.r.record
	c.mu.Lock()
	defer c.mu.Unlock()
	b.lines, b.first = c.news(), c.kept
	b.waiting, c.waiting = c.waiting, nil
	c.dirty, b.work = false, c.work
	if much == soon {
		return
	}
	b.snapshots = slices.Clone(c.snapshots) // the run replaces them in place
	still := b.progress.State != store.Running && b.progress.State != store.Paused
	// A run that goes on from a snapshot tells nothing of what came before it once more.
	if much == whole || still || len(c.snapshots) > 0 || time.Since(c.curved) > curvesEvery {
		c.curved = time.Now()
		b.points, b.judged = len(c.points), len(c.judged)
		b.curves = store.CurvesOf(c.points, c.judged)
	}
}

func (b *batch) write(tx *store.Tx) error {
	id := b.r.id
	if b.work != nil {
		if err := b.work.Hold(tx, len(b.snapshots) > 0); err != nil {
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
		err := tx.AddSnapshot(id, store.Snapshot{Update: int64(s.update), Step: int64(s.step), Marked: s.marked,
			Data: s.pack()})
		if err != nil && !errors.Is(err, store.ErrInvalid) { // one that is too large is learned again instead
			return err
		}
	}
	return nil
}

// settle tells those who wait what came of the batch.
func (b *batch) settle(ctx context.Context, err error) {
	switch {
	case b.fault != nil:
		err = &errcode.Error{Code: errcode.Conflict, Err: b.fault}
	case b.gone:
		err = errUnknownRun
	case b.lost:
		err = gone(errLost)
	case err != nil && ctx.Err() != nil: // whoever asked for it has gone, and the scribe tries again
		b.r.record.mu.Lock()
		b.r.record.waiting = append(b.waiting, b.r.record.waiting...)
		b.r.record.mu.Unlock()
		b.waiting = nil
	case err != nil:
		err = &errcode.Error{Code: errcode.Full, Err: err}
	}
	b.forget(err == nil)
	for _, answer := range b.waiting {
		answer <- err
	}
	if err == nil {
		b.r.voice.kept(b.told)
	}
}

// forget forgets what was kept, or notes that it is still to be.
func (b *batch) forget(kept bool) {
	c := b.r.record
	c.mu.Lock()
	defer c.mu.Unlock()
	if !kept {
		c.dirty = true
		return
	}
	c.kept = b.first + len(b.lines)
	c.points, c.judged = c.points[b.points:], c.judged[b.judged:]
	for len(b.snapshots) > 0 && len(c.snapshots) > 0 && &c.snapshots[0].blob[0] == &b.snapshots[0].blob[0] {
		b.r.lab.budget.letGo(float64(len(c.snapshots[0].blob)))
		c.snapshots, b.snapshots = slices.Delete(c.snapshots, 0, 1), b.snapshots[1:] // tens of megabytes
	}
	if len(c.points)+len(c.judged)+len(c.snapshots) > 0 {
		c.dirty = true
	}
}

// progress is how far the run has come, as rows have it.
func (r *Run) progress() store.Progress {
	resting := r.resting()
	r.mu.Lock()
	state, reason := r.state, r.reason
	kept := stored(state, r.paused, resting)
	if kept == store.Paused && state != wire.StatePaused { // the reason is that of the queue, or of the way back
		reason = r.why
	}
	r.mu.Unlock()
	c := r.record
	c.mu.Lock()
	defer c.mu.Unlock()
	return store.Progress{
		State: kept, Reason: reason, Steps: int64(c.stands.Steps), Updates: int64(c.stands.Updates),
		Episodes: int64(c.stands.Episodes), ReturnMean100: c.stands.Mean, ParamsSHA256: c.stands.SHA256,
	}
}

// settings are those in force, as rows have them.
func (r *Run) settings() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return settingsJSON(&r.spec, &r.cfg)
}

// stored is a state as the store has it.
func stored(state uint8, paused, resting bool) store.State {
	switch {
	case state == wire.StateDone, state == wire.StateStopped:
		return store.Done
	case state == wire.StateDiverged:
		return store.Diverged
	case state == wire.StatePaused, paused: // also while it waits for room, or comes back
		return store.Paused
	case resting:
		return store.Resting
	case state == wire.StateQueued:
		return store.Queued
	}
	return store.Running
}

// stuck is why nothing can be kept at the moment, for people; nil when it can.
func (l *Lab) stuck() error {
	if reason := l.full.Load(); reason != nil {
		return *reason
	}
	return nil
}

// noteKept sees to it that people know when nothing can be kept: runs wait until it can, so that nothing is lost. That
// whoever asked has gone meanwhile, with ctx, says nothing about the store.
func (l *Lab) noteKept(ctx context.Context, err error) {
	before := l.stuck()
	switch {
	case err != nil && ctx.Err() != nil:
	case err == nil && before != nil:
		l.full.Store(nil)
		l.opts.Log.Info("runs are kept again")
		l.tellAll("")
	case err != nil && before == nil && l.ctx.Err() == nil:
		reason := errUnkept
		if errors.Is(err, store.ErrFull) {
			reason = errFull
		}
		l.full.Store(&reason)
		l.opts.Log.Error("runs cannot be kept, and wait", "error", err)
		l.tellAll(reason.Error())
	}
}

var (
	errFull   = errors.New("the server's disk is full: runs wait, and go on when there is room again")
	errUnkept = errors.New("the server cannot keep runs at the moment: they wait, and go on when it can; its log has " +
		"the details")
)

// tellAll tells the pages of all runs that are going on that they wait, or that they do not any more.
func (l *Lab) tellAll(reason string) {
	for _, r := range l.held() {
		r.mu.Lock()
		state := r.state
		r.mu.Unlock()
		if wire.Over(state) {
			continue
		}
		shown := state
		if reason != "" && state == wire.StateRunning {
			shown = wire.StatePaused
		}
		r.topic.Publish(&wire.Status{State: shown, Reason: reason}, 0)
		r.signal()
	}
}
