package lab

// A run of a sweep may be in the hands of another process, or wait for its turn. Here people may look at it: it shows
// what has been kept, says who trains it, and writes nothing.

import (
	"errors"
	"fmt"
	"math"
	"time"

	"impalab/server/store"
)

// followEvery is how often it is looked at.
const followEvery = time.Second

var errElsewhere = errors.New("this run of a sweep is trained by another process, or waits for its turn: here it can " +
	"be looked at and forked, and stopped with its sweep")

// errFixed refuses what would have a cell of a sweep be of other settings than it says, or a pause hold its place.
var errFixed = errors.New("this is a run of a sweep, which goes by the sweep's plan: fork it, and change the fork")

// fixed is why nobody may change the run, or have it play, pause or step; nil: the owner may.
func (r *Run) fixed() error {
	if r.record.sweep == "" {
		return nil
	}
	return errFixed
}

// follow is the run's goroutine while nobody trains it here. It ends when somebody does, or when the run is over: then
// pages find it anew.
func (r *Run) follow() {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	told := ""
	for r.ctx.Err() == nil {
		r.refuseAll(errElsewhere)
		words, err := r.lookThere()
		if err != nil && r.ctx.Err() == nil {
			r.lab.opts.Log.Warn("a run that another process trains cannot be looked at", "run", r.id, "error", err)
		}
		switch {
		case err == nil && words == "":
			return
		case err == nil && words != told:
			told = words
			r.setState(r.now(), words)
		}
		select {
		case <-tick.C:
		case <-r.wake:
		case <-r.ctx.Done():
		}
	}
}

// lookThere tells the topic what is new of the run, and says who trains it; "": it is over, or gone.
func (r *Run) lookThere() (words string, err error) {
	c := r.record
	var row store.Run
	var of map[string][]store.Point
	err = r.lab.store.View(r.ctx, func(tx *store.Tx) (err error) {
		of = map[string][]store.Point{}
		if words, _, err = whoTrains(tx, r.id); err != nil || words == "" {
			return err
		}
		if row, err = tx.Run(r.id); err != nil {
			return err
		}
		all, err := tx.Curves(r.id)
		for _, one := range all {
			if err == nil {
				of[one.Name], err = tx.Curve(r.id, one.Name, c.unseen(one.Name), math.MaxInt64)
			}
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	if err != nil || words == "" {
		return words, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stands = stands{Steps: uint64(row.Steps), Updates: uint64(row.Updates), Episodes: uint64(row.Episodes),
		Mean: row.ReturnMean100, SHA256: row.ParamsSHA256}
	r.steps.Store(c.stands.Steps)
	points, judged := store.PointsOf(of)
	for _, p := range points {
		if p.Step > c.measured {
			c.measured = p.Step
			r.topic.Publish(p, 0)
		}
	}
	for _, j := range judged {
		if j.Step > c.weighed {
			c.weighed = j.Step
			r.topic.Publish(j, 0)
		}
	}
	return words, nil
}

// unseen is the step from which on the store's points of a series may be news.
func (c *record) unseen(name string) int64 {
	if store.OfValueError(name) {
		return int64(c.weighed) + 1
	}
	return int64(c.measured) + 1
}

// whereElse has the row of a run of a sweep that is not trained here say who does.
func (l *Lab) whereElse(tx *store.Tx, row *store.Run) error {
	l.mu.Lock()
	r := l.runs[row.ID]
	l.mu.Unlock()
	if row.State == store.Done || row.State == store.Diverged || r != nil && r.record.elsewhere == "" {
		return nil
	}
	words, running, err := whoTrains(tx, row.ID)
	if words == "" {
		return err
	}
	row.Reason = words
	if !running && row.State == store.Running { // its worker has left it
		row.State = store.Queued
	}
	return err
}

// whoTrains says who trains a run that is on its way for a sweep; "": it is none.
func whoTrains(tx *store.Tx, id string) (words string, running bool, err error) {
	sweep, number, err := tx.SweepOpen(id)
	if err != nil || sweep == "" {
		return "", false, err
	}
	jobs, err := jobsOf(tx, sweep)
	if j := jobs[number]; j.State == store.JobRunning {
		return fmt.Sprintf("a run of a sweep, trained by %s: here is what has been kept of it", j.Worker), true, err
	}
	return "a run of a sweep, which waits for its turn: here is what has been kept of it", false, err
}
