package lab

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"impalab/learner/hyper"
	"impalab/learner/remote"
	"impalab/learner/schedule"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/server/store"
	"impalab/web/hub"
	"impalab/web/watch"
	"impalab/web/wire"
)

// Run is one run as it is held here: a configuration, what was changed on the way, and a learner while it has room. Its
// goroutine (life.go) owns the learner; everything that others touch is under mu.
type Run struct {
	lab    *Lab
	id     string
	spec   Spec // its Config is the one that the run began with
	topic  *hub.Topic
	voice  voice // all events of topic go through it
	stop   context.CancelCauseFunc
	ctx    context.Context
	gone   chan struct{} // closed when it is held no more and the store has all of it
	over   chan struct{} // closed when it is over
	steps  atomic.Uint64
	cores  *schedule.Share
	claim  *claim // to a place and to memory; nil while it asks for none. Of the run's goroutine
	record *record
	remote *remote.Actors // actors in other processes

	begun   time.Time     // when it was started; zero if the store had it
	keeping watch.Keeping // of the run's goroutine
	turns   []hyper.Turn  // that are still to come; of the run's goroutine
	report  *watch.Report // of the run's goroutine; nil before its first learner

	mu       sync.Mutex
	cfg      hyper.Config // in force
	state    uint8
	reason   string
	paused   bool   // by somebody, until somebody has it play…
	why      string // …for this reason; "": by hand
	requests []request
	watching int
	left     time.Time // when the last watcher left
	wake     chan struct{}

	room  bool   // the claim is admitted
	words string // where it stands in the queue
	leave bool   // it is to give way
	ended bool   // somebody wants it to go on no more

	forked  bool // it has a fork, which leads here
	dropped bool // it is not worth keeping
}

// hold makes the run that has this record, with everything that it has told so far. Its goroutine begins with live.
func (l *Lab) hold(spec Spec, rec *record) *Run {
	r := &Run{
		lab: l, id: rec.id, spec: spec, record: rec, left: time.Now(),
		cores: l.cores.Share(spec.Owner.Address+" "+spec.Purpose.String(), purposes[spec.Purpose].weight),
		topic: l.hub.Topic(hub.History, uint64(time.Now().UnixMicro())), // later than any number of the last time
		cfg:   spec.Config, state: wire.StateRunning, wake: make(chan struct{}, 1), gone: make(chan struct{}),
		over: make(chan struct{}), remote: remote.NewActors(),
	}
	r.voice.topic = r.topic
	r.ctx, r.stop = context.WithCancelCause(l.ctx)
	// An error means that the tape names a setting of another build, and resume says so.
	if now, err := rec.tape.At(r.cfg, math.MaxUint64); err == nil {
		r.cfg = now
	}
	switch rec.state {
	case store.Paused:
		r.state, r.paused, r.reason, r.why = wire.StatePaused, true, rec.reason, rec.reason
	case store.Done:
		r.state, r.reason = wire.StateDone, rec.reason
	case store.Diverged:
		r.state, r.reason = wire.StateDiverged, rec.reason
	}
	if rec.elsewhere != "" {
		r.state = wire.StateQueued
	}
	rec.retell(r)
	if r.reason != "" || wire.Over(r.state) {
		r.topic.Publish(&wire.Status{State: r.state, Reason: r.reason}, 0)
	}
	if wire.Over(r.state) {
		close(r.over)
	}
	r.steps.Store(rec.stands.Steps)
	return r
}

// ID names the run. Who knows it may read the run, and fork it.
func (r *Run) ID() string { return r.id }

// join counts a watcher in; Leave counts it out.
func (r *Run) join() {
	r.mu.Lock()
	r.watching++
	r.mu.Unlock()
	r.signal()
}

// Leave is called once by each who joined.
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

// unwatchedSince is since when nobody would miss the run; zero while somebody would.
func (r *Run) unwatchedSince() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.watching > 0 || r.spec.Purpose != Watch && r.record.elsewhere == "" && !wire.Over(r.state) {
		return time.Time{}
	}
	return r.left
}

// resting reports whether the run waits until somebody watches it.
func (r *Run) resting() bool {
	since := r.unwatchedSince()
	return !since.IsZero() && time.Since(since) > r.lab.opts.Rest
}

// hardlyBegun decides whether a page began the run, changed nothing and left within seconds: it is not worth keeping.
func (r *Run) hardlyBegun() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.begun.IsZero() || r.spec.Purpose != Watch || r.watching > 0 || r.left.Sub(r.begun) > littleToLose ||
		r.forked || r.lab.ctx.Err() != nil {
		return false
	}
	r.record.mu.Lock()
	defer r.record.mu.Unlock()
	r.dropped = !slices.ContainsFunc(r.record.tape.Events, func(e tape.Event) bool { return e.Kind == tape.Changed })
	return r.dropped
}

// leadsOn notes that the run has a fork, and is worth keeping for it. False says that it is too late.
func (r *Run) leadsOn() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forked = true
	return !r.dropped
}

// viewer is a run as one page has it: with the right to steer it or without.
type viewer struct {
	*Run
	steers bool
	key    string // made for this page, which brought none
}

// Subscribe follows the run's topic from event after on.
func (v *viewer) Subscribe(after uint64) *hub.Subscriber {
	return v.topic.Subscribe(func() wire.Welcome {
		w := v.welcome()
		w.Key, w.Steers = v.key, v.steers
		return w
	}, after)
}

// welcome describes the run as it stands; the hub fills in Event and Fresh.
func (r *Run) welcome() wire.Welcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	settings := []wire.Setting{{Key: "preset", Value: r.spec.Preset}}
	for _, s := range r.cfg.Settings() {
		settings = append(settings, wire.Setting(s))
	}
	return wire.Welcome{
		Run: r.id, Build: r.lab.opts.Build, State: r.state, From: wire.Origin(r.spec.From), Settings: settings,
		Unknown: r.spec.Unknown, Figures: telemetry.FigureNames(),
	}
}

// signal wakes the run's goroutine; one pending signal is enough.
func (r *Run) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// end stops the run: its goroutines end where they would next take a core. Why says whether it is to be kept.
func (r *Run) end(why error) {
	r.stop(why)
	r.cores.Close()
}

// play has the run continue, for the subscriber that asked.
func (r *Run) play(owner uint64) {
	r.mu.Lock()
	r.paused, r.why = false, ""
	r.mu.Unlock()
	r.answerState(owner, wire.StateRunning, "")
}

// pause pauses the run, for the subscriber that asked. why is the reason that everybody reads; "": by hand.
func (r *Run) pause(owner uint64, why string) {
	r.mu.Lock()
	r.paused, r.why = true, why
	r.mu.Unlock()
	r.answerState(owner, wire.StatePaused, why)
}

// setState changes the state and publishes it.
func (r *Run) setState(state uint8, reason string) { r.answerState(0, state, reason) }

// answerState is setState where somebody has asked for it, who hears of it at once.
func (r *Run) answerState(owner uint64, state uint8, reason string) {
	r.mu.Lock()
	same, ends := r.state == state, !wire.Over(r.state) && wire.Over(state)
	r.state, r.reason = state, reason
	r.mu.Unlock()
	if !same || reason != "" {
		r.tell(&wire.Status{State: state, Reason: reason}, owner)
		r.touch()
	}
	if ends {
		close(r.over)
	}
}

// tell tells an event in its turn: what somebody has asked for when the store has it.
func (r *Run) tell(event wire.Message, owner uint64) {
	if r.voice.tell(telling{event, owner, owner != 0}) && owner != 0 {
		r.touch()
		r.lab.urgent.add(r)
	}
}
