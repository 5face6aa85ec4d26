package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"impalab/server/errcode"
	"impalab/web/hub"
	"impalab/web/wire"
)

// relay is one run of the host on a front end: a topic with the same events under the same numbers, for all viewers
// here.
type relay struct {
	front *Front
	id    string     // of the run
	name  string     // of the relay, among others
	topic *hub.Topic // nil before the host has answered

	// Of the relay's goroutine:
	came chan *nats.Msg // what the host publishes
	told wish           // to the host
	when time.Time

	viewers int       // under the front end's mu
	left    time.Time // when the last viewer left; under the front end's mu

	mu      sync.Mutex
	moved   *sync.Cond   // the relay has begun, has a new event, or has ended
	begun   uint64       // the newest event when it began
	ended   error        // why it has ended; nil if it has not
	welcome wire.Welcome // with the state and the settings of the newest event
	event   uint64       // the newest
	owner   uint64       // of our requests, as the host numbers it
	asked   [remembered]asked
	intents uint32 // of all requests here; it begins anywhere, since the host's answers reach all front ends
}

// asked is a request of a page.
type asked struct {
	intent uint32 // as the host knows it
	owner  uint64 // the page
	pages  uint32 // the intent as the page knows it
}

// remembered is how many requests of a front end may wait for an answer. Answers to older ones reach no page.
const remembered = 1024

const (
	silent  = 3 * beat        // a feed is lost after so long without a message
	patient = 2 * time.Second // how long a lost feed is asked for again
	idle    = 2 * time.Second // without viewers: enough to reload a page
)

// bye is a reason for the end of a relay: asking for the feed again would change nothing.
type bye string

func (b bye) Error() string { return string(b) }

const (
	errNobody = bye("no viewer is left here")
	errAnew   = bye("this run restarts on the machine that trains; this page reconnects")
)

// waiting is how many messages of the host may wait for the relay. A slow relay loses more, and asks for the state.
const waiting = 64

// live is the relay's goroutine: it passes messages on until the last viewer leaves or the host is lost.
func (r *relay) live() {
	r.came = make(chan *nats.Msg, waiting)
	published, err := r.front.NATS.ChanSubscribe(subject(r.id), r.came)
	if err != nil {
		err = errAway
	} else {
		defer published.Unsubscribe()
		err = r.catchUp(0)
	}
	for err == nil {
		if err = r.pass(); !errors.As(err, new(bye)) {
			err = r.again(err)
		}
	}
	r.front.forget(r)
	r.mu.Lock()
	r.ended = err
	r.moved.Broadcast()
	r.mu.Unlock()
	if r.topic != nil {
		r.topic.Close(err.Error())
	}
}

// await waits until the relay has begun and an event that the host has sent is here. Else a page that had the event
// elsewhere would seem to come from the future. await returns an error if the relay cannot begin.
func (r *relay) await(event uint64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.ended == nil && (r.topic == nil || r.event < max(event, r.begun)) {
		r.moved.Wait()
	}
	if r.topic == nil {
		return r.ended
	}
	return nil
}

// again asks for the state after the newest event, when messages are missing.
func (r *relay) again(lost error) error {
	r.front.Log.Info("messages of a run are missing; asking the host again", "run", r.id, "error", lost)
	for until := time.Now().Add(patient); ; time.Sleep(patient / 10) {
		err := r.catchUp(r.event)
		if err == nil || errors.As(err, new(bye)) || errcode.Of(err) == errcode.NotFound { // not found: deleted meanwhile
			return err
		}
		if time.Now().After(until) || r.front.ctx.Err() != nil {
			return errAway
		}
	}
}

// catchUp asks for the state of the run after an event and passes it on; 0: from the oldest event that the host has.
func (r *relay) catchUp(after uint64) error {
	for more := true; more; after = r.event {
		a, err := ask[stateAnswer](r.front.ctx, r.front.NATS, "state", stateAsk{r.wish(), after})
		if err != nil {
			return err
		}
		if err := r.welcomed(a, after); err != nil {
			return err
		}
		for _, frame := range a.Frames[1:] {
			if err := r.forward(frame); err != nil {
				return err
			}
		}
		more = a.More
	}
	return nil
}

// welcomed reads the first message of an answer, and begins the relay's topic if there is none.
func (r *relay) welcomed(a stateAnswer, after uint64) error {
	if len(a.Frames) == 0 {
		return errAway
	}
	m, err := wire.Decode(a.Frames[0], wire.FromServer)
	if err != nil {
		return err
	}
	w, ok := m.(*wire.Welcome)
	switch {
	case !ok:
		return bye("this run has left memory; reload the page to see it again")
	case after != 0 && (w.Fresh || a.At != after):
		return errAnew
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.welcome, r.event, r.owner = *w, a.At, a.Owner
	if r.topic == nil {
		r.topic, r.begun = r.front.hub.Topic(hub.History, a.At), w.Event
	}
	r.moved.Broadcast()
	return nil
}

// pass passes messages on until an error.
func (r *relay) pass() error {
	quiet := time.NewTimer(silent)
	defer quiet.Stop()
	look := time.NewTicker(beat / 10)
	defer look.Stop()
	for {
		select {
		case m := <-r.came:
			if len(m.Data) > 0 {
				if err := r.forward(m.Data); err != nil {
					return err
				}
			}
			if n, err := strconv.ParseUint(m.Header.Get(eventHeader), 10, 64); err == nil && n > r.event {
				return fmt.Errorf("event %d is the newest here, and the host's is %d", r.event, n)
			}
			quiet.Reset(silent)
		case <-look.C:
			w := r.wish()
			w.Left = r.front.abandoned(r)
			if w != r.told || time.Since(r.when) >= beat {
				if text, err := json.Marshal(w); err == nil {
					r.front.NATS.Publish(service+".wish", text) // one that is lost is repeated
				}
				r.told, r.when = w, time.Now()
			}
			if w.Left {
				return errNobody
			}
		case <-quiet.C:
			return errAway
		case <-r.front.ctx.Done():
			return bye(errStopping.Error())
		}
	}
}

// wish returns what all viewers here wish.
func (r *relay) wish() wish {
	w := wish{Run: r.id, From: r.name, Frames: true}
	if r.topic != nil {
		frames, weights := r.topic.Wanted()
		w.Frames, w.Weights = frames > 0, weights > 0
	}
	return w
}

// forward sends a frame of the host to this front end's viewers.
func (r *relay) forward(frame []byte) error {
	messages, err := wire.DecodeAll(frame, wire.FromServer)
	if err != nil {
		return err
	}
	for _, m := range messages {
		switch m := m.(type) {
		case *wire.Bye:
			return bye(m.Reason)
		case *wire.Welcome: // we were too slow
			return errAnew
		case *wire.Refused:
			var owner uint64
			owner, m.Intent = r.asker(m.Intent)
			r.topic.SendTo(owner, m)
		case wire.Event:
			n := *m.EventNumber()
			if n <= r.event {
				continue // the state had it
			}
			if n != r.event+1 {
				return fmt.Errorf("event %d came after %d", n, r.event)
			}
			r.topic.Publish(m, r.note(m))
			r.mu.Lock()
			r.event++
			r.moved.Broadcast()
			r.mu.Unlock()
		default:
			r.topic.Offer(m)
		}
	}
	return nil
}

// note updates the welcome with an event, before viewers get the event, and returns the page whose request it answers.
func (r *relay) note(m wire.Event) (owner uint64) {
	switch m := m.(type) {
	case *wire.Status:
		r.mu.Lock()
		r.welcome.State = m.State
		r.mu.Unlock()
	case *wire.Changed:
		if m.Intent != 0 {
			owner, m.Intent = r.asker(m.Intent)
		}
		r.mu.Lock()
		r.welcome.Settings = slices.Clone(r.welcome.Settings) // others may be reading them
		for i, s := range r.welcome.Settings {
			if s.Key == m.Key {
				r.welcome.Settings[i].Value = m.To
			}
		}
		r.mu.Unlock()
	}
	return owner
}

// asker returns the page that made a request, and the page's number for it; 0 if it is forgotten.
func (r *relay) asker(intent uint32) (owner uint64, pages uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if by := r.asked[intent%remembered]; by.intent == intent {
		return by.owner, by.pages
	}
	return 0, 0
}

// steer passes a page's request on to the host.
func (r *relay) steer(owner uint64, q steerAsk) error {
	r.mu.Lock()
	r.intents++
	by := asked{r.intents, owner, q.Intent}
	r.asked[by.intent%remembered] = by
	q.Run, q.Owner, q.Intent = r.id, r.owner, by.intent
	r.mu.Unlock()
	_, err := ask[struct{}](context.Background(), r.front.NATS, "steer", q)
	return err
}

// viewer is a run as one page here sees it.
type viewer struct {
	*relay
	key, given string // steers the run; is given to the page
	steers     bool
}

// Subscribe follows the run after an event.
func (v *viewer) Subscribe(after uint64) *hub.Subscriber {
	return v.topic.Subscribe(func() wire.Welcome {
		v.mu.Lock()
		defer v.mu.Unlock()
		w := v.welcome
		w.Key, w.Steers = v.given, v.steers
		return w
	}, after)
}

// Set asks for a setting.
func (v *viewer) Set(owner uint64, intent uint32, key, value string) error {
	return v.steer(owner, steerAsk{Access: v.key, Intent: intent, Key: key, Value: value})
}

// Do asks for anything other than a setting.
func (v *viewer) Do(owner uint64, intent uint32, verb uint8) error {
	return v.steer(owner, steerAsk{Access: v.key, Intent: intent, Verb: verb})
}

// Leave is called once.
func (v *viewer) Leave() { v.front.leave(v.relay) }
