package learner

import (
	"math"
	"testing"

	"impalab/envs"
	"impalab/envs/exact"
	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/learner/net"
)

// exactValues is V^π of a learner on a finite world.
func exactValues(t *testing.T, l *Learner) []float64 {
	t.Helper()
	world, err := envs.New(l.cfg.World)
	if err != nil {
		t.Fatal(err)
	}
	p := exact.Of(world.(envs.Finite).MDP(), l.cfg.Gamma)
	obs := make([]float32, p.States*p.States)
	for s := range p.States {
		obs[s*p.States+s] = 1
	}
	logits, _ := net.NewForward(l.machine.Spec, p.States).Run(l.machine.Theta, obs, nil, p.States)
	logPi, prob := make([]float32, len(logits)), make([]float32, len(logits))
	correct.Softmax(prob, logPi, logits, p.Actions)
	policy, v := make([]float64, len(prob)), make([]float64, p.States)
	for i, q := range prob {
		policy[i] = float64(q)
	}
	if err := p.Value(v, policy); err != nil {
		t.Fatal(err)
	}
	return v
}

// A table that holds V^π exactly has no bias, and one that holds V^π + b has b.
func TestTheBiasOfTheValuesIsWhatWasPutThere(t *testing.T) {
	cfg := kit.Config(t, "destination", "reward-scale=0.5")
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	v := exactValues(t, l)
	table := l.machine.Spec.Layers()[0]
	for _, put := range []float64{0, 0.25, -1} {
		for s := range v {
			table.Weights(l.machine.Theta)[s*table.Out+l.machine.Spec.Actions] = float32(0.5*v[s] + put)
		}
		before := l.Result()
		bias, err := l.ValueBias()
		if err != nil || math.Abs(bias-put) > 0.02 {
			t.Errorf("bias %v (%v), want %v", bias, err, put)
		}
		if !equal(l.Result(), before) {
			t.Error("measuring changed the run")
		}
	}
}

func TestTheBiasIsNotKnownWhereTheDiscountLooksTooFar(t *testing.T) {
	l, err := New(kit.Config(t, "garnet", "gamma=0.999"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if bias, err := l.ValueBias(); err != nil || !math.IsNaN(bias) {
		t.Errorf("bias %v (%v), want none", bias, err)
	}
}
