package envs

import (
	"math"
	"testing"

	"impalab/envs/world"
)

// Oracles for mechanics that no reference run covers: of two worlds, and of every perturbed world. They are Lagrange's
// equations, from nothing but where the points of the bodies are.

const (
	totalMass  = cartMass + poleMass
	poleMoment = poleMass * halfPole
)

// lucks are the usual body and some odd ones.
func lucks() []*world.Luck {
	all := []*world.Luck{nil}
	for i := range 4 {
		u := world.NewLuck(float64(i)/4, &world.Levels[2])
		all = append(all, &u)
	}
	return all
}

// massPoint is where a point of a mechanism is, given its two coordinates.
type massPoint struct {
	mass float64
	at   func(q [2]float64) (x, y float64) // y up
}

// rod is a uniform rod in points: at(s) is its point at the share s of its length.
func rod(mass float64, at func(q [2]float64, s float64) (x, y float64)) (points []massPoint) {
	const n = 400
	for i := range n {
		points = append(points, massPoint{mass / n,
			func(q [2]float64) (float64, float64) { return at(q, (float64(i)+.5)/n) }})
	}
	return points
}

// demanded is the generalised force Σ m (p̈ + g)·∂p/∂qᵢ that takes the points through acceleration a.
func demanded(points []massPoint, g float64, q, ω, a [2]float64) (force [2]float64) {
	const h = 1e-4
	along := func(p massPoint, t float64) (float64, float64) {
		return p.at([2]float64{q[0] + ω[0]*t + a[0]*t*t/2, q[1] + ω[1]*t + a[1]*t*t/2})
	}
	for _, p := range points {
		x0, y0 := along(p, -h)
		x1, y1 := along(p, 0)
		x2, y2 := along(p, h)
		ax, ay := (x0-2*x1+x2)/(h*h), (y0-2*y1+y2)/(h*h)+g
		for i := range force {
			lo, hi := q, q
			lo[i] -= h
			hi[i] += h
			lx, ly := p.at(lo)
			hx, hy := p.at(hi)
			force[i] += p.mass * (ax*(hx-lx) + ay*(hy-ly)) / (2 * h)
		}
	}
	return force
}

func TestSwingUpObeysLagrange(t *testing.T) {
	r := NewRand(1, 0)
	for _, u := range lucks() {
		cart, pole := cartMass*u.Mass(0), poleMass*u.Mass(1)
		points := cartAndPole(cart, pole, 1)
		for range 40 {
			m := [4]float64{r.Norm(), 3 * r.Norm(), r.Norm(), 5 * r.Norm()}
			push := 10 * r.Norm()
			d := swingUpMotion(m, push, cart, pole)
			got := demanded(points, swingUpG, [2]float64{m[0], m[1]}, [2]float64{m[2], m[3]}, [2]float64{d[2], d[3]})
			if math.Abs(got[0]-push) > 1e-4 || math.Abs(got[1]) > 1e-4 {
				t.Fatalf("motion %v under %v N takes the forces %v", m, push, got)
			}
		}
	}
}

// cartAndPole is a cart, and a pole of so many metres on it.
func cartAndPole(cart, pole, length float64) []massPoint {
	return append(rod(pole, func(q [2]float64, s float64) (float64, float64) {
		return q[0] + length*s*math.Sin(q[1]), length * s * math.Cos(q[1])
	}), massPoint{cart, func(q [2]float64) (float64, float64) { return q[0], 0 }})
}

// Both velocities change by the accelerations before the step.
func TestPerturbedCartPoleObeysLagrange(t *testing.T) {
	r := NewRand(1, 0)
	for _, u := range lucks()[1:] {
		w := cartPole{}
		w.Perturb(u)
		points := cartAndPole(cartMass*u.Mass(0), poleMass*u.Mass(1), .3+2.7*u.X)
		for range 40 {
			w.x, w.v, w.angle, w.omega, w.steps = 0, r.Norm(), .1*r.Norm(), r.Norm(), 0
			q, before := [2]float64{w.x, w.angle}, [2]float64{w.v, w.omega}
			w.Step(nil, 1)
			a := [2]float64{(w.v - before[0]) / tick, (w.omega - before[1]) / tick}
			got := demanded(points, gravity, q, before, a)
			if want := push * u.Strength(0); math.Abs(got[0]-want) > 1e-4 || math.Abs(got[1]) > 1e-4 {
				t.Fatalf("motion %v under %v N takes the forces %v", before, want, got)
			}
		}
	}
}

func TestPerturbedPendulumObeysLagrange(t *testing.T) {
	r := NewRand(1, 0)
	for _, u := range lucks()[1:] {
		points := rod(u.Mass(0), func(q [2]float64, s float64) (float64, float64) {
			return s * math.Sin(q[0]), s * math.Cos(q[0])
		})
		for range 40 {
			w := pendulum{angle: 3 * r.Norm(), omega: r.Norm()}
			w.Perturb(u)
			angle, before := w.angle, w.omega
			w.Drive(nil, []float32{1})
			a := (w.omega - before) / pendulumTick
			got := demanded(points, pendulumG, [2]float64{angle}, [2]float64{before}, [2]float64{a})
			if want := u.Strength(0); math.Abs(got[0]-want) > 1e-4 {
				t.Fatalf("from %v and %v rad/s it takes %v N·m, the motor gives %v", angle, before, got[0], want)
			}
		}
	}
}

// A link with a moment of inertia of its mass times a square metre is two points, a metre from its centre each.
func TestAcrobotObeysLagrange(t *testing.T) {
	r := NewRand(1, 0)
	for _, u := range lucks() {
		m1, m2 := u.Mass(0), u.Mass(1)
		var points []massPoint
		for _, s := range [...]float64{-.5, 1.5} {
			points = append(points, massPoint{m1 / 2, func(q [2]float64) (float64, float64) {
				return s * math.Sin(q[0]), -s * math.Cos(q[0])
			}}, massPoint{m2 / 2, func(q [2]float64) (float64, float64) {
				return math.Sin(q[0]) + s*math.Sin(q[0]+q[1]), -math.Cos(q[0]) - s*math.Cos(q[0]+q[1])
			}})
		}
		for range 40 {
			m, torque := [4]float64{3 * r.Norm(), 3 * r.Norm(), r.Norm(), r.Norm()}, r.Norm()
			d := acrobotMotion(m, m1, m2, torque)
			got := demanded(points, acrobotG, [2]float64{m[0], m[1]}, [2]float64{m[2], m[3]}, [2]float64{d[2], d[3]})
			if math.Abs(got[0]) > 1e-4 || math.Abs(got[1]-torque) > 1e-4 {
				t.Fatalf("motion %v under %v N·m takes %v", m, torque, got)
			}
		}
	}
}

func TestSwingUpKeepsItsEnergy(t *testing.T) {
	w := swingUp{motion: [4]float64{0, 2, 0, 1}}
	energy := func() float64 {
		v, ω, cos := w.motion[2], w.motion[3], math.Cos(w.motion[1])
		return totalMass*v*v/2 + poleMoment*v*ω*cos + poleMoment*halfPole*4/3*ω*ω/2 + poleMoment*swingUpG*cos
	}
	start := energy()
	for range 500 {
		w.Drive(nil, []float32{0})
	}
	if end := energy(); math.Abs(end-start) > 1e-6 {
		t.Errorf("left alone, its energy went from %v to %v J", start, end)
	}
}

// A blow at the pivot, through which all of the stop's force goes, does not change the pole's angular momentum about
// it.
func TestSwingUpStopKeepsThePolesMomentum(t *testing.T) {
	r := NewRand(2, 0)
	for range 100 {
		w := swingUp{motion: [4]float64{swingUpRail - 1e-9, 3 * r.Norm(), 1 + r.Float64(), r.Norm()}}
		moved := rungeKutta(w.motion, swingUpTick, func(m [4]float64) [4]float64 {
			return swingUpMotion(m, 0, cartMass, poleMass)
		})
		momentum := func(m [4]float64) float64 { return poleMoment * (m[2]*math.Cos(m[1]) + 4.0/3*halfPole*m[3]) }
		w.Drive(nil, []float32{0})
		if w.motion[0] != swingUpRail || w.motion[2] != 0 || math.Abs(momentum(w.motion)-momentum(moved)) > 1e-12 {
			t.Fatalf("from %v the stop gave %v", moved, w.motion)
		}
	}
}

// reacherPoints is the arm, its hand and the finger, which is a part of the hand.
func reacherPoints(u *world.Luck) []massPoint {
	place := func(q [2]float64, arm, hand float64) (float64, float64) {
		return linkLength*arm*math.Sin(q[0]) + hand*math.Sin(q[0]+q[1]),
			linkLength*arm*math.Cos(q[0]) + hand*math.Cos(q[0]+q[1])
	}
	points := rod(armMass*u.Mass(0), func(q [2]float64, s float64) (float64, float64) { return place(q, s, 0) })
	points = append(points, rod(handMass*u.Mass(1),
		func(q [2]float64, s float64) (float64, float64) { return place(q, 1, .1*s) })...)
	return append(points, massPoint{fingerMass * u.Mass(1),
		func(q [2]float64) (float64, float64) { return place(q, 1, linkLength) }})
}

// The damping works at the velocities after the step, everything else at those before.
func TestReacherObeysLagrange(t *testing.T) {
	r := NewRand(3, 0)
	for i := range 100 {
		u := lucks()[i%len(lucks())]
		points := reacherPoints(u)
		w := reacher{shoulder: 3 * r.Norm(), wrist: 4*r.Float64() - 2, ω1: 3 * r.Norm(), ω2: 3 * r.Norm(), luck: u}
		q, before := [2]float64{w.shoulder, w.wrist}, [2]float64{w.ω1, w.ω2}
		τ := [2]float64{.1*r.Float64() - .05, .1*r.Float64() - .05}
		w.rotate(τ[0], τ[1])
		after := [2]float64{w.ω1, w.ω2}
		a := [2]float64{(after[0] - before[0]) / reacherTick, (after[1] - before[1]) / reacherTick}
		got := demanded(points, 0, q, before, a)
		for i := range got {
			if want := τ[i] - jointDamping*u.Friction()*after[i]; math.Abs(got[i]-want) > 1e-5 {
				t.Errorf("joint %d: from %v to %v takes %v N·m, the motor and the damping give %v", i, before, after, got[i], want)
			}
		}
	}
}

// The blow of the wrist's stop is between the links: the whole arm's angular momentum about the shoulder stays.
func TestReacherStopKeepsTheMomentum(t *testing.T) {
	points := reacherPoints(nil)
	momentum := func(ω1, ω2 float64) (sum float64) {
		const h = 1e-6
		for _, p := range points {
			x0, y0 := p.at([2]float64{-ω1 * h, wristEnd - ω2*h})
			x1, y1 := p.at([2]float64{ω1 * h, wristEnd + ω2*h})
			x, y := p.at([2]float64{0, wristEnd})
			sum += p.mass * (y*(x1-x0) - x*(y1-y0)) / (2 * h)
		}
		return sum
	}
	r := NewRand(4, 0)
	for range 100 {
		w := reacher{wrist: wristEnd - 1e-9, ω1: 3 * r.Norm(), ω2: 6 + r.Float64()}
		free := w
		free.rotate(0, 0)
		w.Drive(nil, []float32{0, 0})
		if free.ω2 <= 0 {
			continue // it turned back by itself
		}
		if got, want := momentum(w.ω1, w.ω2), momentum(free.ω1, free.ω2); w.wrist != wristEnd || w.ω2 != 0 ||
			math.Abs(got-want) > 1e-8 {
			t.Fatalf("from %+v the stop gave %+v: momentum %v, want %v", free, w, got, want)
		}
	}
}

// SetState takes foreign states that spin as fast as this, and none may run away to infinity.
func TestTheFastestStatesThatAreAcceptedStaySlow(t *testing.T) {
	r := NewRand(4, 0)
	within := func(limit float64) float64 { return limit * (2*r.Float64() - 1) }
	for range 2000 {
		cart := swingUp{motion: [4]float64{within(swingUpRail), within(3), within(swingUpFast), within(swingUpSpin)}}
		arm := reacher{shoulder: within(3), wrist: within(wristEnd), ω1: within(reacherSpin), ω2: within(reacherSpin)}
		for _, w := range [...]World{&cart, &arm} {
			if err := w.SetState(w.State(nil)); err != nil {
				t.Fatal(err)
			}
			for range 100 {
				w.Step(&r, r.IntN(len(w.Spec().Actions)))
			}
		}
		if v, ω := cart.motion[2], cart.motion[3]; !(math.Abs(v) < 1000 && math.Abs(ω) < 1000) {
			t.Fatalf("the cart runs at %v m/s, its pole at %v rad/s", v, ω)
		}
		if !(math.Abs(arm.ω1) < 1000 && math.Abs(arm.ω2) < 1000) {
			t.Fatalf("the arm turns at %v and %v rad/s", arm.ω1, arm.ω2)
		}
	}
}
