package learner

import (
	"math"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

// shared is a run of cliff whose store holds what several agents play.
const shared = "mix=0.5 sharers=2 steps=4000 "

func TestEveryAgentAddsToTheOneStore(t *testing.T) {
	for _, sharing := range []string{"sweep", "same", "random", "contrary"} {
		l, err := New(kit.Config(t, "cliff", shared+"sharing="+sharing))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		result, err := l.Run(t.Context(), Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		// 4 of a batch of 8 are fresh: 80 steps of its own an update, 4 unrolls of each agent's in the store
		if result.Steps != 4000 || result.Updates != 50 || l.store.Len() != 3*4*50 {
			t.Errorf("%s: %d steps, %d updates, %d unrolls in the store", sharing, result.Steps, result.Updates, l.store.Len())
		}
		for i, other := range l.others {
			if other.store != l.store || other.updates != l.updates || other.steps != l.steps {
				t.Errorf("%s: agent %d is not in step", sharing, i)
			}
			if other.cfg.Seed == l.cfg.Seed || other.cfg.Seed == l.others[1-i].cfg.Seed {
				t.Errorf("%s: agent %d has another's seed", sharing, i)
			}
		}
	}
}

func TestWhatSharingSaysIsWhatTheOthersAre(t *testing.T) {
	cfg := kit.Config(t, "cliff", "mix=0.5 sharers=9 lr=0.02 entropy=0.1")
	grid := map[[2]float64]bool{{0.02, 0.1}: true} // the watched agent itself
	for i := range 8 {
		other := sharer(&cfg, i)
		grid[[2]float64{other.LearningRate, other.Entropy}] = true
	}
	for _, lr := range []float64{0.01, 0.02, 0.04} {
		for _, entropy := range []float64{0.05, 0.1, 0.2} {
			if !grid[[2]float64{lr, entropy}] {
				t.Errorf("nobody has lr=%v entropy=%v", lr, entropy)
			}
		}
	}
	for _, c := range []struct {
		sharing hyper.Sharing
		differs string
	}{
		{"same", "seed"}, {"random", "behave seed"}, {"contrary", "reward-scale seed"},
	} {
		cfg.Sharing = c.sharing
		other, keys := sharer(&cfg, 3), ""
		other.Sharers = cfg.Sharers
		for _, set := range other.Diff(&cfg) {
			keys += " " + set.Key
		}
		if keys != " "+c.differs {
			t.Errorf("%s: %q differ, want %q", c.sharing, keys, c.differs)
		}
	}
}

func TestActorsThatChooseAtRandomLearnNothing(t *testing.T) {
	l, err := New(kit.Config(t, "cliff", shared+"sharing=random"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	before := hashParams(l.others[0].machine.Theta)
	if _, err := l.Run(t.Context(), Hooks{}); err != nil {
		t.Fatal(err)
	}
	if hashParams(l.others[0].machine.Theta) != before {
		t.Error("one that only plays has learned")
	}
	uniform := 0
	for _, u := range l.store.All() {
		if math.Abs(float64(u.Mu[0])+math.Log(4)) < 1e-6 {
			uniform++
		}
	}
	if want := 2 * l.store.Len() / 3; uniform < want {
		t.Errorf("%d of %d unrolls were played uniformly, want %d", uniform, l.store.Len(), want)
	}
}

func TestAChangeReachesEveryAgentInItsOwnMeasure(t *testing.T) {
	l, err := New(kit.Config(t, "cliff", shared+"sharing=sweep"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := turn(l, "lr", "0.1"); err != nil {
		t.Fatal(err)
	}
	if got := l.others[0].cfg.LearningRate; got != 0.05 {
		t.Errorf("the agent at half the learning rate has %v, want 0.05", got)
	}
}

func TestSharedDataIsAsOldAsItIs(t *testing.T) {
	train(t, kit.Config(t, "cliff", shared+"sharing=same lag=2"), Hooks{Update: func(u *telemetry.Update) {
		if u.Figures[telemetry.AgeMax] > float32(u.Update)+2 {
			t.Fatalf("update %d: data of age %v", u.Update, u.Figures[telemetry.AgeMax])
		}
	}})
}

func TestTheMeanOverTheRunIsTheMeanOfItsMeans(t *testing.T) {
	sum, n := 0.0, 0
	result := train(t, kit.Config(t, "cliff", "steps=8000"), Hooks{Between: func(l *Learner) error {
		if mean := l.Return100(); !math.IsNaN(mean) {
			sum += mean
			n++
		}
		return nil
	}})
	sum, n = sum+result.ReturnMean100, n+1 // no Between after the last update
	if want := sum / float64(n); math.Abs(result.ReturnMeanRun-want) > 1e-12 {
		t.Errorf("%v, want %v", result.ReturnMeanRun, want)
	}
}
