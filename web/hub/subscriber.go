package hub

import (
	"errors"
	"time"

	"impalab/web/wire"
)

// ErrClosed is what a subscriber gets after its Close, or after the Bye of its topic.
var ErrClosed = errors.New("hub: the subscription is closed")

// maxTold bounds what waits for one subscriber alone.
const maxTold = 1024

// Subscriber is one reader's place in a topic. Take is for one goroutine; the rest for any.
type Subscriber struct {
	topic   *Topic
	id      uint64
	welcome func() wire.Welcome
	ready   chan struct{}

	// Under the topic's mutex:
	greeted bool
	at      position       // what it has had
	answer  uint64         // the newest event that it owns
	told    []wire.Message // for it alone
	frames  bool           // it takes the watched world's frames…
	weights bool           // …and the parameters
	closed  bool
}

// ID tells this subscriber from all others of the topic; never 0.
func (s *Subscriber) ID() uint64 { return s.id }

// At is the newest event it has had; after a fresh Welcome, the one before the first that follows.
func (s *Subscriber) At() uint64 {
	s.topic.mu.Lock()
	defer s.topic.mu.Unlock()
	return s.at.event
}

func (s *Subscriber) wake() {
	select {
	case s.ready <- struct{}{}:
	default: // one token is enough, however much there is to see
	}
}

// Ready has a token when Take may have something new.
func (s *Subscriber) Ready() <-chan struct{} { return s.ready }

// Tell queues a message for this subscriber alone. False says that too many wait already, and this one does not.
func (s *Subscriber) Tell(m wire.Message) bool {
	s.topic.mu.Lock()
	defer s.topic.mu.Unlock()
	return s.tell(m)
}

// tell is Tell under the topic's mutex.
func (s *Subscriber) tell(m wire.Message) bool {
	if len(s.told) == maxTold {
		return false
	}
	s.told = append(s.told, m)
	s.wake()
	return true
}

// Want says what this subscriber takes of the watched world. What is there already is told at once: a run that rests
// makes no more.
func (s *Subscriber) Want(frames, weights bool) {
	t := s.topic
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.closed {
		return
	}
	before, now := want{frames: s.frames, weights: s.weights}, want{frames: frames, weights: weights}
	for k, o := range &t.cut.latest {
		passed := o.message != nil && s.at.seen[k] == o.number
		if passed && now.takes(o.message) && !before.takes(o.message) {
			s.tell(o.message)
		}
	}
	s.count(-1)
	s.frames, s.weights = frames, weights
	s.count(+1)
}

// count keeps the topic's counts of what is wanted.
func (s *Subscriber) count(by int) {
	if s.frames {
		s.topic.frames += by
	}
	if s.weights {
		s.topic.weights += by
	}
}

// Take is what comes next for this subscriber, or nil when it has had everything up to the newest cut: a Welcome when
// one is due, what was told to it alone, the events up to one that it owns, then what all are shown. It gives as much
// as fits one frame; more may follow at once.
func (s *Subscriber) Take() (*Batch, error) {
	t := s.topic
	t.mu.Lock()
	lost := !s.greeted || s.at.event < t.reach()
	if !s.closed && lost && (t.bye == nil || s.greeted) {
		event, fresh := t.newest, s.resume()
		t.mu.Unlock()
		// Asked for outside the lock, so at least as new as the event it names: what came in between follows as
		// events and changes nothing a second time.
		w := s.welcome()
		w.Event, w.Fresh = event, fresh
		return Alone(&w), nil
	}
	defer t.mu.Unlock()
	switch {
	case s.closed:
		return nil, ErrClosed
	case !s.greeted: // it came too late
		s.leave()
		return Alone(t.bye), nil
	case len(s.told) > 0:
		return s.private(), nil
	case s.at.event < s.answer:
		b := &Batch{to: s.at}
		t.addEvents(b, s.answer, s.id)
		s.at = b.to
		return b, nil
	}
	b := t.batch(want{from: s.at, frames: s.frames, weights: s.weights})
	s.at = b.to
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

// resume finds the subscriber's place in the history and says whether it must forget what it had. Of each kind it gets
// the newest message.
func (s *Subscriber) resume() (fresh bool) {
	t := s.topic
	fresh = s.greeted || s.at.event == 0 || s.at.event < t.reach() || s.at.event > t.newest
	if fresh {
		s.at.event = t.reach()
	}
	for k, o := range &t.cut.latest {
		s.at.seen[k] = o.number
		if o.message != nil {
			s.at.seen[k]--
		}
	}
	s.greeted = true
	return fresh
}

// private is what was told to this subscriber alone, as much as fits one frame. Parameters travel by themselves.
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

// Sent counts a batch that went out and how long that took.
func (s *Subscriber) Sent(took time.Duration) {
	s.topic.hub.sent.Add(1)
	s.topic.hub.spent.Add(int64(min(took, sendMost)))
}

// Close gives the place up. Closing again does nothing.
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
