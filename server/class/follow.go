package class

// The rooms' view of the queue: places, curves and verdicts of open answers, as the store has them.

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"impalab/learner/trial"
	"impalab/server/seedjob"
	"impalab/server/store"
)

// The rooms read the queue every lookEvery, and the curves of running jobs every curvesEach-th time: a curve comes with
// a job's whole state.
const (
	lookEvery  = time.Second / 2
	curvesEach = 2
)

// followJobs shows the work on the rooms' answers until Close.
func (rs *Rooms) followJobs() {
	speed, round := speed{perSecond: 250_000}, 0 // until it is measured
	rs.opts.Queue.Follow(rs.ctx, lookEvery, func() {
		rs.poll(rs.ctx, &speed, round%curvesEach == 0)
		round++
	})
}

// pending is an open answer, and the store's state of it.
type pending struct {
	room   *Room
	number int64
	job    string

	progress
	curve   []trial.Number
	poses   []int16
	verdict *store.Answer // the answer, once it has its verdict
}

// progress is the progress of a job.
type progress struct {
	place  int   // in the queue, from 1; 0: it does not wait
	before int64 // thousands of steps that wait before it
	runs   bool
}

// poll reads the store once for all open answers of the rooms in memory.
func (rs *Rooms) poll(ctx context.Context, speed *speed, curves bool) {
	var open []pending
	for _, r := range rs.all() {
		r.mu.Lock()
		for _, a := range r.answers {
			if a.open() && !r.deleted {
				open = append(open, pending{room: r, number: a.Number, job: a.Job})
			}
		}
		r.mu.Unlock()
	}
	if len(open) == 0 {
		return
	}
	steps := map[string]int64{} // of running jobs
	err := rs.opts.Store.View(ctx, func(tx *store.Tx) error {
		clear(steps)
		jobs, err := classJobs(tx, steps)
		for i := range open {
			if err == nil {
				err = open[i].read(tx, jobs, curves)
			}
		}
		return err
	})
	if err != nil {
		if ctx.Err() == nil {
			rs.opts.Log.Warn("the answers being judged could not be read", "error", err)
		}
		return
	}
	speed.measure(steps, time.Now())
	for i := range open {
		open[i].room.show(&open[i], speed.perSecond)
	}
}

// classJobs returns the progress of the open jobs of classes, and adds the steps of the running ones to steps.
func classJobs(tx *store.Tx, steps map[string]int64) (map[string]progress, error) {
	jobs, last := map[string]progress{}, progress{}
	running, queued, err := tx.JobsOpen()
	for _, j := range queued {
		if j.Kind == jobKind {
			last.place++
			jobs[j.ID] = last
			last.before += j.Cost
		}
	}
	for _, j := range running {
		if j.Kind == jobKind {
			jobs[j.ID], steps[j.ID] = progress{runs: true}, j.Progress
		}
	}
	return jobs, err
}

// read reads the progress of an open answer's job, or else its verdict.
func (p *pending) read(tx *store.Tx, jobs map[string]progress, curves bool) error {
	*p = pending{room: p.room, number: p.number, job: p.job} // the store may repeat a transaction
	var open bool
	if p.progress, open = jobs[p.job]; open {
		if !p.runs || !curves {
			return nil
		}
		first, err := seedjob.ShownCurve(tx, p.job)
		p.curve, p.poses = thin(first.At), first.Poses
		return err
	}
	answer, err := tx.Answer(p.room.code, p.number)
	switch {
	case errors.Is(err, store.ErrNotFound): // the room was deleted
		return nil
	case err == nil && answer.Verdict != "":
		p.verdict = &answer
	}
	return err
}

// show shows the progress or verdict of an open answer on the room's pages.
func (r *Room) show(p *pending, perSecond float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.answers[p.number-1]
	switch {
	case !a.open() || r.deleted:
	case p.place > 0 || p.runs:
		if a.place != p.place || len(p.curve) > len(a.curve) {
			if p.curve != nil {
				a.curve, a.result.Poses = p.curve, p.poses
			}
			defer r.notify()
		}
		a.place = p.place
		a.wait = time.Duration(float64(p.before) * 1000 / perSecond * float64(time.Second))
	case p.verdict != nil:
		var result Result
		if err := json.Unmarshal([]byte(p.verdict.Verdict), &result); err != nil {
			r.rooms.opts.Log.Error("a verdict cannot be read", "answer", a.Number, "error", err)
			return
		}
		a.Answer, a.result, a.curve = *p.verdict, result, nil
		r.notify()
	}
}

// cancelJobs cancels the jobs of a room in the transaction that deletes it. The caller holds mu.
func (r *Room) cancelJobs(tx *store.Tx) error {
	for _, a := range r.answers {
		if a.open() {
			err := r.rooms.opts.Queue.Cancel(tx, a.Job, "the room was deleted")
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
	}
	return nil
}

// speed is the speed of all class jobs together.
type speed struct {
	perSecond float64          // steps
	done      map[string]int64 // steps, by job
	at        time.Time        // of done
}

// measure compares the steps of the running jobs with the steps at the last progress.
func (s *speed) measure(done map[string]int64, now time.Time) {
	steps := int64(0)
	for id, n := range done {
		if before, known := s.done[id]; known {
			steps += n - before
		}
	}
	if steps > 0 {
		s.perSecond += .2 * (float64(steps)/now.Sub(s.at).Seconds() - s.perSecond)
	} else if len(done) > 0 && len(s.done) > 0 {
		return // measure a longer time
	}
	s.done, s.at = done, now
}
