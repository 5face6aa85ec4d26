package hub

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"impalab/web/wire"
)

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

func TestAReturningReaderGetsExactlyTheMissedEvents(t *testing.T) {
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

func TestAReaderBehindTheHistoryIsToldToForget(t *testing.T) {
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

func TestManyReadersSeeTheSameEventsInTheSameOrder(t *testing.T) {
	topic := new(Hub).Topic(5000, 1)
	const readers, events = 8, 2000
	var wg sync.WaitGroup
	for range readers {
		s := topic.Subscribe(welcome, 0)
		if _, err := s.Next(); err != nil { // the Welcome: who has not had it when a topic ends came too late
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
