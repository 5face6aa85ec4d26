package learner

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/schedule"
)

// Every kind of goroutine of a run computes on the cores it holds, on one as on several, alone and beside other runs. A
// reference run gives the same bytes in each case.
func TestRunsThatShareCoresComeToTheSame(t *testing.T) {
	settings := []string{
		"", "batch=32 lag=3", "collect=trajectory actors=4", "learners=4", "sharers=2 mix=0.5", "mode=live actors=4",
		"mode=live actors=4 inference=batched",
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := make([]string, len(settings))
	for i, changes := range settings {
		l, err := New(kit.Config(t, "catch", "batch=16 steps=8000 "+changes))
		if err != nil {
			t.Fatal(err)
		}
		result, err := l.Run(context.Background(), Hooks{})
		if l.Close(); err != nil {
			t.Fatal(err)
		}
		want[i] = result.ParamsSHA256
	}
	for _, n := range []int{1, 2, 3, 4, 6} {
		restore := runtime.GOMAXPROCS(n) // of which an actor's parts are as many as there are
		cores := schedule.NewCores(n)
		var running sync.WaitGroup
		for i, changes := range settings {
			running.Go(func() {
				share := cores.Share(changes, 1)
				defer share.Close()
				share.Acquire()
				l, err := NewOn(share, kit.Config(t, "catch", "batch=16 steps=8000 "+changes))
				if err != nil {
					t.Error(err)
					return
				}
				result, err := l.Run(context.Background(), Hooks{Between: func(*Learner) error { share.Yield(); return nil }})
				share.Release()
				if l.Close(); err != nil || l.cfg.Mode != "live" && result.ParamsSHA256 != want[i] {
					t.Errorf("%d cores, %s: %v, parameters %.8s, alone %.8s", n, changes, err, result.ParamsSHA256, want[i])
				}
			})
		}
		running.Wait()
		runtime.GOMAXPROCS(restore)
	}
}
