// Package sweep carries out sweeps: one configuration trained over seeds and over the values of at most two settings.
// Each run is a job of the store's queue, which this process trains in a lab, or another process (job.go, member.go).
// The store says how far a sweep is; one goroutine reads it when jobs change, for the readers of this process.
//
// Start with Sweeps.Start.
package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"impalab/learner/trial"
	"impalab/server/errcode"
	"impalab/server/job"
	"impalab/server/lab"
	"impalab/server/store"
)

// Options of the sweeps of one process.
type Options struct {
	Lab      *lab.Lab
	Store    *store.Store  // of the lab
	Queue    *job.Queue    // of that store
	Headless bool          // no server: it only trains runs
	AtOnce   int           // runs trained at once; default 1 for each core
	Turn     time.Duration // after this long a run makes room for a sweep that trains nothing; default 1 min
	Forget   time.Duration // a sweep that is over is not held for longer after the last look at it; default 2 min
	Log      *slog.Logger
}

// Sweeps are the sweeps of one process: the running ones, and the ones that were read a moment ago. The store
// has all.
type Sweeps struct {
	opts  Options
	lab   *lab.Lab
	store *store.Store
	ctx   context.Context
	stop  context.CancelFunc
	gone  sync.WaitGroup

	speed speed

	starting chan struct{} // holds one while a sweep begins, so that their number is right

	mu       sync.Mutex // is not held while the store is read or written
	held     map[string]*Sweep
	training map[string]*training // by run
}

// Sweep is one sweep as this process last read it in the store.
type Sweep struct {
	ID      string
	Spec    Spec
	all     *Sweeps
	created int64 // milliseconds since 1970

	mu     sync.Mutex
	info   Info
	looked time.Time       // at it, by a reader
	read   time.Time       // in the store
	lines  map[string]Line // of runs that have ended
	bands  map[bandKey]trial.Estimate

	mapping  sync.Mutex // around what follows
	mapped   *LagMap    // nil: this sweep has none
	mappedOf int        // so many runs had ended
	mappedAt time.Time
}

// Outcomes are how a run of a sweep ended.
const (
	Finished = "done"     // it has spent its budget
	Diverged = "diverged" // it counts with its last return
	Cut      = "stopped"  // before its end; it does not count
	Lost     = "lost"     // it could not begin, or was deleted; it does not count
)

// The sweeps that continue at once, of all addresses and of one. More would only wait for each other.
const (
	maxSweeps   = 64
	maxSweepsOf = 4
)

const (
	readEvery = 250 * time.Millisecond
	readIdle  = 2 * time.Second // while the sweep has no readers
)

var errUnknown = errcode.Errorf(errcode.NotFound, "sweep not found, or wrong key")

var errClosing = errcode.Errorf(errcode.Full, "the server is stopping")

// stopped is the reason of a sweep that its owner stopped, and of its runs.
const stopped = "stopped by hand"

// New continues the sweeps that an earlier process had to leave. Close must follow, before the lab's.
func New(o Options) (*Sweeps, error) {
	// Enough to keep the cores busy, and half of the unwatched runs that may hold memory.
	o.AtOnce = cmp.Or(o.AtOnce, o.Lab.BatchRuns()/2, 1)
	o.Turn, o.Forget = cmp.Or(o.Turn, time.Minute), cmp.Or(o.Forget, 2*time.Minute)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	sw := &Sweeps{opts: o, lab: o.Lab, store: o.Store, held: map[string]*Sweep{}, training: map[string]*training{},
		starting: make(chan struct{}, 1)}
	sw.ctx, sw.stop = context.WithCancel(context.Background())
	if o.Headless {
		return sw, nil
	}
	rows, err := store.Get(sw.ctx, o.Store, (*store.Tx).SweepsOpen)
	if err != nil {
		return nil, fmt.Errorf("the sweeps from before the restart: %w", err)
	}
	for _, row := range rows {
		if _, err := sw.Find(sw.ctx, row.ID); err != nil {
			o.Log.Error("a sweep cannot continue", "sweep", row.ID, "error", err)
		}
	}
	sw.gone.Go(func() { o.Queue.Follow(sw.ctx, readEvery, sw.readAll) }) // ends with Close
	return sw, nil
}

// Close stops reading. Runs that train here end with their jobs.
func (sw *Sweeps) Close() {
	sw.stop()
	sw.gone.Wait()
}

// Start begins a sweep. Its key is the caller's or a new one.
func (sw *Sweeps) Start(ctx context.Context, spec Spec, key string) (*Sweep, string, error) {
	key, err := sw.lab.Own(&spec.Base.Owner, key)
	if err != nil {
		return nil, "", err
	}
	spec.Base.Purpose, spec.Base.From = lab.Batch, lab.Origin{}
	spec.Base.Config.Speed = math.Inf(1)
	if _, err := spec.check(sw.lab); err != nil {
		return nil, "", &errcode.Error{Code: errcode.Refused, Err: err}
	}
	if err := sw.lab.Storable(); err != nil {
		return nil, "", err
	}
	select { // runs and pages of sweeps need mu, and would wait for the store with it
	case sw.starting <- struct{}{}:
		defer func() { <-sw.starting }()
	case <-ctx.Done():
		return nil, "", ctx.Err()
	}
	sw.mu.Lock()
	gives, err := sw.mayBegin(spec.Base.Owner.Address)
	here := map[string]*training{}
	if gives != nil {
		here = sw.trains(gives.ID)
	}
	sw.mu.Unlock()
	if err != nil {
		return nil, "", err
	}
	row := store.Sweep{ID: store.NewID(), Owner: spec.Base.Owner.Key, Address: spec.Base.Owner.Address, Plan: spec.json(),
		State: store.SweepRunning, Created: time.Now().UnixMilli()}
	err = sw.store.Do(ctx, func(tx *store.Tx) error {
		if gives != nil {
			if err := sw.stopIn(tx, gives.ID, here, gaveWay); err != nil && errcode.Of(err) == "" { // else it is over
				return err
			}
		}
		if err := tx.AddSweep(row); err != nil {
			return err
		}
		return sw.advance(tx, &row, &spec)
	})
	if errcode.Of(err) != "" {
		return nil, "", err
	}
	if err != nil {
		return nil, "", &errcode.Error{Code: errcode.Full, Err: lab.Unstored(err)}
	}
	sw.mu.Lock()
	defer sw.mu.Unlock()
	if gives != nil {
		gives.markYielded()
		for _, t := range here {
			t.run.Halt()
		}
	}
	return sw.add(&row, spec), key, nil
}

// mayBegin returns the sweep that gives way to another of an address; nil: there is a place. It refuses a sweep that
// would only wait. A stranger always gets a place, as in the budget of the lab: the newest sweep of the address with
// most gives way, if that address then has no fewer than the other. The caller holds mu.
func (sw *Sweeps) mayBegin(address string) (gives *Sweep, err error) {
	var running []*Sweep
	of := map[string]int{}
	for _, s := range sw.held {
		if s.Info().State == store.SweepRunning {
			running = append(running, s)
			of[s.Spec.Base.Owner.Address]++
		}
	}
	if own := of[address]; own >= maxSweepsOf {
		return nil, errcode.Errorf(errcode.Full, "%d sweeps of your address are running, and that is the limit: stop one, "+
			"or wait until one is done", own)
	}
	if len(running) < maxSweeps {
		return nil, nil
	}
	gives = slices.MaxFunc(running, func(a, b *Sweep) int {
		return cmp.Or(cmp.Compare(of[a.Spec.Base.Owner.Address], of[b.Spec.Base.Owner.Address]),
			cmp.Compare(a.created, b.created), cmp.Compare(a.ID, b.ID))
	})
	if of[gives.Spec.Base.Owner.Address] < of[address]+2 {
		return nil, errcode.Errorf(errcode.Full, "%d sweeps are running here, and no address has more of them than yours: "+
			"try again later", len(running))
	}
	return gives, nil
}

// gaveWay is the reason of a sweep that gave way to another address.
var gaveWay = fmt.Sprintf("it gave way to a sweep of another address: %d were running, and your address had most; the "+
	"ended runs stay; start the rest again later", maxSweeps)

// markYielded shows at once that the sweep gave way.
func (s *Sweep) markYielded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.info.State, s.info.Reason = store.SweepStopped, gaveWay
}

// Owns reports whether the sweep belongs to a key.
func (s *Sweep) Owns(key string) bool { return s.Spec.Base.Owner.Has(key) }

// Stop ends a sweep, and waits until the store has that: its runs stay where they stand, and no more begin. Only the
// sweep's key may.
func (sw *Sweeps) Stop(ctx context.Context, id, key string) (*Sweep, error) {
	s, err := sw.owned(ctx, id, key)
	if err != nil {
		return nil, err
	}
	here := sw.trainingOf(id)
	if err := sw.store.Do(ctx, func(tx *store.Tx) error { return sw.stopIn(tx, id, here, stopped) }); err != nil {
		return nil, err
	}
	for _, t := range here { // they keep where they stand, and end their jobs
		t.run.Halt()
	}
	for {
		if err := s.refresh(ctx); err != nil {
			return nil, err
		}
		if s.Info().State != store.SweepRunning {
			return s, nil
		}
		select {
		case <-time.After(readEvery / 5):
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-sw.ctx.Done():
			return nil, errClosing
		}
	}
}

// Delete forgets a sweep with all its runs. Only the sweep's key may.
func (sw *Sweeps) Delete(ctx context.Context, id, key string) error {
	s, err := sw.owned(ctx, id, key)
	if err != nil {
		return err
	}
	here := sw.trainingOf(id)
	err = sw.store.Do(ctx, func(tx *store.Tx) error {
		if _, err := sw.cancelJobs(tx, id, nil); err != nil {
			return err
		}
		return tx.DeleteSweep(id)
	})
	if err != nil && !errors.Is(err, store.ErrNotFound) { // else it was forgotten meanwhile
		return err
	}
	for _, t := range here {
		t.run.End(lab.ErrDeleted)
	}
	sw.forget(s)
	return nil
}
