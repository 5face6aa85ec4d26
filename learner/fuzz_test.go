package learner

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/gob"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/hyper"
)

// light says whether a configuration costs so little that fuzzing may run it.
func light(cfg *hyper.Config) bool {
	cost, err := CostOf(cfg)
	return err == nil && cost.Bytes < 4e6 && cost.Work < 2e7
}

// runABit makes two updates. What panics, on whatever goroutine of the run, ends the test.
func runABit(l *Learner) error {
	last := l.Updates() + 2
	_, err := l.Run(context.Background(), Hooks{Between: func(l *Learner) error {
		if l.Updates() >= last {
			return errEnough
		}
		return nil
	}})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return err
}

// FuzzSettings reads key=value pairs as links and command lines carry them, world options and all. Whatever is accepted
// comes back from its own text as the same configuration, has a cost, and runs.
func FuzzSettings(f *testing.F) {
	for _, p := range hyper.Presets {
		f.Add("preset=" + p.Name + "&hidden=8&batch=2&unroll=3&replay-size=4")
	}
	for _, s := range []string{
		"world=catch:rows=5,columns=3&mix=0.5&lag=2", "world=chain:length=4&correction=leaky&rho=inf&alpha=0.5&hidden=2",
		"world=pendulum:extra=3,obs-noise=0.1&policy=tanh&algo=vmpo&hidden=4", "world=tiny&popart=on&hidden=4&batch=2",
		"world=t-maze&lstm=4&hidden=4", "world=t-maze&lstm=0&trxl=4&core-layers=2&core-memory=3&hidden=4",
		"algo=stac&tune=gamma-lambda&hidden=4&batch=2&unroll=4",
		"world=bandit:arms=3&learners=2&batch=4&sharers=2&mix=0.5&priority=1&hidden=2",
		"mode=live&actors=2&inference=batched&hidden=4&batch=2", "lr=nan", "lag=-1", "wings=3", "=", "world=nowhere",
		"seed=18446744073709551615",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var settings []hyper.Setting
		for pair := range strings.SplitSeq(text, "&") {
			key, value, _ := strings.Cut(pair, "=")
			settings = append(settings, hyper.Setting{Key: key, Value: value})
		}
		cfg, _, _, err := hyper.FromSettings(settings)
		if err == nil {
			err = cfg.Validate()
		}
		if err != nil {
			if err.Error() == "" {
				t.Error("refused without a word")
			}
			return
		}
		var again hyper.Config
		for _, s := range cfg.Settings() {
			if err := again.Set(s.Key, s.Value); err != nil {
				t.Fatalf("%s=%s is in force and is refused: %v", s.Key, s.Value, err)
			}
		}
		if !slices.Equal(again.Settings(), cfg.Settings()) {
			t.Fatalf("%v\ncomes back as %v", cfg.Settings(), again.Settings())
		}
		if !light(&cfg) {
			return
		}
		l, err := New(cfg)
		if err != nil {
			t.Fatalf("%v was accepted, and then: %v", cfg.Settings(), err)
		}
		defer l.Close()
		if err := runABit(l); err != nil {
			t.Fatalf("%v: %v", cfg.Settings(), err)
		}
	})
}

// plainSnapshot is a snapshot of a small run, without its compression.
func plainSnapshot(f *testing.F, preset, changes string) []byte {
	l, err := New(kit.Config(f, preset, changes+" hidden=3 batch=2 unroll=3 steps=60"))
	if err != nil {
		f.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Run(context.Background(), Hooks{}); err != nil {
		f.Fatal(err)
	}
	blob, err := l.Snapshot()
	if err != nil {
		f.Fatal(err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(blob))
	if err != nil {
		f.Fatal(err)
	}
	plain, err := io.ReadAll(zip)
	if err != nil {
		f.Fatal(err)
	}
	return plain
}

// FuzzResume damages snapshots below their compression and checksum. A learner that Resume accepts runs, and can be
// saved again.
func FuzzResume(f *testing.F) {
	f.Add(plainSnapshot(f, "catch", "mix=0.5 lag=2 replay-size=4 hidden=4 batch=2 unroll=3"))
	f.Add(plainSnapshot(f, "bandit", "sharers=2 mix=0.5 replay-size=4 batch=2 unroll=3"))
	f.Add(plainSnapshot(f, "chain", "collect=trajectory actors=2 batch=2 unroll=3"))
	f.Fuzz(func(t *testing.T, plain []byte) {
		var asks struct{ Settings []hyper.Setting }
		if gob.NewDecoder(bytes.NewReader(plain)).Decode(&asks) == nil {
			cfg := kit.Config(t, "catch", "") // where a setting is missing, Resume refuses
			for _, s := range asks.Settings {
				_ = cfg.Set(s.Key, s.Value) // Resume reports the error
			}
			if cfg.Validate() == nil && !light(&cfg) {
				return
			}
		}
		var blob bytes.Buffer
		zip, _ := gzip.NewWriterLevel(&blob, gzip.NoCompression)
		zip.Write(plain)
		zip.Close()
		l, err := Resume(blob.Bytes())
		if err != nil {
			return
		}
		defer l.Close()
		if err := runABit(l); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Snapshot(); err != nil {
			t.Fatal(err)
		}
	})
}
