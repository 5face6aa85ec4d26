package class

// The rooms' view of the queue: places, curves and verdicts of open answers, as the store has them.

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"impalab/learner/trial"
	"impalab/server/store"
)

// The rooms read the queue every lookEvery, and the curves of running jobs every curvesEach-th time: a curve comes with
// a job's whole state.
const (
	lookEvery  = time.Second / 2
	curvesEach = 2
)

// startRate is the assumed speed before any was measured, in steps per second.
const startRate = 250_000

// followJobs shows the work on the rooms' answers until Close.
func (rs *Rooms) followJobs() {
	rate, round := measured{perSecond: startRate}, 0
	rs.opts.Queue.Follow(rs.ctx, lookEvery, func() {
		rs.look(rs.ctx, &rate, round%curvesEach == 0)
		round++
	})
}

// open is an open answer, and its job in the store.
type open struct {
	room   *Room
	number int64
	job    string

	place   int   // in the queue, from 1; 0: it does not wait
	before  int64 // thousands of steps that wait before it
	running bool
	curve   []trial.Number
	answer  store.Answer // after the job's end
	ended   store.Job
}

// look reads the store once for all open answers of the rooms in memory.
func (rs *Rooms) look(ctx context.Context, rate *measured, curves bool) {
	var all []open
	for _, r := range rs.all() {
		r.mu.Lock()
		for _, a := range r.answers {
			if a.open && !r.deleted {
				all = append(all, open{room: r, number: a.Number, job: a.job})
			}
		}
		r.mu.Unlock()
	}
	if len(all) == 0 {
		return
	}
	var waiting, running []pending
	err := rs.opts.Store.View(ctx, func(tx *store.Tx) (err error) {
		if waiting, err = classJobs(tx, store.JobQueued); err != nil {
			return err
		}
		if running, err = classJobs(tx, store.JobRunning); err != nil {
			return err
		}
		for i := range all {
			if err := all[i].read(tx, waiting, running, curves); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		if ctx.Err() == nil {
			rs.opts.Log.Warn("what is being judged in the rooms could not be read", "error", err)
		}
		return
	}
	rate.add(running, time.Now())
	for i := range all {
		all[i].room.show(ctx, &all[i], rate.perSecond)
	}
}

// pending is a job that waits or runs, and its answer.
type pending struct {
	store.Job
	of jobArgs
}

func classJobs(tx *store.Tx, state store.State) (list []pending, err error) {
	all, err := tx.JobsIn(state)
	for _, j := range all {
		p := pending{Job: j}
		if j.Kind == jobKind && json.Unmarshal([]byte(j.Args), &p.of) == nil {
			list = append(list, p)
		}
	}
	return list, err
}

// read finds the job of an open answer among the waiting and running ones, or else reads its verdict.
func (o *open) read(tx *store.Tx, waiting, running []pending, curves bool) (err error) {
	*o = open{room: o.room, number: o.number, job: o.job} // the store may repeat a transaction
	own := func(p pending) bool { return p.of == jobArgs{o.room.code, o.number} }
	if at := slices.IndexFunc(waiting, own); at >= 0 {
		o.job, o.place = waiting[at].ID, at+1
		for _, j := range waiting[:at] {
			o.before += j.Cost
		}
		return nil
	}
	if at := slices.IndexFunc(running, own); at >= 0 {
		o.job, o.running = running[at].ID, true
		if curves {
			var snapshot []byte
			snapshot, err = tx.JobSnapshot(o.job)
			o.curve = thin(trial.FirstCurve(snapshot))
		}
		return err
	}
	o.answer, err = tx.Answer(o.room.code, o.number)
	if err == nil && o.answer.Verdict == "" {
		o.ended, err = tx.Job(o.job)
		if errors.Is(err, store.ErrNotFound) {
			o.ended, err = store.Job{State: store.JobFailed, Reason: "its job is gone"}, nil
		}
	}
	if errors.Is(err, store.ErrNotFound) { // the room was deleted
		return nil
	}
	return err
}

// show shows the progress or verdict of an open answer on the room's pages.
func (r *Room) show(ctx context.Context, o *open, rate float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.answers[o.number-1]
	switch {
	case !a.open || r.deleted:
	case o.place > 0 || o.running:
		if a.place != o.place || len(o.curve) > len(a.curve) {
			if o.curve != nil {
				a.curve = o.curve
			}
			defer r.tell()
		}
		a.job, a.place = o.job, o.place
		a.wait = time.Duration(float64(o.before) * 1000 / rate * float64(time.Second))
	case o.answer.Verdict != "":
		var result Result
		if err := json.Unmarshal([]byte(o.answer.Verdict), &result); err != nil {
			r.rooms.opts.Log.Error("a verdict cannot be read", "answer", a.Number, "error", err)
			return
		}
		a.Answer, a.result, a.open, a.curve = o.answer, result, false, nil
		r.tell()
	case o.ended.State == store.JobFailed || o.ended.State == store.JobCancelled:
		a.result.Verdict = unjudged(errors.New(o.ended.Reason))
		err := r.do(ctx, func(tx *store.Tx) error { return tx.SetVerdict(r.code, a.Number, text(a.result), nil) })
		if err != nil {
			r.rooms.opts.Log.Warn("why an answer was not judged could not be kept", "answer", a.Number, "error", err)
			return
		}
		a.open, a.Judged = false, r.now().UnixMilli()
		r.tell()
	}
}

// cancelJobs cancels the jobs of a room in the transaction that deletes it. The caller holds mu.
func (r *Room) cancelJobs(tx *store.Tx) error {
	for _, a := range r.answers {
		if a.open && a.job != "" {
			err := r.rooms.opts.Queue.Cancel(tx, a.job, "the room was deleted")
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
	}
	return nil
}

// measured is the speed of all class jobs together.
type measured struct {
	perSecond float64
	done      map[string]int64 // steps, by job
	at        time.Time        // of done
}

// add measures the running jobs' progress since the last time that there was any.
func (m *measured) add(running []pending, now time.Time) {
	steps, done := int64(0), map[string]int64{}
	for _, j := range running {
		done[j.ID] = j.Progress
		if before, known := m.done[j.ID]; known {
			steps += j.Progress - before
		}
	}
	if steps > 0 {
		m.perSecond += .2 * (float64(steps)/now.Sub(m.at).Seconds() - m.perSecond)
	} else if len(done) > 0 && len(m.done) > 0 {
		return // measure a longer time
	}
	m.done, m.at = done, now
}
