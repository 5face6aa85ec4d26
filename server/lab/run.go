package lab

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/server/hub"
	"impalab/web/wire"
)

// Run is one learner that people watch and steer. Its goroutine (live) owns the learner; everything that
// others touch is under mu.
type Run struct {
	lab     *Lab
	id, key string
	unknown []string // keys of the link nobody knows
	topic   *hub.Topic
	stop    context.CancelFunc
	ctx     context.Context
	steps   atomic.Uint64

	mu       sync.Mutex
	cfg      hyper.Config // in force
	preset   string
	state    uint8
	asked    []ask
	watching int
	left     time.Time // when the last watcher left
	wake     chan struct{}
}

func newRun(l *Lab, id, key string, cfg hyper.Config, preset string, unknown []string) *Run {
	r := &Run{
		lab: l, id: id, key: key, unknown: unknown, topic: l.hub.Topic(history), cfg: cfg, preset: preset,
		state: wire.StateRunning, wake: make(chan struct{}, 1), left: time.Now(),
	}
	r.ctx, r.stop = context.WithCancel(l.ctx)
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
	r.nudge()
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

// alone is since when nobody watches; zero while somebody does.
func (r *Run) alone() time.Time {
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
	return wire.Welcome{Run: r.id, Key: r.key, Build: r.lab.opts.Build, State: r.state, Settings: settings, Unknown: r.unknown}
}

func (r *Run) nudge() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *Run) end() { r.stop() }

// live is the run's goroutine: a learner after another, until the run is dropped.
func (r *Run) live() {
	defer r.stop()
	defer r.topic.Close("this run has ended; reload the page to begin another")
	for r.ctx.Err() == nil {
		again, err := r.train()
		if again == nil && r.ctx.Err() == nil {
			if err != nil {
				r.lab.opts.Log.Error("run stopped", "run", r.id, "error", err)
				r.become(wire.StateStopped, err.Error())
			}
			again = r.rest()
		}
		if again != nil {
			r.begin(again)
		}
	}
}

// begin makes a new configuration the one in force.
func (r *Run) begin(o *outcome) {
	r.mu.Lock()
	r.cfg, r.preset, r.unknown = o.cfg, o.preset, nil
	r.state = wire.StateRunning
	r.mu.Unlock()
	r.steps.Store(0)
	r.topic.Begin(r.welcome())
}

// errOver answers who would play, pause or step a run that is over.
var errOver = errors.New("this run is over; begin it again")

// rest waits, after a run is over, for someone to begin it anew. Settings still change meanwhile.
func (r *Run) rest() *outcome {
	for {
		for a, ok := r.next(); ok; a, ok = r.next() {
			o, err := r.weigh(a)
			switch {
			case err != nil:
				r.refuse(a, err)
			case o.anew:
				return &o
			case a.key != "":
				r.enforce(a, o, 0, 0)
			default:
				r.refuse(a, errOver)
			}
		}
		select {
		case <-r.wake:
		case <-r.ctx.Done():
			return nil
		}
	}
}

// become changes the state and says so.
func (r *Run) become(state uint8, reason string) {
	r.mu.Lock()
	same := r.state == state
	r.state = state
	r.mu.Unlock()
	if !same || reason != "" {
		r.topic.Publish(&wire.Status{State: state, Reason: reason}, 0)
	}
}

// errBegin stops a learner because another is to begin.
var errBegin = errors.New("begin anew")

// errFault is what people are told of a panic; the log has the rest.
var errFault = errors.New("the learner met a fault of its own and stopped; other settings may do")

// train runs one learner to its end. It returns the new beginning that was asked for, if one was.
func (r *Run) train() (again *outcome, err error) {
	defer func() {
		if p := recover(); p != nil { // a fault of ours that one run found must not take the others with it
			r.lab.opts.Log.Error("panic in a run", "run", r.id, "panic", p, "stack", string(debug.Stack()))
			again, err = nil, errFault
		}
	}()
	r.mu.Lock()
	cfg := r.cfg
	r.mu.Unlock()
	l, err := learner.New(cfg)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	watch, err := newWatch(r, l)
	if err != nil {
		return nil, err
	}
	defer watch.close()
	d := &driver{run: r, watch: watch, pace: newPace(l), report: newReport(r.topic, watch, l)}
	result, err := l.Run(r.ctx, learner.Hooks{Between: d.between, Due: d.due, Update: d.report.update, Episode: d.report.episode})
	r.steps.Store(l.Steps())
	d.report.flush(l, true) // how it ended, before it is said that it did
	switch {
	case errors.Is(err, errBegin):
		return d.again, nil
	case err != nil:
		return nil, err
	}
	watch.last(l)
	switch {
	case result.Diverged != "":
		r.become(wire.StateDiverged, result.Diverged+r.lab.keep(r.id, l))
	default:
		r.become(wire.StateFinished, fmt.Sprintf("the budget of %d steps is spent", cfg.Steps))
	}
	return nil, nil
}
