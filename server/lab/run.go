package lab

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
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

// ask is one thing a browser wants, on its way to the learner.
type ask struct {
	owner  uint64
	intent uint32
	key    string // a hot setting…
	value  string
	verb   uint8         // …or a verb…
	begin  *hyper.Config // …or a new configuration to begin with
	preset string
}

func newRun(l *Lab, id, key string, cfg hyper.Config, preset string, unknown []string) *Run {
	r := &Run{
		lab: l, id: id, key: key, unknown: unknown, topic: hub.New(history), cfg: cfg, preset: preset,
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

// Set asks for a setting. A hot one is checked now and changed between two updates; a cold one, or another
// preset, begins the run anew with the same seed.
func (r *Run) Set(owner uint64, intent uint32, key, value string) error {
	r.mu.Lock()
	next, preset := r.cfg, r.preset
	r.mu.Unlock()
	if key == "preset" || key == "world" {
		cfg, named, _, err := hyper.FromSettings([]hyper.Setting{{Key: key, Value: value}})
		if err != nil {
			return err
		}
		cfg.Seed, cfg.Speed = next.Seed, next.Speed
		unlimited(&cfg)
		r.tell(ask{owner: owner, intent: intent, begin: &cfg, preset: named})
		return nil
	}
	row, err := hyper.Lookup(key)
	if err != nil {
		return err
	}
	if err := next.Set(key, value); err != nil {
		return err
	}
	if err := next.Validate(); err != nil {
		return err
	}
	if row.Hot {
		r.tell(ask{owner: owner, intent: intent, key: key, value: value})
	} else {
		r.tell(ask{owner: owner, intent: intent, begin: &next, preset: preset})
	}
	return nil
}

// Do asks for something other than a setting.
func (r *Run) Do(owner uint64, intent uint32, verb uint8) error {
	r.mu.Lock()
	next, preset := r.cfg, r.preset
	r.mu.Unlock()
	switch verb {
	case wire.VerbPlay, wire.VerbPause, wire.VerbStep:
		r.tell(ask{owner: owner, intent: intent, verb: verb})
	case wire.VerbAgain:
		r.tell(ask{owner: owner, intent: intent, begin: &next, preset: preset})
	case wire.VerbReseed:
		next.Seed = uint64(rand.Uint32N(1_000_000)) // the one draw that no seed decides: it makes the seed
		r.tell(ask{owner: owner, intent: intent, begin: &next, preset: preset})
	default:
		return fmt.Errorf("verb %d is unknown; known are play, pause, step, again and reseed", verb)
	}
	return nil
}

func (r *Run) tell(a ask) {
	r.mu.Lock()
	r.asked = append(r.asked, a) // bounded by the sessions' rate limit: live takes all at every update or pause
	r.mu.Unlock()
	r.nudge()
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
		switch {
		case again != nil:
			r.begin(again)
		case r.ctx.Err() != nil:
			return
		case err != nil:
			r.lab.opts.Log.Error("run stopped", "run", r.id, "error", err)
			r.become(wire.StateStopped, err.Error())
			r.begin(r.rest())
		default:
			r.begin(r.rest())
		}
	}
}

// begin makes a new configuration the one in force.
func (r *Run) begin(a *ask) {
	if a == nil {
		return
	}
	r.mu.Lock()
	r.cfg, r.preset, r.unknown = *a.begin, a.preset, nil
	r.state = wire.StateRunning
	r.mu.Unlock()
	r.steps.Store(0)
	r.topic.Begin(r.welcome())
}

// rest waits, after a run is over, for someone to begin it anew. Settings still change meanwhile.
func (r *Run) rest() *ask {
	for {
		for _, a := range r.take() {
			switch {
			case a.begin != nil:
				return &a
			case a.key != "":
				r.changed(a, 0, 0)
			}
		}
		select {
		case <-r.wake:
		case <-r.ctx.Done():
			return nil
		}
	}
}

// take empties the list of what was asked.
func (r *Run) take() []ask {
	r.mu.Lock()
	defer r.mu.Unlock()
	asked := r.asked
	r.asked = nil
	return asked
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

// changed puts a setting in force when no learner runs to take it.
func (r *Run) changed(a ask, step, update uint64) {
	r.mu.Lock()
	from := r.cfg.Get(a.key)
	err := r.cfg.Set(a.key, a.value)
	to := r.cfg.Get(a.key)
	r.mu.Unlock()
	if err == nil {
		r.topic.Publish(&wire.Changed{Intent: a.intent, Step: step, Update: update, Key: a.key, From: from, To: to}, a.owner)
	}
}

// errBegin stops a learner because another is to begin.
var errBegin = errors.New("begin anew")

// train runs one learner to its end. It returns what asked for a new beginning, if anything did.
func (r *Run) train() (again *ask, err error) {
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
	d := &driver{run: r, watch: watch, pace: newPace(l), report: newReport(r.topic, watch)}
	result, err := l.Run(r.ctx, learner.Hooks{Between: d.between, Due: d.due, Update: d.report.update, Episode: d.report.episode})
	switch {
	case errors.Is(err, errBegin):
		return d.again, nil
	case err != nil:
		return nil, err
	case result.Diverged != "":
		r.become(wire.StateDiverged, result.Diverged+r.lab.keep(r.id, l))
	default:
		r.become(wire.StateFinished, fmt.Sprintf("the budget of %d steps is spent", cfg.Steps))
	}
	return nil, nil
}
