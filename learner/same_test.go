package learner

import (
	"fmt"
	"runtime"
	"testing"

	"impalab/learner/kernel"
)

// same are the configurations that must give the same bytes however they are run: every optimiser, replay, lag,
// annealing, a table, a trust region and priorities.
var same = map[string]string{
	"cartpole":       "lag=3 steps=20000 unroll=20 batch=16",
	"catch":          "mix=0.5 lag=2 steps=6000 anneal=linear replay-size=500",
	"four-rooms":     "correction=trust-region lag=8 steps=6000 collect=trajectory actors=4",
	"cliff":          "mix=1 correction=leaky alpha=0.7 steps=3000",
	"a2c":            "collect=trajectory actors=3 steps=8000",
	"destination":    "steps=8000",
	"stac":           "lag=3 steps=8000 mix=0.25 meta-lr=0.02 tune=gamma-alpha-alphac-value-entropy",
	"stac-catch":     "steps=4000",
	"stacx":          "heads=2 learners=2 steps=4000 meta-lr=0.02",
	"vmpo":           "lag=2 mix=0.25 steps=10000 target-every=7",
	"laser":          "sampling=prioritised priority=0.7 priority-beta=0.5 lag=2 steps=8000 replay-size=2000",
	"laser-catch":    "sampling=prioritised mix=1 trust=0.01 steps=3000 learners=2",
	"garnet":         "mix=0.75 sharers=3 sharing=sweep lag=2 steps=4000 replay-size=3000",
	"foreign-data":   "steps=3000 learners=4",
	"random-sharers": "steps=3000 mix=1",
}

// equal compares results to the last bit; NaN, no episodes yet, equals itself.
func equal(a, b Result) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

func TestSameSeedSameBytesOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for preset, changes := range same {
		cfg := config(t, preset, changes)
		runtime.GOMAXPROCS(1)
		one := train(t, cfg, Hooks{})
		runtime.GOMAXPROCS(4)
		if four := train(t, cfg, Hooks{}); !equal(four, one) {
			t.Errorf("%s: %+v with 4 cores, %+v with 1", preset, four, one)
		}
		cfg.Seed++
		if other := train(t, cfg, Hooks{}); other.ParamsSHA256 == one.ParamsSHA256 {
			t.Errorf("%s: another seed, the same bytes", preset)
		}
	}
}

func TestSameSeedSameBytesAtEitherVectorWidth(t *testing.T) {
	levels := kernel.Vectors()
	if len(levels) < 2 {
		t.Skipf("this machine has only %v", levels)
	}
	for preset, changes := range same {
		cfg := config(t, preset, changes)
		first := ""
		for _, level := range levels {
			restore := kernel.Use(level)
			hash := train(t, cfg, Hooks{}).ParamsSHA256
			restore()
			if first == "" {
				first = hash
			}
			if hash != first {
				t.Errorf("%s: %s gives %s, %s gives %s", preset, levels[0], first, level, hash)
			}
		}
	}
}

func TestARunResumedInTheMiddleEqualsTheUninterruptedOne(t *testing.T) {
	for preset, changes := range same {
		cfg := config(t, preset, changes)
		whole := train(t, cfg, Hooks{})

		var blob []byte
		half := whole.Updates / 2
		train(t, cfg, Hooks{Between: func(l *Learner) (err error) {
			if l.Updates() == half {
				blob, err = l.Snapshot()
			}
			return err
		}})
		l, err := Resume(blob)
		if err != nil {
			t.Fatalf("%s: %v", preset, err)
		}
		resumed, err := l.Run(t.Context(), Hooks{})
		l.Close()
		if err != nil || !equal(resumed, whole) {
			t.Errorf("%s: resumed %+v (%v), whole %+v", preset, resumed, err, whole)
		}
	}
}

func TestABrokenSnapshotIsRefused(t *testing.T) {
	l, err := New(config(t, "catch", ""))
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
