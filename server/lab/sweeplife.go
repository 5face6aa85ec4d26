package lab

import (
	"errors"
	"time"

	"impalab/learner/schedule"
	"impalab/server/store"
)

// A sweep's goroutine reads what the store has of its runs when jobs have changed, whoever trains them, and tells the
// sweep's readers. The sweep continues without it.

const (
	sweepTells = 250 * time.Millisecond // how often progress is news
	sweepIdles = 2 * time.Second        // how often it is looked for while nobody reads
	sweepAgain = time.Second            // after something could not begin or be kept
)

// live is the sweep's goroutine.
func (s *Sweep) live() {
	if err := schedule.Catch(s.carry); err != nil && s.ctx.Err() == nil {
		s.lab.panics.Add(1)
		s.lab.opts.Log.Error("panic in a sweep", "sweep", s.id, "error", err)
	}
}

func (s *Sweep) carry() error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for news := atOnce; ; {
		select {
		case <-timer.C:
			select {
			case <-news:
			case <-s.wake:
			case <-s.ctx.Done():
				return nil
			}
		case <-s.wake:
		case <-s.ctx.Done():
			return nil // its runs are kept, and it continues when the server is there again
		}
		news = s.lab.news()
		over, err := s.refresh()
		if over {
			return nil
		}
		s.mu.Lock()
		pause := sweepTells
		if time.Since(s.looked) > sweepIdles {
			pause = sweepIdles
		}
		s.mu.Unlock()
		if err != nil && s.ctx.Err() == nil {
			s.lab.opts.Log.Warn("a sweep waits", "sweep", s.id, "error", err)
			pause = sweepAgain
		}
		timer.Reset(pause)
	}
}

// news is closed when some job has changed, and at once where there is no queue.
func (l *Lab) news() <-chan struct{} {
	if l.opts.Queue == nil {
		return atOnce
	}
	return l.opts.Queue.News()
}

// atOnce is news that is there.
var atOnce = func() <-chan struct{} { c := make(chan struct{}); close(c); return c }()

// nudge has the goroutine look at once.
func (s *Sweep) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// wakeSweep nudges a sweep that is held here.
func (l *Lab) wakeSweep(id string) {
	l.sweeps.mu.Lock()
	defer l.sweeps.mu.Unlock()
	if s := l.sweeps.held[id]; s != nil {
		s.nudge()
	}
}

// refresh takes what the store has of the sweep, and reports whether that was the last of it.
func (s *Sweep) refresh() (over bool, err error) {
	var row store.Sweep
	var kept []store.SweepRun
	var jobs map[int64]store.Job
	err = s.lab.store.View(s.ctx, func(tx *store.Tx) (err error) {
		if row, err = tx.Sweep(s.id); err != nil {
			return err
		}
		if kept, err = tx.SweepRuns(s.id); err != nil {
			return err
		}
		jobs, err = jobsOf(tx, s.id)
		return err
	})
	if errors.Is(err, store.ErrNotFound) { // deleted: whoever did it ends this too
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if row.State == store.SweepRunning && astray(kept, jobs) {
		return false, s.lab.store.Do(s.ctx, func(tx *store.Tx) error {
			now, err := tx.LockSweep(s.id)
			if err != nil {
				return err
			}
			return s.lab.advance(tx, &now, &s.spec)
		})
	}
	s.take(&row, kept, jobs)
	return !s.goesOn(), nil
}

// astray reports that nothing of a sweep goes on or waits, or that a job of it has failed for good: a server of before
// there were jobs began it, or its workers die.
func astray(kept []store.SweepRun, jobs map[int64]store.Job) bool {
	open := 0
	for number, j := range jobs {
		switch {
		case j.State != store.JobFailed:
			open++
		case placeOf(kept, number).Outcome == "":
			return true
		}
	}
	return open == 0
}

// take has the sweep be as the store has it, and tells its readers what is new.
func (s *Sweep) take(row *store.Sweep, kept []store.SweepRun, jobs map[int64]store.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	news, open := false, 0
	for _, k := range kept {
		if k.Number >= int64(len(s.members)) {
			continue
		}
		m := &s.members[k.Number]
		state := k.State
		if jobs[k.Number].State == store.JobQueued && state == store.Running { // its worker has left it
			state = store.Queued
		}
		if k.Outcome == "" {
			open++
		}
		if m.run == k.Run && m.outcome == Outcome(k.Outcome) && m.state == state && m.steps == uint64(k.Steps) {
			continue
		}
		if m.outcome != Outcome(k.Outcome) {
			number, _ := s.spec.place(int(k.Number))
			s.cells[number].known = false
		}
		news = true
		m.run, m.outcome, m.reason, m.state = k.Run, Outcome(k.Outcome), k.Reason, state
		m.steps, m.mean = uint64(k.Steps), k.Return
	}
	// One that has been stopped is over when its runs have kept where they stood.
	if row.State != s.state && (row.State == store.SweepRunning || open == 0) {
		news = true
		s.state, s.reason, s.looked = row.State, row.Reason, time.Now()
	}
	if news {
		s.revision++
		close(s.news)
		s.news = make(chan struct{})
	}
}

func (s *Sweep) at(i int) member {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.members[i]
}
