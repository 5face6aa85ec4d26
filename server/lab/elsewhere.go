package lab

import (
	"context"
	"errors"
	"time"

	"impalab/server/store"
)

// Elsewhere says in words who trains a run that is on its way in another process, or that it waits to be trained; "" is
// of any other run. Running is false while it waits.
type Elsewhere func(tx *store.Tx, run string) (words string, running bool, err error)

var errElsewhere = errors.New("this run of a sweep is trained by another process, or waits for its turn: here it can " +
	"be looked at and forked, and stopped with its sweep")

// trainedElsewhere is Elsewhere for a run that is not over.
func (l *Lab) trainedElsewhere(tx *store.Tx, row *store.Run) (words string, running bool, err error) {
	if l.opts.Elsewhere == nil || row.State == store.Done || row.State == store.Diverged {
		return "", false, nil
	}
	return l.opts.Elsewhere(tx, row.ID)
}

// describe adds to the row of a run who trains it, and reports whether that is not this process.
func (l *Lab) describe(tx *store.Tx, row *store.Run) (elsewhere bool, err error) {
	if r := l.run(row.ID); r != nil && !r.record.elsewhere {
		return false, nil
	}
	words, running, err := l.trainedElsewhere(tx, row)
	if words == "" {
		return false, err
	}
	row.Reason = words
	if !running && row.State == store.Running { // its worker has left it
		row.State = store.Queued
	}
	return true, err
}

// follow is the run's goroutine while another process trains it: it publishes the points in the store. It returns when
// this process trains the run or when the run is over; pages then find it again.
func (r *Run) follow() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	told := ""
	for r.ctx.Err() == nil {
		r.RefuseAll(errElsewhere)
		words, err := r.readNews()
		if err != nil && r.ctx.Err() == nil {
			r.lab.opts.Log.Warn("a run that another process trains cannot be looked at", "run", r.ID, "error", err)
		}
		switch {
		case err == nil && words == "":
			return
		case err == nil && words != told:
			told = words
			r.Say(words)
		}
		select {
		case <-tick.C:
		case <-r.Woken():
		case <-r.ctx.Done():
		}
	}
}

// readNews publishes new points of the run in the store, and says who trains it; "": it is over, or deleted.
func (r *Run) readNews() (words string, err error) {
	c := r.record
	var row store.Run
	var told map[string][]store.Point
	err = r.lab.store.View(r.ctx, func(tx *store.Tx) (err error) {
		if row, err = tx.Run(r.ID); err != nil {
			return err
		}
		if words, _, err = r.lab.trainedElsewhere(tx, &row); err != nil || words == "" {
			return err
		}
		told, err = curvesOf(tx, r.ID, c.unread)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	if err != nil || words == "" {
		return words, err
	}
	c.Lock()
	c.At = positionOf(&row)
	c.Unlock()
	points, judged := store.PointsOf(told)
	for _, p := range points {
		if c.Point(p) {
			r.Topic.Publish(p, 0)
		}
	}
	for _, j := range judged {
		if c.Judge(j) {
			r.Topic.Publish(j, 0)
		}
	}
	c.Record.SetPublished(nil, nil)
	return words, nil
}

// unread returns the step from which on the store may have new points of a series.
func (c *record) unread(name string) int64 {
	if store.OfValueError(name) {
		return int64(c.LastJudged()) + 1
	}
	return int64(c.LastPoint()) + 1
}

// HostFor hosts a run for a job, which trains it. It is no longer shown as trained elsewhere, and may not be changed.
func (l *Lab) HostFor(ctx context.Context, id string, job Job) (*Run, error) {
	for ctx.Err() == nil {
		if old := l.run(id); old != nil { // a viewer looks at it, or this process trained it before
			old.End(ErrDropped)
			select {
			case <-old.gone:
			case <-ctx.Done():
			}
			continue
		}
		spec, rec, bytes, err := l.loadToHold(ctx, id)
		if err != nil {
			return nil, err
		}
		rec.elsewhere, rec.fixed, rec.job = false, true, job
		if r, err := l.hostOnce(ctx, spec, rec, bytes); err != nil || r != nil && r.record == rec {
			return r, err
		}
	}
	return nil, ctx.Err()
}

// Suspend stops holding the run, which keeps where it stands.
func (r *Run) Suspend() { r.stop(errClosing) }

// FinishJob calls finish, which ends the run's job. The scribe waits meanwhile: before, it stores the run for the job,
// after, without a job. An unwatched run is held no more.
func (l *Lab) FinishJob(ctx context.Context, r *Run, finish func() error) error {
	select {
	case l.writing <- struct{}{}:
		defer func() { <-l.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := finish(); err != nil || r == nil {
		return err
	}
	r.record.Lock()
	r.record.job = nil
	r.record.Unlock()
	if n, _ := r.Watchers(); n == 0 {
		r.End(ErrDropped)
	}
	return nil
}

// HasJob reports whether the run is still trained for a job.
func (r *Run) HasJob() bool {
	r.record.Lock()
	defer r.record.Unlock()
	return r.record.job != nil && r.ctx.Err() == nil
}
