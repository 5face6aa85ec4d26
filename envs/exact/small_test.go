package exact

import (
	"math"
	"testing"

	"impalab/envs"
)

// The small worlds are here because they have solutions in closed form.

// optimal is Q* and V*.
func optimal(t *testing.T, p *Problem) (q, v []float64) {
	t.Helper()
	q, v = make([]float64, p.States*p.Actions), make([]float64, p.States)
	if err := p.Optimal(q); err != nil {
		t.Fatal(err)
	}
	p.Best(v, q)
	return q, v
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-7) { // rewards are float32
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// An agent that knows the sign walks straight: a T-maze is worth γ^length at its start.
func TestTMazeIsWorthItsWalk(t *testing.T) {
	for name, length := range map[string]float64{"t-maze": 10, "t-maze:length=3": 3} {
		p := finite(t, name, .97)
		_, v := optimal(t, p)
		near(t, name, p.Mean(v), math.Pow(.97, length))
	}
}

// The best dive pays 1 and costs .01 in all, whatever the lot; the uniform one finds the treasure once in 2^size.
func TestDeepSeaIsWorthItsTreasure(t *testing.T) {
	for name, size := range map[string]float64{"deep-sea": 10, "deep-sea:size=6,lot=3": 6, "deep-sea:size=12,lot=0": 12} {
		p := finite(t, name, 1)
		_, v := optimal(t, p)
		near(t, "the best of "+name, p.Mean(v), .99)
		if err := p.Value(v, uniform(p)); err != nil {
			t.Fatal(err)
		}
		near(t, "the uniform policy's value of "+name, p.Mean(v), math.Pow(.5, size)-.005)
	}
}

// Under the uniform policy a chain's values are a straight line; the best walk right, so V* is γ^(steps − 1).
func TestChainIsAStraightLine(t *testing.T) {
	for name, length := range map[string]int{"chain": 19, "chain:length=6": 6} {
		p := finite(t, name, 1)
		v := make([]float64, p.States)
		if err := p.Value(v, uniform(p)); err != nil {
			t.Fatal(err)
		}
		for s := 1; s <= length; s++ {
			near(t, name, v[s], 2*float64(s)/float64(length+1)-1)
		}
		p.Gamma = .9
		_, v = optimal(t, p)
		for s := 1; s <= length; s++ {
			near(t, name, v[s], math.Pow(.9, float64(length-s)))
		}
	}
}

// A chain that slips is the gambler's ruin, and its threshold for solved is nine tenths of the way there.
func TestChainThatSlipsIsTheGamblersRuin(t *testing.T) {
	const name, slip, length = "chain:length=9,slip=0.4", .4, 9
	p := finite(t, name, 1)
	_, v := optimal(t, p)
	r := slip / (1 - slip)
	for s := 1; s <= length; s++ {
		near(t, name, v[s], 2*(1-math.Pow(r, float64(s)))/(1-math.Pow(r, length+1))-1)
	}
	e, err := envs.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := float64(e.Spec.Solved), .9*p.Mean(v); math.Abs(got-want) > .005*want {
		t.Errorf("solved is %v, want %v to three digits", got, want)
	}
}

// LASER's proposition 2: Q* = (2, 5), μ = (.9, .1), π = (.5, .5), ρ̄ = 1. The implied policy is (5/6, 1/6), worth 2.5;
// Q·min(1, μ/π) is (2, 1), so the better action looks worse.
func TestBanditIsProposition2(t *testing.T) {
	p := finite(t, "bandit", .9)
	q, v := optimal(t, p)
	near(t, "Q of left", q[0], 2)
	near(t, "Q of right", q[1], 5)
	target, behaviour, implied := uniform(p), uniform(p), uniform(p)
	copy(behaviour, []float64{.9, .1})
	p.Implied(implied, target, behaviour, Correction{1, 1, 1, 1, 1})
	near(t, "the implied share of left", implied[0], 5./6)
	if err := p.Value(v, implied); err != nil {
		t.Fatal(err)
	}
	near(t, "the implied value", v[0], 2.5)
	near(t, "what V-trace sees in left", q[0]*min(1, behaviour[0]/target[0]), 2)
	near(t, "what V-trace sees in right", q[1]*min(1, behaviour[1]/target[1]), 1)
}

// LASER §2.3: with μ = (φ, 1−φ) and π = (1−φ, φ) the implied policy is uniform for every φ, and its value the mean.
func TestOppositePoliciesImplyTheUniformOne(t *testing.T) {
	p := finite(t, "bandit:left=0,gap=1", .9)
	for _, phi := range []float64{.5, .1, .01, 1e-6} {
		target, behaviour, implied, v := uniform(p), uniform(p), uniform(p), make([]float64, p.States)
		copy(behaviour, []float64{phi, 1 - phi})
		copy(target, []float64{1 - phi, phi})
		p.Implied(implied, target, behaviour, Correction{1, 1, 1, 1, 1})
		near(t, "the implied share of left", implied[0], .5)
		if err := p.Value(v, implied); err != nil {
			t.Fatal(err)
		}
		near(t, "the implied value", v[0], .5)
	}
}

func TestExtremesAreTheOptimaOfBothSigns(t *testing.T) {
	for _, name := range []string{"cliff", "four-rooms", "garnet", "t-maze", "deep-sea", "chain", "bandit"} {
		for _, gamma := range []float64{0, 0.9, 0.99} {
			p := finite(t, name, gamma)
			worst, best, err := p.Extremes()
			if err != nil {
				t.Fatal(name, gamma, err)
			}
			_, v := optimal(t, p)
			near(t, name+": the best policy's value", best, p.Mean(v))
			for i := range p.R {
				p.R[i] = -p.R[i]
			}
			_, v = optimal(t, p)
			near(t, name+": the worst policy's value", worst, -p.Mean(v))
		}
	}
	if _, best, err := finite(t, "garnet", 0.99999).Extremes(); err != nil || !(best > 1000) {
		t.Errorf("with γ near 1 the best value is %v (%v)", best, err)
	}
	if _, _, err := finite(t, "garnet", 1).Extremes(); err == nil {
		t.Error("a world without an end was given a value without a discount")
	}
}
