package play

import (
	"math"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/hyper"
)

func TestEveryFiniteWorldHasAPlaceForEachOfItsStates(t *testing.T) {
	for _, e := range envs.Table {
		world, ok := e.New().(envs.Finite)
		if !ok {
			continue
		}
		mapped, ok := world.(envs.Mapped)
		if !ok {
			t.Errorf("%s is finite and has no method Place; add it in envs/place.go", e.Spec.Name)
			continue
		}
		chance := envs.NewRand(1, 0)
		world.Reset(&chance)
		seen := 0
		for s := range world.MDP().States {
			x, y, room, ok := mapped.Position(s)
			if !ok {
				continue
			}
			seen++
			if x < 0 || y < 0 || x > e.Spec.View[0] || y > e.Spec.View[1]+.5 || room <= 0 {
				t.Errorf("%s: state %d stands at %v, %v", e.Spec.Name, s, x, y)
			}
		}
		if _, _, _, ok := mapped.Position(world.At()); !ok || seen < world.MDP().States/2 {
			t.Errorf("%s shows %d of %d states", e.Spec.Name, seen, world.MDP().States)
		}
	}
}

func TestArrowsPointWhereActionsLead(t *testing.T) {
	for _, c := range []struct {
		world  string
		state  int
		action int
		want   [2]float32
	}{
		{"cliff", 13, 0, [2]float32{0, -1}}, {"cliff", 13, 1, [2]float32{1, 0}}, {"cliff", 13, 2, [2]float32{0, 1}},
		{"cliff", 13, 3, [2]float32{-1, 0}},
		{"cliff", 0, 0, [2]float32{0, -1}},                                               // into the wall
		{"chain", 5, 1, [2]float32{1, 0}}, {"chain:length=60", 30, 1, [2]float32{-1, 0}}, // the second row runs back
	} {
		w, err := envs.New(c.world)
		if err != nil {
			t.Fatal(err)
		}
		if x, y := Way(w.(envs.Mapped), c.state, c.action); x != c.want[0] || y != c.want[1] {
			t.Errorf("%s, state %d, action %d points to %v, %v, want %v", c.world, c.state, c.action, x, y, c.want)
		}
	}
}

func TestTheMapSaysWhatThePlayerDoes(t *testing.T) {
	cfg, player, by := preset(t, "cliff")
	world := player.world.(envs.Mapped)
	m := NewMap(world, player.spec)
	m.Draw(by, &cfg)
	for range 50 {
		at := world.At()
		over := world.MDP().Over[at]
		f := step(t, player, by, &cfg)
		if over || f.Length == 1 {
			continue // it was somewhere else after the reset
		}
		if m.Value[at] != f.Value {
			t.Fatalf("V of state %d is %v on the map and %v in play", at, m.Value[at], f.Value)
		}
		for a, p := range f.Target {
			if math.Abs(float64(p-m.Policy[at*m.Actions+a])) > 1e-6 {
				t.Fatalf("π of state %d is %v on the map and %v in play", at, m.Policy[at*m.Actions:][:m.Actions], f.Target)
			}
		}
	}
	if !(m.Low < m.High) {
		t.Errorf("values from %v to %v", m.Low, m.High)
	}
}

func TestTheMapSaysWhereTheActingPolicyDiffers(t *testing.T) {
	cfg, player, by := preset(t, "cliff")
	for i := range by.Behaviour { // a new network has no preference
		by.Behaviour[i] = float32(math.Sin(float64(i)))
	}
	world := player.world.(envs.Mapped)
	m := NewMap(world, player.spec)
	m.Draw(by, &cfg)
	for range 50 {
		at := world.At()
		over := world.MDP().Over[at]
		f := step(t, player, by, &cfg)
		if over || f.Length == 1 {
			continue // it was somewhere else after the reset
		}
		for a, p := range f.Behaviour {
			if math.Abs(float64(p-m.Acting[at*m.Actions+a])) > 1e-6 {
				t.Fatalf("μ of state %d is %v on the map and %v in play", at, m.Acting[at*m.Actions:][:m.Actions], f.Behaviour)
			}
			if want := p-f.Target[a] > 0.1; m.Differs(at, a) != want {
				t.Errorf("state %d, action %d: μ %v, π %v, differs %v", at, a, p, f.Target[a], m.Differs(at, a))
			}
		}
	}
	differing := func() (n int) {
		for s := range world.MDP().States {
			for a := range m.Actions {
				if m.Differs(s, a) {
					n++
				}
			}
		}
		return n
	}
	if differing() == 0 {
		t.Error("two networks have the same policy in every state")
	}
	by.Behaviour = by.Target
	if m.Draw(by, &cfg); differing() != 0 {
		t.Error("a policy differs from itself")
	}
	cfg.Behave = hyper.BehaveUniform
	if m.Draw(by, &cfg); m.Acting[0] != 0.25 {
		t.Errorf("a uniform policy takes the first of four actions with %v", m.Acting[0])
	}
}

func TestANetworkWithMemoryHasNoMap(t *testing.T) {
	for name, want := range map[string]bool{"cliff": true, "t-maze": false, "cartpole": false, "garnet": true,
		"vmpo-pendulum": false} {
		cfg := kit.Config(t, name, "")
		spec, err := cfg.Network()
		if err != nil {
			t.Fatal(err)
		}
		world, _ := envs.New(cfg.World)
		if got := NewMap(world, spec) != nil; got != want {
			t.Errorf("%s has a map: %v", name, got)
		}
	}
}
