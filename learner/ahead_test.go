package learner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/learner/remote"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
)

// lagged are short runs of every preset with a lag, and of others with one.
func lagged(t *testing.T) (runs []hyper.Config) {
	for _, p := range hyper.Presets {
		if cfg := kit.Config(t, p.Name, ""); cfg.Lag > 0 {
			runs = append(runs, kit.Config(t, p.Name, "steps=2000 batch=8 hidden=16"))
		}
	}
	for _, line := range []string{
		"cartpole lag=1", "cartpole lag=1 collect=trajectory actors=3", "cartpole lag=2 learners=2 mix=0.5",
		"catch lag=2 mix=0.5 lstm=8 recall=rebuild", "garnet mix=0.5 sharers=2 sharing=sweep lag=2",
		"random-sharers lag=1 mix=0.5", "tiny lag=2 batch=12 collect=trajectory actors=2 popart=off",
		"vmpo lag=2 target-every=3", "vmpo-pendulum lag=1", "laser sampling=prioritised lag=3", "stacx lag=1",
	} {
		preset, changes, _ := strings.Cut(line, " ")
		runs = append(runs, kit.Config(t, preset, "steps=1200 batch=8 hidden=16 "+changes))
	}
	return runs
}

// story is all that a run says, and before how many of its updates a round had been begun.
func story(t *testing.T, l *Learner, between func(*Learner) error) (told string, ahead int) {
	t.Helper()
	defer l.Close()
	var out strings.Builder
	result, err := l.Run(t.Context(), Hooks{
		Between: func(l *Learner) error {
			if l.fleet.(*referenceActors).ahead.begun {
				ahead++
			}
			return between(l)
		},
		Episode: func(e telemetry.Episode) { fmt.Fprintln(&out, e) },
		Update:  func(u *telemetry.Update) { fmt.Fprintln(&out, *u) },
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(&out, result)
	return out.String(), ahead
}

// onCores is something on one core, where nothing is played ahead, and then on three.
func onCores(do func(cores int)) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, n := range []int{1, 3} {
		runtime.GOMAXPROCS(n)
		do(n)
	}
}

func made(t *testing.T, cfg hyper.Config) *Learner {
	t.Helper()
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func quiet(*Learner) error { return nil }

func TestPlayingAheadDecidesNothing(t *testing.T) {
	for _, cfg := range lagged(t) {
		var want string
		onCores(func(cores int) {
			got, ahead := story(t, made(t, cfg), quiet)
			if cores == 1 {
				want = got
			}
			if got != want || (ahead > 0) != (cores > 1) {
				t.Errorf("%v: the same story on %d cores: %v; %d rounds were played ahead", cfg.Settings(), cores, got == want,
					ahead)
			}
		})
	}
}

// While a round is played ahead, settings change, snapshots are taken, the policy is compared, the state of another
// run is loaded, and remote actors come and go.
func TestARoundPlayedAheadIsTheWantedRoundAfterAnyChange(t *testing.T) {
	cfg := kit.Config(t, "cartpole", "steps=6400 batch=8 unroll=10 hidden=16 lag=2 collect=trajectory actors=2")
	var want string
	var blobs [][]byte
	onCores(func(cores int) {
		other := made(t, kit.Config(t, "cartpole", "steps=3120 batch=8 unroll=10 hidden=16 lag=3 seed=5"))
		defer other.Close()
		if _, err := other.Run(t.Context(), Hooks{}); err != nil {
			t.Fatal(err)
		}
		e := here
		e.Remotes = remote.NewActors()
		l, err := e.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		var now [][]byte
		call := 0
		got, ahead := story(t, l, func(l *Learner) error {
			call++
			turns := map[int]string{5: "lag=1", 9: "lag=0", 13: "lag=4", 17: "rho=2", 21: "mix=0.5", 25: "mix=0", 29: "lag=3",
				33: "lr=0.001"}
			if change := turns[call]; change != "" {
				key, value, _ := strings.Cut(change, "=")
				if _, err := turn(l, key, value); err != nil {
					return err
				}
			}
			switch call {
			case 3, 7, 14, 22, 30, 60:
				blob, err := l.Snapshot()
				now = append(now, blob)
				return err
			case 35:
				held, err := NewHeldOut(&l.cfg, l.machine.Spec)
				if err != nil {
					return err
				}
				one := []float32{1}
				if err := held.Begin(l.machine.Theta, []float32{0}, one, &l.cfg); err != nil {
					return err
				}
				for !held.Play() {
				}
				_, err = l.Inspect(0)
				return err
			case 40: // as old as this one, so that nothing but its parameters tells them apart
				return l.CopyFrom(other)
			case 45:
				lend(t, e.Remotes, true, honest)
			case 55:
				if all := e.Remotes.Infos(); len(all) != 1 || all[0].Steps == 0 {
					t.Errorf("the remote actor was never asked: %v", all)
				}
				e.Remotes.Close(errors.New("that was all"))
			}
			return nil
		})
		if cores == 1 {
			want, blobs = got, now
		}
		if got != want || (ahead > 20) != (cores > 1) {
			t.Errorf("the same story on %d cores: %v; %d rounds were played ahead", cores, got == want, ahead)
		}
		for i := range blobs {
			if !bytes.Equal(now[i], blobs[i]) {
				t.Errorf("snapshot %d is another one on %d cores", i, cores)
			}
		}
	})
	var end string
	for _, blob := range blobs[:1] {
		onCores(func(cores int) {
			l, err := Resume(blob)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := story(t, l, quiet)
			if cores == 1 {
				end = got
			}
			if got != end {
				t.Errorf("resumed on %d cores, it ends otherwise", cores)
			}
		})
	}
}

func TestARoundPlayedAheadNeedsAFreeCoreAndGivesItBack(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for n, want := range map[int]bool{1: false, 2: true} {
		cores := schedule.NewCores(n)
		share := cores.Share("", 1)
		share.Acquire()
		l, err := NewOn(share, kit.Config(t, "cartpole", "steps=2000 batch=8 lag=1"))
		if err != nil {
			t.Fatal(err)
		}
		ahead := false
		if _, err := l.Run(t.Context(), Hooks{Between: func(l *Learner) error {
			ahead = ahead || l.fleet.(*referenceActors).ahead.begun
			return nil
		}}); err != nil || ahead != want {
			t.Errorf("%d cores: %v, played ahead: %v", n, err, ahead)
		}
		share.Release()
		l.Close()
		other := cores.Share("another's", 1)
		for i := range n {
			if !other.Try() {
				t.Errorf("of %d cores the run still has %d", n, n-i)
			}
		}
	}
}

// The round beyond the last update, a round that is not awaited, and a round that fails.
func TestARunEndsInTheMiddleOfARoundPlayedAhead(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	l := made(t, kit.Config(t, "cartpole", "steps=800 batch=8 lag=1"))
	if _, err := l.Run(t.Context(), Hooks{}); err != nil || l.fleet.(*referenceActors).ahead.begun {
		t.Errorf("%v; a round was begun that nobody will learn from", err)
	}
	l.Close()
	for range 20 {
		l := made(t, kit.Config(t, "cartpole", "steps=0 batch=8 lag=1"))
		ctx, cancel := context.WithCancel(t.Context())
		_, err := l.Run(ctx, Hooks{Between: func(l *Learner) error {
			if l.Updates() == 4 {
				cancel()
			}
			return nil
		}})
		if l.Close(); !errors.Is(err, context.Canceled) {
			t.Errorf("a run that was stopped: %v", err)
		}
		fault := runToFault(t, made(t, kit.Config(t, "catch", "world=bomb batch=8 unroll=8 lag=1")))
		if fault.Value != "bomb: the thirtieth step" || !strings.Contains(string(fault.Stack), "playRound") {
			t.Errorf("a round that broke: %v", fault)
		}
	}
	cores := schedule.NewCores(2)
	share := cores.Share("", 1)
	err := schedule.Catch(func() error {
		share.Acquire()
		l, err := NewOn(share, kit.Config(t, "cartpole", "steps=0 batch=8 lag=1"))
		if err != nil {
			return err
		}
		defer l.Close()
		defer share.Release()
		_, err = l.Run(t.Context(), Hooks{Between: func(l *Learner) error {
			if l.Updates() == 9 {
				share.Close()
			}
			share.Yield()
			return nil
		}})
		return err
	})
	if !errors.Is(err, schedule.ErrClosed) {
		t.Errorf("a run that was dropped: %v", err)
	}
}

func TestPlayingAheadAllocatesNothing(t *testing.T) {
	const updates = 200
	var counts []float64
	onCores(func(int) {
		l := made(t, kit.Config(t, "cartpole", "steps=0 batch=8 lag=1"))
		defer l.Close()
		some := func() (mallocs uint64) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range updates {
				if err := l.update(t.Context(), nil, nil); err != nil {
					t.Fatal(err)
				}
			}
			runtime.ReadMemStats(&after)
			return after.Mallocs - before.Mallocs
		}
		some() // what stays is made
		counts = append(counts, float64(some())/updates)
	})
	if counts[1] > counts[0]+0.5 { // the runtime's own now and then
		t.Errorf("%v allocations an update where rounds are played ahead, %v where they are not", counts[1], counts[0])
	}
}
