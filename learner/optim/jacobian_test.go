package optim

import (
	"math"
	"testing"

	"impalab/internal/oracle"
)

// after is what one step leaves of the parameters, from means that earlier steps have filled.
func after(rule func(k uint64, theta, first, second, grad []float64), grad []float64) (theta, first, second []float64) {
	theta, first, second = []float64{0.3, -1, 2}, []float64{0.2, 0, 0.7}, []float64{0.1, 0, 0.4}
	rule(7, theta, first, second, grad)
	return theta, first, second
}

func TestSlopesAreTheDerivativesOfTheSteps(t *testing.T) {
	const lr, decay, b1, b2, eps, momentum = 0.1, 0.9, 0.8, 0.95, 0.01, 0.5
	c1, c2 := correction(b1, 7), correction(b2, 7)
	for _, rule := range []struct {
		name  string
		step  func(k uint64, theta, first, second, grad []float64)
		slope func(slope, first, second, grad []float64)
	}{
		{"rmsprop", func(_ uint64, theta, nu, mom, g []float64) {
			oracle.StepRMSProp(theta, nu, mom, g, lr, decay, eps, momentum)
		},
			func(s, nu, _, g []float64) { JacobianRMSProp(s, nu, g, lr, decay, eps) }},
		{"rmsprop torch", func(_ uint64, theta, nu, mom, g []float64) {
			oracle.StepRMSPropTorch(theta, nu, mom, g, lr, decay, eps, momentum)
		},
			func(s, nu, _, g []float64) { JacobianRMSPropTorch(s, nu, g, lr, decay, eps) }},
		{"adam", func(k uint64, theta, m, v, g []float64) { oracle.StepAdam(theta, m, v, g, lr, b1, b2, eps, k) },
			func(s, m, v, g []float64) { JacobianAdam(s, m, v, g, lr, b1, b2, eps, c1, c2) }},
		{"adam hat", func(k uint64, theta, m, v, g []float64) { oracle.StepAdamHat(theta, m, v, g, lr, b1, b2, eps, k) },
			func(s, m, v, g []float64) { JacobianAdam(s, m, v, g, lr, b1, b2, eps/math.Sqrt(c2), c1, c2) }},
	} {
		grad := []float64{0.5, -0.02, -3}
		_, first, second := after(rule.step, grad)
		slope := make([]float64, 3)
		rule.slope(slope, first, second, grad)
		for i := range grad {
			const h = 1e-6
			at := grad[i]
			grad[i] = at + h
			up, _, _ := after(rule.step, grad)
			grad[i] = at - h
			down, _, _ := after(rule.step, grad)
			grad[i] = at
			if want := (up[i] - down[i]) / (2 * h); math.Abs(slope[i]-want) > 1e-6*math.Abs(want)+1e-9 {
				t.Errorf("%s, parameter %d: slope %v, finite differences say %v", rule.name, i, slope[i], want)
			}
		}
	}
}

// The float32 path that training takes is one of the rules above, with its own means and counts.
func TestOptimisersTellTheSlopeOfTheStepTheyTook(t *testing.T) {
	torch, hat := NewRMSProp(2, 0.9, 0.01, 0.5, 1), NewAdam(2, 0.8, 0.95, 0.01)
	torch.Outside, hat.Hat = true, true
	for name, o := range map[string]Optimiser{
		"rmsprop": NewRMSProp(2, 0.9, 0.01, 0, 1), "momentum": NewRMSProp(2, 0.9, 0.01, 0.5, 0), "torch": torch,
		"adam": NewAdam(2, 0.8, 0.95, 0.01), "hat": hat,
	} {
		var states [][]float32
		step := func(g float32) float64 { // from the same state each time
			theta := []float32{0, 0}
			for i, s := range o.State() {
				copy(s, states[i])
			}
			*o.Count() = 2
			o.Step(theta, []float32{g, 0}, 1)
			return float64(theta[0])
		}
		o.Step([]float32{0, 0}, []float32{0.5, 0}, 1)
		o.Step([]float32{0, 0}, []float32{0.3, 0}, 1)
		for _, s := range o.State() {
			states = append(states, append([]float32(nil), s...))
		}
		const h = 1.0 / 64
		want := (step(0.4+h) - step(0.4-h)) / (2 * h)
		step(0.4)
		slope := []float32{0, 0}
		o.Jacobian(slope, []float32{0.4, 0}, 1)
		if math.Abs(float64(slope[0])-want) > 2e-3*math.Abs(want) {
			t.Errorf("%s: slope %v, finite differences say %v", name, slope[0], want)
		}
		if s := float64(slope[1]); math.IsNaN(s) || math.IsInf(s, 0) {
			t.Errorf("%s: a parameter that nothing ever pulled has slope %v", name, s)
		}
	}
}

func TestADerivativePullsBackThroughTheClip(t *testing.T) {
	weights := []float64{0.7, -2, 1.3} // of a sum of the clipped gradient
	for _, limit := range []float64{1.5, 100} {
		value := func(g []float64) (sum float64) {
			g = append([]float64(nil), g...)
			oracle.ClipNorm(g, limit)
			for i, w := range weights {
				sum += w * g[i]
			}
			return sum
		}
		grad := []float64{0.5, 1, -3}
		clipped := append([]float64(nil), grad...)
		norm := oracle.ClipNorm(clipped, limit)
		u := append([]float64(nil), weights...)
		PullClip(u, clipped, norm, limit)
		for i := range grad {
			const h = 1e-6
			at := grad[i]
			grad[i] = at + h
			up := value(grad)
			grad[i] = at - h
			down := value(grad)
			grad[i] = at
			if want := (up - down) / (2 * h); math.Abs(u[i]-want) > 1e-8 {
				t.Errorf("limit %v, gradient %d: %v, finite differences say %v", limit, i, u[i], want)
			}
		}
	}
}
