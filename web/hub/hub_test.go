package hub

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"impalab/web/wire"
)

func welcome() wire.Welcome { return wire.Welcome{Run: "r", State: wire.StateRunning} }

func point(step uint64) *wire.Point { return &wire.Point{Step: step} }

// drain waits for the next cut, takes until nothing is left and writes what came as words, which is how the tests state
// their claims.
func drain(t *testing.T, s *Subscriber) (got []string) {
	t.Helper()
	time.Sleep(slowest)
	synctest.Wait()
	for {
		b, err := s.Take()
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
		if b, err := s.Take(); b != nil || err != nil {
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

func TestTheFirstMessageIsWelcomeThenTheHistoryThenWhatHappens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 1)
		topic.Publish(point(100), 0)
		topic.Offer(&wire.Frame{Number: 5})
		s := topic.Subscribe(welcome, 0)
		expect(t, drain(t, s), "fresh r at 2", "2:point 100", "frame 5")
		if n := topic.Publish(point(200), 0); n != 3 {
			t.Errorf("the third number is %d", n)
		}
		expect(t, drain(t, s), "3:point 200")
	})
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

func TestOnlyTheOwnerSeesItsIntent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 1)
		mine, other := topic.Subscribe(welcome, 0), topic.Subscribe(welcome, 0)
		drain(t, mine)
		drain(t, other)
		topic.Publish(&wire.Changed{Intent: 7}, mine.ID())
		expect(t, drain(t, mine), "2:changed by 7")
		expect(t, drain(t, other), "2:changed by 0")
		expect(t, drain(t, topic.Subscribe(welcome, 0)), "fresh r at 2", "2:changed by 0")
	})
}

func TestWhoComesBackGetsExactlyWhatItMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			after uint64
			want  []string
		}{
			{5, []string{"back r at 5"}},
			{4, []string{"back r at 5", "5:point 5"}},
			{2, []string{"back r at 5", "3:point 3", "4:point 4", "5:point 5"}},
			{1, []string{"fresh r at 5", "3:point 3", "4:point 4", "5:point 5"}}, // a history of 3 has lost event 2
			{6, []string{"fresh r at 5", "3:point 3", "4:point 4", "5:point 5"}}, // never happened here
		} {
			topic := new(Hub).Topic(3, 1)
			for n := range uint64(4) {
				topic.Publish(point(n+2), 0)
			}
			expect(t, drain(t, topic.Subscribe(welcome, c.after)), c.want...)
		}
	})
}

func TestWhoFallsBehindTheHistoryIsToldToForget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(3, 1)
		s := topic.Subscribe(welcome, 0)
		topic.Publish(point(2), 0)
		expect(t, drain(t, s), "fresh r at 2", "2:point 2")
		for n := range uint64(3) {
			topic.Publish(point(n+3), 0)
		}
		expect(t, drain(t, s), "3:point 3", "4:point 4", "5:point 5") // just in time
		for n := range uint64(4) {
			topic.Publish(point(n+6), 0)
		}
		expect(t, drain(t, s), "fresh r at 9", "7:point 7", "8:point 8", "9:point 9")
	})
}

func TestARunThatIsHeldASecondTimeHasOtherNumbers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 1000)
		topic.Publish(point(0), 0)
		// A page that was away meanwhile has event 3 of the first time: it is not taken for up to date.
		expect(t, drain(t, topic.Subscribe(welcome, 3)), "fresh r at 1001", "1001:point 0")
		expect(t, drain(t, topic.Subscribe(welcome, 1001)), "back r at 1001")
	})
}

func TestWhatIsToldToOneReachesOnlyThatOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 0)
		one, other := topic.Subscribe(welcome, 0), topic.Subscribe(welcome, 0)
		one.Tell(&wire.Refused{Intent: 3})
		expect(t, drain(t, one), "fresh r at 0", "refused 3")
		expect(t, drain(t, other), "fresh r at 0")
		for range maxTold {
			if !one.Tell(&wire.Refused{}) {
				t.Fatal("refused too early")
			}
		}
		if one.Tell(&wire.Refused{}) {
			t.Error("what waits for one subscriber has no bound")
		}
	})
}

func TestFramesAndParametersGoToThoseWhoWantThem(t *testing.T) {
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
		expect(t, drain(t, a), "*wire.Weights") // those that were there
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

func TestManyReadersSeeTheSameEventsInTheSameOrder(t *testing.T) {
	topic := new(Hub).Topic(5000, 1)
	const readers, events = 8, 2000
	var wg sync.WaitGroup
	for range readers {
		s := topic.Subscribe(welcome, 0)
		if _, err := s.Take(); err != nil { // the Welcome: who has not had it when a topic ends came too late
			t.Fatal(err)
		}
		wg.Go(func() {
			want := uint64(2)
			for {
				b, err := next(t.Context(), s)
				if err != nil {
					t.Error(err)
					return
				}
				for _, m := range messages(t, b) {
					switch m := m.(type) {
					case *wire.Changed:
						if m.Event != want {
							t.Errorf("event %d came where %d belongs", m.Event, want)
							return
						}
						want++
					case *wire.Bye:
						if want != events+2 {
							t.Errorf("the last event was %d", want-1)
						}
						return
					}
				}
			}
		})
	}
	var publishers sync.WaitGroup
	for range 2 {
		publishers.Go(func() {
			for range events / 2 {
				topic.Publish(&wire.Changed{Intent: 1}, 3)
				topic.Offer(&wire.Frame{})
			}
		})
	}
	publishers.Wait()
	topic.Close("done")
	wg.Wait()
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

func TestAStateChangeBetweenSubscribeAndWelcomeIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 1)
		state := wire.StateRunning
		s := topic.Subscribe(func() wire.Welcome {
			w := wire.Welcome{Run: "r", State: state} // made before the change…
			topic.Publish(&wire.Status{State: wire.StatePaused}, 0)
			return w
		}, 0)
		// …which therefore follows: at once when the next cut is there already, or with it.
		got := drain(t, s)
		got = append(got, drain(t, s)...)
		expect(t, got, "fresh r at 1", fmt.Sprintf("2:state %d", wire.StatePaused))
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

func TestOneIsToldByItsNumberAndWhoHasGoneIsNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 0)
		one, other := topic.Subscribe(welcome, 0), topic.Subscribe(welcome, 0)
		topic.Tell(one.ID(), &wire.Refused{Intent: 3})
		expect(t, drain(t, one), "fresh r at 0", "refused 3")
		expect(t, drain(t, other), "fresh r at 0")
		other.Close()
		if !topic.Tell(other.ID(), &wire.Refused{}) {
			t.Error("who has gone was said to have too much waiting")
		}
		for range maxTold {
			topic.Tell(one.ID(), &wire.Refused{})
		}
		if topic.Tell(one.ID(), &wire.Refused{}) {
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

func TestAllWhoAreUpToDateShareOneBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 1)
		all := follow(t, topic, 3)
		for i := range uint64(3) {
			topic.Publish(point(i), 0)
			topic.Offer(&wire.Frame{Number: i})
			topic.Offer(&wire.XRay{Step: i})
		}
		time.Sleep(quickest)
		synctest.Wait()
		first, _ := all[0].Take()
		topic.Offer(&wire.Frame{Number: 9}) // not shown before the next cut
		second, _ := all[1].Take()
		if first == nil || first != second || len(messages(t, first)) != 5 {
			t.Errorf("two got %p and %p", first, second)
		}
	})
}

func TestWhoAskedIsAnsweredAtOnceAndThenSharesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 1)
		all := follow(t, topic, 2)
		topic.Publish(point(2), 0)
		time.Sleep(quickest)
		synctest.Wait() // the cut has been: the next one is to wait
		topic.Publish(point(3), 0)
		topic.Publish(&wire.Changed{Intent: 7}, all[0].ID())
		b, _ := all[0].Take()
		if got := messages(t, b); len(got) != 3 || word(got[2]) != "4:changed by 7" {
			t.Errorf("at once came %v", got)
		}
		expect(t, drain(t, all[1]), "2:point 2", "3:point 3", "4:changed by 0")
		expect(t, drain(t, all[0]))
		topic.Publish(point(5), 0)
		time.Sleep(slowest)
		synctest.Wait()
		mine, _ := all[0].Take()
		other, _ := all[1].Take()
		if mine == nil || mine != other {
			t.Errorf("afterwards they got %p and %p", mine, other)
		}
	})
}

func TestALongWayIsTakenInFramesThatFit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(1000, 1)
		s := follow(t, topic, 1)[0]
		s.Want(true, true)
		for i := range uint64(1000) {
			topic.Publish(point(i), 0)
		}
		topic.Offer(&wire.Weights{})
		topic.Offer(&wire.Frame{})
		time.Sleep(slowest)
		synctest.Wait()
		var points, frames int
		var last *Batch
		for b, _ := s.Take(); b != nil; b, _ = s.Take() {
			for _, m := range messages(t, b) {
				switch m.(type) {
				case *wire.Point:
					points++
				case *wire.Frame:
					frames++
				}
			}
			last = b
		}
		if points != 1000 || frames != 1 || !last.Noise || len(messages(t, last)) != 1 {
			t.Errorf("%d points, %d frames, and last %v", points, frames, messages(t, last))
		}
	})
}

func TestTheMoreSubscribersTheFewerCuts(t *testing.T) {
	for _, c := range []struct {
		n    int64
		want time.Duration
	}{{0, quickest}, {30, quickest}, {80, 20 * time.Millisecond}, {200, 50 * time.Millisecond}, {2000, common}} {
		var h Hub
		h.subscribers.Store(c.n)
		if got := h.Every(); got != c.want {
			t.Errorf("with %d subscribers a cut comes every %v, not %v", c.n, got, c.want)
		}
	}
}

func TestSendingTakesNoMoreThanItsShareOfTheCores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h Hub
		topic := h.Topic(10, 0)
		s := topic.Subscribe(welcome, 0)
		h.subscribers.Store(100)
		calm := h.Every()
		look := func(share float64) time.Duration {
			each := time.Duration(share * float64(lookEvery) * float64(runtime.GOMAXPROCS(0)) / 1000)
			for range 1000 {
				s.Sent(each)
			}
			time.Sleep(lookEvery)
			return h.Every()
		}
		if got := look(share); got != calm {
			t.Errorf("at its share cuts come every %v instead of %v", got, calm)
		}
		if got := look(1.5 * share); got != calm*3/2 {
			t.Errorf("at half more than its share cuts come every %v", got)
		}
		for range 10 {
			look(1)
		}
		if got := look(1); got != slowest {
			t.Errorf("under great load cuts come every %v", got)
		}
		for range 10 {
			look(0)
		}
		if got := h.Every(); got != calm {
			t.Errorf("afterwards cuts come every %v", got)
		}
		s.Sent(time.Hour) // waited for the network
		if got := look(0); got != calm {
			t.Errorf("one slow connection makes it %v", got)
		}
	})
}

func TestManyAreWokenOverHalfOfTheTimeAndNotAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 1)
		all := make([]*Subscriber, 2000)
		for i := range all {
			all[i] = topic.Subscribe(welcome, 0)
		}
		topic.Publish(point(2), 0)
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		woken := func() (n int) {
			for _, s := range all {
				n += len(s.ready)
			}
			return n
		}
		if n := woken(); n != burst {
			t.Errorf("%d are woken at once", n)
		}
		time.Sleep(common / 4)
		synctest.Wait()
		if n := woken(); n < 900 || n > 1100 {
			t.Errorf("half way %d are woken", n)
		}
		time.Sleep(common / 4)
		synctest.Wait()
		if n := woken(); n != len(all) {
			t.Errorf("in the end %d are woken", n)
		}
	})
}
