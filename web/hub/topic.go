package hub

import (
	"math"
	"sync"
	"time"

	"impalab/web/wire"
)

// History is how many events a page that comes back may have missed.
const History = 20_000

// Topic is one run. Messages handed to it belong to it and are not changed afterwards.
type Topic struct {
	hub   *Hub
	mu    sync.Mutex
	limit int

	// Events are numbered by the topic without gaps, from first + 1. The history holds the numbers (reach(), newest]; n
	// lies at (n−first−1) mod limit.
	events        []event
	first, newest uint64
	latest        [kinds]offer

	cut     cut
	timer   *time.Timer
	planned bool      // the next cut is on its way
	next    time.Time // no cut before this

	subscribers map[uint64]*Subscriber // by ID
	ids         uint64
	frames      int       // subscribers that take the watched world's frames…
	weights     int       // …and the parameters
	bye         *wire.Bye // set once the topic is closed
}

type event struct {
	message wire.Event
	own     *wire.Changed // what the owner gets instead; nil if that is no different
	owner   uint64
}

// Topic makes a topic that keeps the last history events for subscribers that fall behind or come back. Its events have
// the numbers after first: a run that is held a second time has numbers that nobody saw the first time.
func (h *Hub) Topic(history int, first uint64) *Topic {
	if history < 1 {
		panic("hub: a history holds at least one event")
	}
	t := &Topic{hub: h, limit: history, first: first, newest: first, subscribers: map[uint64]*Subscriber{},
		cut: cut{batches: map[want]*Batch{}}}
	t.timer = time.AfterFunc(math.MaxInt64, t.tick)
	t.timer.Stop() // announce starts it
	return t
}

// reach is the event that the history begins after.
func (t *Topic) reach() uint64 { return t.newest - uint64(len(t.events)) }

func (t *Topic) slot(n uint64) int { return int((n - t.first - 1) % uint64(t.limit)) }

// Publish adds an event to the history and returns its number. Its owner, where it has one, is shown it at once. The
// Intent of a Changed is shown to its owner only; the others see 0.
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
		t.events[t.slot(t.newest)] = entry // the oldest is dropped
	}
	if s := t.subscribers[owner]; s != nil {
		s.answer = t.newest
		s.wake()
	}
	t.announce()
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
	o := t.kind(m)
	o.message = m
	o.number++
	t.announce()
}

// kind is where the newest message of m's type lies. A type keeps its place, also where Begin has forgotten the
// message.
func (t *Topic) kind(m wire.Message) *offer {
	for k := range t.latest {
		o := &t.latest[k]
		if o.number == 0 {
			o.of = m.Type()
		}
		if o.of == m.Type() {
			return o
		}
	}
	panic("hub: a topic carries more kinds of messages than it has room for")
}

// Subscribe follows the topic from event after on: 0, or the last one a page got (the Event of a Welcome is not one it
// got). The first message is the Welcome that welcome describes, with Event and Fresh filled in; Fresh unless the
// history reaches back to after. Then come the events since, then what happens. Welcome is called by the subscriber's
// own goroutine.
func (t *Topic) Subscribe(welcome func() wire.Welcome, after uint64) *Subscriber {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.subscribers) == 0 {
		t.show() // no subscriber was there to plan a cut for
	}
	t.ids++
	s := &Subscriber{topic: t, id: t.ids, welcome: welcome, ready: make(chan struct{}, 1), frames: true}
	s.at.event = after
	t.subscribers[s.id] = s
	t.frames++
	t.hub.subscribers.Add(1)
	return s
}

// Tell queues a message for the subscriber of that ID alone, and drops it when that one has gone. False says that too
// many wait there already.
func (t *Topic) Tell(id uint64, m wire.Message) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.subscribers[id]; s != nil {
		return s.tell(m)
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
	return t.frames, t.weights
}

// Close ends the topic: subscribers get the events they have not had, then Bye. What is published later goes nowhere.
func (t *Topic) Close(reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bye != nil {
		return
	}
	t.bye = &wire.Bye{Reason: reason}
	t.timer.Stop()
	t.show()
	for _, s := range t.subscribers {
		s.wake()
	}
}
