package lab

import (
	"context"
	"errors"
	"slices"
	"time"

	"impalab/learner/schedule"
	"impalab/server/store"
	"impalab/web/runloop"
)

// Snapshots of runs are megabytes, so they go to the store one by one, after the tapes and curves that lead to them. No
// other writer waits for their compression, or for more than a part of one (store.SaveState).

// waitingPart is the part of the lab's memory that snapshots may take while they wait for the store. Beyond it a run
// makes no snapshot, and is recomputed from an earlier one.
const waitingPart = 1. / 8

// Save implements runloop.Host.
func (r *Run) Save(s runloop.Snapshot) bool {
	c, b := r.record, &r.lab.budget
	c.Lock()
	defer c.Unlock()
	if n := len(c.snapshots); n > 0 && !c.snapshots[n-1].Marked { // the store does not have it yet, and s is newer
		b.carry(-float64(len(c.snapshots[n-1].Blob)))
		c.snapshots = c.snapshots[:n-1]
	}
	if !b.mayCarry(float64(len(s.Blob))) {
		return false
	}
	b.carry(float64(len(s.Blob)))
	c.snapshots, c.Dirty = append(c.snapshots, s), true
	return true
}

// waits returns the oldest snapshot that the store does not have.
func (c *record) waits() (s runloop.Snapshot, ok bool) {
	c.Lock()
	defer c.Unlock()
	if len(c.snapshots) == 0 {
		return s, false
	}
	return c.snapshots[0], true
}

// settled drops a snapshot that waits no more.
func (r *Run) settled(s runloop.Snapshot) {
	c := r.record
	c.Lock()
	defer c.Unlock()
	if len(c.snapshots) > 0 && &c.snapshots[0].Blob[0] == &s.Blob[0] { // else Keep has replaced it
		r.lab.budget.carry(-float64(len(s.Blob)))
		c.snapshots = slices.Delete(c.snapshots, 0, 1) // tens of megabytes
	}
}

// dropSnapshots drops the snapshots of a run that is held no more.
func (r *Run) dropSnapshots() {
	for s, ok := r.record.waits(); ok; s, ok = r.record.waits() {
		r.settled(s)
	}
}

// archivePause is the time after a failure until the next try: a part of a snapshot may have filled the disk.
const archivePause = 5 * time.Second

// archive stores snapshots until the lab closes.
func (l *Lab) archive() {
	tick := time.NewTicker(scribeEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-l.ctx.Done():
			return
		}
		tick.Reset(scribeEvery)
		for _, r := range l.hosted() {
			err := schedule.Catch(func() error { return l.storeSnapshots(l.ctx, r, usual) })
			if errors.As(err, new(*schedule.Fault)) {
				l.Fault("storing a snapshot", r.ID, err)
			}
			if store.MayPass(err) {
				tick.Reset(archivePause)
				break
			}
		}
	}
}

// storeSnapshots takes the snapshots of a run to the store, oldest first, after all that came before them.
func (l *Lab) storeSnapshots(ctx context.Context, r *Run, much extent) error {
	select {
	case l.archiving <- struct{}{}:
		defer func() { <-l.archiving }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	for {
		s, ok := r.record.waits()
		if !ok || much != whole && r.ctx.Err() != nil { // letGo stores it
			return nil
		}
		r.record.Touch()
		if err := l.writeDown(ctx, []*Run{r}, much); err != nil {
			return err
		}
		err := l.storeSnapshot(ctx, r, s)
		switch why := endOf(err); {
		case errors.Is(err, store.ErrInvalid), errors.Is(err, store.ErrCrowded): // the run is recomputed without it
			l.opts.Log.Debug("a snapshot is not stored", "run", r.ID, "update", s.Update, "error", err)
		case why != nil:
			if why == ErrUnstorable {
				l.opts.Log.Error("a run cannot be stored, and leaves memory", "run", r.ID, "error", err)
			}
			r.settled(s)
			r.End(why)
			return err
		case err != nil:
			l.noteKept(ctx, err)
			return err
		}
		r.settled(s)
	}
}

func (l *Lab) storeSnapshot(ctx context.Context, r *Run, s runloop.Snapshot) error {
	kept := store.Snapshot{Update: int64(s.Update), Step: int64(s.Step), Marked: s.Marked, Data: pack(s)}
	if err := l.store.SaveState(ctx, &kept); err != nil {
		return err
	}
	select { // FinishJob waits for this
	case l.writing <- struct{}{}:
		defer func() { <-l.writing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	r.record.Lock()
	job := r.record.job
	r.record.Unlock()
	err := l.store.Do(ctx, func(tx *store.Tx) error {
		if job != nil {
			if err := job.Heartbeat(tx, true); err != nil {
				return err
			}
		}
		return tx.AddSnapshot(r.ID, kept)
	})
	if err != nil {
		l.store.DropState(ctx, &kept)
	}
	return err
}
