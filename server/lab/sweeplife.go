package lab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"impalab/learner/hyper"
	"impalab/learner/work"
	"impalab/server/store"
	"impalab/web/wire"
)

// A sweep's goroutine looks at its runs many times a second: it takes to the store what those came to that are over,
// and begins others in their place.

const (
	sweepEvery = 20 * time.Millisecond
	sweepAgain = time.Second            // after something could not begin or be kept
	sweepTells = 250 * time.Millisecond // how often progress is news
)

// live is the sweep's goroutine.
func (s *Sweep) live() {
	if err := work.Catch(s.carry); err != nil && s.ctx.Err() == nil {
		s.lab.panics.Add(1)
		s.lab.opts.Log.Error("panic in a sweep", "sweep", s.id, "error", err)
		s.finish(store.SweepStopped, errInternal.Error())
	}
}

func (s *Sweep) carry() error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	var told time.Time
	var steps uint64
	for {
		select {
		case <-timer.C:
		case <-s.ctx.Done():
			return nil // its runs are kept, and it goes on when the server is there again
		}
		pause := sweepEvery
		over, err := s.turn()
		switch {
		case err != nil && s.ctx.Err() == nil:
			s.lab.opts.Log.Warn("a sweep waits", "sweep", s.id, "error", err)
			pause = sweepAgain
		case over:
			return nil
		}
		if now := time.Now(); now.Sub(told) > sweepTells {
			told = now
			if p, _ := s.progress(); p.Steps != steps {
				steps = p.Steps
				s.tell(nil)
			}
		}
		timer.Reset(pause)
	}
}

// turn looks at the runs that go on, begins others, and reports whether there is nothing left to do.
func (s *Sweep) turn() (over bool, err error) {
	going, waiting := 0, false
	for i := range s.members {
		m := s.at(i)
		if m.outcome == "" && m.run != "" && m.held == nil {
			err = errors.Join(err, s.comeBack(i))
			m = s.at(i)
		}
		if m.held == nil || m.outcome != "" {
			continue
		}
		ended, fault := s.lookAt(i, m.held)
		err = errors.Join(err, fault)
		if !ended {
			going++
			waiting = waiting || !m.held.hasRoom()
		}
	}
	s.mu.Lock()
	ended := s.ended
	s.mu.Unlock()
	if ended {
		if going == 0 && err == nil {
			return true, s.finish(store.SweepStopped, errStopped.Error())
		}
		return false, err
	}
	next := s.next()
	if next < 0 && going == 0 && err == nil {
		return true, s.finish(store.SweepDone, "")
	}
	if next >= 0 && going < s.lab.atOnce() && !waiting && err == nil && s.lab.stuck() == nil {
		err = s.begin(next) // one a turn: whether it finds room is seen at the next
	}
	return false, err
}

// hasRoom reports whether a run has what it asked for.
func (r *Run) hasRoom() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.room
}

// atOnce is how many runs of one sweep go on at once: enough to keep the cores busy, and half of what may hold room for
// all that nobody watches, so that another sweep finds some.
func (l *Lab) atOnce() int { return max(1, l.opts.Cores*purposes[Batch].perCore/2) }

func (s *Sweep) at(i int) member {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.members[i]
}

// next is the first place at which nothing has begun; −1 if there is none.
func (s *Sweep) next() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.members {
		if s.members[i].run == "" && s.members[i].outcome == "" {
			return i
		}
	}
	return -1
}

// begin begins a run. One that can never begin is lost; an error is one that may pass.
func (s *Sweep) begin(i int) error {
	number, seed := s.spec.place(i)
	spec := s.spec.Base
	cfg, err := s.spec.config(number)
	if err == nil {
		err = s.lab.admit(&cfg) // the limits may have changed since
	}
	if err != nil {
		return s.settle(i, "", Lost, err.Error(), nil)
	}
	cfg.Seed = seed
	spec.Config, spec.Turns = cfg, append([]hyper.Turn{}, s.spec.Base.Turns...)
	rec := newRecord(store.NewID(), s.lab.opts.Build, &spec)
	row, lines, err := rec.row(&spec)
	if err != nil {
		return err
	}
	err = s.lab.store.Do(s.ctx, func(tx *store.Tx) error {
		if err := tx.AddSweepRun(s.id, int64(i), row); err != nil {
			return err
		}
		return tx.AppendTape(rec.id, 1, lines...)
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.members[i].run = rec.id
	s.mu.Unlock()
	r, err := s.lab.keepHeld(spec, rec)
	if err != nil {
		return err // comeBack finds it when there is room
	}
	s.attach(i, r)
	return nil
}

// attach has a run be one that goes on.
func (s *Sweep) attach(i int, r *Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.members[i].held = r
}

// comeBack finds a run that began before, in this process or in an earlier one.
func (s *Sweep) comeBack(i int) error {
	m := s.at(i)
	r, err := s.lab.Find(s.ctx, m.run)
	switch {
	case err == nil:
		s.attach(i, r)
		return nil
	case s.ctx.Err() != nil, CodeOf(err) == "", errors.Is(err, errTooMany):
		return err // later it may be found, or there may be room
	}
	return s.settle(i, m.run, Lost, err.Error(), nil)
}

// lookAt sees how a run stands, and what it came to if it is over.
func (s *Sweep) lookAt(i int, r *Run) (ended bool, err error) {
	p := r.progress()
	s.mu.Lock()
	m := &s.members[i]
	m.steps, m.mean, m.state = uint64(p.Steps), p.ReturnMean100, p.State
	stop := s.ended
	s.mu.Unlock()
	state := r.now()
	switch {
	case wire.Over(state):
		outcome := Finished
		switch {
		case state == wire.StateDiverged:
			outcome = Diverged
		case state == wire.StateStopped, uint64(p.Steps) < s.spec.Base.Config.Steps:
			outcome = Cut
		}
		return true, s.settle(i, r.id, outcome, p.Reason, r)
	case r.ctx.Err() != nil && s.lab.ctx.Err() == nil:
		switch why := context.Cause(r.ctx); {
		case errors.Is(why, errDeleted), errors.Is(why, errUnkeepable):
			return true, s.settle(i, r.id, Lost, why.Error(), nil)
		}
		s.attach(i, nil) // it was held no more: comeBack fetches it
		return false, nil
	case stop:
		r.mu.Lock()
		r.ended = true
		r.mu.Unlock()
		r.signal()
	}
	return false, nil
}

// settle keeps what a place of the plan came to, and lets go of its run.
func (s *Sweep) settle(i int, run string, outcome Outcome, reason string, r *Run) error {
	m := s.at(i)
	if r != nil {
		m.curve = s.readCurve(s.ctx, run, r, uint64(m.steps))
	}
	kept := store.SweepRun{Number: int64(i), Run: run, Outcome: string(outcome), Reason: reason, Steps: int64(m.steps),
		Return: m.mean}
	if err := s.lab.store.Do(s.ctx, func(tx *store.Tx) error { return tx.SetSweepRun(s.id, kept) }); err != nil {
		return fmt.Errorf("what run %d came to cannot be kept: %w", i, err)
	}
	number, _ := s.spec.place(i)
	s.mu.Lock()
	now := &s.members[i]
	now.outcome, now.reason, now.held, now.curve = outcome, reason, nil, m.curve
	s.cells[number].known = false
	s.mu.Unlock()
	s.tell(nil)
	if r != nil && r.watchers() == 0 {
		r.end(errDropped) // the store has it, and whoever wants to see it finds it there
	}
	return nil
}

// finish ends the sweep.
func (s *Sweep) finish(state store.State, reason string) error {
	err := s.lab.store.Do(s.ctx, func(tx *store.Tx) error { return tx.SetSweepState(s.id, state, reason) })
	if err == nil {
		s.tell(func() { s.state, s.reason, s.looked = state, reason, time.Now() })
	}
	return err
}

// tell changes what there is to see, and says so to those who look.
func (s *Sweep) tell(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if change != nil {
		change()
	}
	s.revision++
	close(s.news)
	s.news = make(chan struct{})
}
