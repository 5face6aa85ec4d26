package hub

import (
	"context"
	"errors"

	"impalab/web/wire"
)

// ErrClosed is what a subscriber gets after its Close, or after the Bye of its topic.
var ErrClosed = errors.New("hub: the subscription is closed")

// maxTold bounds what waits for one subscriber alone.
const maxTold = 1024

// Subscriber is one reader's place in a topic. Poll and Next are for one goroutine; the rest for any.
type Subscriber struct {
	topic   *Topic
	id      uint64
	welcome func() wire.Welcome
	ready   chan struct{}

	// Under the topic's mutex:
	greeted bool
	after   uint64         // the last event it had
	seen    uint64         // stamp of the last latest-wins message it had
	told    []wire.Message // for it alone
	frames  bool           // it takes the watched world's frames…
	weights bool           // …and the parameters
	closed  bool
}

// ID tells this subscriber from all others of the topic; never 0.
func (s *Subscriber) ID() uint64 { return s.id }

func (s *Subscriber) wake() {
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// Ready has a token when Poll may have something new.
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

// Want says what this subscriber takes of the watched world. What is there already is told at once: a run that rests makes
// no more.
func (s *Subscriber) Want(frames, weights bool) {
	t := s.topic
	t.mu.Lock()
	defer t.mu.Unlock()
	var newly []wire.Message
	for _, o := range t.latest {
		if !s.takes(o.message) && o.stamp <= s.seen {
			newly = append(newly, o.message)
		}
	}
	s.frames, s.weights = frames, weights
	for _, m := range newly {
		if s.takes(m) {
			s.tell(m)
		}
	}
	s.wake()
}

// takes tells whether a latest-wins message is for this subscriber.
func (s *Subscriber) takes(m wire.Message) bool {
	switch m.(type) {
	case *wire.Frame:
		return s.frames
	case *wire.Weights:
		return s.weights
	}
	return true
}

// Next waits for the next message.
func (s *Subscriber) Next(ctx context.Context) (wire.Message, error) {
	for ctx.Err() == nil {
		if m, err := s.Poll(); m != nil || err != nil {
			return m, err
		}
		select {
		case <-s.ready:
		case <-ctx.Done():
		}
	}
	return nil, ctx.Err()
}

// Poll is the next message, or nil when there is none yet: a Welcome when one is due, what was told to this subscriber alone,
// events in order, then latest-wins messages, the one that has waited longest first.
func (s *Subscriber) Poll() (wire.Message, error) {
	t := s.topic
	t.mu.Lock()
	if s.closed {
		t.mu.Unlock()
		return nil, ErrClosed
	}
	if w, due := s.welcomeDue(); due && (t.bye == nil || s.greeted) {
		event, fresh := t.newest, s.resume()
		t.mu.Unlock()
		if w == nil {
			// Asked for outside the lock, so at least as new as the event it names: what came in between follows as
			// events and changes nothing a second time.
			now := s.welcome()
			w = &now
		}
		answer := *w
		answer.Event, answer.Fresh = event, fresh
		return &answer, nil
	}
	defer t.mu.Unlock()
	switch {
	case len(s.told) > 0:
		m := s.told[0]
		s.told = s.told[1:]
		return m, nil
	case s.greeted && s.after < t.newest:
		s.after++
		e := &t.events[t.slot(s.after)]
		if e.own != nil && e.owner == s.id {
			return e.own, nil
		}
		return e.message, nil
	case t.bye != nil:
		s.leave()
		return t.bye, nil
	}
	next := -1
	for i, o := range t.latest {
		if o.stamp > s.seen && s.takes(o.message) && (next < 0 || o.stamp < t.latest[next].stamp) {
			next = i
		}
	}
	if next < 0 {
		return nil, nil
	}
	s.seen = t.latest[next].stamp
	return t.latest[next].message, nil
}

// welcomeDue says whether the subscriber must hear where it stands: at first, when the run began anew, and when the history no
// longer reaches it. The Welcome of a beginning is the one that Begin was given, unless the history has moved past that.
func (s *Subscriber) welcomeDue() (*wire.Welcome, bool) {
	t := s.topic
	switch {
	case !s.greeted:
		return nil, true
	case s.after >= t.reach():
		return nil, false
	case s.after < t.begun && t.begun == t.reach():
		return t.begin, true
	}
	return nil, true
}

// resume finds the subscriber's place in the history and says whether it must forget what it had.
func (s *Subscriber) resume() (fresh bool) {
	t := s.topic
	fresh = s.greeted || s.after == 0 || s.after < t.reach() || s.after > t.newest
	if fresh {
		s.after = t.reach()
	}
	s.greeted = true
	return fresh
}

// Close gives the place up. Closing again does nothing.
func (s *Subscriber) Close() {
	s.topic.mu.Lock()
	defer s.topic.mu.Unlock()
	s.leave()
	s.wake()
}

func (s *Subscriber) leave() {
	s.closed = true
	s.told = nil
	delete(s.topic.subscribers, s)
}
