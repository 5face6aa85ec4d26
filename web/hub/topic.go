package hub

import (
	"math"
	"sync"
	"time"

	"impalab/web/wire"
)

// History is the number of events that a returning page may have missed.
const History = 20_000

// Topic is the messages of one run. A message must not change after it is published.
type Topic struct {
	hub   *Hub
	mu    sync.Mutex
	limit int

	// The topic numbers events from first + 1, without gaps. The history holds the numbers (reach(), newest]. Number n
	// is at (n−first−1) mod limit.
	events        []event
	first, newest uint64
	latest        [kinds]offer

	cut     cut
	timer   *time.Timer
	planned bool      // the next cut is scheduled
	next    time.Time // no cut before this

	subscribers map[uint64]*Subscriber // by ID
	ids         uint64
	frames      int       // number of subscribers that want frames
	weights     int       // number of subscribers that want parameters
	bye         *wire.Bye // set when the topic is closed
}

type event struct {
	message wire.Event
	own     *wire.Changed // the message for its owner; nil: the same
	owner   uint64
}

// Topic returns a topic that keeps the last history events. Its events have numbers after first, so that a run that is
// loaded again reuses no number.
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

// reach returns the number of the last event before the history.
func (t *Topic) reach() uint64 { return t.newest - uint64(len(t.events)) }

func (t *Topic) slot(n uint64) int { return int((n - t.first - 1) % uint64(t.limit)) }

// Publish adds an event and returns its number. The owner sees it at once. Only the owner sees the Intent of a Changed.
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

// Offer replaces the newest message of its type. Viewers need the newest, not all.
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

// kind returns the place of the newest message of m's type. A type keeps its place.
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

// Subscribe subscribes after an event: 0, or the last event that the page received. The first message is the Welcome
// from welcome, with Event and Fresh set. Fresh is false if the history reaches back to after. Then the later events
// follow. The subscriber's goroutine calls welcome.
func (t *Topic) Subscribe(welcome func() wire.Welcome, after uint64) *Subscriber {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.subscribers) == 0 {
		t.show() // without subscribers no cut was scheduled
	}
	t.ids++
	s := &Subscriber{topic: t, id: t.ids, welcome: welcome, ready: make(chan struct{}, 1),
		want: want{frames: true}}
	s.from.event = after
	t.subscribers[s.id] = s
	t.frames++
	t.hub.subscribers.Add(1)
	return s
}

// SendTo queues a message for one subscriber, and drops it if the subscriber has left. It returns false if too many
// wait.
func (t *Topic) SendTo(id uint64, m wire.Message) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.subscribers[id]; s != nil {
		return s.send(m)
	}
	return true
}

// Subscribers returns the number of subscribers.
func (t *Topic) Subscribers() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.subscribers)
}

// Wanted returns how many subscribers want frames, and how many parameters.
func (t *Topic) Wanted() (frames, weights int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.frames, t.weights
}

// Close ends the topic. Subscribers get the remaining events, then Bye. Later messages are dropped.
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
