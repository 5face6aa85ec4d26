package algo

import (
	"runtime"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/graph"
	"impalab/learner/program"
	"impalab/learner/traj"
)

// Each job wakes a core, which takes as long as half of CartPole's way forward.
func TestAnUpdateIsAsFewJobsAsItsLossesAllow(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for _, c := range []struct {
		preset, settings string
		jobs             int
	}{
		{"cartpole", "", 1},
		{"cartpole", "algo=a2c", 1},
		{"cartpole", "algo=laser", 1},
		{"cartpole", "hidden=256-64", 2}, // and the gradients are added up
		{"cartpole", "lstm=16", 1},
		{"laser-catch", "unroll=20 lstm=16", 1},
		{"pendulum", "", 1},
		{"stac", "unroll=20", 4}, // the inner loss, the outer one, and how the heads move at θ
		{"stac", "unroll=20 lstm=8", 4},
		{"cartpole", "popart=on", 2},
		{"vmpo", "unroll=20", 3}, // the target network first
	} {
		cfg := kit.Config(t, c.preset, "batch=16 "+c.settings)
		m, err := NewMachine(graph.Lower, &cfg)
		if err != nil {
			t.Fatal(err)
		}
		a, err := New(m, &cfg)
		if err != nil {
			t.Fatal(err)
		}
		r := envs.NewRand(5, 0)
		b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
		strangers(b, &r)
		jobs := func() int { return m.plan.(*program.Sharded).Jobs() + m.crew.Jobs() }
		for now := range uint64(3) {
			before := jobs()
			if err := a.Update(b, &cfg, 1e-4, now, nil); err != nil {
				t.Fatal(err)
			}
			if n := jobs() - before; n != c.jobs {
				t.Errorf("%s %s: an update is %d jobs, want %d", c.preset, c.settings, n, c.jobs)
			}
		}
		m.Close()
	}
}
