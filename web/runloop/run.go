package runloop

import (
	"cmp"
	"math"
	"sync"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/web/hub"
	"impalab/web/watch"
	"impalab/web/wire"
)

// Host is where a run trains: a server's lab or a browser's trainer. The run's goroutine calls all of its methods.
type Host interface {
	// Learner returns the run's learner at its newest snapshot or at its beginning, and how far its report had come.
	Learner() (*learner.Learner, watch.Reported, error)
	// Admit refuses settings that are invalid or too large for this host. Else it reserves the memory that they need.
	Admit(*hyper.Config) error
	// Fixed returns why the run may not be steered now, or nil.
	Fixed() error
	// Rests reports whether the run stands still for now although it is not paused.
	Rests() bool
	// Save stores a snapshot, and reports whether it had room for it.
	Save(Snapshot) bool
	// Publish sends an event to the run's viewers. Owner is the viewer who asked for it, or 0.
	Publish(event wire.Message, owner uint64)
	// Breathe is called between two updates.
	Breathe()
}

// Run is one run. One goroutine calls Train and AnswerAtRest; any goroutine may call the other methods. The exported
// fields do not change after Begin.
type Run struct {
	ID     string
	Build  string
	Link   *hyper.Link // Config has the first settings of the run
	From   wire.Origin // of a fork
	Topic  *hub.Topic
	Record *Record
	Cores  *schedule.Share // nil: it computes without asking
	Host   Host

	turns   []hyper.PlannedChange // planned changes still to come; of the run's goroutine
	keeping watch.Keeping         // of the run's goroutine
	wake    chan struct{}         // one pending signal is enough
	over    chan struct{}         // closed when the run has ended

	mu        sync.Mutex
	cfg       hyper.Config // in force
	state     State
	reason    string // of the state, for people
	pausedFor string // the reason of the pause; "": by hand
	requests  []Request
	watching  int
	left      time.Time // when the last viewer left
	interrupt error     // why the learner must stop
}

// Begin prepares a run that is in a state for a reason, and publishes its past.
func (r *Run) Begin(state State, reason string) {
	r.wake, r.over = make(chan struct{}, 1), make(chan struct{})
	r.left, r.state, r.reason = time.Now(), state, reason
	if state.Paused() {
		r.pausedFor = reason
	}
	r.cfg = r.Link.Config
	// An error means that the tape names a setting of another build. The learner reports it.
	if now, err := r.Record.Tape.At(r.cfg, math.MaxUint64); err == nil {
		r.cfg = now
	}
	r.Record.retell(r.Topic)
	if reason != "" || state.Over() {
		r.Topic.Publish(&wire.Status{State: state.Wire(), Reason: reason}, 0)
	}
	if state.Over() {
		close(r.over)
	}
}

// BeginLinked prepares a new run or a fork. Its link may say that it returns to a step, and why it pauses there.
func (r *Run) BeginLinked() {
	state := Running
	switch {
	case r.Link.Paused != "":
		state = ReturningPaused
	case r.Link.UpTo > 0:
		state = Returning
	}
	r.Begin(state, "")
	if r.Link.Paused == hyper.PausedFell {
		r.pausedFor = wire.ReasonFell
	}
}

// Join counts a viewer. Leave must follow.
func (r *Run) Join() {
	r.mu.Lock()
	r.watching++
	r.mu.Unlock()
	r.Signal()
}

// Leave counts a viewer out, after Join.
func (r *Run) Leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.watching--; r.watching == 0 {
		r.left = time.Now()
	}
}

// Watchers returns the number of viewers, and when the last one left.
func (r *Run) Watchers() (n int, left time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.watching, r.left
}

// Signal wakes the run's goroutine.
func (r *Run) Signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Woken returns the channel on which Signal wakes the run's goroutine.
func (r *Run) Woken() <-chan struct{} { return r.wake }

// Ended is closed when the run has ended.
func (r *Run) Ended() <-chan struct{} { return r.over }

// Now returns the state and its reason. The reason of a pause stays while the run waits or returns.
func (r *Run) Now() (State, string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.Paused() {
		return r.state, r.pausedFor
	}
	return r.state, r.reason
}

// State returns the state.
func (r *Run) State() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Config returns the settings in force.
func (r *Run) Config() hyper.Config {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cfg
}

// Happens changes the state by an event. Viewers are told when the state has changed or there is a reason; owner is the
// viewer who asked, or 0.
func (r *Run) Happens(e Event, owner uint64, reason string) {
	r.mu.Lock()
	was := r.state
	now := was.After(e)
	if e == Play || e == Pause || e == Step {
		r.pausedFor = reason
	}
	news := was.Wire() != now.Wire() || reason != ""
	if now == Paused {
		reason = cmp.Or(reason, r.pausedFor)
	}
	r.state, r.reason = now, reason
	r.mu.Unlock()
	if news {
		r.Host.Publish(&wire.Status{State: now.Wire(), Reason: reason}, owner)
		r.Record.Touch()
	}
	if now.Over() && !was.Over() {
		close(r.over)
	}
}

// Say sends viewers a sentence about the present state of the run.
func (r *Run) Say(reason string) {
	r.mu.Lock()
	r.reason = reason
	state := r.state
	r.mu.Unlock()
	r.Host.Publish(&wire.Status{State: state.Wire(), Reason: reason}, 0)
	r.Record.Touch()
}

// Interrupted is the reason to stop a learner whose run may continue later from the same step.
type Interrupted string

func (i Interrupted) Error() string { return string(i) }

// GiveWay interrupts a run until it has memory again.
const GiveWay = Interrupted("give way")

// Interrupt stops the learner before its next update. Any other reason comes before GiveWay.
func (r *Run) Interrupt(why error) {
	r.mu.Lock()
	if r.interrupt == nil || r.interrupt == error(GiveWay) {
		r.interrupt = why
	}
	r.mu.Unlock()
	r.Signal()
}

// Resume forgets GiveWay.
func (r *Run) Resume() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.interrupt == error(GiveWay) {
		r.interrupt = nil
	}
}

// Interruption returns why the learner must stop, or nil.
func (r *Run) Interruption() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.interrupt
}

// Viewer is one page's view of a run.
type Viewer struct {
	*Run
	Steers bool
	Key    string // made for this page, which brought none
}

// Subscribe follows the run's topic from the event after a number.
func (v *Viewer) Subscribe(after uint64) *hub.Subscriber {
	return v.Topic.Subscribe(func() wire.Welcome {
		w := v.Welcome()
		w.Key, w.Steers = v.Key, v.Steers
		return w
	}, after)
}

// Welcome describes the run; the hub fills in Event and Fresh.
func (r *Run) Welcome() wire.Welcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	settings := []wire.Setting{{Key: "preset", Value: r.Link.Preset}}
	for _, s := range r.cfg.Settings() {
		settings = append(settings, wire.Setting(s))
	}
	return wire.Welcome{
		Run: r.ID, Build: r.Build, State: r.state.Wire(), From: r.From, Settings: settings, Unknown: r.Link.Unknown,
		Figures: telemetry.MetricNames(),
	}
}
