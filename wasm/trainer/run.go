package trainer

import (
	"context"
	"errors"
	"math"
	"slices"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/web/runloop"
	"impalab/web/watch"
	"impalab/web/wire"
)

// Run is one run of a page. It is its own host: the record is all that is kept of it.
type Run struct {
	runloop.Run
	trainer *Trainer
	record  *record
}

var errDropped = errors.New("the run has left memory")

// record is a run's past, with the snapshots that it can return to. They are in the order of their
// updates.
type record struct {
	*runloop.Record
	snapshots []runloop.Snapshot
}

const (
	maxSnapshots = 24   // of a run…
	maxKept      = 24e6 // …and their bytes
)

// live is the run's goroutine: it learns until the run has ended, and then refuses requests until the run is dropped.
func (r *Run) live() {
	defer r.Topic.Close("this run has left memory; reload the page to restart it")
	err := schedule.Catch(func() error { return r.Train(context.Background()) })
	if err != nil && r.Interruption() == nil {
		r.Happens(runloop.Fail, 0, err.Error())
	}
	for r.Interruption() == nil {
		r.RefuseAll(runloop.ErrOver)
		<-r.Woken()
	}
}

// Learner implements runloop.Host.
func (r *Run) Learner() (*learner.Learner, watch.Reported, error) {
	if err := r.trainer.opts.Prepare(&r.Link.Config); err != nil {
		return nil, watch.Reported{}, err
	}
	return r.before(math.MaxUint64)
}

// before returns a learner in its state before an update: from the nearest earlier snapshot, or from the start.
func (r *Run) before(update uint64) (l *learner.Learner, reported watch.Reported, err error) {
	engine := learner.Engine{Lower: r.trainer.opts.Lower}
	if s, ok := r.record.newestBefore(update); ok {
		l, err = engine.Resume(s.Blob)
		return l, s.Reported, err
	}
	l, err = engine.New(r.Link.Config)
	return l, reported, err
}

// Fixed implements runloop.Host.
func (r *Run) Fixed() error { return nil }

// Rests implements runloop.Host: an unwatched run stands still.
func (r *Run) Rests() bool {
	n, _ := r.Watchers()
	return n == 0
}

// Publish implements runloop.Host.
func (r *Run) Publish(event wire.Message, owner uint64) { r.Topic.Publish(event, owner) }

// Breathe implements runloop.Host.
func (r *Run) Breathe() { r.trainer.opts.Breathe() }

// Save implements runloop.Host. When there are many snapshots it drops every second of the older ones.
func (r *Run) Save(s runloop.Snapshot) bool {
	c := r.record
	c.Lock()
	defer c.Unlock()
	if n := len(c.snapshots); n > 0 && c.snapshots[n-1].Update == s.Update {
		return true
	}
	c.snapshots = append(c.snapshots, s)
	for c.tooMany() {
		behind := len(c.snapshots) // the newest
		c.snapshots = slices.DeleteFunc(c.snapshots, func(runloop.Snapshot) bool { behind--; return behind%2 == 1 })
	}
	return true
}

func (c *record) tooMany() bool {
	bytes := 0
	for _, s := range c.snapshots {
		bytes += len(s.Blob)
	}
	return len(c.snapshots) > maxSnapshots || bytes > maxKept && len(c.snapshots) > 1
}

// newestBefore returns the newest snapshot from before an update.
func (c *record) newestBefore(update uint64) (newest runloop.Snapshot, ok bool) {
	c.Lock()
	defer c.Unlock()
	for _, s := range c.snapshots {
		if s.Update < update {
			newest, ok = s, true
		}
	}
	return newest, ok
}

// Admit implements runloop.Host: it refuses settings that are invalid, and runs that are too large for a browser's tab.
func (r *Run) Admit(cfg *hyper.Config) error { return admit(cfg) }

func admit(cfg *hyper.Config) error {
	if cfg.Mode == hyper.Live {
		return errors.New("mode=live: actors that race the learner need a server; choose mode=reference")
	}
	_, err := runloop.Browser.Check(cfg)
	return err
}
