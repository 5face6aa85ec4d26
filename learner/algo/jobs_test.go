package algo

import (
	"reflect"
	"runtime"
	"slices"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/graph"
	"impalab/learner/net"
	"impalab/learner/program"
	"impalab/learner/telemetry"
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

// Where an update cannot be one job, the whole batch goes forward, then through its losses, then back.
func TestAnUpdateInOneJobIsTheUpdateInSeveral(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, c := range []struct{ preset, settings string }{
		{"cartpole", ""}, {"cartpole", "correction=trust-region"}, {"cartpole", "algo=a2c lstm=8"}, {"cartpole", "lstm=8"},
		{"laser-catch", "lstm=8"}, {"laser-catch", ""}, {"pendulum", "lstm=8"}, {"stac", "lstm=8"}, {"stac", ""},
		{"stacx", ""}, {"stacx", "lstm=8"}, {"tiny", "popart=off"},
	} {
		cfg := kit.Config(t, c.preset, "unroll=20 batch=37 "+c.settings)
		var theta [2][]float32
		var told [2]telemetry.Update
		for k := range theta {
			m, err := NewMachine(graph.Lower, &cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			if len(m.parts) < 2 {
				t.Fatalf("%s %s: one shard", c.preset, c.settings)
			}
			if k == 1 {
				n := cfg.UnrollLen * cfg.BatchSize
				m.oneJob, m.parts = nil, [][][2]int{{{0, n}}}
				m.tails = []*tail{newTail(m, net.NewForward(m.Spec.Flat(), maxTail), maxTail, 0, cfg.BatchSize)}
			}
			a, err := New(m, &cfg)
			if err != nil {
				t.Fatal(err)
			}
			r := envs.NewRand(5, 0)
			b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
			for now := range uint64(3) {
				strangers(b, &r)
				told[k] = telemetry.Update{}
				if err := a.Update(b, &cfg, 1e-3, now+3, &told[k]); err != nil {
					t.Fatal(err)
				}
			}
			theta[k] = slices.Concat(append(a.State(), m.Theta)...)
		}
		if !slices.Equal(theta[0], theta[1]) || !reflect.DeepEqual(told[0].Ratios, told[1].Ratios) {
			t.Errorf("%s %s: an update in one job ends elsewhere", c.preset, c.settings)
		}
	}
}
