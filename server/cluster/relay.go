package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"impalab/server/errcode"
	"impalab/web/hub"
	"impalab/web/wire"
)

// relay is one run of the host's on a front end: a topic with the same events under the same numbers, for all who look
// on here.
type relay struct {
	front *Front
	id    string
	topic *hub.Topic
	came  chan *nats.Msg // what the host sends; of the relay's goroutine
	from  *nats.Subscription

	ready chan struct{} // closed when it has begun, or cannot
	err   error         // why it cannot; read after ready
	begun uint64        // the newest event when it began; read after ready

	looking int       // under the front end's mu: who looks on…
	left    time.Time // …and when the last of them left

	mu      sync.Mutex
	moved   *sync.Cond   // event has, or it has ended
	ended   bool         //
	welcome wire.Welcome // with the state and the settings of the newest event
	event   uint64       // the newest there is
	owner   uint64       // what the host calls us
	asked   [remembered]asked
	intents uint32 // of all who steer here
}

// asked is who asked for something, and what the page calls it.
type asked struct {
	intent uint32 // as the host knows it
	owner  uint64
	pages  uint32
}

// remembered is how many requests may be under way from one front end; of an older one nobody is told.
const remembered = 1024

const (
	silent  = 3 * beat        // a feed that says nothing for so long is lost
	patient = 2 * time.Second // a feed that was lost is asked for again for so long
	idle    = 2 * time.Second // without anybody who looks on: enough to reload a page
)

// Why a relay ends.
var (
	errNobody = errors.New("nobody looks on here any more")
	errGap    = errors.New("events are missing")
	errAnew   = errcode.Errorf(errcode.Full, "this run begins anew on the machine that trains; this "+
		"page connects again by itself")
)

// live is the relay's goroutine: it begins, passes on what comes, and ends when nobody looks on or the host is lost.
func (r *relay) live() {
	err := r.follow(0)
	r.err = err
	close(r.ready)
	for err == nil {
		if err = r.pass(); err != nil && !final(err) {
			err = r.again(err)
		}
	}
	r.front.forget(r)
	r.hangUp()
	r.mu.Lock()
	r.ended = true
	r.moved.Broadcast()
	r.mu.Unlock()
	if r.topic != nil {
		r.topic.Close(err.Error())
	}
}

// await waits until an event that the host has told by now has come here. A page that had it elsewhere would be taken
// for one of another time.
func (r *relay) await(event uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.event < event && !r.ended {
		r.moved.Wait()
	}
}

// bye is the end that the host tells.
type bye string

func (b bye) Error() string { return string(b) }

// final says that to ask again would change nothing.
func final(err error) bool {
	_, told := err.(bye)
	return told || errors.Is(err, errNobody) || errors.Is(err, errAnew)
}

// again asks for the feed again from where it was lost.
func (r *relay) again(lost error) error {
	r.front.Log.Info("what a run tells does not come any more; it is asked for again", "run", r.id, "error", lost)
	for until := time.Now().Add(patient); ; time.Sleep(patient / 10) {
		err := r.follow(r.event)
		if err == nil || final(err) || errcode.Of(err) == errcode.NotFound { // it has been deleted meanwhile
			return err
		}
		if time.Now().After(until) || r.front.ctx.Err() != nil {
			return errAway
		}
	}
}

// follow has the host send what the run tells from event after on; 0: from the oldest that it has.
func (r *relay) follow(after uint64) error {
	r.hangUp()
	here, came, from, err := openLine(r.front.nc)
	if err != nil {
		return errAway
	}
	r.came, r.from = came, from
	a, err := ask[followAsk, followAnswer](r.front.ctx, r.front.nc, "follow", followAsk{r.id, after, here})
	if err != nil {
		return err
	}
	m, err := wire.Decode(a.Welcome, wire.FromServer)
	if err != nil {
		return err
	}
	w, ok := m.(*wire.Welcome)
	switch {
	case !ok:
		return bye("this run is not held any more; reload the page to see it again")
	case after != 0 && (w.Fresh || a.At != after):
		return errAnew
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.welcome, r.event, r.owner = *w, a.At, a.Owner
	if after == 0 {
		r.topic, r.begun = r.front.hub.Topic(hub.History, a.At), w.Event
	}
	return nil
}

// hangUp ends the feed: the host finds nobody there.
func (r *relay) hangUp() {
	if r.from != nil {
		r.from.Unsubscribe()
	}
}

// pass passes on what comes until something is wrong.
func (r *relay) pass() error {
	quiet := time.NewTimer(silent)
	defer quiet.Stop()
	for {
		select {
		case m := <-r.came:
			if len(m.Data) > 0 {
				if err := r.tell(m.Data); err != nil {
					return err
				}
			}
			takes, err := r.takes()
			m.Respond([]byte{takes}) // where it is lost the host sends nothing more, and we notice
			if err != nil {
				return err
			}
			quiet.Reset(silent)
		case <-quiet.C:
			return errAway
		case <-r.front.ctx.Done():
			return bye(errStopping.Error())
		}
	}
}

// takes is what those who look on here take together.
func (r *relay) takes() (takes byte, err error) {
	if r.front.abandoned(r) {
		return enough, errNobody
	}
	frames, weights := r.topic.Wanted()
	if frames > 0 {
		takes |= takesFrames
	}
	if weights > 0 {
		takes |= takesWeights
	}
	return takes, nil
}

// tell passes a frame of the host's on.
func (r *relay) tell(frame []byte) error {
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
			by := r.whoAsked(m.Intent)
			m.Intent = by.pages
			r.topic.Tell(by.owner, m)
		case wire.Event:
			if n := *m.EventNumber(); n != r.event+1 {
				return fmt.Errorf("%w: %d came after %d", errGap, n, r.event)
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

// note keeps the welcome up to date with an event, before anybody is told of it, and says whose request it answers.
func (r *relay) note(m wire.Event) (owner uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch m := m.(type) {
	case *wire.Status:
		r.welcome.State = m.State
	case *wire.Changed:
		settings := append([]wire.Setting{}, r.welcome.Settings...) // others may be reading it
		for i := range settings {
			if settings[i].Key == m.Key {
				settings[i].Value = m.To
			}
		}
		r.welcome.Settings = settings
		if m.Intent != 0 {
			by := r.asked[m.Intent%remembered]
			if by.intent != m.Intent {
				by = asked{}
			}
			m.Intent, owner = by.pages, by.owner
		}
	}
	return owner
}

// whoAsked is who asked for what the host calls intent.
func (r *relay) whoAsked(intent uint32) asked {
	r.mu.Lock()
	defer r.mu.Unlock()
	if by := r.asked[intent%remembered]; by.intent == intent {
		return by
	}
	return asked{}
}

// steer asks the host for what a page asks.
func (r *relay) steer(owner uint64, q steerAsk) error {
	r.mu.Lock()
	r.intents++
	by := asked{r.intents, owner, q.Intent}
	r.asked[by.intent%remembered] = by
	q.Run, q.Owner, q.Intent = r.id, r.owner, by.intent
	r.mu.Unlock()
	_, err := ask[steerAsk, steerAnswer](context.Background(), r.front.nc, "steer", q)
	return err
}

// viewer is a run as one page here has it.
type viewer struct {
	*relay
	key, given string // that steers it, and that the page is given
	steers     bool
}

// Subscribe follows the run from event after on.
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

// Do asks for something other than a setting.
func (v *viewer) Do(owner uint64, intent uint32, verb uint8) error {
	return v.steer(owner, steerAsk{Access: v.key, Intent: intent, Verb: verb})
}

// Leave is called once.
func (v *viewer) Leave() { v.front.leave(v.relay) }
