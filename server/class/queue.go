package class

// A room's side of the jobs that judge its answers: they are queued with the answer, looked for after a restart, and
// what they come to is read from the store, whoever wrote it.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"impalab/server/job"
	"impalab/server/seedjob"
	"impalab/server/store"
)

// submitter is whose share of the queue and of the cores an answer takes: whoever asks for much waits for the others.
// It tells no code: whoever has one may join.
func submitter(room string, member int64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", room, member))
	return hex.EncodeToString(sum[:16])
}

// enqueue queues the job of an answer, in the transaction that keeps it.
func (r *Room) enqueue(tx *store.Tx, a *answer) (err error) {
	o := job.Order{Kind: jobKind, Args: jobArgs{r.code, a.Number}, Priority: jobFirst,
		Submitter: submitter(r.code, a.Member)}
	if p, err := r.plan(a); err == nil { // whoever takes a job without a plan says so
		o.Cost = int64(p.config.Steps) * int64(len(p.seeds)) / 1000
		a.result.Steps = p.config.Steps
	}
	if a.job, err = r.rooms.opts.Queue.Add(tx, o); err != nil {
		return err
	}
	before, err := tx.JobPlace(a.job)
	a.place = int(before) + 1
	return err
}

// adopt finds the jobs of answers that were open when the server stopped, and queues those that have none: an older
// build judged them in the server alone.
func (r *Room) adopt(ctx context.Context) error {
	if !slices.ContainsFunc(r.answers, func(a *answer) bool { return a.open }) {
		return nil
	}
	return r.rooms.opts.Store.Do(ctx, func(tx *store.Tx) error {
		jobs := map[jobArgs]string{}
		for _, state := range []store.State{store.JobQueued, store.JobRunning} {
			all, err := tx.JobsIn(state)
			if err != nil {
				return err
			}
			for i := range all {
				var of jobArgs
				if all[i].Kind == jobKind && json.Unmarshal([]byte(all[i].Args), &of) == nil {
					jobs[of] = all[i].ID
				}
			}
		}
		for _, a := range r.answers {
			if !a.open {
				continue
			}
			if p, err := r.plan(a); err == nil {
				a.result.Steps = p.config.Steps
			}
			if a.job = jobs[jobArgs{r.code, a.Number}]; a.job != "" {
				continue
			}
			if err := r.enqueue(tx, a); err != nil {
				return err
			}
		}
		return nil
	})
}

// cancel ends the jobs of a room that is deleted, in the transaction that deletes it. The caller holds mu.
func (r *Room) cancel(tx *store.Tx) error {
	for _, a := range r.answers {
		if a.open {
			err := r.rooms.opts.Queue.Cancel(tx, a.job, "the room was deleted")
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
	}
	return nil
}

// How often the rooms look for what workers have done, and every how many times at the curves of runs in other
// processes, which come with the states of those runs.
const (
	lookEvery  = time.Second / 2
	curvesEach = 4
)

// listen takes what workers have done to the rooms' pages, until Close.
func (rs *Rooms) listen() {
	defer rs.gone.Done()
	round := 0
	rs.opts.Queue.Follow(rs.ctx, lookEvery, func() {
		rs.look(rs.ctx, round%curvesEach == 0)
		round++
	})
}

// open is an answer that is being judged, and what the store has of it.
type open struct {
	room   *Room
	number int64
	job    string
	here   bool // this process trains it

	place   int   // in the queue, from 1; 0: it does not wait
	before  int64 // thousands of steps that wait before it
	running bool  // by some worker
	curve   []float64
	answer  store.Answer // once its job is over
	ended   store.Job
}

// look reads once what has become of the answers that are open.
func (rs *Rooms) look(ctx context.Context, curves bool) {
	all := rs.open()
	if len(all) == 0 {
		return
	}
	err := rs.opts.Store.View(ctx, func(tx *store.Tx) error {
		waiting, err := tx.JobsIn(store.JobQueued)
		if err != nil {
			return err
		}
		going, err := tx.JobsIn(store.JobRunning)
		if err != nil {
			return err
		}
		for i := range all {
			if err := all[i].read(tx, waiting, going, curves); err != nil {
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
	for i := range all {
		all[i].room.learn(ctx, &all[i])
	}
}

// open lists the answers that are being judged in the rooms in use.
func (rs *Rooms) open() (all []open) {
	rs.mu.Lock()
	rooms := slices.Collect(maps.Values(rs.held))
	rs.mu.Unlock()
	for _, r := range rooms {
		r.mu.Lock()
		for _, a := range r.answers {
			if a.open && !r.deleted {
				all = append(all, open{room: r, number: a.Number, job: a.job, here: a.here})
			}
		}
		r.mu.Unlock()
	}
	return all
}

// read finds an answer's job among those that wait and those that are being done, or else what it came to.
func (o *open) read(tx *store.Tx, waiting, going []store.Job, curves bool) (err error) {
	*o = open{room: o.room, number: o.number, job: o.job, here: o.here} // a transaction may be tried again
	place := 0
	for i := range waiting {
		if waiting[i].Kind != jobKind {
			continue
		}
		if place++; waiting[i].ID == o.job {
			o.place = place
			return nil
		}
		o.before += waiting[i].Cost
	}
	if o.running = slices.ContainsFunc(going, func(j store.Job) bool { return j.ID == o.job }); o.running {
		if curves && !o.here {
			var kept []byte
			kept, err = tx.JobSnapshot(o.job)
			o.curve = seedjob.Curve(kept)
		}
		return err
	}
	if o.answer, err = tx.Answer(o.room.code, o.number); err == nil {
		o.ended, err = tx.Job(o.job)
	}
	if errors.Is(err, store.ErrNotFound) { // of a room that has been deleted, or a job that was forgotten
		return nil
	}
	return err
}

// learn takes what the store has of an answer to the room's pages.
func (r *Room) learn(ctx context.Context, o *open) {
	wait := time.Duration(float64(o.before) * 1000 * r.rooms.steady() * float64(time.Second))
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.answers[o.number-1]
	switch {
	case !a.open || r.deleted:
	case o.place > 0 || o.running:
		if a.place != o.place || len(o.curve) > len(a.curve) {
			a.curve = append(a.curve, o.curve[min(len(a.curve), len(o.curve)):]...)
			defer r.tell()
		}
		a.place, a.wait = o.place, wait
	case o.answer.Verdict != "":
		r.judged(a, o.answer)
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

// judged takes a verdict that the store has. The caller holds mu.
func (r *Room) judged(a *answer, kept store.Answer) {
	var result Result
	if err := json.Unmarshal([]byte(kept.Verdict), &result); err != nil {
		r.rooms.opts.Log.Error("a verdict cannot be read", "answer", a.Number, "error", err)
		return
	}
	a.Answer, a.result, a.open, a.curve = kept, result, false, nil
	r.tell()
}

// show shows how far the first run of an answer is, which this process trains.
func (rs *Rooms) show(code string, number int64, points []float64) {
	rs.mu.Lock()
	r := rs.held[code]
	rs.mu.Unlock()
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if number > int64(len(r.answers)) {
		return // it has just been kept, and is not here yet
	}
	if a := r.answers[number-1]; a.open {
		a.here, a.place, a.curve = true, 0, slices.Clone(points)
		r.tell()
	}
}

// pace notes how many seconds an environment step has taken.
func (rs *Rooms) pace(step float64) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.step += .2 * (step - rs.step)
}

// steady is how many seconds one takes on average, with as many jobs at once as there are.
func (rs *Rooms) steady() float64 {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.step / float64(rs.opts.slots())
}
