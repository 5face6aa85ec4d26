package algo

import (
	"math"
	"slices"
	"testing"

	"impalab/internal/kit"
	"impalab/internal/oracle"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// tinyVMPO is the tiny network and batch of impala_test.go under V-MPO, with a target network some way off.
func tinyVMPO(t *testing.T, correction, changes string) (*hyper.Config, *VMPO, *traj.Batch) {
	t.Helper()
	cfg, m, _, batch := tiny(t, correction)
	kit.Change(t, cfg, "algo=vmpo eps-eta=0.05 eps-alpha=0.003 target-every=3 dual-lr=0.01 "+changes)
	a := NewVMPO(m, cfg)
	for i := range a.target {
		a.target[i] *= 1.2
	}
	return cfg, a, batch
}

// loss64VMPO is L_V + L_π + the KL term at theta, with ψ, targets and multipliers of the update held constant.
func loss64VMPO(cfg *hyper.Config, a *VMPO, b *traj.Batch, theta, old []float64) float64 {
	total, n := 0.0, float64(b.T*b.B)
	alpha := a.last.KLWeight[0]
	if cfg.KLBound == "off" {
		alpha = 0
	}
	for i := range b.T * b.B {
		x := make([]float64, b.Size)
		for j := range x {
			x[j] = float64(b.Obs[i*b.Size+j])
		}
		logits, value := forward64(&a.m.Spec, theta, x)
		oldLogits, _ := forward64(&a.m.Spec, old, x)
		logPi, logOld := make([]float64, len(logits)), make([]float64, len(logits))
		correct.LogSoftmax(logPi, logits, len(logits))
		correct.LogSoftmax(logOld, oldLogits, len(logits))
		m := 1.0
		if cfg.Correction == correct.MethodTrustRegion {
			m = float64(a.mask[i])
		}
		total -= cfg.PolicyCost * float64(a.psi[i]) * logPi[b.Action[i]]
		total += cfg.ValueCost * m * math.Pow(float64(a.targets.VS[i])-value, 2) / n
		for k, lq := range logOld {
			total += alpha / n * math.Exp(lq) * (lq - logPi[k])
			if b.Online[i%b.B] {
				total += cfg.Entropy / n * m * math.Exp(logPi[k]) * logPi[k]
			}
		}
	}
	return total
}

func TestTheWholeVMPOUpdateIsTheGradientOfItsLoss(t *testing.T) {
	for _, c := range []struct{ correction, changes string }{
		{"vtrace", ""}, {"none", "top=1"}, {"trust-region", "trust=0.05"}, {"vtrace", "psi=uniform"}, {"leaky", "kl=off"},
		{"is", "eta-mean=count"},
	} {
		cfg, a, batch := tinyVMPO(t, c.correction, c.changes)
		old := widened(a.target)
		var out telemetry.Update
		if err := a.Update(batch, cfg, 0, 0, &out); err != nil {
			t.Fatal(err)
		}
		if cfg.Correction == correct.MethodTrustRegion && (out.Metrics[telemetry.Rejected] == 0 ||
			out.Metrics[telemetry.Rejected] == 1) {
			t.Fatalf("%v of the steps rejected: the mask is not tried", out.Metrics[telemetry.Rejected])
		}
		theta := widened(a.m.Theta)
		const h = 1e-5
		for i, at := range theta {
			theta[i] = at + h
			up := loss64VMPO(cfg, a, batch, theta, old)
			theta[i] = at - h
			down := loss64VMPO(cfg, a, batch, theta, old)
			theta[i] = at
			if want, got := (up-down)/(2*h), float64(a.m.grad[i]); math.Abs(got-want) > 2e-4*(0.05+math.Abs(want)) {
				t.Errorf("%v: parameter %d has gradient %v, finite differences say %v", c, i, got, want)
			}
		}
	}
}

// The weights of the E-step by hand, in float64: eq. 32 with ρ = min(1, π_T/μ) where ρ̄ = 1; without a temperature, ρ
// alone (fig. 8).
func TestPsiIsTheExponentialOfTheAdvantageOverTheBetterHalf(t *testing.T) {
	for _, psi := range []string{"exp", "uniform"} {
		cfg, a, batch := tinyVMPO(t, "vtrace", "rho=1 psi="+psi)
		old := append([]float32(nil), a.target...)
		if err := a.Update(batch, cfg, 0, 0, nil); err != nil {
			t.Fatal(err)
		}
		n := batch.T * batch.B
		want, total := make([]float64, n), 0.0
		better := make([]float32, n)
		if count := loss.TopShare(better, make([]float32, n), a.targets.Advantage, nil, 0.5); count != n/2 {
			t.Fatalf("%d of %d are the better half", count, n)
		}
		for i := range want {
			x := widened(batch.Obs[i*batch.Size : (i+1)*batch.Size])
			logits, _ := forward64(&a.m.Spec, widened(old), x)
			logPi := make([]float64, len(logits))
			correct.LogSoftmax(logPi, logits, len(logits))
			ratio := math.Exp(logPi[batch.Action[i]] - float64(batch.Mu[i*2+int(batch.Action[i])]))
			want[i] = float64(better[i]) * min(1, ratio)
			if psi == "exp" {
				want[i] *= math.Exp(float64(a.targets.Advantage[i]) / firstTemperature)
			}
			total += want[i]
		}
		for i := range want {
			if math.Abs(float64(a.psi[i])-want[i]/total) > 1e-5 {
				t.Errorf("%s: ψ[%d] is %v, want %v", psi, i, a.psi[i], want[i]/total)
			}
		}
	}
}

// The multipliers take the steps of an Adam of their own, with its usual constants.
func TestTheMultipliersTakeAdamsSteps(t *testing.T) {
	cfg, m, batch := tinyReal(t, "algo=vmpo policy=gaussian dual-lr=0.02")
	a := NewVMPO(m, cfg)
	for i := range a.target {
		a.target[i] *= 1.2
	}
	call := 0
	m.Reduce = func(x []float32) error {
		if call++; call%2 == 1 { // the slopes, of which one is as small as ε
			copy(x, []float32{1e-8, 0.1, -0.2 * float32(call)})
		}
		return nil
	}
	want := widened(a.dual)
	first, second := make([]float64, len(want)), make([]float64, len(want))
	for now := range uint64(4) {
		if err := a.Update(batch, cfg, 0, now, nil); err != nil {
			t.Fatal(err)
		}
		oracle.StepAdam(want, first, second, widened(a.slope), 0.02, 0.9, 0.999, 1e-8, now+1)
		for k, w := range want {
			if math.Abs(float64(a.dual[k])-w) > 1e-5 || a.slope[0] != 1e-8 {
				t.Errorf("step %d: multiplier %d is %v, want %v", now+1, k, a.dual[k], w)
			}
		}
	}
}

func TestRejectedStepsAreNotAmongTheBetterHalf(t *testing.T) {
	cfg, a, batch := tinyVMPO(t, "trust-region", "trust=0.05 top=0.9")
	if err := a.Update(batch, cfg, 0, 0, nil); err != nil {
		t.Fatal(err)
	}
	rejected := 0
	for i, m := range a.mask {
		if m == 0 {
			rejected++
			if a.chosen[i] != 0 {
				t.Errorf("step %d is outside the trust region and imitated", i)
			}
		}
	}
	if rejected == 0 {
		t.Error("no step was rejected: nothing is tried")
	}
}

// Weights below 1 make the mean over the count smaller, so that η falls less or rises more (eq. 33 as printed).
func TestTheMeanOfTheTemperatureLossIsASetting(t *testing.T) {
	slope := map[string]float64{}
	for _, mean := range []string{"weights", "count"} {
		cfg, a, batch := tinyVMPO(t, "vtrace", "rho=0.5 eta-mean="+mean)
		if err := a.Update(batch, cfg, 0, 0, nil); err != nil {
			t.Fatal(err)
		}
		slope[mean] = cfg.EpsTemperature - a.last.OfWeights
	}
	if !(slope["count"] < slope["weights"]-0.1) {
		t.Errorf("slopes in η: %v", slope)
	}
}

func TestMultipliersMoveTowardsTheirBounds(t *testing.T) {
	for _, c := range []struct {
		changes       string
		dEta, dWeight int // the way they must go
	}{
		{"eps-eta=100 eps-alpha=100", -1, -1}, // nothing comes near these bounds: loosen
		{"eps-eta=1e-9 eps-alpha=1e-9", 1, 1}, // everything is beyond: tighten
		{"psi=uniform kl=off", 0, 0},
	} {
		cfg, a, batch := tinyVMPO(t, "vtrace", c.changes)
		if err := a.Update(batch, cfg, 0, 0, nil); err != nil {
			t.Fatal(err)
		}
		if sign(a.dual[0]-firstTemperature) != c.dEta || sign(a.dual[1]-firstKLWeight) != c.dWeight {
			t.Errorf("%s: η is %v and α is %v, want them moved by %d and %d", c.changes, a.dual[0], a.dual[1], c.dEta, c.dWeight)
		}
	}
}

func TestMultipliersStayAboveZero(t *testing.T) {
	cfg, a, batch := tinyVMPO(t, "vtrace", "eps-eta=100 eps-alpha=100 dual-lr=10")
	for now := range uint64(5) {
		if err := a.Update(batch, cfg, 1e-3, now, nil); err != nil {
			t.Fatal(err)
		}
	}
	if a.dual[0] != leastDual || a.dual[1] != leastDual {
		t.Errorf("η is %v and α is %v, want both at %v", a.dual[0], a.dual[1], leastDual)
	}
}

func TestTheTargetNetworkActsAndIsCopiedEveryFewUpdates(t *testing.T) {
	cfg, a, batch := tinyVMPO(t, "vtrace", "target-every=3")
	for now := range uint64(7) {
		before := append([]float32(nil), a.Acting()...)
		if err := a.Update(batch, cfg, 1e-2, now, nil); err != nil {
			t.Fatal(err)
		}
		if copied := (now+1)%3 == 0; slices.Equal(a.Acting(), a.m.Theta) != copied ||
			slices.Equal(a.Acting(), before) == copied {
			t.Errorf("update %d: the target network is the learner's: %v, as before: %v", now+1, !copied, copied)
		}
	}
}

func TestAVMPOUpdateAllocatesNothing(t *testing.T) {
	cfg, a, batch := tinyVMPO(t, "trust-region", "")
	var out telemetry.Update
	if err := a.Update(batch, cfg, 1e-3, 0, &out); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(50, func() { out = telemetry.Update{}; a.Update(batch, cfg, 1e-3, 1, &out) }); n != 0 {
		t.Errorf("%v allocations an update", n)
	}
}

func sign(x float32) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func widened(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}
