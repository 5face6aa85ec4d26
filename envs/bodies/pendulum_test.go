package bodies

import (
	"math"
	"testing"
)

// rods is a chain of rods of 1 m that hangs from its root's origin.
func rods(t testing.TB, n int) (*body, *plan) {
	p := plan{name: "rods", density: 1000, step: .005, ground: ground{soft: .002, creep: .005}}
	for i := range n {
		l := link{name: "rod", parent: i - 1, bones: []bone{{vec{}, vec{0, -1}, .03, neither}}}
		if i > 0 {
			l.joint = vec{0, -1}
		}
		p.links = append(p.links, l)
	}
	b, made := untied(t, p)
	b.hinged = true
	return b, made
}

// run moves for some seconds with steps of h.
func run(b *body, m *motion, h, seconds float64) {
	var none [maxLinks]float64
	var fs frames
	at := *b
	at.h = h
	at.settle()
	at.aim(m, &fs)
	for range int(math.Round(seconds / h)) {
		at.step(m, &none, &land{}, &fs)
	}
}

// The period of a pendulum let go at the angle θ is 4·K(sin θ/2)/ω, and K is a mean of Gauss's.
func TestAPendulumHasItsPeriod(t *testing.T) {
	b, _ := rods(t, 1)
	l := &b.links[0]
	about := l.moment + l.mass*l.centre.z*l.centre.z
	ω := math.Sqrt(-l.mass * gravity * l.centre.z / about)
	for _, θ := range []float64{.1, 1, 2, 3} {
		x, y := 1., math.Cos(θ/2)
		for range 40 {
			x, y = (x+y)/2, math.Sqrt(x*y)
		}
		period := 2 * math.Pi / ω / x
		var errs [4]float64
		for k, h := range [...]float64{.005, .0025, .00125, .000625} {
			h = period / math.Round(period/h) // steps that end with the period
			m := motion{}
			m.angle[0] = θ
			run(b, &m, h, period)
			errs[k] = math.Hypot(m.angle[0]-θ, m.spin[0]/ω)
		}
		t.Logf("let go at %g rad, after one period of %.4f s: off by %.2g rad at 5 ms, %.2g at 2.5, %.2g at 1.25", θ, period,
			errs[0], errs[1], errs[2])
		if order := math.Log2(errs[2] / errs[3]); order < .9 {
			t.Errorf("let go at %g rad: order %v", θ, order)
		}
	}
}

func TestADoublePendulumFollowsAMethodOfHighOrder(t *testing.T) {
	b, plan := rods(t, 2)
	n := &newton{b: b, plan: plan, g: gravity}
	first := motion{}
	first.angle = [maxLinks]float64{2, 1}
	exact := n.from(&first)
	const seconds = 1
	for range 10000 {
		n.advance(exact, seconds/10000.)
	}
	coarse := n.from(&first) // the same with steps ten times as long: the reference's own error
	for range 1000 {
		n.advance(coarse, seconds/1000.)
	}
	t.Logf("the reference is good to %.1g rad", math.Abs(coarse[5]-exact[5]))
	var errs [5]float64
	for k := range errs {
		m := first
		h := .005 / float64(int(1)<<k)
		run(b, &m, h, seconds)
		errs[k] = math.Hypot(m.angle[0]-exact[2], m.angle[1]-exact[5])
		t.Logf("h=%.4f ms: off by %.3g rad after %d s", h*1000, errs[k], seconds)
	}
	if order := math.Log2(errs[3] / errs[4]); order < .9 || errs[4] > .02 {
		t.Errorf("order %v, error %v", order, errs[4])
	}
}
