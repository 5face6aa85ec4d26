package bodies

import (
	"math"
	"testing"

	"impalab/envs/world"
)

// block is a bar that touches with both ends; a ball touches with its only one.
func block(t testing.TB, g ground) *body {
	b, err := build(&plan{name: "block", density: 1000, step: .005, ground: g, links: []link{
		{name: "block", parent: -1, bones: []bone{{vec{-.5, 0}, vec{.5, 0}, .05, both}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func ball(t testing.TB, g ground) *body {
	b, err := build(&plan{name: "ball", density: 1000, step: .005, ground: g, links: []link{
		{name: "ball", parent: -1, bones: []bone{{vec{}, vec{}, .1, near}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Coulomb: a block that slides at v stops after v²/(2·μ·g), and then rests.
func TestABlockSlidesAsFarAsCoulombSays(t *testing.T) {
	g := walkerPlan.ground
	b := block(t, g)
	for _, h := range []float64{.005, .0025, .001} {
		m := motion{z: .05 - b.mass*gravity/2/g.spring, vx: 3}
		run(b, &m, h, 3)
		want := 9 / (2 * g.friction * gravity)
		t.Logf("h=%g ms: slid %.4f m, Coulomb %.4f m, then %.1g m/s", h*1000, m.x, want, m.vx)
		if math.Abs(m.x/want-1) > .02 || math.Abs(m.vx) > 1e-6 {
			t.Errorf("h=%v: slid %v m, want %v; still at %v m/s", h, m.x, want, m.vx)
		}
	}
}

// A body rests where the ground's springs carry its weight.
func TestABlockRestsWhereItsWeightIsCarried(t *testing.T) {
	g := walkerPlan.ground
	b := block(t, g)
	for _, h := range []float64{.005, .001} {
		m := motion{z: 1.05}
		deepest, bounce := 0.0, 0.0
		for range int(3 / h) {
			run(b, &m, h, h)
			deepest = min(deepest, m.z-.05)
			if deepest < 0 {
				bounce = max(bounce, m.z-.05)
			}
		}
		rest := -b.mass * gravity / 2 / g.spring
		t.Logf("h=%g ms: dropped from 1 m: %.2f mm deep, bounced %.2f mm, rests at %.4f mm, want %.4f", h*1000,
			1000*deepest, 1000*bounce, 1000*(m.z-.05), 1000*rest)
		if math.Abs(m.z-.05-rest) > 1e-6 || deepest < -.03 || bounce > .05 {
			t.Errorf("h=%v: deepest %v, bounce %v, rest %v", h, deepest, bounce, m.z-.05)
		}
	}
}

// On a spring without a damper a ball bounces as high as it fell, is v·√(m/k) deep, and touches for half a period.
func TestABallBouncesAsASpringLets(t *testing.T) {
	b := ball(t, ground{spring: 2e4, soft: .002, creep: .005})
	ω := math.Sqrt(2e4 / b.mass)
	const from = .5
	v := math.Sqrt(2 * gravity * from)
	static := gravity / ω / ω
	deep := static + math.Sqrt(static*static+v*v/ω/ω)
	lasts := (math.Pi + 2*math.Atan(gravity/ω/v)) / ω
	var off [3]float64
	for k, h := range []float64{4e-5, 2e-5, 1e-5} {
		m := motion{z: .1 + from}
		deepest, touched, top := 0.0, 0.0, 0.0
		for range int(1 / h) {
			run(b, &m, h, h)
			deepest = min(deepest, m.z-.1)
			if m.z < .1 {
				touched += h
			} else if touched > 0 {
				top = max(top, m.z-.1)
				if m.vz < 0 {
					break
				}
			}
		}
		t.Logf("h=%g µs: %.3f mm deep, want %.3f; touches %.3f ms, want %.3f; rises %.4f m, want %.1f", h*1e6,
			-deepest*1000, deep*1000, touched*1000, lasts*1000, top, from)
		off[k] = math.Abs(top - from)
		if math.Abs(-deepest/deep-1) > .02 || math.Abs(touched/lasts-1) > .02 || off[k] > .05*from {
			t.Errorf("h=%v: depth %v, touching %v, height %v", h, deepest, touched, top)
		}
	}
	if order := math.Log2(off[1] / off[2]); order < .8 {
		t.Errorf("the height is off with order %v", order)
	}
}

// The mirror image of a body on flat ground moves as its mirror image, to the last bit.
func TestAMirroredBodyMovesMirrored(t *testing.T) {
	for _, task := range tasks {
		b, twin := *task.body, *task.body
		for i := range b.n {
			l := &twin.links[i]
			l.joint.x, l.centre.x = -l.joint.x, -l.centre.x
			l.low, l.high = -l.high, -l.low
		}
		for i := range twin.points {
			twin.points[i].at.x *= -1
		}
		r := world.NewRand(4, 0)
		m := anywhere(&b, &r)
		m.z = 1.2
		mirrored := func() (to motion) {
			to = motion{x: -m.x, z: m.z, vx: -m.vx, vz: m.vz}
			for i := range b.n {
				to.angle[i], to.spin[i] = -m.angle[i], -m.spin[i]
			}
			return to
		}
		other := mirrored()
		var torque, back [maxLinks]float64
		for step := range 4000 {
			if step%5 == 0 {
				for i := 1; i < b.n; i++ {
					torque[i] = b.links[i].motor * (2*r.Float64() - 1)
					back[i] = -torque[i]
				}
			}
			var fs frames
			b.aim(m, &fs)
			b.step(m, &torque, &land{}, &fs)
			twin.aim(&other, &fs)
			twin.step(&other, &back, &land{}, &fs)
			if mirrored() != other {
				t.Fatalf("%s: differs after %d steps:\n%v\n%v", task.name, step, mirrored(), other)
			}
		}
	}
}
