package lab

import (
	"context"
	"time"

	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/wire"
)

// batch is the new data of one run, on its way to the store.
type batch struct {
	r        *Run
	progress store.Progress
	settings string
	lines    []string // of the tape
	first    int      // event of the first of them
	curves   map[string][]store.Point
	points   int
	judged   int
	events   int            // that wait for this
	waiting  []chan<- error // people who do
	job      Job            // that it is stored for; nil: none
	refused  error          // why the store takes nothing of this run
}

// extent is how much new data is taken to the store.
type extent uint8

const (
	soon  extent = iota // the tape and the state
	usual               // curves too, when there are more of them or a snapshot follows
	whole               // everything
)

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
	b.fill(much)
	if len(b.lines) > 0 {
		b.settings = r.settings() // no older than the lines
	}
	return b
}

// fill copies the parts of the run's record that are stored now.
func (b *batch) fill(much extent) {
	c := b.r.record
	c.Lock()
	defer c.Unlock()
	b.lines, b.first = c.news(), c.stored
	b.waiting, c.waiting = c.waiting, nil
	c.Dirty, b.job = false, c.job
	if much == soon {
		return
	}
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
		if err := b.job.Heartbeat(tx, false); err != nil {
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
		err = noAnswer(why)
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
		c.Dirty = c.Dirty || len(c.Points)+len(c.Judged) > 0
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
