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

// The multipliers do not only keep the divergences within their bounds: on the way they bring them there (V-MPO
// fig. 7). The policy's is a mean over whole lives of the target network, at whose start it is 0.
func TestVMPOsConstraintsBind(t *testing.T) {
	cfg := config(t, "vmpo", "steps=200000")
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	vmpo := l.algo.(*algo.VMPO)
	weights, policy, n := 0.0, 0.0, 0.0
	if _, err := l.Run(t.Context(), Hooks{Update: func(u *telemetry.Update) {
		if u.Update > 200 { // η and α have come to where they are needed
			c := vmpo.Constraints()
			weights, policy, n = weights+c.OfWeights, policy+c.OfPolicy, n+1
		}
	}}); err != nil {
		t.Fatal(err)
	}
	weights, policy = weights/n/cfg.EpsTemperature, policy/n/cfg.EpsKL
	t.Logf("KL(ψ‖uniform) is %.2f of its bound, KL(π_T‖π) %.2f; η = %.3f, α = %.2f at the end", weights, policy,
		vmpo.Constraints().Temperature, vmpo.Constraints().KLWeight)
	if math.Abs(weights-1) > 0.25 || math.Abs(policy-1) > 0.6 {
		t.Errorf("KL(ψ‖uniform) is %.2f of its bound and KL(π_T‖π) %.2f, want both near 1", weights, policy)
	}
}
