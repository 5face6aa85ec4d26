package lab

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"impalab/learner/trial"
	"impalab/server/errcode"
	"impalab/server/store"
)

// Sweep is one plan being carried out, or that was, as the store has it: its runs are jobs, a few at a time, which this
// process trains or another (sweepjob.go). They have a purpose that comes after what people watch and what is graded.
// Its goroutine (sweeplife.go) looks what has become of them.
type Sweep struct {
	lab  *Lab
	id   string
	spec SweepSpec
	ctx  context.Context
	stop context.CancelCauseFunc
	gone chan struct{} // closed when its goroutine has ended
	wake chan struct{} // there is something new in the store

	mu       sync.Mutex
	state    store.State
	reason   string
	created  int64
	members  []member
	revision uint64        // counts what there is to see
	news     chan struct{} // closed at the next
	looked   time.Time     // at it, by anyone
	cells    []cell
}

// member is one run of a sweep, in the order of its plan.
type member struct {
	run     string  // "" before it begins
	outcome Outcome // "" until it is over
	reason  string
	steps   uint64
	mean    float64     // return of the last 100 episodes
	curve   []float64   // see sweepinfo.go; nil: not read yet
	state   store.State // while it goes on
}

// Outcome is what a run of a sweep came to.
type Outcome string

const (
	Finished Outcome = "done"     // it has spent its budget
	Diverged Outcome = "diverged" // it counts with what it had
	Cut      Outcome = "stopped"  // before its end; it does not count
	Lost     Outcome = "lost"     // it could not begin, or has been deleted; it does not count
)

// counts reports whether a run is one of those that the statistics are over.
func (m *member) counts() bool {
	return (m.outcome == Finished || m.outcome == Diverged) && !math.IsNaN(m.mean)
}

// cell is what the runs of one cell say together, as far as they are over.
type cell struct {
	known    bool // the estimate is of all that are over
	estimate trial.Estimate
	band     map[bandKey]trial.Estimate
}

// sweeps are those that are held: going on, or looked at a moment ago.
type sweeps struct {
	mu   sync.Mutex
	held map[string]*Sweep
}

// maxSweeps bounds the sweeps that go on at once, of all and of one address. More would only wait for each other.
const (
	maxSweeps   = 64
	maxSweepsOf = 4
)

var errNoQueue = errcode.Errorf(errcode.Conflict, "no sweeps are made here: there is no queue for their runs")

var errUnknownSweep = errcode.Errorf(errcode.NotFound, "there is no such sweep here, or the key is not its own")

// StartSweep begins a sweep. Its key is the caller's own, or else a new one, as of a run.
func (l *Lab) StartSweep(ctx context.Context, spec SweepSpec, key string) (*Sweep, string, error) {
	if l.opts.Queue == nil {
		return nil, "", errNoQueue
	}
	key, err := l.own(&spec.Base.Owner, key)
	if err != nil {
		return nil, "", err
	}
	spec.Base.Purpose, spec.Base.From = Batch, Origin{}
	spec.Base.Config.Speed = math.Inf(1)
	if err := l.check(&spec); err != nil {
		return nil, "", refused(err)
	}
	if err := l.stuck(); err != nil {
		return nil, "", &errcode.Error{Code: errcode.Full, Err: err}
	}
	l.sweeps.mu.Lock()
	defer l.sweeps.mu.Unlock()
	if err := l.roomForSweep(spec.Base.Owner.Address); err != nil {
		return nil, "", err
	}
	row := store.Sweep{ID: store.NewID(), Owner: spec.Base.Owner.Key, Address: spec.Base.Owner.Address, Plan: spec.json(),
		State: store.SweepRunning}
	err = l.store.Do(ctx, func(tx *store.Tx) error {
		if err := tx.AddSweep(row, key); err != nil {
			return err
		}
		return l.advance(tx, &row, &spec)
	})
	if err != nil {
		return nil, "", &errcode.Error{Code: errcode.Full, Err: unstored(err)}
	}
	row.Created = time.Now().UnixMilli()
	s := l.newSweep(row, spec)
	if err := l.carryOut(s); err != nil {
		return nil, "", err
	}
	return s, key, nil
}

// roomForSweep refuses one that would only wait. The caller holds sweeps.mu.
func (l *Lab) roomForSweep(address string) error {
	all, own := 0, 0
	for _, s := range l.sweeps.held {
		if s.goesOn() {
			all++
			if s.spec.Base.Owner.Address == address {
				own++
			}
		}
	}
	switch {
	case own >= maxSweepsOf:
		return errcode.Errorf(errcode.Full, "%d sweeps of your address are going on, and that is the limit: stop one, or "+
			"wait until one is done", own)

	case all >= maxSweeps:
		return errcode.Errorf(errcode.Full, "%d sweeps are going on here, and that is the limit: try again later", all)
	}
	return nil
}

// newSweep is a sweep of which nothing has begun.
func (l *Lab) newSweep(row store.Sweep, spec SweepSpec) *Sweep {
	s := &Sweep{lab: l, id: row.ID, spec: spec, state: row.State, reason: row.Reason, created: row.Created,
		gone: make(chan struct{}), wake: make(chan struct{}, 1), news: make(chan struct{}), looked: time.Now(),
		members: make([]member, spec.Runs()), cells: make([]cell, spec.Cells())}
	for i := range s.members {
		s.members[i].mean = math.NaN()
	}
	s.ctx, s.stop = context.WithCancelCause(l.ctx)
	return s
}

// carryOut holds a sweep and has it go on. The caller holds sweeps.mu.
func (l *Lab) carryOut(s *Sweep) error {
	l.mu.Lock() // Close waits for those that were counted before it
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return gone(errClosing)
	}
	l.sweeps.held[s.id] = s
	l.gone.Add(1)
	go func() { // ends with the sweep, or with the lab
		defer l.gone.Done()
		defer close(s.gone)
		s.live()
	}()
	return nil
}

// Sweep is the sweep of that name: one that is held, or one that the store has, which is held from now on.
func (l *Lab) Sweep(ctx context.Context, id string) (*Sweep, error) {
	l.sweeps.mu.Lock()
	defer l.sweeps.mu.Unlock()
	if s := l.sweeps.held[id]; s != nil {
		s.look()
		return s, nil
	}
	var row store.Sweep
	var kept []store.SweepRun
	err := l.store.View(ctx, func(tx *store.Tx) (err error) {
		if row, err = tx.Sweep(id); err == nil {
			kept, err = tx.SweepRuns(id)
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, errUnknownSweep
	}
	if err != nil {
		return nil, err
	}
	spec, err := readPlan(row.Plan)
	if err != nil {
		return nil, &errcode.Error{Code: errcode.Conflict, Err: err}
	}
	spec.Base.Owner = Owner{row.Owner, row.Address}
	s := l.newSweep(row, spec)
	s.recall(kept)
	if s.state == store.SweepRunning {
		return s, l.carryOut(s)
	}
	close(s.gone)
	l.sweeps.held[id] = s
	return s, nil
}

// recall takes what the store has of the runs. A sweep that has been stopped goes on until the last of them is over.
func (s *Sweep) recall(kept []store.SweepRun) {
	for _, k := range kept {
		if k.Number < int64(len(s.members)) {
			s.members[k.Number] = member{run: k.Run, outcome: Outcome(k.Outcome), reason: k.Reason,
				steps: uint64(k.Steps), mean: k.Return, state: k.State}
		}
		if k.Outcome == "" {
			s.state, s.reason = store.SweepRunning, ""
		}
	}
}

// recoverSweeps holds the sweeps that an earlier process had to leave.
func (l *Lab) recoverSweeps() error {
	var rows []store.Sweep
	err := l.store.View(l.ctx, func(tx *store.Tx) (err error) {
		rows, err = tx.SweepsIn(store.SweepRunning)
		return err
	})
	if err != nil {
		return fmt.Errorf("the sweeps of the last time: %w", err)
	}
	for _, row := range rows {
		if _, err := l.Sweep(l.ctx, row.ID); err != nil {
			l.opts.Log.Error("a sweep cannot go on", "sweep", row.ID, "error", err)
		}
	}
	return nil
}

// dropSweeps holds those no more that are over and that nobody has looked at for long. The store has them.
func (l *Lab) dropSweeps(now time.Time) {
	if !l.sweeps.mu.TryLock() { // somebody waits for the store
		return
	}
	defer l.sweeps.mu.Unlock()
	for id, s := range l.sweeps.held {
		s.mu.Lock()
		old := s.state != store.SweepRunning && now.Sub(s.looked) > l.opts.Forget
		s.mu.Unlock()
		if old {
			s.stop(errDropped)
			delete(l.sweeps.held, id)
		}
	}
}

// ID names the sweep. Who knows it may read it.
func (s *Sweep) ID() string { return s.id }

// Spec is what it is to be.
func (s *Sweep) Spec() *SweepSpec { return &s.spec }

// Owns reports whether the sweep belongs to whoever has this key.
func (s *Sweep) Owns(key string) bool {
	return subtle.ConstantTimeCompare([]byte(HashKey(key)), []byte(s.spec.Base.Owner.Key)) == 1
}

func (s *Sweep) goesOn() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == store.SweepRunning
}

// look notes that somebody has.
func (s *Sweep) look() {
	s.mu.Lock()
	idle := time.Since(s.looked) > sweepIdles
	s.looked = time.Now()
	s.mu.Unlock()
	if idle {
		s.nudge()
	}
}

// StopSweep ends a sweep, and waits until the store has that: its runs stand where they stood, and those that had not
// begun never do. Only who has its key may.
func (l *Lab) StopSweep(ctx context.Context, id, key string) (*Sweep, error) {
	s, err := l.Sweep(ctx, id)
	if err == nil && !s.Owns(key) {
		err = errUnknownSweep
	}
	if err != nil {
		return nil, err
	}
	here := l.runsOf(id)
	if err := l.store.Do(ctx, func(tx *store.Tx) error { return l.stopSweep(tx, id, here) }); err != nil {
		return nil, err
	}
	for _, r := range here { // they keep where they stand, and end their jobs
		r.mu.Lock()
		r.ended = true
		r.mu.Unlock()
		r.signal()
	}
	s.nudge()
	for {
		p, news := s.Progress()
		if p.State != store.SweepRunning {
			return s, nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.gone: // its last word may have been that it has stopped
			if s.goesOn() {
				return nil, gone(context.Cause(s.ctx))
			}
		}
	}
}

// DeleteSweep forgets a sweep with all its runs. Only who has its key may.
func (l *Lab) DeleteSweep(ctx context.Context, id, key string) error {
	s, err := l.Sweep(ctx, id)
	if err == nil && !s.Owns(key) {
		err = errUnknownSweep
	}
	if err != nil {
		return err
	}
	here := l.runsOf(id)
	err = l.store.Do(ctx, func(tx *store.Tx) error {
		if _, err := l.cancelJobs(tx, id, nil); err != nil {
			return err
		}
		return tx.DeleteSweep(id)
	})
	if err != nil && !errors.Is(err, store.ErrNotFound) { // else it was forgotten meanwhile
		return err
	}
	s.stop(errDeleted)
	<-s.gone
	for _, r := range here {
		r.end(errDeleted)
	}
	l.sweeps.mu.Lock()
	delete(l.sweeps.held, id)
	l.sweeps.mu.Unlock()
	return nil
}
