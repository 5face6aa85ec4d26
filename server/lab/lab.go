// Package lab starts, forks, stores and stops runs, and divides memory and cores between them.
// Each run has one goroutine, which runs its loop (run.go, web/runloop). The loop tells a hub what happens, which never
// makes it wait; the scribe takes what must last to the store (record.go, batch.go, scribe.go).
//
// Start with Lab.Start.
package lab

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"impalab/learner/device"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/server/errcode"
	"impalab/server/places"
	"impalab/server/store"
	"impalab/web/hub"
)

// Options of a lab. The zero value of a field takes its default.
type Options struct {
	Store     *store.Store               // where runs are stored; needed
	Build     string                     // names this build to the page
	Headless  bool                       // no server: it trains only the runs that it is handed
	Elsewhere Elsewhere                  // who else trains a run; nil: no other process
	MaxRuns   int                        // learners held at once; default 48 for each core. More wait in a queue
	Cores     int                        // that runs compute on; default GOMAXPROCS
	Devices   *device.Selection          // where their networks are computed; default the cores. They outlive the lab
	Memory    int64                      // bytes that they may take together, by estimate; default 4 GB
	RunMemory int64                      // bytes that one run may take, by estimate; default 256 MB
	Turn      time.Duration              // after this long a run returns its memory to a waiting run; default 1 min
	Rest      time.Duration              // an unwatched run pauses after this long; default 2 s, enough to reload a page
	PutAway   time.Duration              // its learner gives its memory back after this long; default 10 s
	Forget    time.Duration              // it is held no more after this long; the store has it. Default 2 min
	Keep      store.Retention            // limits of the store; default 60 days, 8 GB, half of it snapshots
	Salt      []byte                     // addresses are hashed with it; default one of this lab's own
	MayStart  func(address string) error // why an address may start no run now; default: nil, it may
	Storable  func() error               // why nothing can be stored, so that no run starts; default: nil, it can
	Log       *slog.Logger

	LastWords time.Duration // that storing a run takes, at most, when it is held no more; default 20 s
}

func (o *Options) defaults() {
	if o.Storable == nil {
		o.Storable = func() error { return nil }
	}
	if o.MayStart == nil {
		o.MayStart = func(string) error { return nil }
	}
	o.Cores = cmp.Or(o.Cores, runtime.GOMAXPROCS(0))
	o.MaxRuns = cmp.Or(o.MaxRuns, 48*o.Cores)
	o.Memory = cmp.Or(o.Memory, 4e9)
	o.Turn = cmp.Or(o.Turn, time.Minute)
	o.RunMemory = min(cmp.Or(o.RunMemory, 256e6), int64((1-spare)*float64(o.Memory)-topicBytes))
	o.Rest = cmp.Or(o.Rest, 2*time.Second)
	o.PutAway = cmp.Or(o.PutAway, 10*time.Second)
	o.Forget = cmp.Or(o.Forget, 2*time.Minute)
	o.Keep.Age = cmp.Or(o.Keep.Age, 60*24*time.Hour)
	o.Keep.Bytes = cmp.Or(o.Keep.Bytes, 8e9)
	o.LastWords = cmp.Or(o.LastWords, 20*time.Second)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Salt == nil {
		o.Salt = []byte(store.NewKey())
	}
	o.Devices = o.Devices.OrCores()
}

// Lab holds the runs that train, rest, or were looked at a moment ago. The store has all runs.
type Lab struct {
	opts  Options
	store *store.Store
	ctx   context.Context
	stop  context.CancelCauseFunc
	gone  sync.WaitGroup
	hub   hub.Hub // of all runs

	cores  *schedule.Cores
	budget budget
	full   atomic.Pointer[error] // why nothing can be stored now; nil: it can

	writing chan struct{} // holds one while runs are taken to the store, else they would be taken twice
	urgent  chan struct{} // wakes the scribe

	archiving chan struct{} // holds one while snapshots of a run are taken to the store

	panics      atomic.Uint64
	recomputing *recomputing
	histories   *places.Places
	remote      remoteMemory

	mu      sync.Mutex
	runs    map[string]*Run
	backlog []string // runs that an earlier process had to leave, which are not held yet
}

// New makes a lab that continues the runs that an earlier one had to leave. Close ends it; the store is not closed.
func New(opts Options) (*Lab, error) {
	opts.defaults()
	l := &Lab{
		opts: opts, store: opts.Store, runs: map[string]*Run{}, cores: schedule.NewCores(opts.Cores),
		recomputing: newRecomputing(opts.Cores), histories: newHistories(),
		remote: remoteMemory{of: map[string]int64{}}, writing: make(chan struct{}, 1), urgent: make(chan struct{}, 1),
		archiving: make(chan struct{}, 1),
		budget:    budget{slots: opts.MaxRuns, cores: opts.Cores, memory: float64(opts.Memory), turn: opts.Turn},
	}
	l.ctx, l.stop = context.WithCancelCause(context.Background())
	if !opts.Headless {
		if err := l.recover(); err != nil {
			l.stop(errClosing)
			return nil, err
		}
		l.gone.Go(l.forget) // all end with Close
	}
	l.gone.Go(l.tend)
	l.gone.Go(l.scribe)
	l.gone.Go(l.archive)
	return l, nil
}

// Close stops every run where it stands, stores it, and waits for that.
func (l *Lab) Close() {
	l.mu.Lock() // a run being started has been counted, or finds the lab closed
	l.stop(errClosing)
	l.mu.Unlock()
	l.gone.Wait()
}

// letGo stores a run that is held no more, and forgets it.
func (l *Lab) letGo(r *Run) {
	switch why := r.Why(); {
	case errors.Is(why, ErrDeleted), errors.Is(why, ErrUnstorable), errors.Is(why, ErrLost):
	case r.hardlyBegun():
		l.store.Do(l.ctx, func(tx *store.Tx) error { return tx.DeleteRun(r.ID) }) // else the store forgets it in its time
	default:
		ctx, cancel := context.WithTimeout(context.Background(), l.opts.LastWords)
		if l.writeDown(ctx, []*Run{r}, whole) == nil {
			l.storeSnapshots(ctx, r, whole)
		}
		cancel()
	}
	r.dropSnapshots()
	r.Topic.Close("this run has left memory; reload the page to see it again")
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.runs[r.ID] == r {
		delete(l.runs, r.ID)
	}
}

// run returns the run of a name, if it is held.
func (l *Lab) run(id string) *Run {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.runs[id]
}

// hosted returns all runs in memory.
func (l *Lab) hosted() []*Run {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Values(l.runs))
}

// Count returns the number of runs held, and how many of them have viewers.
func (l *Lab) Count() (held, watched int) {
	runs := l.hosted()
	for _, r := range runs {
		if n, _ := r.Watchers(); n > 0 {
			watched++
		}
	}
	return len(runs), watched
}

// Cores returns the cores that runs share, for others who train.
func (l *Lab) Cores() *schedule.Cores { return l.cores }

// Hub returns the hub of all runs' topics.
func (l *Lab) Hub() *hub.Hub { return &l.hub }

// Waiting returns the number of runs in the queue, and the estimated bytes of all learners.
func (l *Lab) Waiting() (runs int, bytes float64) {
	_, runs, bytes = l.budget.counts()
	return runs, bytes
}

// Steps returns the number of environment steps that all runs held have learned from.
func (l *Lab) Steps() (n uint64) {
	for _, r := range l.hosted() {
		n += r.record.Position().Steps
	}
	return n
}

// maxHeld bounds all runs that are held: with a learner, over, and in the queue. Each keeps what its page may have
// missed.
func (l *Lab) maxHeld() int { return 4 * l.opts.MaxRuns }

// limitHeld drops the run that has been unwatched for longest when too many are held for one more of an address. If all
// are watched, it drops a run that is over, of the address that holds most: that run's pages have received all of it.
// Only an address that holds none may take the spare part. The caller holds mu.
func (l *Lab) limitHeld(address string) error {
	if l.ctx.Err() != nil {
		return noAnswer(errClosing)
	}
	var oldest, over *Run
	of := map[string]int{}
	staying, most := 0, l.maxHeld()
	for _, r := range l.runs {
		if r.ctx.Err() != nil {
			continue
		}
		staying++
		of[r.heldFor]++
		if r.heldFor == address && address != "" {
			most = int((1 - spare) * float64(l.maxHeld()))
		}
		if since := r.unwatchedSince(); !since.IsZero() && (oldest == nil || since.Before(oldest.unwatchedSince())) {
			oldest = r
		}
	}
	for _, r := range l.runs {
		n := of[r.heldFor]
		if r.ctx.Err() == nil && r.State().Over() && n > of[address]+1 && (over == nil || n > of[over.heldFor]) {
			over = r
		}
	}
	oldest = cmp.Or(oldest, over)
	switch {
	case staying < most:
		return nil
	case oldest == nil:
		return errcode.Errorf(errcode.Full, "%d runs are held and waiting here, and that is the limit; %w", most,
			ErrTooMany)
	}
	oldest.End(ErrDropped)
	return nil
}

// ErrTooMany refuses to hold another run.
var ErrTooMany = errors.New("try again in a minute, or start the server with a higher --max-runs")

// Fault counts and logs a panic, of a run for example.
func (l *Lab) Fault(what, id string, err error) {
	l.panics.Add(1)
	l.opts.Log.Error("panic in "+what, "id", id, "error", err)
}

// Panics returns the number of faults.
func (l *Lab) Panics() uint64 { return l.panics.Load() }

const (
	returnBytes = 64e6            // memory that is worth a collection, which returns it to the system
	returnEvery = 5 * time.Second // so that a server under load spends less than 1 % of a core on it
)

// unused returns the bytes of the heap that the newest collection did not find in use. Packing a snapshot, storing it
// and answering a request take memory that no claim counts, so the runtime is asked.
func unused() float64 {
	read := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
		{Name: "/gc/heap/live:bytes"}}
	metrics.Read(read)
	return float64(read[0].Value.Uint64()+read[1].Value.Uint64()) - float64(read[2].Value.Uint64())
}

// tend rests, puts away and drops runs that have been unwatched for long.
func (l *Lab) tend() {
	tick := time.NewTicker(min(time.Second, l.opts.Forget/10))
	defer tick.Stop()
	freed := 0.            // bytes that runs gave back since the server last returned memory…
	var returned time.Time // …which was then
	for {
		select {
		case now := <-tick.C:
			l.budget.tick(l.opts.Rest)
			l.resumeBacklog()
			freed += l.budget.drainFreed()
			if now.Sub(returned) >= returnEvery && freed+unused() >= returnBytes {
				debug.FreeOSMemory() // the runtime would keep it for minutes
				freed, returned = 0, now
			}
			for _, r := range l.hosted() {
				since := r.unwatchedSince()
				switch alone := now.Sub(since); {
				case since.IsZero():
				case alone > l.opts.Forget:
					r.End(ErrDropped)
				case alone > l.opts.Rest:
					r.record.Touch()                                                         // its row says that it rests
					if cfg := r.Config(); alone > l.opts.PutAway && cfg.Mode != hyper.Live { // a live run could not resume
						r.giveWay()
					}
				}
			}
		case <-l.ctx.Done():
			return
		}
	}
}

// forget deletes old runs without viewers from the store.
func (l *Lab) forget() {
	const every = 10 * time.Minute
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		keep := l.opts.Keep
		if low := l.store.Low(); low > 0 {
			keep.Bytes = low
		}
		_, forgotten, err := l.store.Retain(l.ctx, keep)
		switch {
		case l.ctx.Err() != nil:
			return
		case err != nil:
			l.opts.Log.Warn("old runs cannot be forgotten", "error", err)
		case forgotten > 0:
			l.opts.Log.Info("old runs were forgotten", "runs", forgotten)
		}
		pause := time.After(forgetPause)
		select {
		case <-tick.C:
		case <-l.ctx.Done():
			return
		case <-l.store.Fills():
			select {
			case <-pause:
			case <-l.ctx.Done():
				return
			}
		}
	}
}

// forgetPause is the least time between two looks for runs to forget: while nothing can be deleted, each looks in vain.
const forgetPause = 2 * time.Second

// BatchRuns returns the number of unwatched runs that may hold memory at once.
func (l *Lab) BatchRuns() int { return purposes[Batch].perCore * l.opts.Cores }
