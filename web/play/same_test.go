package play

import (
	"math"
	"testing"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// With the same parameters, the same randomness and the same start of an episode, a player and an actor act the same.
// The worlds draw nothing during an episode, so all randomness goes to the actions.
func TestAPlayerDoesWhatAnActorDoes(t *testing.T) {
	for _, c := range []struct {
		preset  string
		changes []string
	}{
		{"cartpole", nil}, {"cartpole", []string{"behave=uniform"}}, {"catch", []string{"lstm=16", "feedback=on"}},
		{"catch", []string{"lstm=16", "memory=unroll", "unroll=4"}}, {"vmpo-pendulum", nil},
		{"vmpo-pendulum", []string{"lstm=16", "feedback=on"}},
	} {
		cfg, player, by := preset(t, c.preset, c.changes...)
		spec := player.spec
		const seed, stream, steps = 7, 3, 60
		a, err := actor.New(cfg.World, spec, 1, seed, stream)
		if err != nil {
			t.Fatal(err)
		}
		a.Uniform, a.Forget = cfg.Behave == hyper.BehaveUniform, cfg.Forgets()
		u := traj.NewUnroll(steps, traj.Shape{Size: spec.Inputs(), Actions: spec.Actions, Reals: spec.Reals(),
			States: spec.States()})
		if err := a.Play(by.Behaviour, 0, []*traj.Unroll{u}, func(telemetry.Episode) {}); err != nil {
			t.Fatal(err)
		}

		player.chance = envs.NewRand(seed, stream)
		start := envs.NewRand(player.chance.Uint64(), 0) // as an actor begins its first copy
		player.world.Reset(&start)
		for i := range steps {
			f := step(t, player, by, &cfg)
			if f.Reward != u.Reward[i] || f.End != u.End[i] || int32(f.Action) != u.Action[i] {
				t.Fatalf("%s, step %d: played %d for %v, the actor %d for %v", c.preset, i, f.Action, f.Reward, u.Action[i],
					u.Reward[i])
			}
			for k, want := range u.Mu[i*spec.Actions : (i+1)*spec.Actions] {
				if spec.Reals() == 0 {
					want = float32(math.Exp(float64(want)))
				}
				if d := f.Behaviour[k] - want; d > 1e-6 || d < -1e-6 {
					t.Fatalf("%s, step %d: μ is %v, the actor's %v", c.preset, i, f.Behaviour[k], want)
				}
			}
			if f.End != uint8(envs.Running) {
				break // the next episode begins elsewhere: an actor's worlds have chance of their own
			}
		}
	}
}
