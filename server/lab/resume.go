package lab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/server/store"
	"impalab/web/watch"
)

// resume makes the run's learner, and the report of it: from its newest snapshot, or from the beginning.
func (r *Run) resume() (l *learner.Learner, p tape.Past, err error) {
	c := r.record
	c.mu.Lock()
	until := c.stands.Updates
	c.mu.Unlock()
	saved, err := r.lab.snapshotAt(r.ctx, c, until)
	if err == nil {
		l, err = r.stoodAt(saved)
	}
	if errors.Is(err, store.ErrDamaged) {
		r.lab.opts.Log.Warn("a snapshot cannot be used; the run is learned again from its beginning", "run", r.id, "error",
			err)
	}
	if errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotFound) {
		if r.spec.Config.Mode == hyper.Live && until > 0 {
			return nil, p, errLiveGone
		}
		saved = snapshot{}
		l, err = r.engine().New(r.spec.Config)
	}
	if err != nil {
		return nil, p, err
	}
	c.mu.Lock()
	c.computed = l.Machine().Device
	if line, news := c.tape.Continue(l, r.lab.opts.Build, until, c.stands.Steps); news {
		c.tape.Events, c.dirty = append(c.tape.Events, line), true
		r.lab.opts.Log.Info("a run goes on in another program than so far", "run", r.id, "update", until, "since", line.Since,
			"arithmetic", line.Arithmetic)
	}
	p, r.turns = c.tape.Past(l.Updates(), until), c.tape.TurnsToCome(r.spec.Turns)
	c.mu.Unlock()
	r.report = watch.NewReport(r.topic, c, l, saved.reported)
	return l, p, nil
}

// stoodAt is the learner of a snapshot. One that cannot be used, as another build may have written it, is damaged.
func (r *Run) stoodAt(saved snapshot) (*learner.Learner, error) {
	l, err := r.engine().Resume(saved.blob)
	if err == nil && l.Updates() != saved.update {
		l.Close()
		err = fmt.Errorf("the snapshot of update %d stands at update %d", saved.update, l.Updates())
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrDamaged, err)
	}
	return l, nil
}

// takeTurns makes the planned turns that are due before the next update.
func (r *Run) takeTurns(l *learner.Learner) {
	for len(r.turns) > 0 && r.turns[0].Step <= l.Steps() {
		turn := r.turns[0]
		r.turns = r.turns[1:]
		r.markBefore(l)
		if err := r.change(request{by: tape.ByTurn, changes: []hyper.Change{turn.Change}}, l); err != nil {
			r.record.change(telemetry.Changed{ // to itself, so that the tape says that its turn came
				Step: l.Steps(), Update: l.Updates(), Key: turn.Change.Key(), From: l.Config().Get(turn.Change.Key()),
				To: l.Config().Get(turn.Change.Key()),
			}, tape.ByTurn)
			r.setState(r.now(), fmt.Sprintf("the turn %s was not made: %v", turn, err))
		}
	}
}

var errLiveGone = errors.New("a live run cannot go on after the server has stopped: begin it again, or choose " +
	"mode=reference")

// keepNow takes a snapshot when one is due.
func (r *Run) keepNow(l *learner.Learner) {
	if r.keeping.Due() {
		r.snapshot(l, false)
	}
}

// markBefore takes one before a change, unless that would keep people waiting.
func (r *Run) markBefore(l *learner.Learner) {
	if r.keeping.Mark() {
		r.snapshot(l, true)
	}
}

// snapshot takes one, of a reference run.
func (r *Run) snapshot(l *learner.Learner, marked bool) {
	if l.Config().Mode == hyper.Live {
		return
	}
	start := time.Now()
	blob, err := l.Snapshot()
	r.keeping.Took(start)
	if err != nil {
		r.lab.opts.Log.Error("a run cannot be snapshotted", "run", r.id, "error", err)
		return
	}
	c := r.record
	c.mark(l)
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := snapshot{update: l.Updates(), step: l.Steps(), marked: marked, blob: blob, reported: r.report.Reported()}
	if n := len(c.snapshots); n > 0 && !c.snapshots[n-1].marked { // the store has not taken it yet, and this one is newer
		c.snapshots = c.snapshots[:n-1]
	}
	c.snapshots = append(c.snapshots, kept)
	c.dirty = true
}

// snapshotAt is the newest snapshot at or before an update.
func (l *Lab) snapshotAt(ctx context.Context, c *record, update uint64) (found snapshot, err error) {
	var kept store.Snapshot
	err = l.store.View(ctx, func(tx *store.Tx) (err error) {
		kept, err = tx.SnapshotAt(c.id, int64(update))
		return err
	})
	switch {
	case err == nil:
		found = snapshot{update: uint64(kept.Update), step: uint64(kept.Step)}
		err = found.unpack(kept.Data)
	case !errors.Is(err, store.ErrNotFound):
		return found, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.snapshots {
		if s.update <= update && (found.blob == nil || s.update >= found.update) {
			found, err = s, nil
		}
	}
	return found, err
}

// engine is what a run computes on.
func (r *Run) engine() learner.Engine {
	return learner.Engine{Lower: graph.Lower, Cores: r.cores, Devices: r.lab.opts.Devices, Remotes: r.remote,
		Like: r.record.tape.Arithmetic}
}
