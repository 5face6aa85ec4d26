package learner

import (
	"fmt"
	"runtime"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/kernel"
)

// same are the configurations that must give the same bytes however they are run: settings with state in each other's
// company. web/runloop has every setting by itself, at every stop.
var same = []struct{ preset, changes string }{
	{"cartpole", "lag=3 steps=10000 unroll=20 batch=16"},
	{"catch", "correction=one-step ratio=mean lag=4 lstm=6 steps=2000"},
	{"laser-catch", "correction=moment moment-of=any moment=0.001 learners=2 steps=3000"},
	{"catch", "mix=0.5 lag=2 steps=3000 anneal=linear replay-size=500"},
	{"four-rooms", "correction=trust-region lag=8 steps=6000 collect=trajectory actors=4"},
	{"cliff", "mix=1 correction=leaky alpha=0.7 steps=3000"},
	{"destination", "steps=8000"},
	{"stac", "lag=3 steps=4000 mix=0.25 meta-lr=0.02 tune=gamma-alpha-alphac-value-entropy"},
	{"stacx", "heads=2 learners=2 head-hidden=16 steps=2000 meta-lr=0.02"},
	{"vmpo", "lag=2 mix=0.25 steps=5000 target-every=7"},
	{"laser", "sampling=prioritised priority=0.7 priority-beta=0.5 lag=2 steps=4000 replay-size=2000"},
	{"laser-catch", "sampling=prioritised mix=1 trust=0.01 steps=3000 learners=2"},
	{"catch", "torso=shallow hidden=16 lstm=8 feedback=on mix=0.5 recall=rebuild steps=2000 replay-size=500"},
	{"catch", "torso=deep hidden=none torsos=separate steps=600"},
	{"t-maze", "lstm=6 torsos=separate mix=0.5 recall=burn-in burn-in=7 popart=on steps=6000"},
	{"vmpo", "lstm=6 popart=on head-hidden=8 steps=4000 target-every=3"},
	{"laser-catch", "lstm=4 popart=on recall=rebuild sampling=prioritised steps=2000"},
	{"stac", "lstm=5 feedback=on steps=3000 meta-lr=0.02"},
	{"t-maze", "algo=vmpo lstm=6 mix=0.5 recall=rebuild target-every=7 learners=2 steps=6000"},
	{"vmpo", "learners=4 lag=2 mix=0.25 steps=3000 target-every=3"},
	{"vmpo-pendulum", "learners=2 steps=4000"},
	{"vmpo-pendulum", "lag=2 mix=0.25 steps=4000"},
	{"impala-pendulum", "policy=tanh feedback=on correction=trust-region relevance=behaviour mix=0.5 steps=3000"},
	{"reacher", "policy=gaussian algo=laser trust=0.05 mix=0.5 lag=2 steps=3000"},
	{"a2c", "collect=trajectory actors=3 steps=4000"},
	{"garnet", "mix=0.75 sharers=3 sharing=sweep lag=2 steps=2000 replay-size=3000"},
	{"foreign-data", "steps=3000 learners=4"},
	{"random-sharers", "steps=3000 mix=1"},
	{"t-maze", "lstm=4 mix=0.5 recall=rebuild sharers=2 sharing=same learners=2 collect=trajectory steps=3000"},
	{"tiny", "hidden=8 lstm=4 mix=0.5 recall=rebuild lag=2 steps=8000"},
	{"t-maze", "unroll=12 overlap=9 lstm=4 mix=0.5 recall=rebuild lag=2 collect=trajectory actors=2 steps=2000"},
	{"tiny", "hidden=8 lstm=4 batch=12 actors=2 collect=trajectory learners=2 steps=5000"},
	{"swing-up", "policy=gaussian mix=0.5 sharers=1 sharing=contrary learners=2 steps=3000"},
	{"t-maze", "lstm=0 trxl=6 core-heads=3 core-layers=2 core-memory=9 torsos=separate mix=0.5 recall=burn-in burn-in=7 " +
		"popart=on steps=4000"},
	{"vmpo", "lstm=6 core-layers=3 popart=on steps=4000 target-every=3"},
	{"t-maze", "algo=vmpo lstm=0 trxl=8 core-heads=2 core-memory=6 core-layers=2 mix=0.5 recall=rebuild target-every=7 " +
		"learners=2 lag=2 steps=4000"},
	{"t-maze", "lstm=4 mix=0.5 replay-by=episode lag=2 replay-size=900 unroll=12 steps=2000"},
	{"laser-catch", "replay-by=episode sampling=prioritised unroll=7 steps=3000 learners=2 popart=on"},
	{"t-maze", "algo=vmpo lstm=4 mix=0.5 replay-by=episode target-every=7 sharers=2 sharing=same unroll=9 overlap=3 " +
		"steps=3000"},
	{"t-maze", "lstm=0 trxl=6 core-heads=2 core-memory=9 memory=unroll mix=0.5 lag=2 unroll=5 steps=3000"},
	{"breakout", "pixel-control=0.01 pixel-cell=2 hidden=16 lag=2 steps=2000"},
	{"laser-catch", "pixel-control=0.01 pixel-cell=3 lstm=4 popart=on sampling=prioritised learners=2 steps=2000"},
	{"vmpo-catch", "pixel-control=0.01 pixel-cell=2 lstm=4 feedback=on target-every=3 mix=0.5 steps=2000"},
	{"catch", "pixel-control=0.01 pixel-cell=5 lstm=4 mode=reference overlap=3 sharers=1 sharing=same mix=0.5 steps=2000"},
}

// varied is the configurations above; with -short, as under the race detector, every fourth.
func varied() (some []struct{ preset, changes string }) {
	if !testing.Short() {
		return same
	}
	for i := 0; i < len(same); i += 4 {
		some = append(some, same[i])
	}
	return some
}

// long leaves a test that learns for seconds out of -short runs.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it learns for seconds")
	}
}

// equal compares results to the last bit; NaN, no episodes yet, equals itself.
func equal(a, b Result) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// TestARunHasTheSameBytesOnAnyCoresAtAnyWidthAfterAStop trains each configuration on one core, and then on four: up to
// the middle in the widest vectors, and from a snapshot in the narrowest.
func TestARunHasTheSameBytesOnAnyCoresAtAnyWidthAfterAStop(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, c := range varied() {
		cfg := kit.Config(t, c.preset, c.changes)
		runtime.GOMAXPROCS(1)
		whole := train(t, cfg, Hooks{})
		runtime.GOMAXPROCS(4)
		var blob []byte
		trainWith(t, cfg, nil, Hooks{Between: func(l *Learner) (err error) {
			if l.Updates() == whole.Updates/2 {
				if blob, err = l.Snapshot(); err == nil {
					err = errSeen
				}
			}
			return err
		}})
		restore := func() {}
		if levels := kernel.Vectors(); len(levels) > 1 {
			restore = kernel.Use(levels[len(levels)-1])
		}
		l, err := Resume(blob)
		if err != nil {
			t.Fatalf("%s %s: %v", c.preset, c.changes, err)
		}
		resumed, err := l.Run(t.Context(), Hooks{})
		l.Close()
		restore()
		if err != nil || !equal(resumed, whole) {
			t.Errorf("%s %s: in two parts %+v (%v), whole %+v", c.preset, c.changes, resumed, err, whole)
		}
		cfg.Steps = uint64(2 * cfg.Advance())
		short := train(t, cfg, Hooks{})
		cfg.Seed++
		if other := train(t, cfg, Hooks{}); other.ParamsSHA256 == short.ParamsSHA256 {
			t.Errorf("%s %s: another seed, the same bytes", c.preset, c.changes)
		}
	}
}

func TestABrokenSnapshotIsRefused(t *testing.T) {
	l, err := New(kit.Config(t, "catch", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	blob, err := l.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{0, 1, 10, len(blob) / 2, len(blob) - 9} {
		if _, err := Resume(blob[:cut]); err == nil {
			t.Errorf("%d of %d bytes were taken", cut, len(blob))
		}
	}
}
