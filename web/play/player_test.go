package play

import (
	"reflect"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/web/wire"
)

// preset is a preset, with some settings changed, and a player of its world with two random policies.
func preset(t *testing.T, name string, change ...string) (hyper.Config, *Player, *Policies) {
	t.Helper()
	cfg := kit.Config(t, name, strings.Join(change, " "))
	spec, err := cfg.Network()
	if err != nil {
		t.Fatal(err)
	}
	theta := make([]float32, spec.Params())
	spec.Init(theta, 1)
	old := make([]float32, spec.Params())
	spec.Init(old, 2)
	player, err := NewPlayer(cfg.World, spec, envs.NewRand(7, 0))
	if err != nil {
		t.Fatal(err)
	}
	by := &Policies{Behaviour: old, Target: theta}
	for range player.Tasks() {
		by.Scale, by.Shift = append(by.Scale, 1), append(by.Shift, 0)
	}
	return cfg, player, by
}

func step(t *testing.T, p *Player, by *Policies, cfg *hyper.Config) *wire.Frame {
	t.Helper()
	f, err := p.Step(by, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A table, a perceptron, a core with feedback, a Gaussian, a board, a suite with a value for each of its tasks.
var kinds = []string{"cliff", "cartpole", "t-maze", "vmpo-pendulum", "breakout", "grid-5"}

func TestTheSameParametersAndChanceShowTheSameEpisodes(t *testing.T) {
	for _, name := range kinds {
		cfg, one, by := preset(t, name)
		_, other, _ := preset(t, name)
		for range 300 {
			if f, g := step(t, one, by, &cfg), step(t, other, by, &cfg); !reflect.DeepEqual(f, g) {
				t.Fatalf("%s: %+v and %+v", name, f, g)
			}
		}
	}
}

func TestAFrameBelongsToItsCaller(t *testing.T) {
	cfg, player, by := preset(t, "t-maze")
	f := step(t, player, by, &cfg)
	kept := *f
	kept.State = append([]byte(nil), f.State...)
	kept.Target = append([]float32(nil), f.Target...)
	for range 10 {
		step(t, player, by, &cfg)
	}
	if !reflect.DeepEqual(*f, kept) {
		t.Errorf("a frame changed from %+v to %+v", kept, *f)
	}
}

func TestAnEpisodeStartsWithoutMemory(t *testing.T) {
	cfg, player, by := preset(t, "t-maze")
	first := map[string][]float32{} // by the sign that is shown: the policy at the first step
	episodes := 0
	for fresh := true; episodes < 20; {
		f := step(t, player, by, &cfg)
		if fresh {
			sign := string(obsBytes(player.input[:3]))
			if want := first[sign]; want != nil && !reflect.DeepEqual(want, f.Target) {
				t.Fatalf("after %d episodes the first policy is %v, not %v", episodes, f.Target, want)
			}
			first[sign] = f.Target
		}
		if fresh = f.End != uint8(envs.Running); fresh {
			episodes++
		}
	}
}

func obsBytes(x []float32) (b []byte) {
	for _, v := range x {
		b = append(b, byte(v))
	}
	return b
}

func TestWithoutLagTheRatioIsOne(t *testing.T) {
	for _, name := range kinds {
		cfg, player, by := preset(t, name)
		by.Behaviour = by.Target
		for range 20 {
			if f := step(t, player, by, &cfg); f.Ratio != 1 {
				t.Fatalf("%s: ratio %v", name, f.Ratio)
			}
		}
	}
}

func TestValuesAreInTheWorldsOwnRewards(t *testing.T) {
	cfg, one, by := preset(t, "cartpole") // its rewards are scaled by 0.1
	_, other, twice := preset(t, "cartpole")
	twice.Scale[0], twice.Shift[0] = 2, 1
	a, b := step(t, one, by, &cfg).Value, step(t, other, twice, &cfg).Value
	if want := 2*a + 1/float32(cfg.RewardScale); b-want > 1e-5 || want-b > 1e-5 {
		t.Errorf("V is %v, and twice that and 1 more is %v", a, b)
	}
}

func TestTheWorldsOfASuiteArePlayedInTurn(t *testing.T) {
	cfg, player, by := preset(t, "tiny")
	var order []string
	for len(order) < 2*player.Tasks()+1 {
		f := step(t, player, by, &cfg)
		world, err := envs.New(f.World)
		if err != nil {
			t.Fatal(err)
		}
		if err := world.SetState(f.State); err != nil || len(f.Target) != len(world.Spec().Actions) {
			t.Fatalf("%s: %v, %d probabilities", f.World, err, len(f.Target))
		}
		if f.End != uint8(envs.Running) {
			order = append(order, f.World)
		}
	}
	for i := range player.Tasks() {
		if order[i] != order[i+player.Tasks()] || i > 0 && order[i] == order[i-1] {
			t.Fatalf("played in the order %v", order)
		}
	}
}
