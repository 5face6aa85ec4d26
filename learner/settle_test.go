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

// Where the values end, held against the exact solution: IMPALA §4.1, STAC §3.1. π is softmax(Q*/.05), μ uniform,
// and neither moves; only V is learned.

// destination trains values and returns the root mean square distance, over all states, of V to V^{π_ρ̄,α} and to V^π.
func destination(t *testing.T, changes string) (toImplied, toTarget float64) {
	t.Helper()
	cfg := kit.Config(t, "destination", changes)
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Run(t.Context(), Hooks{}); err != nil {
		t.Fatal(err)
	}

	world, err := envs.New(cfg.World)
	if err != nil {
		t.Fatal(err)
	}
	p := exact.Of(world.(envs.Finite).MDP(), cfg.Gamma)
	n := p.States
	obs := make([]float32, n*n)
	for s := range n {
		obs[s*n+s] = 1
	}
	logits, learned := net.NewForward(l.machine.Spec, n).Run(l.machine.Theta, obs, nil, n)
	logPi, prob := make([]float32, n*p.Actions), make([]float32, n*p.Actions)
	correct.Softmax(prob, logPi, logits, p.Actions)
	target, behaviour, implied := make([]float64, len(prob)), make([]float64, len(prob)), make([]float64, len(prob))
	for i, q := range prob {
		target[i], behaviour[i] = float64(q), 1/float64(p.Actions)
	}
	leak := cfg.LeakRho
	if cfg.Correction == correct.MethodVTrace {
		leak = 1
	}
	p.Implied(implied, target, behaviour, exact.Correction{RhoBar: cfg.RhoBar, CBar: cfg.CBar, LeakRho: leak, LeakC: leak,
		Lambda: 1})
	distance := func(policy []float64) float64 {
		v := make([]float64, n)
		if err := p.Value(v, policy); err != nil {
			t.Fatal(err)
		}
		sum, states := 0.0, 0.0
		for s := range n {
			if !p.Over[s] {
				sum += (float64(learned[s]) - v[s]) * (float64(learned[s]) - v[s])
				states++
			}
		}
		return math.Sqrt(sum / states)
	}
	return distance(implied), distance(target)
}

func TestValuesSettleAtTheImpliedPolicysWhateverCBarIs(t *testing.T) {
	long(t)
	for _, changes := range []string{
		"rho=1 c=1", "rho=1 c=0.25", // the same end, by two ways
		"correction=leaky alpha=0.5 rho=1 c=1",
	} {
		toImplied, toTarget := destination(t, changes+" steps=1500000 anneal=linear lr=0.01")
		t.Logf("%s: %.3f from V of the implied policy, %.3f from V^π", changes, toImplied, toTarget)
		if toImplied > 0.03 || toTarget < 2*toImplied+0.03 {
			t.Errorf("%s: V is %.3f from V of the implied policy and %.3f from V^π", changes, toImplied, toTarget)
		}
	}
}

func TestWithoutTruncationValuesSettleAtTheTargets(t *testing.T) {
	long(t)
	toImplied, toTarget := destination(t, "rho=4 c=1 steps=1500000 anneal=linear lr=0.01")
	if toTarget > 0.05 || math.Abs(toImplied-toTarget) > 1e-6 {
		t.Errorf("with ρ̄ = 4 and four actions nothing is cut, yet V is %.3f from V^π and %.3f from V of the implied policy",
			toTarget, toImplied)
	}
}
