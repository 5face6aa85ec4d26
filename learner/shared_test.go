package learner

import (
	"math"
	"slices"
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

// A group of three with the seeds of a run and its two sharers makes the updates that these make: the owner of a store
// decides nothing.
func TestAGroupIsARunWithItsSharersWithoutAWatchedAgent(t *testing.T) {
	cfg := kit.Config(t, "cliff", shared+"sharing=same lag=2 replay-size=700")
	run, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	if _, err := run.Run(t.Context(), Hooks{}); err != nil {
		t.Fatal(err)
	}
	cfgs := []hyper.Config{cfg, cfg, cfg}
	cfgs[1].Seed, cfgs[2].Seed = sharer(&cfg, 0).Seed, sharer(&cfg, 1).Seed
	group := newGroup(t, cfgs)
	for _, until := range []uint64{80, 1000, 4000} {
		if err := TrainInTurn(t.Context(), group, until); err != nil {
			t.Fatal(err)
		}
		for i, l := range group {
			if l.steps != until && l.steps != until+40 { // the first multiple of an update's steps
				t.Fatalf("learner %d has made %d steps of %d", i, l.steps, until)
			}
		}
	}
	for i, want := range append([]*Learner{run}, run.others...) {
		if hashParams(group[i].machine.Theta) != hashParams(want.machine.Theta) || group[i].updates != want.updates {
			t.Errorf("learner %d has other parameters", i)
		}
	}
	if a, b := group[0].store.All(), run.store.All(); len(a) != len(b) || len(a) != 35 {
		t.Errorf("%d and %d unrolls in the store, want 35", len(a), len(b))
	} else {
		for i := range a {
			if !a[i].SamePlay(b[i]) || a[i].Lane != b[i].Lane || a[i].Version != b[i].Version {
				t.Fatalf("unroll %d of the store is another", i)
			}
		}
	}
}

func newGroup(t *testing.T, cfgs []hyper.Config) []*Learner {
	t.Helper()
	group, err := here.NewGroup(cfgs)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range group {
		t.Cleanup(l.Close)
	}
	return group
}

// Copying a member's state leaves the group's one store as it is; a run with sharers still refuses.
func TestACopyInAGroupAgesNoData(t *testing.T) {
	cfg := kit.Config(t, "cliff", shared+"sharing=same")
	cfgs := []hyper.Config{cfg, cfg, cfg}
	for i := range cfgs {
		cfgs[i].Seed = uint64(7 + i)
	}
	group := newGroup(t, cfgs)
	if err := TrainInTurn(t.Context(), group, 400); err != nil {
		t.Fatal(err)
	}
	group[1].diverged = "for this test" // it falls behind
	if err := TrainInTurn(t.Context(), group, 800); err != nil {
		t.Fatal(err)
	}
	if group[1].steps != 400 || group[0].steps != 800 {
		t.Fatalf("%d and %d steps", group[1].steps, group[0].steps)
	}
	versions := func() (all []uint64) {
		for _, u := range group[0].store.All() {
			all = append(all, u.Version)
		}
		return all
	}
	before := versions()
	if err := group[1].CopyFrom(group[0]); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(versions(), before) || group[1].updates != group[0].updates || group[1].diverged != "" {
		t.Errorf("after the copy: %d updates, of %d; diverged %q", group[1].updates, group[0].updates, group[1].diverged)
	}
	if hashParams(group[1].machine.Theta) != hashParams(group[0].machine.Theta) {
		t.Error("the copy has other parameters")
	}
	alone, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	if err := alone.CopyFrom(group[0]); err == nil {
		t.Error("a run with sharers took another's state")
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
		if u.Metrics[telemetry.AgeMax] > float32(u.Update)+2 {
			t.Fatalf("update %d: data of age %v", u.Update, u.Metrics[telemetry.AgeMax])
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
