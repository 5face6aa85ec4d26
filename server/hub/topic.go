// Package hub carries what a run tells to everybody who watches it. It knows no network. Who publishes never
// waits: events are kept in a bounded history in which each subscriber has its place, and of everything else only
// the newest is kept. After the learner, drop and count.
package hub

import (
	"sync"

	"impalab/web/wire"
)

// Topic is one run. Messages handed to it belong to it: nobody changes them afterwards.
type Topic struct {
	mu    sync.Mutex
	limit int

	// Events are numbered by the topic, from 1 and without gaps; Begin takes a number too, so that a page which
	// missed it can tell. The history holds the numbers (reach(), newest]; n lies at (n−begun−1) mod limit.
	events []event
	newest uint64
	begun  uint64 // number of the last Begin
	begin  *wire.Welcome

	// latest holds the newest message of each type; stamps rise with every Offer.
	latest []offer
	stamp  uint64

	subscribers map[*Subscriber]struct{}
	ids         uint64
	dropped     uint64
	bye         *wire.Bye // set once the topic is closed
}

type event struct {
	message wire.Event
	own     *wire.Changed // what the owner gets instead; nil if that is no different
	owner   uint64
}

type offer struct {
	message wire.Message
	stamp   uint64
}

// New makes a topic that keeps the last history events for those who fall behind or come back.
func New(history int) *Topic {
	if history < 1 {
		panic("hub: a history holds at least one event")
	}
	return &Topic{limit: history, subscribers: map[*Subscriber]struct{}{}}
}

// reach is the event that the history begins after.
func (t *Topic) reach() uint64 { return t.newest - uint64(len(t.events)) }

func (t *Topic) slot(n uint64) int { return int((n - t.begun - 1) % uint64(t.limit)) }

// Begin says that the run begins, or begins anew: what was before is forgotten. Every subscriber receives this
// Welcome next.
func (t *Topic) Begin(w wire.Welcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bye != nil {
		return
	}
	t.newest++
	t.begun, t.begin = t.newest, &w
	t.events, t.latest = nil, nil
	t.wake()
}

// Publish adds an event to the history and returns its number. The Intent of a Changed is shown to its owner only;
// everybody else sees 0.
func (t *Topic) Publish(m wire.Message, owner uint64) uint64 {
	e, ok := m.(wire.Event)
	if !ok {
		panic("hub: Publish takes events; the rest is for Offer")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bye != nil {
		return t.newest
	}
	t.newest++
	*e.EventNumber() = t.newest
	entry := event{message: e, owner: owner}
	if c, ok := e.(*wire.Changed); ok && c.Intent != 0 {
		others := *c
		others.Intent = 0
		entry.message, entry.own = &others, c
	}
	if len(t.events) < t.limit {
		t.events = append(t.events, entry)
	} else {
		t.events[t.slot(t.newest)] = entry // the oldest gives way
	}
	t.wake()
	return t.newest
}

// Offer replaces the newest message of its type: spectators want now, not all.
func (t *Topic) Offer(m wire.Message) {
	if _, ok := m.(wire.Event); ok {
		panic("hub: Offer takes what is latest-wins; events are for Publish")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bye != nil {
		return
	}
	t.stamp++
	at := -1
	for i, have := range t.latest {
		if have.message.Type() == m.Type() {
			at = i
		}
	}
	if at < 0 {
		t.latest = append(t.latest, offer{m, t.stamp})
	} else {
		for s := range t.subscribers {
			if s.seen < t.latest[at].stamp && s.takes(m) {
				t.dropped++
			}
		}
		t.latest[at] = offer{m, t.stamp}
	}
	t.wake()
}

// Subscribe follows the topic from event after on: 0, or the last one a page got (the Event of a Welcome is not one it
// got). The first message is the Welcome that welcome describes, with Event and Fresh filled in; Fresh unless the history
// reaches back to after. Then come the events since, then what happens. Welcome is called by the subscriber's own
// goroutine.
func (t *Topic) Subscribe(welcome func() wire.Welcome, after uint64) *Subscriber {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ids++
	s := &Subscriber{topic: t, id: t.ids, welcome: welcome, after: after, ready: make(chan struct{}, 1), frames: true}
	t.subscribers[s] = struct{}{}
	return s
}

// Tell queues a message for the subscriber of that ID alone, and for nobody when it has gone. False says that too many wait
// there already.
func (t *Topic) Tell(id uint64, m wire.Message) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for s := range t.subscribers {
		if s.id == id {
			return s.tell(m)
		}
	}
	return true
}

// Subscribers is how many there are.
func (t *Topic) Subscribers() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.subscribers)
}

// Wanted is how many subscribers take the watched world's frames, and how many the parameters.
func (t *Topic) Wanted() (frames, weights int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for s := range t.subscribers {
		if s.frames {
			frames++
		}
		if s.weights {
			weights++
		}
	}
	return frames, weights
}

// Dropped is how many latest-wins messages gave way to newer ones before a subscriber had taken them.
func (t *Topic) Dropped() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dropped
}

// Close ends the topic: subscribers get the events they have not had, then Bye. What is published later goes nowhere.
func (t *Topic) Close(reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bye == nil {
		t.bye = &wire.Bye{Reason: reason}
		t.wake()
	}
}

// wake tells every subscriber to look. It never waits: one token is enough, however much there is to see.
func (t *Topic) wake() {
	for s := range t.subscribers {
		s.wake()
	}
}
