package show

import (
	"reflect"
	"testing"

	"impalab/envs"
	"impalab/learner/design"
	"impalab/learner/hyper"
)

func preset(t *testing.T, name string) (hyper.Config, *Player, *Policies) {
	t.Helper()
	cfg, err := hyper.FromPreset(name)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := design.Of(&cfg)
	if err != nil {
		t.Fatal(err)
	}
	world, err := envs.New(cfg.World)
	if err != nil {
		t.Fatal(err)
	}
	theta := make([]float32, spec.Params())
	spec.Init(theta, 1)
	old := make([]float32, spec.Params())
	spec.Init(old, 2)
	return cfg, NewPlayer(world, spec, envs.NewRand(7, 0)), &Policies{Behaviour: old, Target: theta, Scale: 1}
}

// A table, a core with feedback, both Gaussians, convolutions.
var kinds = []string{"cliff", "cartpole", "t-maze", "vmpo-pendulum", "breakout"}

func TestTheSameParametersAndChanceShowTheSameEpisodes(t *testing.T) {
	for _, name := range kinds {
		cfg, one, by := preset(t, name)
		_, other, _ := preset(t, name)
		for range 300 {
			if f, g := one.Step(by, &cfg), other.Step(by, &cfg); !reflect.DeepEqual(f, g) {
				t.Fatalf("%s: %+v and %+v", name, f, g)
			}
		}
	}
}

func TestFramesAreTheWatchersToKeep(t *testing.T) {
	cfg, player, by := preset(t, "t-maze")
	f := player.Step(by, &cfg)
	kept := *f
	kept.State = append([]byte(nil), f.State...)
	kept.Target = append([]float32(nil), f.Target...)
	for range 10 {
		player.Step(by, &cfg)
	}
	if !reflect.DeepEqual(*f, kept) {
		t.Errorf("a frame changed from %+v to %+v", kept, *f)
	}
}

func TestAnEpisodeBeginsWithNothingRemembered(t *testing.T) {
	cfg, player, by := preset(t, "t-maze")
	first := map[string][]float32{} // by the sign that is shown: the policy at the first step
	episodes := 0
	for fresh := true; episodes < 20; {
		f := player.Step(by, &cfg)
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
			if f := player.Step(by, &cfg); f.Ratio != 1 {
				t.Fatalf("%s: ratio %v", name, f.Ratio)
			}
		}
	}
}

func TestValuesAreInTheWorldsOwnRewards(t *testing.T) {
	cfg, one, by := preset(t, "cartpole") // its rewards are scaled by 0.1
	_, other, twice := preset(t, "cartpole")
	twice.Scale, twice.Shift = 2, 1
	a, b := one.Step(by, &cfg).Value, other.Step(twice, &cfg).Value
	if want := 2*a + 1/float32(cfg.RewardScale); b-want > 1e-5 || want-b > 1e-5 {
		t.Errorf("V is %v, and twice that and 1 more is %v", a, b)
	}
}
