// Package bodies has planar bodies of rigid links that stand, hop, walk and run: their mechanics, the ground under them
// and their tasks. Look at walker.go first, which describes one body, then at step.go, which moves it.
package bodies

import (
	"fmt"
	"math"
)

// vec is a point or a direction in the plane: x forward, z up, in metres.
type vec struct{ x, z float64 }

// plan describes a body, in the order of its links: the root first, and every parent before its children.
type plan struct {
	name    string
	density float64 // kg/m³ of every capsule
	links   []link
	ground  ground
	stop    stop
	step    float64 // seconds of one step of the mechanics
}

// link is one rigid part and the joint that carries it. Angles are counter-clockwise: a leg that hangs down swings
// forward with a positive angle.
type link struct {
	name      string // of the joint, and of its motor
	parent    int    // −1: the root, which moves freely
	joint     vec    // in the parent's frame; the origin of the link's own frame
	bones     []bone
	low, high float64 // of the angle to the parent: degrees
	motor     float64 // N·m at a control of 1; 0: none
	spring    float64 // N·m/rad towards the angle 0
	damper    float64 // N·m·s
	rotor     float64 // kg·m², of the part that turns with the joint
}

// bone is a capsule of a link: its axis in the link's frame, and the ends that can touch the ground.
type bone struct {
	from, to vec
	radius   float64
	touches  ends
}

// ends are the ends of a bone.
type ends uint8

const (
	neither ends = 0
	near    ends = 1 // from
	far     ends = 2 // to
	both    ends = near | far
)

// ground is a stiff spring, and a damper that reaches its full strength at the depth soft. Friction is Coulomb's above
// the creep speed, and a damper below it.
type ground struct {
	spring   float64 // N/m
	damper   float64 // N·s/m
	soft     float64 // m: the depth at which the damper is whole
	friction float64
	creep    float64 // m/s
}

// stop is the end of every joint's range: a spring and a damper.
type stop struct{ spring, damper float64 }

const (
	maxLinks  = 16
	maxPoints = 16
	gravity   = 9.81 // m/s²
)

// bound is a quantity of a plan, and the range in which a body can be computed.
type bound struct {
	owner, what string
	value       float64
	low, high   float64
	unit        string
}

func (b *bound) check() error {
	if b.value >= b.low && b.value <= b.high {
		return nil
	}
	return fmt.Errorf("bodies: %s has a %s of %g%s: choose %g to %g", b.owner, b.what, b.value, b.unit, b.low, b.high)
}

// build computes the constants of a body. It refuses a plan without a body, and a body whose motion would diverge. The
// error names the bound.
func build(p *plan) (*body, error) {
	if n := len(p.links); n < 1 || n > maxLinks {
		return nil, fmt.Errorf("bodies: %s has %d links: choose 1 to %d", p.name, n, maxLinks)
	}
	checks := []bound{
		{p.name, "step", p.step, 1e-5, .02, " s"},
		{p.name, "ground's spring", p.ground.spring, 0, 1e6, " N/m"},
		{p.name, "ground's damper", p.ground.damper, 0, 1e5, " N·s/m"},
		{p.name, "ground's softness", p.ground.soft, 1e-6, 1, " m"},
		{p.name, "friction", p.ground.friction, 0, 10, ""},
		{p.name, "creep speed", p.ground.creep, 1e-4, 1, " m/s"},
		{p.name, "stop's spring", p.stop.spring, 0, 1e5, " N·m/rad"},
		{p.name, "stop's damper", p.stop.damper, 0, 1e4, " N·m·s"},
	}
	b := &body{n: len(p.links), ground: p.ground, stop: p.stop, h: p.step}
	for i := range p.links {
		l := &p.links[i]
		if (i == 0) != (l.parent == -1) || l.parent >= i {
			return nil, fmt.Errorf("bodies: %s hangs on link %d: the root comes first, and a parent before its children",
				l.name, l.parent)
		}
		c := &b.links[i]
		b.weigh(i, l.bones, p.density)
		c.parent, c.joint = max(l.parent, 0), l.joint
		c.low, c.high = l.low*degree, l.high*degree
		c.spring, c.damper, c.rotor, c.motor = l.spring, l.damper, l.rotor, l.motor
		checks = append(checks,
			bound{l.name, "mass", c.mass, .01, 1e3, " kg"},
			bound{l.name, "motor", l.motor, 0, 1e3, " N·m"},
			bound{l.name, "spring", l.spring, 0, 1e4, " N·m/rad"},
			bound{l.name, "damper", l.damper, 0, 1e3, " N·m·s"},
			bound{l.name, "rotor", l.rotor, 0, 10, " kg·m²"},
			bound{l.name, "lower end", l.low, -1e9, l.high, "°"},
			bound{l.name, "distance from its parent's joint", max(math.Abs(l.joint.x), math.Abs(l.joint.z)), 0, 10, " m"},
		)
		if l.motor != 0 {
			b.motors[b.driven] = i
			b.driven++
		}
	}
	checks = append(checks, bound{p.name, "number of points that touch", float64(b.touching), 0, maxPoints, ""})
	for i := range checks {
		if err := checks[i].check(); err != nil {
			return nil, err
		}
	}
	b.settle()
	return b, nil
}

const degree = math.Pi / 180

// weigh computes the mass, the centre and the moment of inertia of link i, and its contact points.
func (b *body) weigh(i int, bones []bone, density float64) {
	c := &b.links[i]
	var second float64 // about the joint
	for _, k := range bones {
		dx, dz := k.to.x-k.from.x, k.to.z-k.from.z
		mid := vec{(k.from.x + k.to.x) / 2, (k.from.z + k.to.z) / 2}
		square := dot(dx, dx, dz, dz)
		length, r := math.Sqrt(square), k.radius // not Hypot, whose bits depend on the machine
		disc := density * math.Pi * r * r
		// A cylinder, and the two halves of a sphere, whose centres lie 3r/8 beyond its ends.
		rod, ball := float64(disc*length), float64(disc*r*4/3)
		own := float64(rod*(square/12+float64(r*r)/4)) +
			float64(ball*(float64(.4*r*r)+square/4+float64(.375*length*r)))
		c.mass += rod + ball
		c.centre.x += float64((rod + ball) * mid.x)
		c.centre.z += float64((rod + ball) * mid.z)
		second += own + float64((rod+ball)*dot(mid.x, mid.x, mid.z, mid.z))
		for _, end := range [...]struct {
			which ends
			at    vec
		}{{near, k.from}, {far, k.to}} {
			if k.touches&end.which != 0 {
				if b.touching < maxPoints {
					b.points[b.touching] = point{link: i, at: end.at, radius: r}
				}
				b.touching++
			}
		}
	}
	if c.mass > 0 {
		c.centre.x /= c.mass
		c.centre.z /= c.mass
	}
	c.moment = second - float64(c.mass*dot(c.centre.x, c.centre.x, c.centre.z, c.centre.z))
}
