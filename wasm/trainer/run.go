package trainer

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/web/hub"
	"impalab/web/wire"
)

// Run is one run. Its goroutine (loop.go) owns the learner; everything that others touch is under mu.
type Run struct {
	trainer *Trainer
	id      string
	asked   hyper.Link // Config is what the run began with
	from    wire.Origin
	topic   *hub.Topic
	record  *record
	turns   []hyper.Turn  // that are still to come; of the run's goroutine
	wake    chan struct{} // one pending signal is enough

	mu       sync.Mutex
	cfg      hyper.Config // in force
	state    uint8
	paused   bool   // by somebody, until somebody has it play…
	why      string // …for this reason; "": by hand
	halt     string // why it pauses where it stood before, as links have it; "": it continues there
	requests []request
	watching int
	ended    error // why it is to stop, if it is
}

// request is one thing that a page asks of a run, on its way to the learner.
type request struct {
	owner  uint64
	intent uint32
	by     string
	change *hyper.Change // a setting…
	verb   uint8         // …or a verb
}

// history is how many events a page that comes back may have missed.
const history = 20_000

// maxRequests bounds the requests that wait for the learner. No person gets near it.
const maxRequests = 256

var (
	errDropped = errors.New("the run is not held any more")
	errRunOver = errors.New("this run is over: begin another, or fork this one")
)

func newRun(t *Trainer, id string, asked hyper.Link, rec *record) *Run {
	r := &Run{
		trainer: t, id: id, asked: asked, record: rec, topic: t.hub.Topic(history, 0), cfg: asked.Config,
		state: wire.StateRunning, wake: make(chan struct{}, 1), halt: asked.Paused,
	}
	if now, err := rec.tape.At(r.cfg, math.MaxUint64); err == nil { // its changes were in force in this build
		r.cfg = now
	}
	rec.retell(r.topic)
	return r
}

// join counts a watcher in; Leave counts it out. A run that nobody watches rests.
func (r *Run) join() {
	r.mu.Lock()
	r.watching++
	r.mu.Unlock()
	r.signal()
}

// Leave is called once by each who joined.
func (r *Run) Leave() {
	r.mu.Lock()
	r.watching--
	r.mu.Unlock()
}

func (r *Run) watchers() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.watching
}

// signal wakes the run's goroutine.
func (r *Run) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// stop ends the run.
func (r *Run) stop(why error) {
	r.mu.Lock()
	if r.ended == nil {
		r.ended = why
	}
	r.mu.Unlock()
	r.signal()
}

// end is why the run is to stop; nil: it is not.
func (r *Run) end() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}

// viewer is a run as one page has it.
type viewer struct {
	*Run
	key string // made for this page, which brought none
}

// Subscribe follows the run's topic from event after on.
func (v *viewer) Subscribe(after uint64) *hub.Subscriber {
	return v.topic.Subscribe(func() wire.Welcome {
		w := v.welcome()
		w.Key = v.key
		return w
	}, after)
}

// welcome describes the run as it stands; the hub fills in Event and Fresh.
func (r *Run) welcome() wire.Welcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	settings := []wire.Setting{{Key: "preset", Value: r.asked.Preset}}
	for _, s := range r.cfg.Settings() {
		settings = append(settings, wire.Setting(s))
	}
	return wire.Welcome{
		Run: r.id, Steers: true, Build: r.trainer.opts.Build, State: r.state, From: r.from, Settings: settings,
		Unknown: r.asked.Unknown, Figures: telemetry.FigureNames(),
	}
}

// Set asks for a setting.
func (r *Run) Set(owner uint64, intent uint32, key, value string) error {
	change, err := hyper.ParseHot(key, value)
	if err != nil {
		return err
	}
	return r.enqueue(request{owner: owner, intent: intent, by: tape.ByHand, change: &change})
}

// Do asks for something other than a setting.
func (r *Run) Do(owner uint64, intent uint32, verb uint8) error {
	if verb < wire.VerbPlay || verb > wire.VerbPauseFell {
		return fmt.Errorf("verb %d is unknown; known are play, pause and step", verb)
	}
	return r.enqueue(request{owner: owner, intent: intent, verb: verb})
}

func (r *Run) enqueue(req request) error {
	r.mu.Lock()
	full := len(r.requests) >= maxRequests
	if !full {
		r.requests = append(r.requests, req)
	}
	r.mu.Unlock()
	if full {
		return fmt.Errorf("%d requests are already waiting for this run; try again in a moment", maxRequests)
	}
	r.signal()
	return nil
}

// next takes the oldest request; the others wait for their turn.
func (r *Run) next() (req request, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.requests) == 0 {
		return req, false
	}
	req = r.requests[0]
	r.requests = r.requests[1:]
	return req, true
}

// refuse tells whoever sent req why it changed nothing.
func (r *Run) refuse(req request, reason error) {
	key := ""
	if req.change != nil {
		key = req.change.Key()
	}
	r.topic.Tell(req.owner, &wire.Refused{Intent: req.intent, Key: key, Reason: reason.Error()})
}

// change puts a setting in force. What the learner answers is what is taped, published and shown.
func (r *Run) change(req request, l *learner.Learner) error {
	next := *l.Config()
	req.change.Apply(&next)
	if err := admit(&next); err != nil {
		return err
	}
	if r.record.full() {
		return fmt.Errorf("this run's tape has %d lines, and takes no more changes: begin another", maxTaped)
	}
	changed, err := l.Apply(*req.change)
	if err != nil {
		return err
	}
	r.mu.Lock()
	req.change.Apply(&r.cfg)
	r.mu.Unlock()
	r.record.change(changed, req.by)
	r.topic.Publish(&wire.Changed{
		Intent: req.intent, Step: changed.Step, Update: changed.Update, Key: changed.Key, From: changed.From, To: changed.To,
	}, req.owner)
	return nil
}

// now is the run's state.
func (r *Run) now() uint8 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// rests reports whether the run stands still: by hand, or because nobody watches.
func (r *Run) rests() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.paused || r.watching == 0
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

// arrives pauses, once, a run that was paused where it stood before, and reports whether it did.
func (r *Run) arrives() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.halt == "" {
		return false
	}
	if r.halt == hyper.PausedFell {
		r.why = wire.ReasonFell
	}
	r.paused, r.halt = true, ""
	return true
}

// goesOn returns the state that the run takes up where it stands, and its reason: a pause lasts until somebody ends it.
func (r *Run) goesOn() (state uint8, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.paused {
		return wire.StatePaused, r.why
	}
	return wire.StateRunning, ""
}

// setState changes the state and publishes it; answerState does where somebody has asked for it, who hears of it at
// once.
func (r *Run) setState(state uint8, reason string) { r.answerState(0, state, reason) }

func (r *Run) answerState(owner uint64, state uint8, reason string) {
	r.mu.Lock()
	same := r.state == state
	r.state = state
	r.mu.Unlock()
	if !same || reason != "" {
		r.topic.Publish(&wire.Status{State: state, Reason: reason}, owner)
	}
}
