package actor

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/net"
)

func read(t *testing.T, spec net.Spec, raw ...float32) *Policy {
	t.Helper()
	p := NewPolicy(spec, len(raw)/spec.Actions)
	if !p.Read(raw) {
		t.Fatalf("%v is no policy", raw)
	}
	return p
}

func TestARatioIsTheTwoLikelihoodsOfWhatWasDrawn(t *testing.T) {
	spec := net.Spec{Actions: 2}
	pi, mu := read(t, spec, 0, 0, 0, 2), read(t, spec, 0, 1, 3, 0)
	for i, want := range []float64{ // π/μ of action 1, then of action 0
		.5 / (math.E / (1 + math.E)), 1 / (1 + math.Exp(2)) * (1 + math.Exp(-3)),
	} {
		mu.Action[i] = int32(1 - i)
		if got := float64(pi.Ratio(mu, i)); math.Abs(got-want) > 1e-6 {
			t.Errorf("row %d: %v, want %v", i, got, want)
		}
	}
}

func TestARatioOfRealNumbersIsOfTheirDensities(t *testing.T) {
	spec := net.Spec{Policy: net.Gaussian, Actions: 2}
	pi, mu, chance := read(t, spec, .5, 0), NewPolicy(spec, 1), envs.NewRand(1, 0)
	if !mu.Choose([]float32{-.5, 0}, []envs.Control{{Name: "torque", Low: -1, High: 1}}, &chance) {
		t.Fatal("no action")
	}
	u, s := float64(mu.Draw.Real[0]), float64(mu.Mu[1]) // both have the standard deviation s
	want := math.Exp(((u+.5)*(u+.5) - (u-.5)*(u-.5)) / (2 * s * s))
	if got := float64(pi.Ratio(mu, 0)); math.Abs(got/want-1) > 1e-4 {
		t.Errorf("%v, want %v", got, want)
	}
}

// A world has two of the suite's four actions; the others map to its action 0.
func TestASuitesPolicyIsShownInTheActionsOfTheWorld(t *testing.T) {
	p := read(t, net.Spec{Actions: 4}, 0, 0, 0, 0, 1, 1, 1, 1)
	for _, c := range []struct {
		n    int
		want []float32
	}{{4, []float32{.25, .25, .25, .25}}, {2, []float32{.75, .25}}} {
		shown := p.Shown(1, c.n)
		for j, want := range c.want {
			if d := shown[j] - want; len(shown) != c.n || d > 1e-6 || d < -1e-6 {
				t.Errorf("in %d actions: %v, want %v", c.n, shown, c.want)
			}
		}
	}
	for action, want := range []int{0, 1, 0, 0} {
		if got := MapAction(action, 2); got != want {
			t.Errorf("action %d is taken as %d, want %d", action, got, want)
		}
	}
}

// A Gaussian is shown as its means and standard deviations, which do not change when the next one is read.
func TestAGaussianIsShownAsItIs(t *testing.T) {
	spec := net.Spec{Policy: net.Gaussian, Actions: 2}
	raw := []float32{.5, -1, -.25, 1}
	want := make([]float32, 4)
	correct.Gaussian(want, nil, raw, 1, spec.Policy.Spread())
	p := read(t, spec, raw...)
	first, second := p.Shown(0, 5), p.Shown(1, 5)
	p.Read([]float32{0, 0, 0, 0})
	if !slices.Equal(first, want[:2]) || !slices.Equal(second, want[2:]) {
		t.Errorf("shown %v and %v, want %v", first, second, want)
	}
}

// A uniform policy overrides greedy, needs no network, and is shown as uniform.
func TestAUniformPolicyTakesAndShowsAllActionsEqually(t *testing.T) {
	p, chance := NewPolicy(net.Spec{Actions: 4}, 200), envs.NewRand(1, 0)
	p.Uniform, p.Greedy = true, true
	if !p.Choose(nil, nil, &chance) {
		t.Fatal("no action")
	}
	if shown := p.Shown(7, 4); !slices.Equal(shown, []float32{.25, .25, .25, .25}) {
		t.Errorf("shown %v", shown)
	}
	for action := range int32(4) {
		if !slices.Contains(p.Action, action) {
			t.Errorf("in 200 rows action %d was never taken", action)
		}
	}
}

// Real numbers have no uniform policy: an actor of these plays on with its own.
func TestUniformIsForNamedActions(t *testing.T) {
	a, spec, theta := driven(t, net.Gaussian, 2, 0)
	b, _, _ := driven(t, net.Gaussian, 2, 0)
	b.Uniform = true
	x, y := driveUnrolls(2, 10, spec), driveUnrolls(2, 10, spec)
	a.Play(theta, 0, x, ignore)
	b.Play(theta, 0, y, ignore)
	if !reflect.DeepEqual(x, y) {
		t.Error("it plays otherwise")
	}
}
