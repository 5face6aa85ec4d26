// Package lab starts, steers, keeps and stops the runs that people watch. Each run has one goroutine that
// owns its learner; what browsers ask reaches it between two updates, and what it tells goes to a hub that
// never makes it wait.
package lab

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"impalab/learner/hyper"
	"impalab/learner/work"
	"impalab/server/hub"
	"impalab/server/session"
	"impalab/web/wire"
)

// Options of a lab. The zero value of a field takes its default.
type Options struct {
	Build     string        // names this build to the page
	Data      string        // folder for snapshots of runs that diverged; "" keeps none
	MaxRuns   int           // learners held at once; default 48 for each core. More wait in a queue
	Cores     int           // that runs compute on; default GOMAXPROCS
	Memory    int64         // bytes that they may take together, by estimate; default 4 GB
	RunMemory int64         // bytes that one run may take, by estimate; default 256 MB
	Turn      time.Duration // after this long a run gives way to one that waits; default 1 min
	Rest      time.Duration // an unwatched run pauses after this long; default 2 s, enough to reload a page
	PutAway   time.Duration // and its learner is put away after this long, or dropped if it had hardly begun; default 10 s
	Forget    time.Duration // and is dropped after this long; default 15 min
	Log       *slog.Logger
}

func (o *Options) defaults() {
	if o.Cores == 0 {
		o.Cores = runtime.GOMAXPROCS(0)
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
		o.Forget = 15 * time.Minute
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// Lab holds the runs.
type Lab struct {
	opts Options
	ctx  context.Context
	stop context.CancelFunc
	gone sync.WaitGroup
	hub  hub.Hub // of all runs

	cores  *work.Cores
	budget budget

	panics atomic.Uint64

	mu   sync.Mutex
	runs map[string]*Run
}

// New makes an empty lab; Close ends it.
func New(opts Options) *Lab {
	opts.defaults()
	l := &Lab{
		opts: opts, runs: map[string]*Run{}, cores: work.NewCores(opts.Cores),
		budget: budget{places: opts.MaxRuns, memory: float64(opts.Memory), turn: opts.Turn},
	}
	if err := clearShelves(opts.Data); err != nil {
		opts.Log.Warn("what an earlier process left cannot be removed", "error", err)
	}
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.gone.Add(1)
	go l.sweep() // ends with Close
	return l
}

// Close stops every run and waits for it.
func (l *Lab) Close() {
	l.mu.Lock() // a run being opened has been counted, or finds the lab closed
	l.stop()
	l.mu.Unlock()
	l.gone.Wait()
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

// Open gives a browser the run it had, or begins a new one with the settings of its link, which counts for its address.
func (l *Lab) Open(hello *wire.Hello, address string) (session.Run, error) {
	if r := l.rejoin(hello.Run, hello.Key); r != nil {
		return r, nil
	}
	hello.After = 0 // a new run has no past, whatever the page remembers of an old one
	settings := make([]hyper.Setting, len(hello.Settings))
	named := map[string]bool{}
	for i, s := range hello.Settings {
		settings[i] = hyper.Setting(s)
		named[s.Key] = true
	}
	cfg, preset, unknown, err := hyper.FromSettings(settings)
	if err != nil {
		return nil, err
	}
	if !named["speed"] {
		cfg.Speed = walkingPace
	}
	if !named["steps"] {
		unlimited(&cfg)
	}
	if err := l.admit(&cfg); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return nil, fmt.Errorf("the server is stopping")
	}
	if len(l.runs) >= l.maxHeld() && !l.dropUnwatched() {
		return nil, fmt.Errorf("%d runs are held and waiting here, and that is the limit; try again in a minute, or start the server with a higher --max-runs", l.maxHeld())
	}
	r := newRun(l, address, token(8), token(16), cfg, preset, unknown)
	l.runs[r.id] = r
	l.gone.Add(1)
	go func() { // ends when the run is stopped or the lab closes
		defer l.gone.Done()
		if err := work.Catch(func() error { r.loop(); return nil }); err != nil {
			l.fault(r, err)
		}
		l.mu.Lock()
		delete(l.runs, r.id)
		l.mu.Unlock()
	}()
	return r.join(), nil
}

// unlimited removes a preset's budget: it is meant for measuring, and a viewer decides when it is enough. Annealing needs
// its end, and keeps it.
func unlimited(cfg *hyper.Config) {
	if cfg.Anneal == hyper.AnnealConstant {
		cfg.Steps = 0
	}
}

// walkingPace is the speed, in environment steps a second, of a run whose link names none: slow enough to watch
// CartPole being learned, which takes about 60 000 steps.
const walkingPace = 4000

// rejoin is the run of that name if the key fits. It is joined before the sweep can drop it.
func (l *Lab) rejoin(id, key string) *Run {
	if id == "" {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.runs[id]
	if r == nil || r.ctx.Err() != nil || subtle.ConstantTimeCompare([]byte(r.key), []byte(key)) != 1 {
		return nil
	}
	return r.join()
}

// maxHeld bounds runs of all kinds: with a learner, over, and waiting in the queue. Each keeps the past of its page.
func (l *Lab) maxHeld() int { return 4 * l.opts.MaxRuns }

// dropUnwatched drops the run that has gone unwatched for longest. The caller holds mu.
func (l *Lab) dropUnwatched() bool {
	var oldest *Run
	for _, r := range l.runs {
		if since := r.unwatchedSince(); !since.IsZero() && (oldest == nil || since.Before(oldest.unwatchedSince())) {
			oldest = r
		}
	}
	if oldest == nil {
		return false
	}
	l.drop(oldest)
	return true
}

// fault counts and logs a panic of a run's, which ends that run and nothing else.
func (l *Lab) fault(r *Run, err error) {
	l.panics.Add(1)
	l.opts.Log.Error("panic in a run", "run", r.id, "error", err)
}

// Panics is how many faults of our own runs have met.
func (l *Lab) Panics() uint64 { return l.panics.Load() }

func (l *Lab) drop(r *Run) {
	delete(l.runs, r.id)
	r.end()
}

// sweep drops runs that have been unwatched for long.
func (l *Lab) sweep() {
	defer l.gone.Done()
	tick := time.NewTicker(min(time.Second, l.opts.Forget/10))
	defer tick.Stop()
	returned := time.Now()
	for {
		select {
		case now := <-tick.C:
			l.budget.tick(l.opts.Rest)
			if now.Sub(returned) > returnEvery && l.budget.freedBytes(returnBytes) {
				debug.FreeOSMemory() // the runtime by itself would keep it for minutes
				returned = now
			}
			l.mu.Lock()
			for _, r := range l.runs {
				since := r.unwatchedSince()
				switch alone := now.Sub(since); {
				case since.IsZero():
				case alone > l.opts.Forget:
					l.drop(r)
				case alone > l.opts.PutAway && since.Sub(r.began) < l.opts.PutAway/2: // there is little to lose
					l.drop(r)
				case alone > l.opts.PutAway:
					r.putAway()
				}
			}
			l.mu.Unlock()
		case <-l.ctx.Done():
			return
		}
	}
}

// Memory that runs gave back is returned to the system when it is worth a collection, and no more often than this.
const (
	returnEvery = 3 * time.Second
	returnBytes = 64e6
)

func token(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails: crypto/rand aborts the program instead
	return hex.EncodeToString(b)
}
