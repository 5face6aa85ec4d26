package lab

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"impalab/learner"
	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/work"
	"impalab/server/hub"
	"impalab/web/wire"
)

// Run is one learner that people watch and steer. Its goroutine (loop) owns the learner; everything that
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
	requests []request
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
	return wire.Welcome{Run: r.id, Key: r.key, Build: r.lab.opts.Build, State: r.state, Settings: settings, Unknown: r.unknown}
}

// signal wakes the run's goroutine; one pending signal is enough.
func (r *Run) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *Run) end() { r.stop() }

// loop is the run's goroutine: one learner after another, until the run is dropped.
func (r *Run) loop() {
	defer r.stop()
	defer r.topic.Close("this run has ended; reload the page to begin another")
	for r.ctx.Err() == nil {
		again, err := r.train()
		if again == nil && r.ctx.Err() == nil {
			if err != nil {
				r.lab.opts.Log.Error("run stopped", "run", r.id, "error", err)
				r.setState(wire.StateStopped, err.Error())
			}
			again = r.waitForRestart()
		}
		if again != nil {
			r.restart(again)
		}
	}
}

// restart makes a new configuration the one in force.
func (r *Run) restart(o *plan) {
	r.mu.Lock()
	r.cfg, r.preset, r.unknown = o.cfg, o.preset, nil
	r.state = wire.StateRunning
	r.mu.Unlock()
	r.steps.Store(0)
	r.topic.Begin(r.welcome())
}

// errRunOver refuses to play, pause or step a run that is over.
var errRunOver = errors.New("this run is over; start it again")

// waitForRestart waits, after a run is over, until a browser asks for a restart. Settings still change meanwhile.
func (r *Run) waitForRestart() *plan {
	for {
		for req, ok := r.nextRequest(); ok; req, ok = r.nextRequest() {
			o, err := r.evaluate(req)
			switch {
			case err != nil:
				r.refuse(req, err)
			case o.restart:
				return &o
			case req.key != "":
				r.apply(req, o, 0, 0)
			default:
				r.refuse(req, errRunOver)
			}
		}
		select {
		case <-r.wake:
		case <-r.ctx.Done():
			return nil
		}
	}
}

// setState changes the state and publishes it.
func (r *Run) setState(state uint8, reason string) {
	r.mu.Lock()
	same := r.state == state
	r.state = state
	r.mu.Unlock()
	if !same || reason != "" {
		r.topic.Publish(&wire.Status{State: state, Reason: reason}, 0)
	}
}

// errRestart stops a learner because another is to begin.
var errRestart = errors.New("begin anew")

// errInternal is shown to people when the learner panics; the log has the details.
var errInternal = errors.New("an internal error stopped the learner; the server's log has the details; other settings may work")

// train runs one learner to its end. It returns the plan of the restart that was asked for, if any.
func (r *Run) train() (again *plan, err error) {
	err = work.Catch(func() (err error) {
		again, err = r.learn()
		return err
	})
	if fault := (*work.Fault)(nil); errors.As(err, &fault) {
		r.lab.fault(r, fault)
		return nil, errInternal
	}
	return again, err
}

// learn is train without a net below it: a panic on any of the learner's goroutines comes out of it, as an error or as
// a panic.
func (r *Run) learn() (again *plan, err error) {
	r.mu.Lock()
	cfg := r.cfg
	r.mu.Unlock()
	l, err := learner.New(cfg)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	ctx, end := context.WithCancelCause(r.ctx)
	defer end(nil)
	watch, err := newWatch(r, l, end)
	if err != nil {
		return nil, err
	}
	defer watch.close()
	d := &loop{ctx: ctx, run: r, watch: watch, pace: newPace(l), report: newReport(r.topic, l)}
	result, err := l.Run(ctx, learner.Hooks{Between: d.between, Due: d.due, Update: d.report.update, Episode: d.report.episode})
	r.steps.Store(l.Steps())
	d.report.flush(l, true) // how it ended, before it is said that it did
	switch {
	case errors.Is(err, errRestart):
		return d.again, nil
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx) // the watch may have ended it
	}
	if errors.Is(err, actor.ErrNotFinite) {
		result.Diverged, err = err.Error(), nil
	}
	if err != nil {
		return nil, err
	}
	watch.finish(l)
	switch {
	case result.Diverged != "":
		r.setState(wire.StateDiverged, result.Diverged+r.lab.saveSnapshot(r.id, l))
	default:
		r.setState(wire.StateFinished, fmt.Sprintf("the budget of %d steps is spent", cfg.Steps))
	}
	return nil, nil
}
