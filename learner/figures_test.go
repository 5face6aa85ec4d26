package learner

import (
	"testing"

	"impalab/internal/kit"
	"impalab/learner/telemetry"
)

// figures returns a run's figures at each update, and the mean return of a hundred episodes at that update.
func figures(t *testing.T, preset, changes string) (described [][telemetry.NumMetrics]float32, returns []float64) {
	t.Helper()
	l, err := New(kit.Config(t, preset, changes))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Run(t.Context(), Hooks{Update: func(u *telemetry.Update) {
		described, returns = append(described, u.Metrics), append(returns, l.Return100())
	}}); err != nil {
		t.Fatal(err)
	}
	return described, returns
}

func average(described [][telemetry.NumMetrics]float32, row int) float64 {
	sum := 0.0
	for _, f := range described {
		sum += float64(f[row])
	}
	return sum / float64(len(described))
}

// Without correction, 64 updates late: the return still rises while the effective sample says that the data are no
// longer this policy's. Then it falls, and for good.
func TestTheEffectiveSampleIsLowBeforeTheCollapse(t *testing.T) {
	for _, seed := range []string{"1", "2", "3"} {
		described, returns := figures(t, "lag-cliff", "correction=none lag=64 steps=80000 seed="+seed)
		peak := 0
		for i, r := range returns {
			if r > returns[peak] {
				peak = i
			}
		}
		before, last := average(described[64:peak], telemetry.EffectiveSample), returns[len(returns)-1]
		t.Logf("seed %s: effective sample %.2f on average on the way up to a return of %.0f; at the end %.0f", seed, before,
			returns[peak], last)
		if before > 0.6 || last > returns[peak]/4 {
			t.Errorf("seed %s: effective sample %.2f before the peak of %.0f, return %.0f at the end", seed, before,
				returns[peak], last)
		}
		for _, f := range described {
			if f[telemetry.EffectiveCut] == f[telemetry.EffectiveCut] || f[telemetry.CutByRho] == f[telemetry.CutByRho] {
				t.Fatalf("seed %s: figures of weights that nothing has: %v", seed, f)
			}
		}
	}
}

func TestNothingIsCutOfDataThatAreHardlyLate(t *testing.T) {
	for changes, most := range map[string]float64{"lag=0": 1e-6, "lag=1 lr=0.0001": 0.005} {
		described, _ := figures(t, "cartpole", "steps=20000 "+changes)
		for _, row := range []int{telemetry.CutByRho, telemetry.CutByC} {
			if cut := average(described, row); !(cut <= most) {
				t.Errorf("%s: %s is %v", changes, telemetry.Metrics[row].Name, cut)
			}
		}
		if ess := average(described, telemetry.EffectiveSample); ess < 0.999 {
			t.Errorf("%s: effective sample %v", changes, ess)
		}
	}
}
