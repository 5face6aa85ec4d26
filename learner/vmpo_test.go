package learner

import (
	"math"
	"testing"

	"impalab/learner/algo"
	"impalab/learner/telemetry"
)

func TestVMPOLearnsCatch(t *testing.T) {
	for _, seed := range []string{"1", "2", "3"} {
		step, end := reached(t, "vmpo-catch", "steps=60000 seed="+seed, 0.95)
		t.Logf("seed %s: 0.95 after %d steps, %.2f at the end", seed, step, end.ReturnMean100)
		if step == 0 {
			t.Errorf("seed %s: at %.2f after %d steps", seed, end.ReturnMean100, end.Steps)
		}
	}
}

// bounds trains the V-MPO preset with changes and returns the divergences as shares of their bounds, averaged over
// what comes after the first 200 updates, when η and α have come to where they are needed. The policy's mean is over
// whole lives of the target network, at whose start it is 0.
func bounds(t *testing.T, changes string) (weights, policy float64) {
	t.Helper()
	cfg := config(t, "vmpo", "steps=200000 "+changes)
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	vmpo, n := l.algo.(*algo.VMPO), 0.0
	if _, err := l.Run(t.Context(), Hooks{Update: func(u *telemetry.Update) {
		if u.Update > 200 {
			c := vmpo.Constraints()
			weights, policy, n = weights+c.OfWeights, policy+c.OfPolicy[0], n+1
		}
	}}); err != nil {
		t.Fatal(err)
	}
	c := vmpo.Constraints()
	t.Logf("%q: KL(ψ‖uniform) is %.2f of its bound, KL(π_T‖π) %.2f; η = %.3f and α = %.2f at the end", changes,
		weights/n/cfg.EpsTemperature, policy/n/cfg.EpsKL, c.Temperature, c.KLWeight[0])
	return weights / n / cfg.EpsTemperature, policy / n / cfg.EpsKL
}

// The multipliers do not only hold the divergences within their bounds, they take them there (V-MPO fig. 7).
func TestVMPOsConstraintsBind(t *testing.T) {
	if weights, policy := bounds(t, ""); math.Abs(weights-1) > 0.25 || math.Abs(policy-1) > 0.6 {
		t.Errorf("KL(ψ‖uniform) is %.2f of its bound and KL(π_T‖π) %.2f, want both near 1", weights, policy)
	}
	if _, free := bounds(t, "kl=off"); free < 3 {
		t.Errorf("without its term KL(π_T‖π) is %.2f of the bound: the bound was never needed", free)
	}
}
