package bodies

import (
	"math"
	"testing"

	"impalab/envs/world"
)

var tasks = []*Task{Hopper, Walker, Cheetah, Humanoid}

// newton is another account of the same bodies, which shares only their tables: every link is a free rigid part with
// three coordinates, joints are constraints with unknown forces, and all unknowns come out of one dense system of
// equations.
type newton struct {
	b      *body
	plan   *plan
	torque [maxLinks]float64
	g      float64
}

// free is a state in those coordinates: x, z and angle of each link, then their velocities.
type free []float64

// offset is a vector of link i in the world's axes, and cross products with it stand for its rotation.
func offset(q free, i int, v vec) (x, z float64) {
	s, c := math.Sin(q[3*i+2]), math.Cos(q[3*i+2])
	return c*v.x - s*v.z, s*v.x + c*v.z
}

// ends of joint i: from the parent's centre and from the link's.
func (n *newton) ends(i int) (parent, own vec) {
	l, p := &n.b.links[i], &n.b.links[n.plan.links[i].parent]
	at := n.plan.links[i].joint
	return vec{at.x - p.centre.x, at.z - p.centre.z}, vec{-l.centre.x, -l.centre.z}
}

// from translates a motion.
func (n *newton) from(m *motion) free {
	k := n.b.n
	q := make(free, 6*k)
	for i := range k {
		q[3*i+2], q[3*k+3*i+2] = m.angle[i], m.spin[i]
	}
	for i := range k {
		x, z, vx, vz := m.x, m.z, m.vx, m.vz
		if i > 0 {
			p := n.plan.links[i].parent
			parent, _ := n.ends(i)
			ax, az := offset(q, p, parent)
			ω := q[3*k+3*p+2]
			x, z = q[3*p]+ax, q[3*p+1]+az
			vx, vz = q[3*k+3*p]-ω*az, q[3*k+3*p+1]+ω*ax
		}
		cx, cz := offset(q, i, n.b.links[i].centre)
		q[3*i], q[3*i+1] = x+cx, z+cz
		q[3*k+3*i], q[3*k+3*i+1] = vx-m.spin[i]*cz, vz+m.spin[i]*cx
	}
	return q
}

// accelerations solves M·a = force + Gᵀλ under the joints' constraints on a.
func (n *newton) accelerations(q free) []float64 {
	k := n.b.n
	joints := k - 1
	if n.b.hinged {
		joints++
	}
	size := 3*k + 2*joints
	a := make([][]float64, size)
	for i := range a {
		a[i] = make([]float64, size+1)
	}
	right := func(row int, x float64) { a[row][size] += x }
	for i := range k {
		l := &n.b.links[i]
		a[3*i][3*i], a[3*i+1][3*i+1] = l.mass, l.mass
		a[3*i+2][3*i+2] += l.moment
		right(3*i+1, -l.mass*n.g)
		if i == 0 {
			continue
		}
		p, t := n.plan.links[i].parent, &n.plan.links[i]
		turn := func(row, other int) { // a rotor turns with the joint
			a[3*row+2][3*row+2] += t.rotor
			a[3*row+2][3*other+2] -= t.rotor
		}
		turn(i, p)
		turn(p, i)
		φ, ω := q[3*i+2]-q[3*p+2], q[3*k+3*i+2]-q[3*k+3*p+2]
		τ := n.torque[i] - t.spring*φ - t.damper*ω
		right(3*i+2, τ)
		right(3*p+2, -τ)
	}
	pin := func(row, link int, v vec, sign float64) {
		x, z := offset(q, link, v)
		ω := q[3*k+3*link+2]
		for c, at := range [2]float64{-z, x} {
			a[row+c][3*link+c] += sign
			a[row+c][3*link+2] += sign * at
			a[3*link+c][row+c] -= sign
			a[3*link+2][row+c] -= sign * at
		}
		right(row, sign*ω*ω*x)
		right(row+1, sign*ω*ω*z)
	}
	row := 3 * k
	for i := 1; i < k; i++ {
		parent, own := n.ends(i)
		pin(row, n.plan.links[i].parent, parent, 1)
		pin(row, i, own, -1)
		row += 2
	}
	if n.b.hinged {
		c := n.b.links[0].centre
		pin(row, 0, vec{-c.x, -c.z}, 1)
	}
	return solve(a)[:3*k]
}

// solve is Gauss's elimination with pivots.
func solve(a [][]float64) []float64 {
	n := len(a)
	for c := range n {
		best := c
		for r := c; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[best][c]) {
				best = r
			}
		}
		a[c], a[best] = a[best], a[c]
		for r := c + 1; r < n; r++ {
			f := a[r][c] / a[c][c]
			for k := c; k <= n; k++ {
				a[r][k] -= f * a[c][k]
			}
		}
	}
	x := make([]float64, n)
	for r := n - 1; r >= 0; r-- {
		x[r] = a[r][n]
		for k := r + 1; k < n; k++ {
			x[r] -= a[r][k] * x[k]
		}
		x[r] /= a[r][r]
	}
	return x
}

// advance is Runge and Kutta's step of fourth order.
func (n *newton) advance(q free, h float64) {
	k := len(q) / 2
	slope := func(at free) []float64 { return append(append([]float64{}, at[k:]...), n.accelerations(at)...) }
	moved := func(d []float64, by float64) free {
		to := append(free{}, q...)
		for i := range to {
			to[i] += by * d[i]
		}
		return to
	}
	k1 := slope(q)
	k2 := slope(moved(k1, h/2))
	k3 := slope(moved(k2, h/2))
	k4 := slope(moved(k3, h))
	for i := range q {
		q[i] += h / 6 * (k1[i] + 2*k2[i] + 2*k3[i] + k4[i])
	}
}

// energy is kinetic and of height; rotors count, springs do not.
func (n *newton) energy(q free) float64 {
	k, e := n.b.n, 0.0
	for i := range k {
		l := &n.b.links[i]
		v := q[3*k+3*i : 3*k+3*i+3]
		e += l.mass*(v[0]*v[0]+v[1]*v[1])/2 + l.moment*v[2]*v[2]/2 + l.mass*n.g*q[3*i+1]
		if i > 0 {
			ω := v[2] - q[3*k+3*n.plan.links[i].parent+2]
			e += n.plan.links[i].rotor * ω * ω / 2
		}
	}
	return e
}

// momentum is linear, and angular about the centre of mass.
func (n *newton) momentum(q free) (px, pz, turn float64) {
	k := n.b.n
	var mass, cx, cz float64
	for i := range k {
		l := &n.b.links[i]
		mass += l.mass
		cx += l.mass * q[3*i]
		cz += l.mass * q[3*i+1]
		px += l.mass * q[3*k+3*i]
		pz += l.mass * q[3*k+3*i+1]
	}
	for i := range k {
		l := &n.b.links[i]
		v := q[3*k+3*i : 3*k+3*i+3]
		turn += l.moment*v[2] + l.mass*((q[3*i]-cx/mass)*v[1]-(q[3*i+1]-cz/mass)*v[0])
	}
	return px, pz, turn
}

// untied is a task's body without springs, dampers and ends of joints, and its plan.
func untied(t testing.TB, p plan) (*body, *plan) {
	t.Helper()
	p.links = append([]link{}, p.links...)
	for i := range p.links {
		l := &p.links[i]
		l.spring, l.damper, l.low, l.high = 0, 0, -1e9, 1e9
	}
	p.stop = stop{}
	b, err := build(&p)
	if err != nil {
		t.Fatal(err)
	}
	return b, &p
}

// anywhere is a random motion high above the ground, within the joints' ranges.
func anywhere(b *body, r *world.Rand) *motion {
	m := &motion{x: r.Norm(), z: 100, vx: r.Norm(), vz: r.Norm()}
	m.angle[0], m.spin[0] = 3*r.Norm(), 2*r.Norm()
	for i := 1; i < b.n; i++ {
		l := &b.links[i]
		low, high := max(l.low, -2), min(l.high, 2)
		m.angle[i] = m.angle[l.parent] + low + (high-low)*r.Float64()
		m.spin[i] = 2 * r.Norm()
	}
	return m
}

// moved is a step of length h.
func moved(b *body, m *motion, torque *[maxLinks]float64, h float64) {
	var fs frames
	at := *b
	at.h = h
	at.settle()
	at.aim(m, &fs)
	at.step(m, torque, &land{}, &fs)
}

func TestAShortStepIsWhatNewtonSays(t *testing.T) {
	for _, task := range tasks {
		b, r, worst := task.body, world.NewRand(5, 0), 0.0
		for range 50 {
			m := anywhere(b, &r)
			n := &newton{b: b, plan: &task.plan, g: gravity}
			for i := 1; i < b.n; i++ {
				n.torque[i] = 50 * r.Norm()
			}
			want := n.accelerations(n.from(m))
			before := *m
			const h = 1e-8
			moved(b, m, &n.torque, h)
			largest := 1.0
			for i := range b.n {
				largest = max(largest, math.Abs(want[3*i+2]))
			}
			for i := range b.n {
				worst = max(worst, math.Abs((m.spin[i]-before.spin[i])/h-want[3*i+2])/largest)
			}
		}
		t.Logf("%-8s accelerations differ by %.1e of the largest", task.name, worst)
		if worst > 1e-4 {
			t.Errorf("%s: accelerations differ by %v", task.name, worst)
		}
	}
}

// Without gravity and ground, energy and momentum stay, but for the error of the method, which is of first order.
func TestAFlightKeepsEnergyAndMomentum(t *testing.T) {
	for _, task := range tasks {
		b, plan := untied(t, task.plan)
		n := &newton{b: b, plan: plan}
		var drift [4][4]float64 // of energy, px, pz, turn, each the mean of so many flights
		const flights = 8
		var scale, spun float64
		for flight := range uint64(flights) {
			r := world.NewRand(3, flight)
			first := anywhere(b, &r)
			// Nothing falls: the bias of gravity is taken away by motion in a falling frame, so compare without it.
			for k, h := range [...]float64{.005, .0025, .00125, .000625} {
				m := *first
				start := n.from(&m)
				e0 := n.energy(start)
				x0, z0, t0 := n.momentum(start)
				scale += e0 / 4 / flights
				spun += math.Abs(t0) / 4 / flights
				weightless(b, &m, h, 1)
				end := n.from(&m)
				x1, z1, t1 := n.momentum(end)
				for j, d := range [...]float64{n.energy(end) - e0, x1 - x0, z1 - z0, t1 - t0} {
					drift[k][j] += math.Abs(d) / flights
				}
			}
		}
		for k, d := range drift {
			t.Logf("%-8s h=%.3f ms, 1 s: energy %.2g of %.3g J, momentum %.2g and %.2g N·s of %.1f kg, turning %.2g of %.2g",
				task.name, 5/float64(int(1)<<k), d[0], scale, d[1], d[2], b.mass, d[3], spun)
		}
		for j := range 4 {
			order := math.Log2(drift[2][j] / drift[3][j])
			t.Logf("%-8s order %.2f", task.name, order)
			if order < .8 {
				t.Errorf("%s: quantity %d drifts with order %v", task.name, j, order)
			}
		}
		if drift[0][0] > .05*scale {
			t.Errorf("%s: at 5 ms its energy drifts by %v of %v J a second", task.name, drift[0][0], scale)
		}
	}
}

// weightless moves a body for some seconds without gravity: it compares falling with a frame that falls. A step adds
// exactly h·g to the frame's own fall.
func weightless(b *body, m *motion, h, seconds float64) {
	var fs frames
	var none [maxLinks]float64
	at := *b
	at.h = h
	at.settle()
	at.aim(m, &fs)
	for range int(math.Round(seconds / h)) {
		at.step(m, &none, &land{}, &fs)
		m.z += h * h * gravity
		m.vz += h * gravity
	}
}
