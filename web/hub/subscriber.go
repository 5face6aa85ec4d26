package hub

import (
	"errors"
	"time"

	"impalab/web/wire"
)

// ErrClosed is the error of Take after Close, or after the topic's Bye.
var ErrClosed = errors.New("hub: the subscription is closed")

// maxTold limits the messages that wait for one subscriber alone.
const maxTold = 1024

// Subscriber is a reader's place in a topic. Only one goroutine may call Take.
type Subscriber struct {
	topic   *Topic
	id      uint64
	welcome func() wire.Welcome
	ready   chan struct{}

	// Under the topic's mutex:
	want    // it stands at from
	greeted bool
	answer  uint64         // newest event that it owns
	told    []wire.Message // messages for it alone
	closed  bool
}

// ID returns the subscriber's number in the topic, which is never 0.
func (s *Subscriber) ID() uint64 { return s.id }

// At returns the number of its newest event. After a fresh Welcome that is the event before the first one that follows.
func (s *Subscriber) At() uint64 {
	s.topic.mu.Lock()
	defer s.topic.mu.Unlock()
	return s.from.event
}

func (s *Subscriber) wake() {
	select {
	case s.ready <- struct{}{}:
	default: // one token is enough
	}
}

// Ready returns a channel that has a token when Take may have something new, also after each batch.
func (s *Subscriber) Ready() <-chan struct{} { return s.ready }

// Send queues a message for this subscriber alone. It returns false if too many wait already.
func (s *Subscriber) Send(m wire.Message) bool {
	s.topic.mu.Lock()
	defer s.topic.mu.Unlock()
	return s.send(m)
}

// send is Send for a caller that holds the topic's mutex.
func (s *Subscriber) send(m wire.Message) bool {
	if len(s.told) == maxTold {
		return false
	}
	s.told = append(s.told, m)
	s.wake()
	return true
}

// Want sets what this subscriber wants of the watched world. Existing messages follow at once, because a resting run
// makes no more.
func (s *Subscriber) Want(frames, weights bool) {
	t := s.topic
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.closed {
		return
	}
	before, now := s.want, want{s.from, frames, weights}
	for k, o := range &t.cut.latest {
		passed := o.message != nil && s.from.seen[k] == o.number
		if passed && now.wants(o.message) && !before.wants(o.message) {
			s.send(o.message)
		}
	}
	s.count(-1)
	s.want = now
	s.count(+1)
}

// count updates the topic's counts of wanted messages.
func (s *Subscriber) count(by int) {
	if s.frames {
		s.topic.frames += by
	}
	if s.weights {
		s.topic.weights += by
	}
}

// Next returns the next batch, or nil at the newest cut. First comes a Welcome if one is due, then messages for this
// subscriber alone, then events up to its own event, then the messages for all. More may follow at once.
func (s *Subscriber) Next() (b *Batch, err error) {
	defer func() {
		if b != nil {
			s.wake()
		}
	}()
	t := s.topic
	t.mu.Lock()
	lost := !s.greeted || s.from.event < t.reach()
	if !s.closed && lost && (t.bye == nil || s.greeted) {
		event, fresh := t.newest, s.resume()
		t.mu.Unlock()
		// Outside the lock, so it may be newer than the event it names. Repeated events change nothing.
		w := s.welcome()
		w.Event, w.Fresh = event, fresh
		return Alone(&w), nil
	}
	defer t.mu.Unlock()
	switch {
	case s.closed:
		return nil, ErrClosed
	case !s.greeted: // it subscribed too late
		s.leave()
		return Alone(t.bye), nil
	case len(s.told) > 0:
		return s.private(), nil
	case s.from.event < s.answer:
		b = &Batch{to: s.from}
		t.addEvents(b, s.answer, s.id)
		s.from = b.to
		return b, nil
	}
	b = t.batch(s.want)
	s.from = b.to
	t.hub.dropped.Add(b.dropped)
	switch {
	case len(b.messages) > 0:
		return b, nil
	case t.bye != nil:
		s.leave()
		return Alone(t.bye), nil
	}
	return nil, nil
}

// resume finds the subscriber's position in the history. It returns true if the subscriber must forget its state. It
// shows the newest message of each kind again.
func (s *Subscriber) resume() (fresh bool) {
	t := s.topic
	fresh = s.greeted || s.from.event == 0 || s.from.event < t.reach() || s.from.event > t.newest
	if fresh {
		s.from.event = t.reach()
	}
	for k, o := range &t.cut.latest {
		s.from.seen[k] = o.number
		if o.message != nil {
			s.from.seen[k]--
		}
	}
	s.greeted = true
	return fresh
}

// private returns the messages for this subscriber alone that fit into a frame. Parameters have a frame of their own.
func (s *Subscriber) private() *Batch {
	b := &Batch{}
	for len(s.told) > 0 && len(b.messages) < wire.MaxJoined && !b.Noise {
		if _, large := s.told[0].(*wire.Weights); large && len(b.messages) > 0 {
			break
		}
		b.add(s.told[0])
		s.told = s.told[1:]
	}
	return b
}

// Sent counts a sent batch and the time it took.
func (s *Subscriber) Sent(took time.Duration) {
	s.topic.hub.sent.Add(1)
	s.topic.hub.spent.Add(int64(min(took, sendMost)))
}

// Close ends the subscription. It may be called again.
func (s *Subscriber) Close() {
	s.topic.mu.Lock()
	defer s.topic.mu.Unlock()
	s.leave()
	s.wake()
}

func (s *Subscriber) leave() {
	if s.closed {
		return
	}
	s.closed, s.told = true, nil
	s.count(-1)
	delete(s.topic.subscribers, s.id)
	s.topic.hub.subscribers.Add(-1)
}
