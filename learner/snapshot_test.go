package learner

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/gob"
	"slices"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/schedule"
)

// A large network takes seconds to pack and to unpack: a run that waits for a core shall not wait for that.
func TestASnapshotYieldsItsCoreToRunsThatHadLess(t *testing.T) {
	cores := schedule.NewCores(1)
	heavy := cores.Share("one", 1)
	heavy.Acquire()
	defer heavy.Release()
	l, err := NewOn(heavy, kit.Config(t, "catch", "hidden=512-512"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	during := func(what string, f func()) {
		t.Helper()
		light := cores.Share("one", 1) // of the same owner and not measured yet: it may not overtake
		had := make(chan struct{})
		go func() {
			light.Acquire()
			light.Release()
			close(had)
		}()
		for !heavy.Wanted() {
			time.Sleep(time.Millisecond)
		}
		f()
		select {
		case <-had:
		default:
			t.Errorf("who waited for a core had none until all was %s", what)
			heavy.Release()
			<-had
			heavy.Acquire()
		}
	}
	var blob []byte
	during("packed", func() { blob, err = l.Snapshot() })
	if err != nil {
		t.Fatal(err)
	}
	during("unpacked", func() {
		var again *Learner
		if again, err = ResumeOn(heavy, blob); err == nil {
			again.Close()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A snapshot may come from another build or from an unknown source.
func TestASnapshotThatIsNotWholeIsRefused(t *testing.T) {
	l, err := New(kit.Config(t, "catch", "mix=0.5 lag=3 steps=200 sharers=2 hidden=8 replay-size=400"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Run(context.Background(), Hooks{}); err != nil {
		t.Fatal(err)
	}
	blob, err := l.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	resumed := func(change func(*snapshot)) error {
		zip, err := gzip.NewReader(bytes.NewReader(blob))
		if err != nil {
			t.Fatal(err)
		}
		var s snapshot
		if err := gob.NewDecoder(zip).Decode(&s); err != nil {
			t.Fatal(err)
		}
		change(&s)
		var out bytes.Buffer
		pack := gzip.NewWriter(&out)
		if err := gob.NewEncoder(pack).Encode(&s); err != nil {
			t.Fatal(err)
		}
		pack.Close()
		next, err := Resume(out.Bytes())
		if err == nil {
			next.Close()
		}
		return err
	}
	if err := resumed(func(*snapshot) {}); err != nil {
		t.Fatalf("a whole one: %v", err)
	}
	for _, key := range hyper.Keys() {
		if resumed(func(s *snapshot) {
			s.Settings = slices.DeleteFunc(s.Settings, func(set hyper.Setting) bool { return set.Key == key })
		}) == nil {
			t.Errorf("without %s: taken", key)
		}
	}
	err = resumed(func(s *snapshot) { s.Settings = append(s.Settings, hyper.Setting{Key: "gru", Value: "64"}) })
	if err == nil || !strings.Contains(err.Error(), `unknown setting "gru"`) {
		t.Errorf("with a core that this build lacks: %v", err)
	}
	for what, change := range map[string]func(*snapshot){
		"parameters": func(s *snapshot) { s.Theta = s.Theta[1:] },
		"optimiser":  func(s *snapshot) { s.Optimiser = nil },
		"past":       func(s *snapshot) { s.Past = nil },
		"replay":     func(s *snapshot) { s.Replay[0].Action[0] = 3 },
		"task":       func(s *snapshot) { s.Replay[0].Task = 1 },
		"age":        func(s *snapshot) { s.Replay[0].Version = s.Updates + 1 },
		"past's age": func(s *snapshot) { s.Past[0].Update = s.Updates + 1 },
		"scores":     func(s *snapshot) { s.ScoreCounts[0] = -1 },
		"marks":      func(s *snapshot) { s.ScoreMarks = -1 },
		"chance":     func(s *snapshot) { s.Chance = [2]uint64{} },
		"worlds":     func(s *snapshot) { s.Actors[0].Worlds = s.Actors[0].Worlds[:9] },
		"copies":     func(s *snapshot) { s.Actors[0].Returns = append(s.Actors[0].Returns, 1) },
		"sharers":    func(s *snapshot) { s.Others = s.Others[1:] },
		"turns":      func(s *snapshot) { s.Others[1].Updates-- },
		"a sharer":   func(s *snapshot) { s.Others[1].Theta = nil },
		"actors":     func(s *snapshot) { s.Actors = append(s.Actors, s.Actors[0]) },
		"lengths":    func(s *snapshot) { s.Actors[0].Lengths = nil },
	} {
		if resumed(change) == nil {
			t.Errorf("broken %s: taken", what)
		}
	}
}

func TestARunContinuedInAnotherArithmeticIsMixed(t *testing.T) {
	if len(kernel.Vectors()) == 0 {
		t.Skip("this machine has one arithmetic")
	}
	l, err := New(kit.Config(t, "catch", "steps=200 hidden=8"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	again := func(blob []byte) (string, []byte) {
		t.Helper()
		next, err := Resume(blob)
		if err != nil {
			t.Fatal(err)
		}
		defer next.Close()
		blob, err = next.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		return next.Result().Arithmetic, blob
	}
	blob, err := l.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := again(blob); got != kernel.Fused {
		t.Errorf("in the same one: %s", got)
	}
	defer kernel.Use("go")()
	got, mixed := again(blob)
	if got != Mixed {
		t.Errorf("from fused to plain: %s", got)
	}
	if got, _ := again(mixed); got != Mixed {
		t.Errorf("once more in plain: %s", got)
	}
}
