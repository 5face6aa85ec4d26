// Package lab starts, steers, keeps and stops runs, whoever asks for them. Each run has one goroutine that owns its
// learner (life.go); what people ask reaches it between two updates (requests.go, loop.go), what it tells goes to a hub
// that never makes it wait, and what is to last goes to the store (record.go, scribe.go).
//
// Start with Lab.Start.
package lab

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"impalab/learner/device"
	"impalab/learner/schedule"
	"impalab/server/errcode"
	"impalab/server/job"
	"impalab/server/store"
	"impalab/web/hub"
)

// Options of a lab. The zero value of a field takes its default.
type Options struct {
	Store     *store.Store      // where runs are kept; needed
	Build     string            // names this build to the page
	Queue     *job.Queue        // of that store, for the runs of sweeps; nil: there are no sweeps
	Headless  bool              // no server: it trains the runs of sweeps that Queue hands it, and touches no others
	AtOnce    int               // runs of sweeps that it trains at once; default 1 for each core
	MaxRuns   int               // learners held at once; default 48 for each core. More wait in a queue
	Cores     int               // that runs compute on; default GOMAXPROCS
	Devices   *device.Selection // where their networks are computed; default the cores. They outlive the lab
	Memory    int64             // bytes that they may take together, by estimate; default 4 GB
	RunMemory int64             // bytes that one run may take, by estimate; default 256 MB
	Turn      time.Duration     // after this long a run gives way to one that waits; default 1 min
	Rest      time.Duration     // an unwatched run pauses after this long; default 2 s, enough to reload a page
	PutAway   time.Duration     // and its learner is put away after this long; default 10 s
	Forget    time.Duration     // and is held no more after this long; the store has it then. Default 2 min
	Keep      store.Retention   // what the store forgets; default 60 days, 8 GB, half of it snapshots
	Salt      []byte            // addresses are hashed with it; default one of this lab's own
	Storable  func() error      // why nothing can be stored, so that no run starts; default: nil, it can
	Log       *slog.Logger

	lastWords time.Duration // that it may take to keep a run that is held no more; default 5 s
}

func (o *Options) defaults() {
	if o.Storable == nil {
		o.Storable = func() error { return nil }
	}
	if o.Cores == 0 {
		o.Cores = runtime.GOMAXPROCS(0)
	}
	if o.AtOnce == 0 { // enough to keep the cores busy, and half of what may hold room for all that nobody watches
		o.AtOnce = max(1, o.Cores*purposes[Batch].perCore/2)
	}
	if o.MaxRuns == 0 {
		o.MaxRuns = 48 * o.Cores
	}
	if o.Memory == 0 {
		o.Memory = 4e9
	}
	if o.Turn == 0 {
		o.Turn = time.Minute
	}
	if o.RunMemory == 0 {
		o.RunMemory = 256e6
	}
	o.RunMemory = min(o.RunMemory, int64((1-spare)*float64(o.Memory)-topicBytes)) // or it would wait for ever
	if o.Rest == 0 {
		o.Rest = 2 * time.Second
	}
	if o.PutAway == 0 {
		o.PutAway = 10 * time.Second
	}
	if o.Forget == 0 {
		o.Forget = 2 * time.Minute
	}
	if o.Keep.Age == 0 {
		o.Keep.Age = 60 * 24 * time.Hour
	}
	if o.Keep.Bytes == 0 {
		o.Keep.Bytes = 8e9
	}
	if o.Keep.SnapshotBytes == 0 {
		o.Keep.SnapshotBytes = o.Keep.Bytes / 2
	}
	if o.Salt == nil {
		o.Salt = []byte(store.NewKey())
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.lastWords == 0 {
		o.lastWords = 5 * time.Second
	}
}

// Lab holds the runs that are going on, rest, or have been looked at a moment ago. The store has all.
type Lab struct {
	opts  Options
	store *store.Store
	ctx   context.Context
	stop  context.CancelCauseFunc
	gone  sync.WaitGroup
	hub   hub.Hub // of all runs

	cores  *schedule.Cores
	budget budget
	full   atomic.Pointer[error] // why nothing can be kept; nil when it can

	writing chan struct{} // holds one while what is new is taken to the store, or it would be taken there twice
	urgent  urgent

	panics atomic.Uint64

	relearns chan struct{} // holds one while earlier moments of a run are learned again

	remoteBytes atomic.Int64 // that remote actors may take

	sweeps sweeps

	mu      sync.Mutex // after sweeps.mu, where both are held
	runs    map[string]*Run
	backlog []string // runs of the last time that there is no room for yet
}

// New makes a lab that goes on with the runs that an earlier one had to leave. Close ends it; the store is not closed.
func New(opts Options) (*Lab, error) {
	opts.defaults()
	opts.Devices = opts.Devices.OrCores()
	l := &Lab{
		opts: opts, store: opts.Store, runs: map[string]*Run{}, cores: schedule.NewCores(opts.Cores),
		relearns: make(chan struct{}, 1),
		sweeps:   sweeps{held: map[string]*Sweep{}}, writing: make(chan struct{}, 1),
		urgent: urgent{runs: map[*Run]bool{}, wake: make(chan struct{}, 1)},
		budget: budget{places: opts.MaxRuns, cores: opts.Cores, memory: float64(opts.Memory), turn: opts.Turn},
	}
	l.ctx, l.stop = context.WithCancelCause(context.Background())
	if !opts.Headless {
		err := l.recover()
		if err == nil {
			err = l.recoverSweeps()
		}
		if err != nil {
			l.stop(errClosing)
			return nil, err
		}
		l.gone.Add(1)
		go l.forget() // all end with Close
	}
	l.gone.Add(2) // now that nobody else takes runs of the last time up
	go l.tend()
	go l.scribe()
	return l, nil
}

// Close stops every run where it stands, keeps it, and waits for that.
func (l *Lab) Close() {
	l.mu.Lock() // a run being started has been counted, or finds the lab closed
	l.stop(errClosing)
	l.mu.Unlock()
	l.gone.Wait()
}

// live has a run begin to live, which is held from now on. The caller holds mu.
func (l *Lab) live(r *Run) {
	l.runs[r.id] = r
	l.gone.Add(1)
	go func() { // ends when the run is held no more
		defer l.gone.Done()
		if err := schedule.Catch(func() error { r.live(); return nil }); err != nil {
			l.fault(r, err)
		}
		switch {
		case errors.Is(context.Cause(r.ctx), errDeleted), errors.Is(context.Cause(r.ctx), errUnkeepable),
			errors.Is(context.Cause(r.ctx), errLost):
		case r.hardlyBegun():
			l.store.Do(l.ctx, func(tx *store.Tx) error { return tx.DeleteRun(r.id) }) // else the store forgets it in its time
		default:
			ctx, cancel := context.WithTimeout(context.Background(), l.opts.lastWords)
			l.writeDown(ctx, []*Run{r}, whole)
			cancel()
		}
		r.topic.Close("this run is not held any more; reload the page to see it again")
		l.mu.Lock()
		if l.runs[r.id] == r {
			delete(l.runs, r.id)
		}
		l.mu.Unlock()
		close(r.gone)
	}()
}

// Count is the number of runs held, and how many of them someone watches.
func (l *Lab) Count() (held, watched int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.runs {
		if r.watchers() > 0 {
			watched++
		}
	}
	return len(l.runs), watched
}

// Cores are those that runs share; others who train join in.
func (l *Lab) Cores() *schedule.Cores { return l.cores }

// Hub is what carries what all runs tell.
func (l *Lab) Hub() *hub.Hub { return &l.hub }

// Waiting is the number of runs in the queue, and the bytes of memory that is the estimate of all learners held.
func (l *Lab) Waiting() (runs int, bytes float64) {
	_, runs, bytes = l.budget.counts()
	return runs, bytes
}

// Steps is the number of environment steps all runs held have learned from.
func (l *Lab) Steps() (n uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.runs {
		n += r.steps.Load()
	}
	return n
}

// maxHeld bounds runs of all kinds: with a learner, over, and waiting in the queue. Each keeps the past of its page.
func (l *Lab) maxHeld() int { return 4 * l.opts.MaxRuns }

// makeRoom sees that one run more can be held. The caller holds mu.
func (l *Lab) makeRoom() error {
	if l.ctx.Err() != nil {
		return gone(errClosing)
	}
	var oldest *Run
	staying := 0
	for _, r := range l.runs {
		if r.ctx.Err() != nil {
			continue
		}
		staying++
		if since := r.unwatchedSince(); !since.IsZero() && (oldest == nil || since.Before(oldest.unwatchedSince())) {
			oldest = r
		}
	}
	if staying < l.maxHeld() {
		return nil
	}
	if oldest == nil {
		return errcode.Errorf(errcode.Full, "%d runs are held and waiting here, and that is the limit; %w", l.maxHeld(),
			errTooMany)

	}
	oldest.end(errDropped)
	return nil
}

var errTooMany = errors.New("try again in a minute, or start the server with a higher --max-runs")

// fault counts and logs a panic of a run's, which ends that run and nothing else.
func (l *Lab) fault(r *Run, err error) {
	l.panics.Add(1)
	l.opts.Log.Error("panic in a run", "run", r.id, "error", err)
}

// Panics is how many faults of our own runs have met.
func (l *Lab) Panics() uint64 { return l.panics.Load() }

// tend sees to runs that have been unwatched for long.
func (l *Lab) tend() {
	defer l.gone.Done()
	tick := time.NewTicker(min(time.Second, l.opts.Forget/10))
	defer tick.Stop()
	var m memory
	for {
		select {
		case now := <-tick.C:
			l.budget.tick(l.opts.Rest)
			l.dropSweeps(now)
			l.takeUp()
			if m.due(now, l.budget.takeFreed()) {
				debug.FreeOSMemory() // the runtime by itself would keep it for minutes
			}
			for _, r := range l.held() {
				since := r.unwatchedSince()
				switch alone := now.Sub(since); {
				case since.IsZero():
				case alone > l.opts.Forget:
					r.end(errDropped)
				case alone > l.opts.Rest:
					r.touch() // its record says that it rests
					if alone > l.opts.PutAway {
						r.putAway()
					}
				}
			}
		case <-l.ctx.Done():
			return
		}
	}
}

// forget has the store forget what nobody came back to.
func (l *Lab) forget() {
	defer l.gone.Done()
	tick := time.NewTicker(forgetEvery)
	defer tick.Stop()
	for {
		_, forgotten, err := l.store.Retain(l.ctx, l.opts.Keep)
		switch {
		case l.ctx.Err() != nil:
			return
		case err != nil:
			l.opts.Log.Warn("old runs cannot be forgotten", "error", err)
		case forgotten > 0:
			l.opts.Log.Info("old runs were forgotten", "runs", forgotten)
		}
		select {
		case <-tick.C:
		case <-l.ctx.Done():
			return
		}
	}
}

const forgetEvery = 10 * time.Minute
