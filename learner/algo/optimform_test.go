package algo

import (
	"math"
	"testing"

	"impalab/internal/oracle"
)

// Every form of either optimiser that a setting can ask for is the rule of that name.
func TestTheOptimiserHasTheConfiguredForm(t *testing.T) {
	type rule func(theta, a, b, grad []float64, step uint64)
	const lr, eps, decay, beta1, beta2 = 0.01, 0.1, 0.9, 0.8, 0.95
	tf := func(theta, nu, mom, grad []float64, _ uint64) {
		oracle.StepRMSProp(theta, nu, mom, grad, lr, decay, eps, 0)
	}
	torch := func(theta, nu, mom, grad []float64, _ uint64) {
		oracle.StepRMSPropTorch(theta, nu, mom, grad, lr, decay, eps, 0)
	}
	adam := func(theta, m, v, grad []float64, step uint64) {
		oracle.StepAdam(theta, m, v, grad, lr, beta1, beta2, eps, step)
	}
	hat := func(theta, m, v, grad []float64, step uint64) {
		oracle.StepAdamHat(theta, m, v, grad, lr, beta1, beta2, eps, step)
	}
	for _, c := range []struct {
		optimiser, form string
		want            rule
	}{
		{"rmsprop", "papers", tf}, {"rmsprop", "tensorflow", tf}, {"rmsprop", "pytorch", torch},
		{"adam", "papers", adam}, {"adam", "tensorflow", hat}, {"adam", "pytorch", adam},
	} {
		cfg, m, _, _ := tiny(t, "vtrace", "optimiser="+c.optimiser, "opt-form="+c.form, "opt-eps=0.1", "opt-decay=0.9",
			"beta1=0.8", "beta2=0.95")
		theta, n := wide(m.Theta), len(m.Theta)
		a, b, grad := make([]float64, n), make([]float64, n), make([]float32, n)
		for step := range uint64(3) {
			for i := range grad {
				grad[i] = float32(math.Sin(float64(i) + float64(step)))
			}
			c.want(theta, a, b, wide(grad), step+1)
			if _, err := m.Descend(grad, cfg, lr); err != nil {
				t.Fatal(err)
			}
		}
		for i, want := range theta {
			if math.Abs(float64(m.Theta[i])-want) > 1e-5 {
				t.Errorf("%s, %s: θ_%d is %g, want %g", c.optimiser, c.form, i, m.Theta[i], want)
				break
			}
		}
	}
}
