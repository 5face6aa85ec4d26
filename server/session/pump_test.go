package session

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"impalab/web/hub"
	"impalab/web/wire"
)

// paper is a transport that notes each message and its time, and takes as long as a test wants.
type paper struct {
	slow  time.Duration
	fail  bool
	heard []wire.Message
	beats []time.Duration
	start time.Time
}

func (p *paper) send(b *hub.Batch, _ time.Duration) error {
	time.Sleep(p.slow)
	if p.fail {
		return errors.New("broken pipe")
	}
	frame, err := b.Frame()
	if err != nil {
		return err
	}
	messages, err := wire.DecodeAll(frame, wire.FromServer)
	p.heard = append(p.heard, messages...)
	return err
}

func (p *paper) hurry() {}

func (p *paper) beat() error {
	p.beats = append(p.beats, time.Since(p.start))
	return nil
}

// pumping runs a session's pump over paper; done is closed when it has ended.
func pumping(l Lab, p *paper) (s *session, done chan struct{}) {
	opts := &Options{}
	opts.defaults()
	s, done = newSession(opts, l, "192.0.2.1"), make(chan struct{})
	p.start = time.Now()
	go func() { // ends with the session
		s.pump(p)
		s.close()
		close(done)
	}()
	return s, done
}

func TestASilentConnectionIsClosedAfterFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &paper{}
		_, done := pumping(newOneRun(), p)
		<-done
		if waited := time.Since(p.start); waited != 5*time.Second {
			t.Errorf("it took %v", waited)
		}
		if bye, ok := p.heard[0].(*wire.Bye); !ok || bye.Reason != errSilent.Error() {
			t.Errorf("got %#v", p.heard)
		}
	})
}

// slowOpen takes its time to find a run.
type slowOpen struct{ *oneRun }

func (l slowOpen) Open(hello *wire.Hello, address string) (hub.Run, error) {
	time.Sleep(time.Minute)
	return l.oneRun.Open(hello, address)
}

func TestOnlyTheBrowserMustBeQuickNotTheLab(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &paper{}
		s, done := pumping(slowOpen{newOneRun()}, p)
		if err := s.receive(encode(t, &wire.Hello{})); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		s.end(errGone)
		<-done
		if _, ok := p.heard[0].(*wire.Welcome); !ok {
			t.Errorf("got %#v", p.heard)
		}
	})
}

func TestTheConnectionIsKeptAliveInSilenceAndUnderLoad(t *testing.T) {
	for _, every := range []time.Duration{time.Hour, 5 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			l, p := newOneRun(), &paper{}
			s, done := pumping(l, p)
			s.receive(encode(t, &wire.Hello{}))
			ctx, stop := context.WithTimeout(t.Context(), 70*time.Second)
			defer stop()
			for tick := time.Tick(every); ctx.Err() == nil; {
				select {
				case <-tick:
					l.topic.Offer(&wire.Frame{})
				case <-ctx.Done():
				}
			}
			s.end(errGone)
			<-done
			if len(p.beats) != 3 || p.beats[0] < 20*time.Second {
				t.Errorf("in 70 s it beat at %v", p.beats)
			}
		})
	}
}

func TestASlowBrowserLosesFramesNeverEventsAndDelaysNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newOneRun()
		slow, quick := &paper{slow: time.Second}, &paper{}
		a, doneA := pumping(l, slow)
		b, doneB := pumping(l, quick)
		a.receive(encode(t, &wire.Hello{}))
		b.receive(encode(t, &wire.Hello{}))
		synctest.Wait()
		const every = 11 * time.Millisecond // longer than between two cuts, so that each cut shows one frame at most
		start := time.Now()
		for i := range uint64(200) {
			l.topic.Offer(&wire.Frame{Number: i})
			if i%20 == 0 {
				l.topic.Publish(&wire.Point{Step: i}, 0)
			}
			time.Sleep(every)
		}
		if d := time.Since(start); d != 200*every {
			t.Errorf("publishing took %v: it waited", d)
		}
		time.Sleep(time.Minute)
		a.end(errGone)
		b.end(errGone)
		<-doneA
		<-doneB
		count := func(p *paper) (frames, points int) {
			for _, m := range p.heard {
				switch m.(type) {
				case *wire.Frame:
					frames++
				case *wire.Point:
					points++
				}
			}
			return
		}
		if frames, points := count(slow); points != 10 || frames > 3 {
			t.Errorf("the slow one got %d of 10 events and %d frames", points, frames)
		}
		if frames, points := count(quick); points != 10 || frames != 200 {
			t.Errorf("the quick one got %d of 10 events and %d of 200 frames", points, frames)
		}
	})
}

func TestABrokenConnectionEndsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newOneRun()
		s, done := pumping(l, &paper{fail: true})
		s.receive(encode(t, &wire.Hello{}))
		<-done
		if came, left := l.watchers(); came != 1 || left != 1 {
			t.Errorf("%d came to the run and %d left it", came, left)
		}
		if err := s.receive(encode(t, &wire.Set{Seq: 1})); !errors.Is(err, errGone) {
			t.Errorf("what comes afterwards is answered by %v", err)
		}
	})
}

func TestAMessageThatCannotBeSentEndsTheSessionWithAWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, p := newOneRun(), &paper{}
		s, done := pumping(l, p)
		s.receive(encode(t, &wire.Hello{}))
		l.topic.Offer(&wire.Frame{State: make([]byte, wire.MaxState+1)})
		<-done
		if bye, ok := p.heard[len(p.heard)-1].(*wire.Bye); !ok || bye.Reason != errInternal.Error() {
			t.Errorf("got %#v", p.heard)
		}
	})
}
