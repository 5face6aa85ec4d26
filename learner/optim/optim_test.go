package optim

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"impalab/internal/oracle"
)

// What training uses is the rule as its authors print it, through every option, with ε changed on the way.
func TestOptimisersAreTheirRules(t *testing.T) {
	const n, lr, decay, b1, b2 = 5, 0.01, 0.9, 0.8, 0.95
	rms := func(momentum float32, outside bool) Optimiser {
		r := NewRMSProp(n, decay, 1e-3, momentum, 0.25)
		r.Outside = outside
		return r
	}
	adam := func(hat bool) Optimiser {
		a := NewAdam(n, b1, b2, 1e-3)
		a.Hat = hat
		return a
	}
	for _, c := range []struct {
		name  string
		of    Optimiser
		start float64 // of the mean square
		rule  func(theta, first, second, grad []float64, eps float64, t uint64)
	}{
		{"rmsprop", rms(0, false), 0.25, func(theta, nu, mom, g []float64, eps float64, _ uint64) {
			oracle.StepRMSProp(theta, nu, mom, g, lr, decay, eps, 0)
		}},
		{"momentum", rms(0.7, false), 0.25, func(theta, nu, mom, g []float64, eps float64, _ uint64) {
			oracle.StepRMSProp(theta, nu, mom, g, lr, decay, eps, 0.7)
		}},
		{"torch", rms(0, true), 0.25, func(theta, nu, mom, g []float64, eps float64, _ uint64) {
			oracle.StepRMSPropTorch(theta, nu, mom, g, lr, decay, eps, 0)
		}},
		{"torch, momentum", rms(0.7, true), 0.25, func(theta, nu, mom, g []float64, eps float64, _ uint64) {
			oracle.StepRMSPropTorch(theta, nu, mom, g, lr, decay, eps, 0.7)
		}},
		{"adam", adam(false), 0, func(theta, v, m, g []float64, eps float64,
			t uint64) {
			oracle.StepAdam(theta, m, v, g, lr, b1, b2, eps, t)
		}},
		{"adam hat", adam(true), 0, func(theta, v, m, g []float64, eps float64,
			t uint64) {
			oracle.StepAdamHat(theta, m, v, g, lr, b1, b2, eps, t)
		}},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		theta, grad := make([]float32, n), make([]float32, n)
		want, wide, first, second := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range first {
			first[i] = c.start
		}
		for step := range uint64(12) {
			eps := []float64{1e-3, 0.1}[step/6]
			c.of.SetEps(float32(eps))
			for i := range grad {
				grad[i] = float32(rng.NormFloat64())
				wide[i] = float64(grad[i])
			}
			c.of.Step(theta, grad, lr)
			c.rule(want, first, second, wide, eps, step+1)
			for i := range theta {
				if math.Abs(float64(theta[i])-want[i]) > 1e-6 {
					t.Fatalf("%s, step %d: parameter %d is %v, by the rule %v", c.name, step, i, theta[i], want[i])
				}
			}
			if got := *c.of.Count(); got != step+1 {
				t.Fatalf("%s: %d steps counted, %d taken", c.name, got, step+1)
			}
		}
	}
}

// Without momentum the optimiser allocates nothing for it.
func TestMomentumTakesRoomOnlyWhereThereIsAny(t *testing.T) {
	for momentum, want := range map[float32]int{0: 0, 0.5: 3, 1: 3} {
		if got := len(NewRMSProp(3, 0.9, 0.01, momentum, 0).State()[1]); got != want {
			t.Errorf("momentum %v: room for %d numbers, want %d", momentum, got, want)
		}
	}
}

// With gradients that were always 0, ν and g are 0, and the derivative is a limit: the printed step's, at 0.
func TestTheJacobianWhereNothingEverPulled(t *testing.T) {
	const lr, decay, b1, b2, eps, h = 0.1, 0.9, 0.8, 0.95, 0.01, 1e-9
	zero, slope := []float64{0}, []float64{9}
	torch := func(g float64) float64 {
		theta := []float64{0}
		oracle.StepRMSPropTorch(theta, []float64{0}, []float64{0}, []float64{g}, lr, decay, eps, 0)
		return theta[0]
	}
	JacobianRMSPropTorch(slope, zero, zero, lr, decay, eps)
	if want := (torch(h) - torch(-h)) / (2 * h); !(math.Abs(slope[0]-want) <= 1e-5*math.Abs(want)) {
		t.Errorf("rmsprop torch: %v, finite differences say %v", slope[0], want)
	}
	adam := func(g float64) float64 {
		theta := []float64{0}
		oracle.StepAdam(theta, []float64{0}, []float64{0}, []float64{g}, lr, b1, b2, eps, 3)
		return theta[0]
	}
	JacobianAdam(slope, zero, zero, zero, lr, b1, b2, eps, correction(b1, 3), correction(b2, 3))
	if want := (adam(h) - adam(-h)) / (2 * h); !(math.Abs(slope[0]-want) <= 1e-5*math.Abs(want)) {
		t.Errorf("adam: %v, finite differences say %v", slope[0], want)
	}
}

// A gradient exactly as long as the limit is left as it is, so its derivative passes as it is.
func TestAtTheLimitNothingIsClipped(t *testing.T) {
	grad, u := []float64{3, 4}, []float64{1, 1}
	norm := oracle.ClipNorm(grad, 5)
	if PullClip(u, grad, norm, 5); norm != 5 || grad[0] != 3 || u[0] != 1 || u[1] != 1 {
		t.Errorf("norm %v, gradient %v, derivative %v", norm, grad, u)
	}
}

// The scale stays within its limits if all targets are equal, and if they are very large.
func TestPopArtsScaleStaysWithinItsLimits(t *testing.T) {
	for _, c := range []struct{ target, want float64 }{{7, 0.25}, {1e9, 1e3}} {
		p, w, b := NewPopArt(1, 0.5, 0.25, 1e3), []float64{1}, []float64{0}
		targets := make([]float64, 200)
		for i := range targets {
			targets[i] = c.target * float64(1-2*(i%2)*min(1, int(c.target/1e9)))
		}
		if p.Observe(w, b, 1, 0, targets, nil); p.Scale[0] != c.want {
			t.Errorf("targets of %v: scale %v, want %v", c.target, p.Scale[0], c.want)
		}
	}
}

func TestWithoutNamesEveryTargetIsTheFirstOutputs(t *testing.T) {
	p := NewPopArt(2, 0.1, 1e-2, 1e6)
	p.Observe([]float64{1, 1}, []float64{0, 0}, 2, 0, []float64{5, 9}, nil)
	if p.Shift[0] == 0 || p.Shift[1] != 0 || p.Scale[1] != 1 {
		t.Errorf("shift %v, scale %v", p.Shift, p.Scale)
	}
}

func TestPopArtRefusesALayerItsOutputsAreNotIn(t *testing.T) {
	for _, c := range []struct {
		what                   string
		w, b, first, whose, of int
	}{
		{"ragged weights", 7, 3, 1, 1, 1}, {"a bias too many", 6, 4, 1, 1, 1}, {"a bias too few", 6, 2, 1, 1, 1},
		{"outputs past the end", 6, 3, 2, 1, 1},
		{"a name too few", 6, 3, 1, 1, 2}, {"a name too many", 6, 3, 1, 2, 1},
	} {
		func() {
			defer func() {
				if s, _ := recover().(string); !strings.HasPrefix(s, "optim:") {
					t.Errorf("%s: taken", c.what)
				}
			}()
			p := NewPopArt(2, 0.1, 1e-2, 1e6)
			p.Observe(make([]float64, c.w), make([]float64, c.b), 3, c.first, make([]float64, c.of), make([]int32, c.whose))
		}()
	}
}
