package learner

import (
	"math"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/telemetry"
)

func TestVMPOLearnsCatch(t *testing.T) {
	long(t)
	for _, seed := range []string{"1", "2", "3"} {
		step, end := reached(t, "vmpo-catch", "steps=60000 seed="+seed, 0.95)
		t.Logf("seed %s: 0.95 after %d steps, %.2f at the end", seed, step, end.ReturnMean100)
		if step == 0 {
			t.Errorf("seed %s: at %.2f after %d steps", seed, end.ReturnMean100, end.Steps)
		}
	}
}

// standing is how the traces with a bound stood to it on average.
type standing struct{ weights, policy float64 }

// bounds trains the V-MPO preset with changes. It returns the divergences as shares of their bounds, averaged over the
// updates after the first 200, when η and α have settled. The policy's mean is over whole lives of the target network,
// at whose start it is 0.
func bounds(t *testing.T, changes string) (mean standing) {
	t.Helper()
	cfg, n := kit.Config(t, "vmpo", "steps=200000 "+changes), 0.0
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Run(t.Context(), Hooks{Update: func(u *telemetry.Update) {
		if u.Update <= 200 {
			return
		}
		n++
		for _, trace := range u.AlgoValues.List() {
			switch trace.Of {
			case telemetry.OfWeights:
				mean.weights += float64(trace.Value) / cfg.EpsTemperature
			case telemetry.OfPolicy:
				mean.policy += float64(trace.Value) / cfg.EpsKL
			}
		}
	}}); err != nil {
		t.Fatal(err)
	}
	mean.weights /= n
	mean.policy /= n
	t.Logf("%q: KL(ψ‖w) is %.2f of its bound, KL(π_T‖π) %.2f", changes, mean.weights, mean.policy)
	return mean
}

// The multipliers do not only hold the divergences within their bounds, they take them there (V-MPO fig. 7).
func TestVMPOsConstraintsHoldAndSaturate(t *testing.T) {
	long(t)
	if m := bounds(t, ""); math.Abs(m.weights-1) > 0.25 || math.Abs(m.policy-1) > 0.6 {
		t.Errorf("KL(ψ‖w) is %.2f of its bound and KL(π_T‖π) %.2f, want both near 1", m.weights, m.policy)
	}
	if free := bounds(t, "kl=off"); free.policy < 3 {
		t.Errorf("without its term KL(π_T‖π) is %.2f of the bound: the bound was never needed", free.policy)
	}
}
