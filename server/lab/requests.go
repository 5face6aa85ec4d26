package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/server/errcode"
	"impalab/web/wire"
)

// request is one thing that somebody asks of a run, on its way to the learner. A setting was read where it came in;
// what stands against it is known when its turn comes, because earlier requests may have changed the settings in force.
type request struct {
	owner   uint64 // subscriber that asks; 0: the API
	intent  uint32
	by      string         // whose hand, on the tape
	changes []hyper.Change // settings, all or none…
	verb    uint8          // …or a verb
	answer  chan<- Answer  // nil where the topic tells the owner
	look    look           // …or a look at the learner
}

// Answer is what came of a request.
type Answer struct {
	Update   uint64 // that it is in force from
	Settings hyper.Config
	Err      error
}

// maxRequests bounds the requests that wait for the learner, from all browsers together. No person gets near it.
const maxRequests = 256

// maxTaped is how many lines a tape may have for a setting still to change: a hand that drags sliders for an hour comes
// to half of it. It bounds what one run takes of memory and of the store.
const maxTaped = 50_000

var errNotYours = errors.New("this run belongs to somebody else: fork it, and change the fork")

// Set asks for a setting.
func (v *viewer) Set(owner uint64, intent uint32, key, value string) error {
	if !v.steers {
		return errNotYours
	}
	change, err := hyper.ParseHot(key, value)
	if err != nil {
		return err
	}
	return v.enqueue(request{owner: owner, intent: intent, by: tape.ByHand, changes: []hyper.Change{change}})
}

// Do asks for something other than a setting.
func (v *viewer) Do(owner uint64, intent uint32, verb uint8) error {
	if !v.steers {
		return errNotYours
	}
	if verb < wire.VerbPlay || verb > wire.VerbPauseFell {
		return fmt.Errorf("verb %d is unknown; known are play, pause and step", verb)
	}
	return v.enqueue(request{owner: owner, intent: intent, verb: verb})
}

// Patch changes settings, all of them or none, and waits until they are in force. An error says what stands against
// them.
func (r *Run) Patch(ctx context.Context, settings []hyper.Setting) (Answer, error) {
	var changes []hyper.Change
	for _, s := range settings {
		change, err := hyper.ParseHot(s.Key, s.Value)
		if err != nil {
			return Answer{}, refused(err)
		}
		changes = append(changes, change)
	}
	answer := make(chan Answer, 1)
	if err := r.enqueue(request{by: tape.ByAPI, changes: changes, answer: answer}); err != nil {
		return Answer{}, &errcode.Error{Code: errcode.Full, Err: err}
	}
	select {
	case a := <-answer:
		if a.Err == nil { // whoever is told that it is in force may rely on it, come what may
			if err := r.kept(ctx); err != nil {
				return a, unkept("it is in force", err)
			}
		}
		return a, a.Err
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	case <-r.ctx.Done():
		return Answer{}, gone(context.Cause(r.ctx))
	}
}

// enqueue queues a request for the learner.
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

// nextRequest takes the oldest request; the others wait for their turn.
func (r *Run) nextRequest() (req request, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.requests) == 0 {
		return req, false
	}
	req = r.requests[0]
	r.requests = r.requests[1:]
	return req, true
}

// handle carries out one request.
func (d *loop) handle(req request, l *learner.Learner) {
	if req.look != nil {
		d.hold()
		req.look(l, nil)
		return
	}
	switch err := cmp.Or(d.run.fixed(), d.run.lab.stuck()); {
	case err != nil:
		d.run.refuse(req, err)
	case len(req.changes) > 0:
		d.run.markBefore(l)
		if err := d.run.change(req, l); err != nil {
			d.run.refuse(req, err)
			return
		}
		d.pace.Restart(l) // the speed may be another
	case req.verb == wire.VerbPlay:
		d.pace.Restart(l)
		d.run.play(req.owner)
	case req.verb == wire.VerbPause:
		d.run.pause(req.owner, "")
	case req.verb == wire.VerbPauseFell:
		d.run.pause(req.owner, wire.ReasonFell)
	case req.verb == wire.VerbStep:
		d.run.pause(req.owner, "")
		d.step = true
	}
}

// refuse tells whoever sent req, and nobody else, why it changed nothing. A page that reads nothing misses it.
func (r *Run) refuse(req request, reason error) {
	if req.answer != nil {
		req.answer <- Answer{Err: refused(reason)}
		return
	}
	if req.look != nil {
		req.look(nil, reason)
		return
	}
	key := ""
	if len(req.changes) > 0 {
		key = req.changes[0].Key()
	}
	r.topic.Tell(req.owner, &wire.Refused{Intent: req.intent, Key: key, Reason: reason.Error()})
}

// refuseAll refuses everything that waits.
func (r *Run) refuseAll(reason error) {
	for req, ok := r.nextRequest(); ok; req, ok = r.nextRequest() {
		r.refuse(req, reason)
	}
}

// mayChange says what stands against changes now, if anything does; else there is room for what they lead to.
func (r *Run) mayChange(changes []hyper.Change) error {
	r.mu.Lock()
	next := r.cfg
	r.mu.Unlock()
	if r.record.taped() >= maxTaped {
		return fmt.Errorf("this run's tape has %d lines, and takes no more changes: begin another", maxTaped)
	}
	for _, c := range changes {
		c.Apply(&next)
	}
	if err := r.lab.admit(&next); err != nil {
		return err
	}
	return r.grow(&next)
}

// change puts settings in force. What the learner answers is what is taped, published and shown; without a learner they
// are in force from where the run stands.
func (r *Run) change(req request, l *learner.Learner) error {
	if err := r.mayChange(req.changes); err != nil {
		return err
	}
	for _, c := range req.changes {
		var changed telemetry.Changed
		if l != nil {
			var err error
			if changed, err = l.Apply(c); err != nil {
				return err
			}
		}
		r.mu.Lock()
		if l == nil {
			stands := r.record.stands
			changed = telemetry.Changed{
				Step: stands.Steps, Update: stands.Updates, Key: c.Key(), From: r.cfg.Get(c.Key()), To: c.Value(),
			}
		}
		c.Apply(&r.cfg)
		r.mu.Unlock()
		r.record.change(changed, req.by)
		r.tell(&wire.Changed{
			Intent: req.intent, Step: changed.Step, Update: changed.Update, Key: changed.Key, From: changed.From, To: changed.To,
		}, req.owner)
	}
	if req.answer != nil {
		r.mu.Lock()
		req.answer <- Answer{Update: r.record.stands.Updates, Settings: r.cfg}
		r.mu.Unlock()
	}
	return nil
}

// handleAtRest carries out what is asked while there is no learner. To play, pause or step is refused.
func (r *Run) handleAtRest(refusal error) {
	for req, ok := r.nextRequest(); ok; req, ok = r.nextRequest() {
		err := refusal
		if len(req.changes) > 0 {
			if err = cmp.Or(r.fixed(), r.lab.stuck()); err == nil {
				err = r.change(req, nil)
			}
		}
		if err != nil {
			r.refuse(req, err)
		}
	}
}
