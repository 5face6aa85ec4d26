package hub

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"impalab/web/wire"
)

func TestReadersAtOneCutShareOneBatch(t *testing.T) {
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
		first, _ := all[0].Next()
		topic.Offer(&wire.Frame{Number: 9}) // not shown before the next cut
		second, _ := all[1].Next()
		if first == nil || first != second || len(messages(t, first)) != 5 {
			t.Errorf("two got %p and %p", first, second)
		}
	})
}

func TestTheOwnerIsAnsweredAtOnceAndThenSharesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := new(Hub).Topic(10, 1)
		all := follow(t, topic, 2)
		topic.Publish(point(2), 0)
		time.Sleep(quickest)
		synctest.Wait() // the cut has been: the next one is to wait
		topic.Publish(point(3), 0)
		topic.Publish(&wire.Changed{Intent: 7}, all[0].ID())
		b, _ := all[0].Next()
		if got := messages(t, b); len(got) != 3 || word(got[2]) != "4:changed by 7" {
			t.Errorf("at once came %v", got)
		}
		expect(t, drain(t, all[1]), "2:point 2", "3:point 3", "4:changed by 0")
		expect(t, drain(t, all[0]))
		topic.Publish(point(5), 0)
		time.Sleep(slowest)
		synctest.Wait()
		mine, _ := all[0].Next()
		other, _ := all[1].Next()
		if mine == nil || mine != other {
			t.Errorf("afterwards they got %p and %p", mine, other)
		}
	})
}

func TestALongHistoryIsSentInFramesThatFit(t *testing.T) {
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
		for b, _ := s.Next(); b != nil; b, _ = s.Next() {
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
