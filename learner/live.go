package learner

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"impalab/learner/actor"
	"impalab/learner/algo"
	"impalab/learner/hyper"
	"impalab/learner/remote"
	"impalab/learner/schedule"
	"impalab/learner/stream"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// liveActors is the fleet of a live run. Actors play as fast as they can with the newest parameters and wait only when
// the queue is full, so the lag depends on the machine.
type liveActors struct {
	full, empty chan *block
	open        *block // the block that the learner is reading, and the next unroll in it
	read        int

	start sync.Once
	ready chan struct{}   // closed by the first publish
	cores *schedule.Share // each actor holds a core while it plays
	ctx   context.Context // ends with close, or with the reason why an actor cannot continue
	stop  context.CancelCauseFunc
	gone  sync.WaitGroup

	batching *actor.Batching // of inference=batched, else nil
	acting   *algo.Acting    // computes for batching; nil: the cores do

	checked atomic.Int64 // when the last block was accepted that was played again, nanoseconds since 1970

	mu     sync.RWMutex // guards theta and update: one writer, the learner; each actor copies
	theta  []float32
	update uint64
	shared *remote.Order // of remote actors: a copy of the newest θ
}

// block is the play of one actor at a time, with the episodes that ended in it.
type block struct {
	unrolls  []*traj.Unroll
	episodes []telemetry.Episode
	home     chan<- *block // receives the block after reading; it has room
	remote   *remote.Actor // played the block; nil: an actor of this process
}

// maxIdle is how many seats without an actor are kept.
const maxIdle = 60

// maxCopies is the most copies of the world that one live actor steps together.
const maxCopies = 16

// blockCopies returns a multiple of a suite's tasks, so that every batch has equally many unrolls of each.
func blockCopies(cfg *hyper.Config) int {
	tasks := cfg.Tasks()
	return max(1, min(maxCopies, cfg.BatchSize/cfg.Actors)/tasks) * tasks
}

// blocksWaiting returns how many full blocks the queue holds: a batch, and one for each actor.
func blocksWaiting(cfg *hyper.Config, copies int) int {
	return max(cfg.Actors, (cfg.BatchSize+copies-1)/copies)
}

func newLiveActors(cfg *hyper.Config, m *algo.Machine, cores *schedule.Share, remotes *remote.Actors) (fleet, error) {
	spec := m.Spec
	copies := blockCopies(cfg)
	waiting := blocksWaiting(cfg, copies)
	f := &liveActors{
		cores: cores,
		full:  make(chan *block, waiting), empty: make(chan *block, waiting+cfg.Actors),
		ready: make(chan struct{}), theta: make([]float32, spec.Params()),
	}
	for range cap(f.empty) {
		f.empty <- &block{unrolls: traj.NewUnrolls(copies, cfg.UnrollLen, spec.Shape()), home: f.empty}
	}
	actors := make([]*actor.Actor, cfg.Actors)
	for i := range actors {
		var err error
		if actors[i], err = actor.New(cfg.World, spec, copies, cfg.Seed, stream.Actors+uint64(i)); err != nil {
			return nil, err
		}
		actors[i].Cores, actors[i].Help = cores, m.Help
		actors[i].Overlap(cfg.Overlap)
		actors[i].Forget = cfg.Forgets()
	}
	if cfg.Inference == hyper.InferBatched {
		var err error
		if f.acting, err = m.Acting(len(actors) * copies); err != nil {
			return nil, err
		}
		var on actor.Forward
		if f.acting != nil {
			on = f.acting
		}
		f.batching = actor.NewBatching(spec, len(actors), copies, cores, on, f.latest())
		for _, a := range actors {
			f.batching.Join(a)
		}
	}
	f.ctx, f.stop = context.WithCancelCause(context.Background())
	for _, a := range actors {
		f.gone.Go(func() { // ends when close cancels ctx
			f.stop(schedule.Catch(func() error { return f.run(a) }))
		})
	}
	if remotes != nil {
		own := *cfg // the learner's may change
		h := &host{liveActors: f, cfg: &own, spec: spec, copies: copies, remotes: remotes,
			idle: make(chan *remote.Seat, maxIdle)}
		f.gone.Go(func() { f.stop(schedule.Catch(h.run)) }) // ends when close cancels ctx
	}
	return f, nil
}

// run repeats for one actor: take an empty block, fill it with the newest policy, and queue it.
func (f *liveActors) run(a *actor.Actor) error {
	newest := f.latest()
	var theta []float32
	if f.batching == nil {
		theta = make([]float32, len(f.theta)) // else only Batching has a copy
	}
	select {
	case <-f.ready:
	case <-f.ctx.Done():
		return nil
	}
	for {
		if err := f.awaitChecks(); err != nil {
			return nil
		}
		var b *block
		select {
		case b = <-f.empty: // waits while the learner is behind: before the learner, block
		case <-f.ctx.Done():
			return nil
		}
		if err := f.fill(b, a, theta, newest); err != nil {
			return err
		}
		select {
		case f.full <- b:
		case <-f.ctx.Done():
			return nil
		}
	}
}

// Checked remote actors play instead of the run's own actors, so that a class sees the effect of its own play. The
// run's own actors continue when no such block has come for so long.
const (
	ownAfter = time.Second
	ownLook  = 50 * time.Millisecond
)

// awaitChecks waits while checked actors play. An error means that the run closes.
func (f *liveActors) awaitChecks() error {
	for time.Since(time.Unix(0, f.checked.Load())) < ownAfter {
		select {
		case <-time.After(ownLook):
		case <-f.ctx.Done():
			return f.ctx.Err()
		}
	}
	return nil
}

// fill plays a block on a core, and always releases the core: the run's other goroutines need one to end.
func (f *liveActors) fill(b *block, a *actor.Actor, theta []float32, newest func(theta []float32) uint64) error {
	f.cores.Acquire()
	defer f.cores.Release()
	update := newest(theta)
	b.episodes = b.episodes[:0]
	return a.Play(theta, update, b.unrolls, func(e telemetry.Episode) { b.episodes = append(b.episodes, e) })
}

// latest returns a function that keeps a copy of θ up to date, and returns the update that made it.
func (f *liveActors) latest() func(theta []float32) uint64 {
	have := uint64(math.MaxUint64)
	return func(theta []float32) uint64 {
		f.mu.RLock()
		defer f.mu.RUnlock()
		if f.update != have {
			copy(theta, f.theta)
			have = f.update
		}
		return have
	}
}

func (f *liveActors) publish(theta []float32, update uint64) {
	f.mu.Lock()
	copy(f.theta, theta)
	f.update = update
	f.mu.Unlock()
	f.start.Do(func() { close(f.ready) })
}

func (f *liveActors) begin(*lagWindow, int) {} // they play all the time

func (f *liveActors) collect(ctx context.Context, p *lagWindow, unrolls []*traj.Unroll,
	done func(telemetry.Episode)) error {
	for i, u := range unrolls {
		if f.open == nil {
			if err := f.next(ctx); err != nil {
				return err
			}
			f.read = 0
			for _, e := range f.open.episodes {
				done(e)
			}
		}
		if r := f.open.remote; r != nil {
			u.CopyFrom(f.open.unrolls[f.read]) // the unrolls are the remote actor's
			_, newest := p.at(0)
			r.LearnedFrom(u, newest)
		} else {
			unrolls[i], f.open.unrolls[f.read] = f.open.unrolls[f.read], u
		}
		if f.read++; f.read == len(f.open.unrolls) {
			f.open.home <- f.open // never waits: there is room for all blocks
			f.open = nil
		}
	}
	return nil
}

// next waits for a full block. It releases its core to the actors meanwhile.
func (f *liveActors) next(ctx context.Context) error {
	select {
	case f.open = <-f.full:
		return nil
	default:
	}
	f.cores.Release()
	select {
	case f.open = <-f.full:
	case <-f.ctx.Done():
		return context.Cause(f.ctx)
	case <-ctx.Done():
		return ctx.Err()
	}
	f.cores.Acquire()
	return nil
}

// close ends the actors. The caller holds no core: the actors may need one to end.
func (f *liveActors) close() {
	f.stop(nil)
	f.gone.Wait()
	if f.batching != nil {
		f.batching.Close() // all actors have ended
	}
	if f.acting != nil {
		f.acting.Close()
	}
}
