package algo

import (
	"errors"
	"math"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// strangers fills a batch with what someone else's policy played: ends, cuts, replayed trajectories and weights.
func strangers(batch *traj.Batch, r *envs.Rand) {
	batch.Begin()
	for i := range batch.B {
		u := traj.NewUnroll(batch.T, batch.Shape)
		u.Begin(uint64(r.IntN(3)))
		for j := range u.Obs {
			u.Obs[j] = float32(r.Norm())
		}
		for j := range u.State {
			u.State[j] = float32(math.Tanh(r.Norm()))
		}
		for t := range u.T {
			p := 0.1 + 0.8*r.Float64()
			u.Mu[2*t], u.Mu[2*t+1] = float32(math.Log(p)), float32(math.Log(1-p))
			u.Action[t], u.Reward[t] = int32(r.IntN(2)), float32(r.Norm())
			switch r.IntN(9) {
			case 0:
				u.End[t] = uint8(envs.Terminated)
			case 1:
				u.End[t] = uint8(envs.Truncated)
				for j := range u.Cut(t) {
					u.Cuts[len(u.Cuts)-1].Obs[j] = float32(r.Norm())
				}
			}
		}
		batch.SetColumn(i, u, i < batch.B/2)
		if i >= batch.B/2 {
			batch.Weigh(i, float32(0.3+0.7*r.Float64()))
		}
	}
}

// learning is an algorithm with its machine, as settings over the cartpole preset ask.
func learning(t *testing.T, settings string) (*hyper.Config, *Machine, Algorithm) {
	t.Helper()
	cfg := kit.Config(t, "cartpole", "hidden=16-16 unroll=5 lag=2 "+settings)
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	m, err := NewMachine(graph.Lower, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	a, err := New(m, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := a.(*DataParallel); ok {
		t.Cleanup(func() { s.Close() })
	}
	return &cfg, m, a
}

// distance is the largest difference between two vectors.
func distance(a, b []float32) (most float64) {
	for i := range a {
		most = math.Max(most, math.Abs(float64(a[i])-float64(b[i])))
	}
	return most
}

func TestSeveralLearnersEqualOneWithTheWholeBatch(t *testing.T) {
	for _, settings := range []string{
		"algo=impala", "algo=impala correction=trust-region mix=0.5 reduce=sum lr=0.001 clip=40",
		"algo=impala optimiser=adam opt-eps=1e-3 correction=leaky alpha=0.5", "algo=laser mix=0.5 trust=0.05",
		"algo=stac meta-lr=0.02", "algo=stac reduce=sum lr=0.001 clip=40 opt-eps=0.04", "algo=stacx heads=3 meta-lr=0.02",
		"algo=laser mix=0.5 lstm=4", "algo=stac lstm=4 torsos=separate",
		"algo=impala popart=on reward-scale=3", "algo=laser mix=0.5 trust=0.05 popart=on lstm=4",
		"world=catch pixel-control=0.01 pixel-cell=2",
	} {
		for _, n := range []string{"2", "4", "8"} {
			cfg, one, alone := learning(t, settings)
			_, first, several := learning(t, settings+" learners="+n)
			r := envs.NewRand(11, 0)
			whole := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, one.Spec.Shape())
			apart := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, one.Spec.Shape())
			start := append([]float32(nil), one.Theta...)
			for now := range uint64(150) {
				if now == 75 { // settings that may change under way reach all
					cfg.RhoBar, cfg.Entropy = 0.8*cfg.RhoBar, 0.03
				}
				strangers(whole, &r)
				apart.Share(whole, 0, 1)
				var a, b telemetry.Update
				if err := alone.Update(whole, cfg, cfg.LearningRate, now+3, &a); err != nil {
					t.Fatal(err)
				}
				if err := several.Update(apart, cfg, cfg.LearningRate, now+3, &b); err != nil {
					t.Fatal(err)
				}
				if d := distance(whole.Surprise, apart.Surprise); d > 1e-5 {
					t.Fatalf("%s, %s learners: surprises differ by %g", settings, n, d)
				}
				if d := distance(whole.Errors, apart.Errors); d > 1e-5 {
					t.Fatalf("%s, %s learners: errors differ by %g", settings, n, d)
				}
				describedAlike(t, settings+" learners="+n, &a, &b)
			}
			if d := distance(one.Theta, first.Theta); d > 1e-6 {
				t.Errorf("%s, %s learners: θ differs by %g", settings, n, d)
			}
			if moved := distance(one.Theta, start); moved < 0.01 {
				t.Errorf("%s: θ moved by %g only: nothing is tried", settings, moved)
			}
			for i, v := range alone.State() {
				if d := distance(v, several.State()[i]); d > 1e-6 {
					t.Errorf("%s, %s learners: what it remembers differs by %g", settings, n, d)
				}
			}
			replicasAgree(t, settings+" learners="+n, several)
		}
	}
}

// describedAlike compares all figures except quotients of sums within each share, and the entropy under a mask.
func describedAlike(t *testing.T, what string, a, b *telemetry.Update) {
	t.Helper()
	for i, row := range telemetry.Metrics {
		switch i {
		case telemetry.CutByRho, telemetry.CutByC, telemetry.EffectiveSample, telemetry.EffectiveCut, telemetry.Entropy:
			continue
		}
		if x, y := float64(a.Metrics[i]), float64(b.Metrics[i]); math.Abs(x-y) > 1e-4*(1+math.Abs(x)) {
			t.Fatalf("%s: %s is %v alone and %v together", what, row.Name, x, y)
		}
	}
	if a.Ages != b.Ages {
		t.Fatalf("%s: other ages", what)
	}
}

func TestWhenOneLearnerDivergesNoneTakesAStep(t *testing.T) {
	for _, settings := range []string{"algo=impala", "algo=stac", "algo=vmpo"} {
		for bad := range 4 {
			cfg, m, several := learning(t, settings+" learners=4")
			r := envs.NewRand(12, 0)
			batch := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
			strangers(batch, &r)
			batch.Reward[bad] = float32(math.NaN())
			before := append([]float32(nil), m.Theta...)
			var out telemetry.Update
			err := several.Update(batch, cfg, cfg.LearningRate, 3, &out)
			if err == nil || err == errAnother || out != (telemetry.Update{}) {
				t.Errorf("%s, learner %d: %v, or the update is described", settings, bad, err)
			}
			for i, one := range several.(*DataParallel).members {
				if distance(one.m.Theta, before) != 0 {
					t.Errorf("%s: learner %d diverged and learner %d took a step", settings, bad, i)
				}
			}
			strangers(batch, &r)
			if err := several.Update(batch, cfg, cfg.LearningRate, 3, nil); err != nil {
				t.Errorf("%s: they cannot go on: %v", settings, err)
			}
		}
	}
}

func TestLearnersTogetherAllocateNothing(t *testing.T) {
	cfg, m, several := learning(t, "algo=laser mix=0.5 learners=4")
	r := envs.NewRand(13, 0)
	batch := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
	strangers(batch, &r)
	var out telemetry.Update
	if n := testing.AllocsPerRun(50, func() {
		out = telemetry.Update{}
		if err := several.Update(batch, cfg, cfg.LearningRate, 3, &out); err != nil {
			t.Fatal(err)
		}
	}); n >= 1 {
		t.Errorf("%v allocations an update", n)
	}
}

// exploding is an algorithm that panics.
type exploding struct{ Algorithm }

func (exploding) Update(*traj.Batch, *hyper.Config, float64, uint64, *telemetry.Update) error {
	panic("exploding algorithm")
}

// The others wait for a gradient that will not come, and are let go.
func TestAPanicOfOneLearnerEndsTheUpdateOfAll(t *testing.T) {
	for i := range 4 {
		cfg, machine, several := learning(t, "learners=4 batch=8")
		defer machine.Close()
		one := several.(*DataParallel).members[i]
		one.algo = exploding{one.algo}
		batch := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, machine.Spec.Shape())
		chance := envs.NewRand(1, 0)
		strangers(batch, &chance)
		err := several.Update(batch, cfg, 0.001, 3, nil)
		var fault *schedule.Fault
		if !errors.As(err, &fault) || fault.Value != "exploding algorithm" {
			t.Errorf("learner %d: %v", i, err)
		}
	}
}
