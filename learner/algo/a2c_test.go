package algo

import (
	"testing"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// ownData makes a batch's behaviour the present policy of m.
func ownData(m *Machine, b *traj.Batch) {
	logits, _ := m.Forward(b)
	pi := make([]float32, len(logits))
	correct.Softmax(pi, b.Mu, logits, b.Actions)
}

func TestA2CIsImpalaOnItsOwnData(t *testing.T) {
	for _, reduce := range []string{" reduce=mean", " reduce=sum lr=0.001 clip=40"} {
		cfg, m, a2c := learning(t, "algo=a2c lag=0"+reduce)
		own, other, impala := learning(t, "algo=impala correction=vtrace lag=0"+reduce)
		r := envs.NewRand(21, 0)
		batch := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
		for now := range uint64(100) {
			strangers(batch, &r)
			ownData(m, batch)
			var x, y telemetry.Update
			if err := a2c.Update(batch, cfg, cfg.LearningRate, now+3, &x); err != nil {
				t.Fatal(err)
			}
			if err := impala.Update(batch, own, own.LearningRate, now+3, &y); err != nil {
				t.Fatal(err)
			}
			describedAlike(t, "A2C and IMPALA", &x, &y)
		}
		if d := distance(m.Theta, other.Theta); d > 1e-5 {
			t.Errorf("after 100 updates from data of the policy itself θ differs by %g", d)
		}
	}
}

func TestA2CLooksAtNoRatio(t *testing.T) {
	cfg, m, one := learning(t, "algo=a2c lag=0")
	own, other, two := learning(t, "algo=a2c lag=0 correction=leaky rho=0.1 c=0 lambda=0 advantage=laser")
	r := envs.NewRand(22, 0)
	batch := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
	for range 20 {
		strangers(batch, &r) // someone else's data, which the learner of A2C never gives it
		if err := one.Update(batch, cfg, cfg.LearningRate, 3, nil); err != nil {
			t.Fatal(err)
		}
		if err := two.Update(batch, own, own.LearningRate, 3, nil); err != nil {
			t.Fatal(err)
		}
	}
	if d := distance(m.Theta, other.Theta); d != 0 {
		t.Errorf("a correction it does not have moved θ by %g", d)
	}
}
