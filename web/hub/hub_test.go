package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"impalab/web/wire"
)

func welcome() wire.Welcome { return wire.Welcome{Run: "r", State: wire.StateRunning} }

func point(step uint64) *wire.Point { return &wire.Point{Step: step} }

// drain waits for the next cut, takes all messages and returns them as words. The tests state their claims in these
// words.
func drain(t *testing.T, s *Subscriber) (got []string) {
	t.Helper()
	time.Sleep(slowest)
	synctest.Wait()
	for {
		b, err := s.Next()
		if err != nil {
			return append(got, "closed")
		}
		if b == nil {
			return got
		}
		for _, m := range messages(t, b) {
			got = append(got, word(m))
		}
	}
}

// next waits for the next batch.
func next(ctx context.Context, s *Subscriber) (*Batch, error) {
	for {
		if b, err := s.Next(); b != nil || err != nil {
			return b, err
		}
		select {
		case <-s.Ready():
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func messages(t *testing.T, b *Batch) []wire.Message {
	t.Helper()
	frame, err := b.Frame()
	if err != nil {
		t.Error(err)
	}
	all, err := wire.DecodeAll(frame, wire.FromServer)
	if err != nil {
		t.Error(err)
	}
	return all
}

func word(m wire.Message) string {
	switch m := m.(type) {
	case *wire.Welcome:
		if m.Fresh {
			return fmt.Sprintf("fresh %s at %d", m.Run, m.Event)
		}
		return fmt.Sprintf("back %s at %d", m.Run, m.Event)
	case *wire.Point:
		return fmt.Sprintf("%d:point %d", m.Event, m.Step)
	case *wire.Changed:
		return fmt.Sprintf("%d:changed by %d", m.Event, m.Intent)
	case *wire.Status:
		return fmt.Sprintf("%d:state %d", m.Event, m.State)
	case *wire.Frame:
		return fmt.Sprintf("frame %d", m.Number)
	case *wire.XRay:
		return fmt.Sprintf("xray %d", m.Step)
	case *wire.Refused:
		return fmt.Sprintf("refused %d", m.Intent)
	case *wire.Bye:
		return "bye " + m.Reason
	}
	return fmt.Sprintf("%T", m)
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

func TestASlowReaderLosesFramesAndNoEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(100, 1)
		s := topic.Subscribe(welcome, 0)
		expect(t, drain(t, s), "fresh r at 1")
		for i := range uint64(3) {
			topic.Offer(&wire.Frame{Number: i})
			topic.Publish(point(i), 0)
			topic.Offer(&wire.XRay{Step: i})
		}
		topic.Offer(&wire.Frame{Number: 3})
		expect(t, drain(t, s), "2:point 0", "3:point 1", "4:point 2", "frame 3", "xray 2")
		if topic.hub.Dropped() != 5 {
			t.Errorf("%d messages were counted as dropped, not 5", topic.hub.Dropped())
		}
	})
}

func TestAPrivateMessageReachesOneReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 0)
		one, other := topic.Subscribe(welcome, 0), topic.Subscribe(welcome, 0)
		one.Send(&wire.Refused{Intent: 3})
		expect(t, drain(t, one), "fresh r at 0", "refused 3")
		expect(t, drain(t, other), "fresh r at 0")
		for range maxTold {
			if !one.Send(&wire.Refused{}) {
				t.Fatal("refused too early")
			}
		}
		if one.Send(&wire.Refused{}) {
			t.Error("what waits for one subscriber has no bound")
		}
	})
}

func TestFramesAndParametersGoToReadersThatWantThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 1)
		a, b := topic.Subscribe(welcome, 0), topic.Subscribe(welcome, 0)
		drain(t, a)
		drain(t, b)
		topic.Offer(&wire.Weights{})
		topic.Offer(&wire.Frame{Number: 1})
		topic.Offer(&wire.XRay{Step: 1})
		expect(t, drain(t, a), "frame 1", "xray 1")
		a.Want(false, true)
		expect(t, drain(t, a), "*wire.Weights") // the existing ones
		topic.Offer(&wire.Frame{Number: 2})
		expect(t, drain(t, a))
		expect(t, drain(t, b), "frame 2", "xray 1")
		b.Want(false, false)
		drain(t, b)
		b.Want(true, false)
		expect(t, drain(t, b), "frame 2") // it may have put it away
		a.Want(true, false)
		expect(t, drain(t, a), "frame 2")
		a.Want(false, true)
		if frames, weights := topic.Wanted(); frames != 1 || weights != 1 {
			t.Errorf("%d want frames and %d parameters", frames, weights)
		}
	})
}

func TestCloseDeliversWhatHappenedThenBye(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 1)
		s := topic.Subscribe(welcome, 0)
		drain(t, s)
		topic.Publish(point(2), 0)
		topic.Close("over")
		topic.Close("again")
		topic.Publish(point(3), 0)
		topic.Offer(&wire.Frame{})
		expect(t, drain(t, s), "2:point 2", "bye over", "closed")
		expect(t, drain(t, topic.Subscribe(welcome, 0)), "bye over", "closed")
		if n := topic.Subscribers(); n != 0 {
			t.Errorf("%d subscribers are left", n)
		}
	})
}

func TestThePublisherNeverWaitsForAReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(1000, 1)
		s := topic.Subscribe(welcome, 0)
		ctx, stop := context.WithCancel(t.Context())
		var events []uint64
		var last uint64
		frames := 0
		reader := make(chan error, 1)
		go func() { // ends with stop
			for {
				b, err := next(ctx, s)
				if err != nil {
					reader <- err
					return
				}
				for _, m := range messages(t, b) {
					switch m := m.(type) {
					case *wire.Point:
						events = append(events, m.Step)
					case *wire.Frame:
						frames++
						last = m.Number
					}
				}
				time.Sleep(time.Second) // a very slow connection
			}
		}()
		start := time.Now()
		for i := range uint64(500) {
			if i%10 == 0 {
				topic.Publish(point(i), 0)
			}
			topic.Offer(&wire.Frame{Number: i})
			time.Sleep(time.Millisecond)
		}
		if waited := time.Since(start); waited != 500*time.Millisecond {
			t.Errorf("500 messages took %v: the publisher waited", waited)
		}
		time.Sleep(time.Minute)
		stop()
		if err := <-reader; !errors.Is(err, context.Canceled) {
			t.Errorf("the reader ended with %v", err)
		}
		for i, step := range events {
			if step != uint64(i)*10 {
				t.Fatalf("event %d is of step %d", i, step)
			}
		}
		if len(events) != 50 || frames == 0 || frames > 5 || last != 499 {
			t.Errorf("%d of 50 events, %d frames, the last of them %d of 499", len(events), frames, last)
		}
	})
}

func TestAClosedSubscriberStopsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 0)
		s := topic.Subscribe(welcome, 0)
		drain(t, s)
		ended := make(chan error, 1)
		go func() {
			_, err := next(t.Context(), s)
			ended <- err
		}()
		synctest.Wait()
		s.Close()
		s.Close()
		if err := <-ended; !errors.Is(err, ErrClosed) {
			t.Errorf("the wait ended with %v", err)
		}
		if n := topic.Subscribers(); n != 0 {
			t.Errorf("%d subscribers are left", n)
		}
	})
}

func TestPublishingAllocatesNothingOfItsOwn(t *testing.T) {
	topic := new(Hub).Topic(10, 1)
	topic.Subscribe(welcome, 0)
	p, f := point(1), &wire.Frame{}
	for range 20 {
		topic.Publish(p, 0)
	}
	topic.Offer(f)
	if n := testing.AllocsPerRun(100, func() { topic.Publish(p, 0); topic.Offer(f) }); n != 0 {
		t.Errorf("an event and a frame allocate %v times", n)
	}
}

func BenchmarkPublishToAHundred(b *testing.B) {
	topic := new(Hub).Topic(20_000, 1)
	for range 100 {
		topic.Subscribe(welcome, 0)
	}
	p := point(1)
	for b.Loop() {
		topic.Publish(p, 0)
	}
}

func TestAReaderIsToldByItsNumberUntilItLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 0)
		one, other := topic.Subscribe(welcome, 0), topic.Subscribe(welcome, 0)
		topic.SendTo(one.ID(), &wire.Refused{Intent: 3})
		expect(t, drain(t, one), "fresh r at 0", "refused 3")
		expect(t, drain(t, other), "fresh r at 0")
		other.Close()
		if !topic.SendTo(other.ID(), &wire.Refused{}) {
			t.Error("who has gone was said to have too much waiting")
		}
		for range maxTold {
			topic.SendTo(one.ID(), &wire.Refused{})
		}
		if topic.SendTo(one.ID(), &wire.Refused{}) {
			t.Error("what waits for one subscriber has no bound")
		}
	})
}

// follow gives a topic n subscribers that have had everything.
func follow(t *testing.T, topic *Topic, n int) (all []*Subscriber) {
	for range n {
		s := topic.Subscribe(welcome, 0)
		drain(t, s)
		all = append(all, s)
	}
	return all
}
