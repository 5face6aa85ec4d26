package actor

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"

	"impalab/learner/net"
	"impalab/learner/schedule"
)

func TestOnePassAnswersEveryoneWhoAsks(t *testing.T) {
	_, spec, theta := newActor(t, "cartpole", 1, 8)
	passes := 0
	latest := func(to []float32) uint64 { passes++; return uint64(copy(to, theta)) }
	b := newBatching(spec, 3, 2, net.NewForward(spec, 6), latest)
	var players, alone []*Actor
	for i := range uint64(3) {
		one, err := New("cartpole", spec, 2, 1, i)
		if err != nil {
			t.Fatal(err)
		}
		two, _ := New("cartpole", spec, 2, 1, i)
		players, alone = append(players, one), append(alone, two)
		b.Join(one)
	}
	var asking sync.WaitGroup
	got := make([][]float32, 3)
	for i, a := range players {
		asking.Go(func() { got[i], _ = a.ask() })
	}
	for len(b.asked) < 3 {
		runtime.Gosched()
	}
	b.answer(<-b.asked)
	asking.Wait()
	if passes != 1 {
		t.Errorf("%d passes for three actors", passes)
	}
	for i, a := range alone {
		want, _ := a.forward.Run(theta, a.obs, nil, a.n)
		if !slices.Equal(got[i], want) {
			t.Errorf("actor %d is told %v, its own pass says %v", i, got[i], want)
		}
	}
}

func TestABatchedActorPlaysWhatItWouldAlone(t *testing.T) {
	_, spec, _ := newActor(t, "cartpole", 1, 8)
	spec.LSTM, spec.Feedback = 5, 3
	theta := make([]float32, spec.Params())
	spec.Init(theta, 1)
	const actors = 4
	b := NewBatching(spec, actors, 3, nil, nil, func(to []float32) uint64 { return uint64(copy(to, theta)) })
	var playing sync.WaitGroup
	for i := range actors {
		one, err := New("cartpole", spec, 3, 1, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		two, _ := New("cartpole", spec, 3, 1, uint64(i))
		b.Join(one)
		playing.Go(func() {
			x, y := unrolls(3, 50, spec), unrolls(3, 50, spec)
			one.Play(nil, 7, x, ignore)
			two.Play(theta, 7, y, ignore)
			for j := range x {
				if !slices.Equal(x[j].Obs, y[j].Obs) || !slices.Equal(x[j].Mu, y[j].Mu) || x[j].Version != 7 {
					t.Errorf("actor %d, copy %d: plays otherwise than alone", i, j)
				}
			}
		})
	}
	playing.Wait()
	b.Close()
}

func TestAskingAllocatesNothing(t *testing.T) {
	a, spec, theta := newActor(t, "cartpole", 4, 8)
	b := NewBatching(spec, 1, 4, nil, nil, func(to []float32) uint64 { return uint64(copy(to, theta)) })
	defer b.Close()
	b.Join(a)
	u := unrolls(4, 10, spec)
	if n := testing.AllocsPerRun(100, func() { a.Play(nil, 0, u, ignore) }); n >= 1 {
		t.Errorf("%v allocations an unroll", n)
	}
}

// All waiting and later actors end with the fault; none waits forever.
func TestABatchingThatPanicsEndsItsActors(t *testing.T) {
	_, spec, theta := newActor(t, "cartpole", 1, 8)
	passes := 0
	b := NewBatching(spec, 3, 2, nil, nil, func(to []float32) uint64 {
		if passes++; passes == 5 {
			panic("no parameters")
		}
		return uint64(copy(to, theta))
	})
	var playing sync.WaitGroup
	for i := range uint64(3) {
		one, err := New("cartpole", spec, 2, 1, i)
		if err != nil {
			t.Fatal(err)
		}
		b.Join(one)
		us := unrolls(2, 20, spec)
		playing.Go(func() {
			err := schedule.Catch(func() error { return one.Play(nil, 0, us, ignore) })
			var fault *schedule.Fault
			if !errors.As(err, &fault) || fault.Value != "no parameters" {
				t.Errorf("actor %d ended with %v", i, err)
			}
		})
	}
	playing.Wait()
	b.Close()
}

// broken is a forward pass whose device fails at its third.
type broken struct {
	Forward
	passes int
}

func (f *broken) Run(theta, input, state []float32, rows int) (logits, values []float32) {
	f.passes++
	return f.Forward.Run(theta, input, state, rows)
}

func (f *broken) Err() error {
	if f.passes > 2 {
		return errors.New("the card has been pulled out")
	}
	return nil
}

func TestABatchingWhoseDeviceFailsEndsItsActorsWithTheReason(t *testing.T) {
	_, spec, theta := newActor(t, "cartpole", 1, 8)
	b := NewBatching(spec, 2, 2, nil, &broken{Forward: net.NewForward(spec, 4)},
		func(to []float32) uint64 { return uint64(copy(to, theta)) })
	var playing sync.WaitGroup
	for i := range uint64(2) {
		one, err := New("cartpole", spec, 2, 1, i)
		if err != nil {
			t.Fatal(err)
		}
		b.Join(one)
		us := unrolls(2, 20, spec)
		playing.Go(func() {
			if err := one.Play(nil, 0, us, ignore); err == nil || err.Error() != "the card has been pulled out" {
				t.Errorf("actor %d ended with %v", i, err)
			}
		})
	}
	playing.Wait()
	b.Close()
}

// Each goroutine that computes holds a core: the actor while it plays, the server during a pass. A waiting actor
// returns its core (with one core there would otherwise be no answer), and takes one again however the waiting ends.
func TestAComputingActorHoldsACore(t *testing.T) {
	a, spec, theta := newActor(t, "cartpole", 1, 8)
	cores := schedule.NewCores(1)
	share, visitor := cores.Share("ours", 1), cores.Share("theirs", 1)
	held := func(when string) {
		if visitor.Try() {
			t.Errorf("%s the core was free", when)
			visitor.Release()
		}
	}
	passes := 0
	b := NewBatching(spec, 1, 1, share, nil, func(to []float32) uint64 {
		held("during a pass")
		if passes++; passes > 50 {
			panic("no parameters")
		}
		return uint64(copy(to, theta))
	})
	b.Join(a)
	a.Cores = share
	share.Acquire()
	for range 50 {
		a.ask()
		held("after an answer")
	}
	var fault *schedule.Fault
	if _, err := a.ask(); !errors.As(err, &fault) {
		t.Errorf("the last pass ended with %v", err)
	}
	held("after a fault")
	share.Release()
	if !visitor.Try() {
		t.Error("the core was not given back")
	}
}

func TestAnActorOfADroppedRunStopsAtItsNextStep(t *testing.T) {
	a, spec, theta := newActor(t, "cartpole", 1, 8)
	a.Cores = schedule.NewCores(1).Share("", 1)
	a.Cores.Acquire()
	a.Cores.Close()
	us := unrolls(1, 5, spec)
	if err := schedule.Catch(func() error { return a.Play(theta, 0, us, ignore) }); !errors.Is(err, schedule.ErrClosed) {
		t.Errorf("it ended with %v", err)
	}
}
