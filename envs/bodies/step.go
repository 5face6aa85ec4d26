package bodies

import "math"

// body is the constants of a body. They do not change while it moves.
type body struct {
	n        int // links
	links    [maxLinks]constants
	touching int
	points   [maxPoints]point
	driven   int
	motors   [maxLinks]int // links with a motor
	mass     float64
	h        float64 // seconds of a step
	ground   ground
	stop     stop
	hinged   bool // the root's origin is fixed: a pendulum, for tests

	drag     float64 // of a joint beyond its range, and of the ground: with the part of the spring that a step adds
	pressing float64
}

// constants do not change while a link moves. Vectors are in its own frame.
type constants struct {
	parent                       int
	joint                        vec // in the parent's frame
	centre                       vec
	mass, moment                 float64 // moment of inertia about the centre
	low, high                    float64 // rad
	spring, damper, rotor, motor float64

	drag, inertia float64 // of the joint, with the parts that a step adds
}

// point is the centre of a sphere that can touch the ground.
type point struct {
	link   int
	at     vec
	radius float64
}

// settle computes the constants that follow from the others.
func (b *body) settle() {
	b.mass = 0
	for i := range b.links[:b.n] {
		l := &b.links[i]
		l.drag = l.damper + float64(b.h*l.spring)
		l.inertia = l.rotor + float64(b.h*l.drag)
		b.mass += l.mass
	}
	b.drag = b.stop.damper + float64(b.h*b.stop.spring)
	b.pressing = float64(b.h * b.ground.spring)
}

// motion is the position and the velocity of a body: the root's origin, and the angle of every link to the upright.
type motion struct {
	x, z, vx, vz float64
	angle, spin  [maxLinks]float64
}

// frame is the present place of a link. Positions are from the root's origin, in the axes of the world.
type frame struct {
	sin, cos float64
	x, z     float64 // of the joint
	vx, vz   float64 // its velocity
	// The acceleration of the joint if no link changes its turning: centripetal, and the negative of gravity.
	gx, gz float64

	// The link and all that hangs on it resist a change Δ = (spin, vx, vz) of the motion of the link's frame at the
	// root's origin with the impulse M·Δ + p.
	m00, m01, m02, m11, m12, m22 float64
	p0, p1, p2                   float64

	// The joint's answer to a change Δ of the parent: free − k·Δ.
	k0, k1, k2, free float64
	d0, d1, d2       float64 // Δ of the link
}

// frames is scratch space of a step. Between steps the sines belong to the present angles.
type frames [maxLinks]frame

// aim computes the sines of the present angles.
func (b *body) aim(m *motion, fs *frames) {
	for i := range b.n {
		fs[i].sin, fs[i].cos = sincos(m.angle[i])
	}
}

// step moves a body by h seconds under the motors' torques, one for each link against its parent.
//
// It is Featherstone's articulated-body algorithm in the plane, with two simplifications. All quantities of all links
// refer to one point, the root's origin, in the axes of the world, so nothing is transformed on its way from link to
// link. And the centripetal accelerations, which depend on velocities alone, go into the forces beforehand.
//
// The step is linearly implicit in all that is stiff or damped: springs, dampers and stops of the joints, contacts and
// friction act with the velocities at the step's end,
//
//	(M + R + h·D + h²·K)·Δv = h·(Q − C − D·v − K·(φ + h·v)),   v += Δv,   q += h·v
//
// so no stiffness makes it unstable. A joint's spring adds to that joint's inertia, and a contact to its link's. So the
// algorithm stays one pass from the leaves to the root, with no iteration.
func (b *body) step(m *motion, torque *[maxLinks]float64, land *land, fs *frames) {
	b.pose(m, fs)
	b.touch(m, land, fs)
	b.fold(m, torque, fs)
	b.unfold(m, fs)
}

// pose computes the links' positions, and the inertia and the bias of each alone.
func (b *body) pose(m *motion, fs *frames) {
	h := b.h
	for i := range b.n {
		l, f := &b.links[i], &fs[i]
		if i == 0 {
			f.x, f.z, f.vx, f.vz, f.gx, f.gz = 0, 0, m.vx, m.vz, 0, gravity
		} else {
			p, spin := &fs[l.parent], m.spin[l.parent]
			ax, az := rotate(p.sin, p.cos, l.joint)
			square := float64(spin * spin)
			f.x, f.z = p.x+ax, p.z+az
			f.vx, f.vz = p.vx-float64(spin*az), p.vz+float64(spin*ax)
			f.gx, f.gz = p.gx-float64(square*ax), p.gz-float64(square*az)
		}
		rx, rz := rotate(f.sin, f.cos, l.centre)
		x, z := f.x+rx, f.z+rz
		square, weight := float64(m.spin[i]*m.spin[i]), float64(h*l.mass)
		f.p1 = float64(weight * (f.gx - float64(square*rx)))
		f.p2 = float64(weight * (f.gz - float64(square*rz)))
		f.p0 = float64(x*f.p2) - float64(z*f.p1)
		f.m00 = l.moment + float64(l.mass*dot(x, x, z, z))
		f.m01, f.m02 = -float64(l.mass*z), float64(l.mass*x)
		f.m11, f.m12, f.m22 = l.mass, 0, l.mass
	}
}

// reach is the fastest fall of a point, in m/s, that the ground stops in the same step.
const reach = 20

// touch adds the contacts. A point touches where it would be below the ground at the end of the step; the ground's
// push is not negative. Friction has the normal force of the step's beginning.
func (b *body) touch(m *motion, land *land, fs *frames) {
	h, g := b.h, &b.ground
	for i := range b.touching {
		c := &b.points[i]
		f := &fs[c.link]
		rx, rz := rotate(f.sin, f.cos, c.at)
		x, z := f.x+rx, f.z+rz
		nx, nz := 0.0, 1.0 // of the ground, upwards
		high := m.z + z - c.radius
		if land.kind != flat {
			high, nx, nz = land.above(m.x+x, m.z+z, c.radius)
		}
		if high > reach*h {
			continue
		}
		x, z = x-float64(c.radius*nx), z-float64(c.radius*nz)
		spin := m.spin[c.link]
		vx := f.vx - float64(spin*(z-f.z))
		vz := f.vz + float64(spin*(x-f.x))
		out, along := dot(vx, nx, vz, nz), dot(vx, nz, -vz, nx)
		deep := -high - float64(h*min(out, 0))
		if deep <= 0 {
			continue
		}
		damp := float64(g.damper*min(deep/g.soft, 1)) + b.pressing
		push := -float64(g.spring*high) - float64(damp*out)
		if push <= 0 {
			continue
		}
		rub := float64(g.friction*push) / math.Sqrt(dot(along, along, g.creep, g.creep))

		// n·Δ and t·Δ are the changes of the point's velocity outwards and along.
		n0, n1, n2 := float64(x*nz)-float64(z*nx), nx, nz
		t0, t1, t2 := -dot(x, nx, z, nz), nz, -nx
		pull := -float64(h * rub * along)
		push *= h
		f.p0 -= dot(n0, push, t0, pull)
		f.p1 -= dot(n1, push, t1, pull)
		f.p2 -= dot(n2, push, t2, pull)
		damp *= h
		rub *= h
		a0, a1, a2 := float64(damp*n0), float64(damp*n1), float64(damp*n2)
		c0, c1, c2 := float64(rub*t0), float64(rub*t1), float64(rub*t2)
		f.m00 += dot(a0, n0, c0, t0)
		f.m01 += dot(a0, n1, c0, t1)
		f.m02 += dot(a0, n2, c0, t2)
		f.m11 += dot(a1, n1, c1, t1)
		f.m12 += dot(a1, n2, c1, t2)
		f.m22 += dot(a2, n2, c2, t2)
	}
}

// fold goes from the leaves to the root. Each joint takes its share of the motion, and passes the rest to its parent.
func (b *body) fold(m *motion, torque *[maxLinks]float64, fs *frames) {
	h := b.h
	for i := b.n - 1; i > 0; i-- {
		l, f := &b.links[i], &fs[i]
		p := &fs[l.parent]
		angle, spin := m.angle[i]-m.angle[l.parent], m.spin[i]-m.spin[l.parent]
		τ, inertia := torque[i]-dot(l.spring, angle, l.drag, spin), l.inertia
		beyond := angle - min(max(angle, l.low), l.high)
		if back := dot(b.stop.spring, beyond, b.drag, spin); back*beyond > 0 {
			τ -= back
			inertia += float64(h * b.drag)
		}

		// The joint turns the link's frame by s = (1, z, −x) for each unit of its own turning.
		u0 := f.m00 + float64(f.m01*f.z) - float64(f.m02*f.x)
		u1 := f.m01 + float64(f.m11*f.z) - float64(f.m12*f.x)
		u2 := f.m02 + float64(f.m12*f.z) - float64(f.m22*f.x)
		inverse := 1 / (u0 + float64(u1*f.z) - float64(u2*f.x) + inertia)
		rest := float64(h*τ) - (f.p0 + float64(f.p1*f.z) - float64(f.p2*f.x))
		k0, k1, k2 := float64(u0*inverse), float64(u1*inverse), float64(u2*inverse)
		f.k0, f.k1, f.k2, f.free = k0, k1, k2, float64(rest*inverse)
		p.m00 += f.m00 - float64(u0*k0)
		p.m01 += f.m01 - float64(u0*k1)
		p.m02 += f.m02 - float64(u0*k2)
		p.m11 += f.m11 - float64(u1*k1)
		p.m12 += f.m12 - float64(u1*k2)
		p.m22 += f.m22 - float64(u2*k2)
		p.p0 += f.p0 + float64(k0*rest)
		p.p1 += f.p1 + float64(k1*rest)
		p.p2 += f.p2 + float64(k2*rest)
	}
}

// unfold solves the root's three equations M·Δ = −p, passes the changes on to the leaves, and moves the body.
func (b *body) unfold(m *motion, fs *frames) {
	h := b.h
	r := &fs[0]
	if b.hinged {
		r.d0, r.d1, r.d2 = -r.p0/r.m00, 0, 0
	} else {
		c := r.m12 / r.m22
		m11 := r.m11 - float64(c*r.m12)
		m01 := r.m01 - float64(c*r.m02)
		p1 := r.p1 - float64(c*r.p2)
		a, d := r.m02/r.m22, m01/m11
		m00 := r.m00 - float64(a*r.m02) - float64(d*m01)
		p0 := r.p0 - float64(a*r.p2) - float64(d*p1)
		r.d0 = -p0 / m00
		r.d1 = -(p1 + float64(m01*r.d0)) / m11
		r.d2 = -(r.p2 + dot(r.m02, r.d0, r.m12, r.d1)) / r.m22
	}
	m.vx += r.d1
	m.vz += r.d2
	m.x += float64(h * m.vx)
	m.z += float64(h * m.vz)
	for i := range b.n {
		f := &fs[i]
		if i > 0 {
			p := &fs[b.links[i].parent]
			turn := f.free - (float64(f.k0*p.d0) + float64(f.k1*p.d1) + float64(f.k2*p.d2))
			f.d0, f.d1, f.d2 = p.d0+turn, p.d1+float64(turn*f.z), p.d2-float64(turn*f.x)
		}
		m.spin[i] += f.d0
		m.angle[i] += float64(h * m.spin[i])
		f.sin, f.cos = sincos(m.angle[i])
	}
}
