package bodies

import (
	"math"
	"testing"

	"impalab/envs/world"
)

func TestSinesEqualThoseOfPackageMath(t *testing.T) {
	r, worst := world.NewRand(1, 0), 0.0
	for k := range 300_000 {
		x := []float64{4, 100, 1e5}[k%3] * (2*r.Float64() - 1)
		s, c := sincos(x)
		worst = max(worst, math.Abs(s-math.Sin(x)), math.Abs(c-math.Cos(x)))
		back, same := sincos(-x)
		if back != -s || same != c {
			t.Fatalf("sincos(%v) is not that of %v mirrored", -x, x)
		}
	}
	t.Logf("worst difference %.2g", worst)
	if worst > 4e-16 {
		t.Errorf("worst difference %v", worst)
	}
}

func TestPowersEqualThoseOfPackageMath(t *testing.T) {
	r := world.NewRand(1, 0)
	for range 100_000 {
		x := -60 * r.Float64()
		if got, want := exp2(x), math.Exp2(x); math.Abs(got/want-1) > 1e-10 {
			t.Fatalf("2^%v is %v, want %v", x, got, want)
		}
	}
	for x, want := range map[float64]float64{0: 1, -1: .5, -2000: 0, math.Inf(-1): 0} {
		if got := exp2(x); got != want {
			t.Errorf("2^%v is %v", x, got)
		}
	}
}

// The rewards' forms at their named points.
func TestTolerancesHaveTheirNamedValues(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{above(2, 1.2, .6), 1}, {above(1.2, 1.2, .6), 1}, {above(.6, 1.2, .6), .1},
		{linear(2, 1, .5, .5), 1}, {linear(.5, 1, .5, .5), .5}, {linear(-1, 1, .5, .5), 0}, {linear(5, 10, 10, 0), .5},
		{forward(1), 1}, {forward(0), 1. / 6},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

// A capsule's mass and moment, by adding up a hundred thousand small parts.
func TestACapsuleWeighsWhatItsPartsWeigh(t *testing.T) {
	const r, half = .05, .1
	var b body
	b.weigh(0, []bone{{vec{0, -half}, vec{0, half}, r, neither}}, 1000)
	const n = 400
	var mass, second float64
	d := 2 * (half + r) / n
	for i := range n {
		z := -half - r + d*(float64(i)+.5)
		beyond := max(math.Abs(z)-half, 0)
		radius := math.Sqrt(r*r - beyond*beyond)
		slice := 1000 * math.Pi * radius * radius * d
		mass += slice
		second += slice * (z*z + radius*radius/4)
	}
	if l := &b.links[0]; math.Abs(l.mass/mass-1) > 1e-4 || math.Abs(l.moment/second-1) > 1e-4 {
		t.Errorf("mass %v, want %v; moment %v, want %v", l.mass, mass, l.moment, second)
	}
}
