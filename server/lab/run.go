package lab

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/work"
	"impalab/server/hub"
	"impalab/web/wire"
)

// Run is one learner that people watch and steer. Its goroutine (loop) owns the learner; everything that
// others touch is under mu.
type Run struct {
	lab     *Lab
	address string // of the browser that began it
	id, key string
	unknown []string // unknown keys of the link
	topic   *hub.Topic
	stop    context.CancelFunc
	ctx     context.Context
	steps   atomic.Uint64
	began   time.Time
	cores   *work.Share
	shelf   shelf
	claim   *claim // to a place and to memory; nil while it asks for none. Of the run's goroutine

	mu       sync.Mutex
	cfg      hyper.Config // in force
	preset   string
	state    uint8
	requests []request
	watching int
	left     time.Time // when the last watcher left
	wake     chan struct{}

	room  bool   // the claim is admitted
	words string // where it stands in the queue
	leave bool   // it is to give way
}

// newRun makes a run that has asked for its room. Its topic begins with what came of that.
func newRun(l *Lab, address, id, key string, cfg hyper.Config, preset string, unknown []string) *Run {
	r := &Run{
		lab: l, address: address, cores: l.cores.Share(address), shelf: shelf{dir: l.opts.Data}, began: time.Now(), id: id, key: key, unknown: unknown, topic: l.hub.Topic(history), cfg: cfg, preset: preset,
		state: wire.StateRunning, wake: make(chan struct{}, 1), left: time.Now(),
	}
	r.ctx, r.stop = context.WithCancel(l.ctx)
	r.ask()
	r.mu.Lock()
	if !r.room {
		r.state = wire.StateQueued
	}
	r.mu.Unlock()
	r.topic.Begin(r.welcome())
	return r
}

// history is how many events a page that comes back may have missed.
const history = 20_000

// join counts a watcher in; Leave counts it out.
func (r *Run) join() *Run {
	r.mu.Lock()
	r.watching++
	r.mu.Unlock()
	r.signal()
	return r
}

// Leave is called once by each session that had the run.
func (r *Run) Leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.watching--; r.watching == 0 {
		r.left = time.Now()
	}
}

func (r *Run) watchers() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.watching
}

// unwatchedSince is when the last watcher left; zero while the run is watched.
func (r *Run) unwatchedSince() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.watching > 0 {
		return time.Time{}
	}
	return r.left
}

// Subscribe follows the run's topic from event after on.
func (r *Run) Subscribe(after uint64) *hub.Subscriber { return r.topic.Subscribe(r.welcome, after) }

// welcome describes the run as it stands; the hub fills in Event and Fresh.
func (r *Run) welcome() wire.Welcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	settings := []wire.Setting{{Key: "preset", Value: r.preset}}
	for _, s := range r.cfg.Settings() {
		settings = append(settings, wire.Setting(s))
	}
	return wire.Welcome{Run: r.id, Key: r.key, Build: r.lab.opts.Build, State: r.state,
		Steers: true, Settings: settings, Unknown: r.unknown, Figures: telemetry.FigureNames()}
}

// signal wakes the run's goroutine; one pending signal is enough.
func (r *Run) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// end stops the run: its goroutines end where they would next take a core.
func (r *Run) end() {
	r.stop()
	r.cores.Close()
}

// setState changes the state and publishes it.
func (r *Run) setState(state uint8, reason string) { r.answerState(0, state, reason) }

// answerState is setState where somebody has asked for it, who hears of it at once.
func (r *Run) answerState(owner uint64, state uint8, reason string) {
	r.mu.Lock()
	same := r.state == state
	r.state = state
	r.mu.Unlock()
	if !same || reason != "" {
		r.topic.Publish(&wire.Status{State: state, Reason: reason}, owner)
	}
}
