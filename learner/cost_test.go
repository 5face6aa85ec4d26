package learner

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"impalab/internal/kit"
)

// held is the memory that a run holds after n updates.
func held(t *testing.T, preset, changes string, n uint64) float64 {
	t.Helper()
	heap := func() float64 {
		var m runtime.MemStats
		for range 3 { // the second or third collection frees objects with finalizers or from pools
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := heap()
	l, err := New(kit.Config(t, preset, changes))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	enough := errors.New("enough")
	_, err = l.Run(context.Background(), Hooks{Between: func(l *Learner) error {
		if l.Updates() == n {
			return enough
		}
		return nil
	}})
	if !errors.Is(err, enough) {
		t.Fatal(err)
	}
	after := heap()
	runtime.KeepAlive(l)
	return after - before
}

// Each case makes another part of the estimate the largest.
func TestTheEstimatedCostOfARunMatchesTheMeasuredOne(t *testing.T) {
	long(t)
	for _, c := range []struct {
		preset, changes, largest string
		updates                  uint64
	}{
		{"cartpole", "replay-size=1 unroll=64 batch=128", "unroll=64, batch=128, hidden=64-64", 2},
		{"cartpole", "replay-size=1 unroll=128 batch=128 hidden=none", "unroll=128, batch=128, hidden=none", 2},
		{"four-rooms", "replay-size=1 unroll=64 batch=128", "unroll=64, batch=128, hidden=none", 2},
		{"cartpole", "replay-size=1 unroll=32 batch=32 hidden=512-512", "hidden=512-512, unroll=32, batch=32", 2},
		{"cartpole", "replay-size=1 hidden=256-256 lag=64", "lag=64, hidden=256-256", 66},
		{"four-rooms", "replay-size=20000 mix=0.5 batch=64", "replay-size=20000", 33},
		{"four-rooms", "replay-size=1 mode=live actors=32 unroll=256 batch=1", "actors=32, unroll=256", 40},
		{"cartpole", "replay-size=1 unroll=64 batch=128 algo=stacx heads=8", "unroll=64, batch=128, hidden=64-64", 2},
		{"cartpole", "replay-size=1 unroll=64 batch=64 algo=stacx heads=3 head-hidden=256",
			"unroll=64, batch=64, hidden=64-64, head-hidden=256", 2},
		{"catch", "replay-size=1 unroll=64 batch=64 torso=shallow hidden=128",
			"unroll=64, batch=64, torso=shallow, hidden=128", 2},
		{"catch", "replay-size=1 unroll=64 batch=64 torso=deep hidden=none",
			"unroll=64, batch=64, torso=deep, hidden=none", 2},
		{"catch", "replay-size=1 unroll=64 batch=64 hidden=16 lstm=256", "unroll=64, batch=64, hidden=16, lstm=256", 2},
		{"catch", "replay-size=1 unroll=64 batch=64 hidden=16 trxl=128 core-layers=2",
			"unroll=64, batch=64, hidden=16, trxl=128, core-layers=2, core-memory=32", 2},
		{"breakout", "replay-size=1 unroll=64 batch=64 torso=flat hidden=16 pixel-control=0.1 pixel-cell=1",
			"unroll=64, batch=64, hidden=16, pixel-control=0.1, pixel-cell=1", 2},
		{"cartpole", "replay-size=1 unroll=64 batch=128 algo=vmpo", "unroll=64, batch=128, hidden=64-64", 2},
		{"cartpole", "replay-size=1 unroll=64 batch=64 sharers=4", "unroll=64, batch=64, hidden=64-64, sharers=4", 2},
		{"cartpole", "replay-size=1 unroll=64 batch=128 learners=8", "unroll=64, batch=128, hidden=64-64", 2},
		{"cartpole", "replay-size=1 unroll=32 batch=32 hidden=512-512 learners=4",
			"hidden=512-512, unroll=32, batch=32, learners=4", 2},
	} {
		cfg := kit.Config(t, c.preset, c.changes)
		cost, err := CostOf(&cfg)
		if err != nil {
			t.Fatal(err)
		}
		real := held(t, c.preset, c.changes, c.updates)
		t.Logf("%s %s: estimated %.1f MB, held %.1f MB, work %.2g", c.preset, c.changes, cost.Bytes/1e6, real/1e6, cost.Work)
		if cost.Bytes < 0.8*real || cost.Bytes > 2.5*real {
			t.Errorf("%s %s: estimated %.1f MB, held %.1f MB", c.preset, c.changes, cost.Bytes/1e6, real/1e6)
		}
		if cost.Largest != c.largest {
			t.Errorf("%s %s: most of it for %q", c.preset, c.changes, cost.Largest)
		}
	}
}

func TestTheGreediestSettingsAreSeenForWhatTheyAre(t *testing.T) {
	const greedy = "hidden=1024-1024-1024-1024 batch=1024 unroll=1024 replay-size=5e6 lag=1024 actors=64"
	cfg := kit.Config(t, "cartpole", greedy)
	cost, err := CostOf(&cfg)
	if err != nil {
		t.Fatal(err)
	}
	if cost.Bytes < 40e9 || cost.Work < 1e13 || !strings.Contains(cost.Largest, "unroll=1024, batch=1024") {
		t.Errorf("%+v", cost)
	}
}

// Unrolls that overlap need more memory: each copy's repeated steps, with the core's state before each.
func TestTheEstimatedCostOfAnOverlapMatchesTheMeasuredOne(t *testing.T) {
	long(t)
	for _, c := range []string{"", "mode=live actors=2 "} {
		const core = "replay-size=1 unroll=64 batch=16 hidden=16 trxl=16 core-layers=2 core-memory=128 "
		apart, over := kit.Config(t, "catch", c+core), kit.Config(t, "catch", c+core+"overlap=63")
		less, err := CostOf(&apart)
		if err != nil {
			t.Fatal(err)
		}
		more, err := CostOf(&over)
		if err != nil {
			t.Fatal(err)
		}
		estimated := more.Bytes - less.Bytes
		real := held(t, "catch", c+core+"overlap=63", 2) - held(t, "catch", c+core, 2)
		t.Logf("%s: estimated %.1f MB, held %.1f MB", c, estimated/1e6, real/1e6)
		if estimated < 0.8*real || estimated > 1.5*real {
			t.Errorf("%s: estimated %.1f MB, held %.1f MB", c, estimated/1e6, real/1e6)
		}
	}
}

// The distance to an implied Gaussian is an integral, whose work grows with the controls.
func TestTheTrustRegionOfAGaussianIsWork(t *testing.T) {
	work := func(preset, changes string) Cost {
		cfg := kit.Config(t, preset, "hidden=8 mix=0.5 replay-size=10000 "+changes)
		cost, err := CostOf(&cfg)
		if err != nil {
			t.Fatal(err)
		}
		return cost
	}
	for _, c := range []struct {
		preset string
		least  float64 // times the work without it
	}{{"impala-pendulum", 1.1}, {"impala-cheetah", 3}} {
		plain, to := work(c.preset, "correction=vtrace"), work(c.preset, "correction=trust-region")
		if to.Work < c.least*plain.Work {
			t.Errorf("%s: work %.2g, and %.2g without a trust region", c.preset, to.Work, plain.Work)
		}
		if behaviour := work(c.preset, "correction=trust-region relevance=behaviour"); behaviour.Work != plain.Work {
			t.Errorf("%s: the distance to μ costs %.2g more", c.preset, behaviour.Work-plain.Work)
		}
	}
	if to := work("impala-cheetah", "correction=trust-region"); !strings.Contains(to.Working, "relevance=implied") {
		t.Errorf("the work is for %s", to.Working)
	}
}

// A rebuilt state is an episode played again, and an episode may be as long as the store.
func TestBringingStatesBackIsWork(t *testing.T) {
	work := func(changes string) float64 {
		cfg := kit.Config(t, "t-maze", "lstm=64 mix=0.5 batch=64 "+changes)
		cost, err := CostOf(&cfg)
		if err != nil {
			t.Fatal(err)
		}
		return cost.Work
	}
	stored := work("recall=stored")
	for _, changes := range []string{"recall=burn-in burn-in=1000", "recall=rebuild world=breakout replay-size=100000"} {
		if more := work(changes); more < 3*stored {
			t.Errorf("%s: work %.2g, with stored states %.2g", changes, more, stored)
		}
	}
	if work("recall=rebuild") > 3*stored {
		t.Error("the maze ends its episodes early, and so is their playing again")
	}
	cfg := kit.Config(t, "breakout", "lstm=64 mix=0.5 recall=rebuild replay-size=100000")
	if cost, _ := CostOf(&cfg); !strings.Contains(cost.Working, "recall=rebuild, replay-size=100000") {
		t.Errorf("the work is for %s", cost.Working)
	}
}
