package runloop

import (
	"errors"
	"fmt"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/web/wire"
)

// Request is a change or a verb for a run, on its way to the learner. It is checked when the learner reads it,
// because earlier requests may have changed the settings in force.
type Request struct {
	Owner   uint64 // viewer who asks; 0: the API
	Intent  uint32
	By      string         // who changes the settings, for the tape
	Changes []hyper.Change // all or none; or…
	Verb    uint8
	Answer  chan<- Answer                     // nil: the topic tells Owner
	Inspect func(l *learner.Learner, _ error) // reads the learner, or is told why there is none; it must not wait
}

// Answer is the result of a request.
type Answer struct {
	Update   uint64 // that the settings are in force from
	Settings hyper.Config
	Err      error
}

// maxRequests bounds the requests that wait for the learner, from all pages together.
const maxRequests = 256

// MaxTaped is how many lines a tape may have for a setting still to change. A person who drags sliders for an hour
// makes half of them.
const MaxTaped = 50_000

var (
	errNotYours = errors.New("this run belongs to another visitor: fork it, and change the fork")
	// ErrOver refuses to change, play, pause or step a run that has ended.
	ErrOver = errors.New("this run is over: begin another, or fork this one")
)

// Set asks for a setting.
func (v *Viewer) Set(owner uint64, intent uint32, key, value string) error {
	if !v.Steers {
		return errNotYours
	}
	change, err := hyper.ParseHot(key, value)
	if err != nil {
		return err
	}
	return v.Ask(Request{Owner: owner, Intent: intent, By: tape.ByHand, Changes: []hyper.Change{change}})
}

// Do asks for something other than a setting.
func (v *Viewer) Do(owner uint64, intent uint32, verb uint8) error {
	if !v.Steers {
		return errNotYours
	}
	if verb < wire.VerbPlay || verb > wire.VerbPauseFell {
		return fmt.Errorf("verb %d is unknown; known are play, pause and step", verb)
	}
	return v.Ask(Request{Owner: owner, Intent: intent, Verb: verb})
}

// Ask queues a request for the learner.
func (r *Run) Ask(req Request) error {
	r.mu.Lock()
	full := len(r.requests) >= maxRequests
	if !full {
		r.requests = append(r.requests, req)
	}
	r.mu.Unlock()
	if full {
		return fmt.Errorf("%d requests are already waiting for this run; try again in a moment", maxRequests)
	}
	r.Signal()
	return nil
}

// next returns the oldest request and removes it.
func (r *Run) next() (req Request, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.requests) == 0 {
		return req, false
	}
	req = r.requests[0]
	r.requests = r.requests[1:]
	return req, true
}

// RefuseAll refuses all waiting requests.
func (r *Run) RefuseAll(reason error) {
	for req, ok := r.next(); ok; req, ok = r.next() {
		r.refuse(req, reason)
	}
}

// AnswerAtRest carries out the waiting changes while the run has no learner, and refuses the other requests.
func (r *Run) AnswerAtRest(refusal error) {
	for req, ok := r.next(); ok; req, ok = r.next() {
		err := refusal
		if len(req.Changes) > 0 {
			if err = r.Host.Fixed(); err == nil {
				err = r.change(req, nil)
			}
		}
		if err != nil {
			r.refuse(req, err)
		}
	}
}

// refuse tells the sender of req why it changed nothing.
func (r *Run) refuse(req Request, reason error) {
	switch {
	case req.Answer != nil:
		req.Answer <- Answer{Err: reason}
		return
	case req.Inspect != nil:
		req.Inspect(nil, reason)
		return
	}
	key := ""
	if len(req.Changes) > 0 {
		key = req.Changes[0].Key()
	}
	r.Topic.SendTo(req.Owner, &wire.Refused{Intent: req.Intent, Key: key, Reason: reason.Error()})
}

// handle carries out one request.
func (d *loop) handle(req Request, l *learner.Learner) {
	r := d.run
	if req.Inspect != nil {
		d.acquire()
		req.Inspect(l, nil)
		return
	}
	err := r.Host.Fixed()
	switch {
	case err != nil:
	case len(req.Changes) > 0:
		d.snapshotBefore(l)
		err = r.change(req, l)
		d.pace.Restart(l) // the speed may be another
	case req.Verb == wire.VerbPlay:
		d.pace.Restart(l)
		r.Happens(Play, req.Owner, "")
	case req.Verb == wire.VerbPause:
		r.Happens(Pause, req.Owner, "")
	case req.Verb == wire.VerbPauseFell:
		r.Happens(Pause, req.Owner, wire.ReasonFell)
	case req.Verb == wire.VerbStep:
		r.Happens(Step, req.Owner, "")
	}
	if err != nil {
		r.refuse(req, err)
	}
}

// change puts settings in force, all or none. Without a learner they are in force from the run's present step.
func (r *Run) change(req Request, l *learner.Learner) error {
	if r.Record.taped() >= MaxTaped {
		return fmt.Errorf("this run's tape has %d lines, and takes no more changes: begin another", MaxTaped)
	}
	next := r.Config()
	for _, c := range req.Changes {
		c.Apply(&next)
	}
	if err := r.Host.Admit(&next); err != nil {
		return err
	}
	for _, c := range req.Changes {
		r.mu.Lock()
		from := r.cfg.Get(c.Key())
		c.Apply(&r.cfg)
		r.mu.Unlock()
		changed := r.Record.changedHere(c, from)
		if l != nil {
			changed = l.Set(c)
		}
		r.Record.Change(changed, req.By)
		r.Host.Publish(&wire.Changed{Intent: req.Intent, Step: changed.Step, Update: changed.Update, Key: changed.Key,
			From: changed.From, To: changed.To}, req.Owner)
	}
	if req.Answer != nil {
		req.Answer <- Answer{Update: r.Record.Position().Updates, Settings: next}
	}
	return nil
}

// applyPlanned applies the planned changes that are due before the next update.
func (d *loop) applyPlanned(l *learner.Learner) {
	r := d.run
	for len(r.turns) > 0 && r.turns[0].Step <= l.Steps() {
		turn := r.turns[0]
		r.turns = r.turns[1:]
		d.snapshotBefore(l)
		if err := r.change(Request{By: tape.ByTurn, Changes: []hyper.Change{turn.Change}}, l); err != nil {
			key, now := turn.Change.Key(), l.Config().Get(turn.Change.Key())
			r.Record.Change(telemetry.Changed{ // to itself, so that the tape says that its turn came
				Step: l.Steps(), Update: l.Updates(), Key: key, From: now, To: now,
			}, tape.ByTurn)
			r.Say(fmt.Sprintf("the turn %s was not made: %v", turn, err))
		}
	}
}

// Limits bound the use of its host by one run.
type Limits struct {
	Bytes float64 // memory
	Work  float64 // floating-point operations of one update
	Here  string  // the host, in a refusal
	Or    string  // ends a refusal with another way out
}

// Browser has the limits of a run in a page. A tab of a phone has about a gigabyte; the work is about two seconds.
var Browser = Limits{256e6, 4e9, "in a browser", ", or open it on a server"}

// Check refuses settings that are invalid, or that take more than the limits. It returns the memory that the run takes,
// by estimate.
func (m Limits) Check(cfg *hyper.Config) (bytes float64, err error) {
	if err := cfg.Validate(); err != nil {
		return 0, err
	}
	if _, err := cfg.Kernels(""); err != nil {
		return 0, err
	}
	cost, err := learner.CostOf(cfg)
	switch {
	case err != nil:
		return 0, err
	case cost.Bytes > m.Bytes:
		return 0, fmt.Errorf("this run would take %s of memory, most of it for %s; %s a run may take %s: make one of these "+
			"smaller%s", FormatBytes(cost.Bytes), cost.Largest, m.Here, FormatBytes(m.Bytes), m.Or)
	case cost.Work > m.Work:
		return 0, fmt.Errorf("one update would take %.2g operations with %s; %s it may take %.2g: make one of these "+
			"smaller%s", cost.Work, cost.Working, m.Here, m.Work, m.Or)
	}
	return cost.Bytes, nil
}

// FormatBytes returns a size for people.
func FormatBytes(n float64) string {
	if n >= 1e9 {
		return fmt.Sprintf("%.3g GB", n/1e9)
	}
	return fmt.Sprintf("%.3g MB", n/1e6)
}
