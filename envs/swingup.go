package envs

import (
	"encoding/binary"
	"math"

	"impalab/envs/world"
)

// Swing-up is the cart and pole of the DeepMind Control Suite (Tassa and others, 2018) with its start, observation,
// time limit (10 s of 0.01 s each) and smooth reward. The mechanics are written out here and not MuJoCo's: a uniform
// rod on a cart without friction, and one Runge-Kutta step for each action. The stops at the rail's ends take all the
// cart's speed. The pole keeps its angular momentum about the pivot.

const (
	swingUpG     = 9.81
	swingUpTick  = .01 // seconds
	swingUpPush  = 10  // newtons at a force of 1
	swingUpRail  = 1.8 // metres from the centre
	swingUpSteps = 1000

	// Several times the speed that pushing reaches (11 m/s, 80 rad/s); at a thousand, steps of this length diverge.
	swingUpFast = 50  // m/s
	swingUpSpin = 200 // rad/s
)

var swingUpSpec = Spec{
	Name:  "swing-up",
	Title: "Swing-up",
	Summary: "Push the cart so that the hanging pole swings up and stays there: up to +1 a step, the nearer to " +
		"upright, centred, calm and effortless.",
	Source: "DeepMind Control Suite, cartpole swingup; mechanics written out in this file",
	// position (m), cosine and sine of the angle from upright, velocity (m/s), angular velocity (rad/s)
	Obs:      []int{5},
	Actions:  []string{"left", "rest", "right"},
	Controls: []Control{{Name: "force", Low: -1, High: 1}},
	Settings: [][]float32{{-1}, {0}, {1}},
	Limit:    swingUpSteps,
	Random:   42.5,
	Solved:   700, // of 1000: less than a pole earns that is up after two seconds and stays there
	View:     [2]float32{5.2, 2.8},
	Rate:     100,
}

type swingUp struct {
	motion [4]float64 // position, angle from upright, clockwise; their velocities
	force  float64    // of the last step, for the picture
	steps  int
	luck   *world.Luck // not a part of the state
}

func (*swingUp) Levels() *[3]world.Level { return &world.Levels }
func (*swingUp) ChallengeLevel(int) int  { return 0 }
func (w *swingUp) Perturb(u *world.Luck) { w.luck = u }

func (w *swingUp) Spec() *Spec { return &swingUpSpec }

func (w *swingUp) Reset(r *Rand) {
	*w = swingUp{luck: w.luck}
	for i := range w.motion {
		w.motion[i] = .01 * r.Norm()
	}
	w.motion[1] = wrapAngle(w.motion[1] + math.Pi)
}

func (w *swingUp) Step(r *Rand, action int) Outcome { return w.Drive(r, swingUpSpec.Setting(action)) }

func (w *swingUp) Drive(_ *Rand, controls []float32) Outcome {
	w.force = swingUpSpec.Controls[0].Clip(controls[0])
	force := swingUpPush * w.force * w.luck.Strength(0)
	cart, pole := cartMass*w.luck.Mass(0), poleMass*w.luck.Mass(1)
	w.motion = rungeKutta(w.motion, swingUpTick,
		func(m [4]float64) [4]float64 { return swingUpMotion(m, force, cart, pole) })
	w.motion[1] = wrapAngle(w.motion[1])
	if x, v := w.motion[0], w.motion[2]; math.Abs(x) > swingUpRail {
		w.motion[0] = math.Copysign(swingUpRail, x)
		if x*v > 0 { // a blow at the pivot does not change 4/3 ℓ ω + v cos θ
			w.motion[2] = 0
			w.motion[3] += v * math.Cos(w.motion[1]) / (4.0 / 3 * halfPole)
		}
	}
	w.steps++
	out := Outcome{Reward: float32(w.reward())}
	if w.steps >= swingUpSteps {
		out.End = Truncated
	}
	return out
}

// swingUpMotion is the time derivative of the motion: CartPole's equations for a force in N and two masses in kg.
func swingUpMotion(m [4]float64, force, cart, pole float64) [4]float64 {
	v, ω := m[2], m[3]
	sin, cos := math.Sincos(m[1])
	whole, moment := cart+pole, pole*halfPole
	a := (force + moment*(ω*ω)*sin) / whole
	α := (swingUpG*sin - cos*a) / (halfPole * (4.0/3 - pole*(cos*cos)/whole))
	return [4]float64{v, ω, a - moment*α*cos/whole, α}
}

// reward is (1 + cos θ)/2 · (1 + near(x/2))/2 · (4 + 1 − force²)/5 · (1 + near(ω/5))/2, with near(d) = 0.1^d².
func (w *swingUp) reward() float64 {
	near := func(d float64) float64 { return math.Exp2(-math.Ln10 / math.Ln2 * (d * d)) }
	upright := (1 + math.Cos(w.motion[1])) / 2
	centred := (1 + near(w.motion[0]/2)) / 2
	effortless := (5 - w.force*w.force) / 5
	calm := (1 + near(w.motion[3]/5)) / 2
	return upright * centred * effortless * calm
}

func (w *swingUp) Observe(obs []float32) {
	_ = obs[4]
	sin, cos := math.Sincos(w.motion[1])
	obs[0], obs[1], obs[2] = float32(w.motion[0]), float32(cos), float32(sin)
	obs[3], obs[4] = float32(w.motion[2]), float32(w.motion[3])
}

func (w *swingUp) State(dst []byte) []byte {
	dst = world.Begin(dst, world.One, &swingUpSpec)
	for _, x := range w.motion {
		dst = world.AppendFloat(dst, x)
	}
	dst = world.AppendFloat(dst, w.force)
	return binary.LittleEndian.AppendUint32(dst, uint32(w.steps))
}

func (w *swingUp) SetState(src []byte) error {
	b := world.Open(src, world.One, &swingUpSpec)
	next := swingUp{
		motion: [4]float64{b.Within(swingUpRail), b.Within(stateLimit), b.Within(swingUpFast), b.Within(swingUpSpin)},
		force:  b.Within(1),
		steps:  b.Below(swingUpSteps + 1),
		luck:   w.luck,
	}
	if err := b.Close(); err != nil {
		return err
	}
	*w = next
	return nil
}

// swingUpGoal points to where the pole's end should be.
var swingUpGoal = []float32{2.6, .3, 2.52, .15, 2.68, .15}

func (w *swingUp) Draw(c Canvas) {
	const centre, pivot, half, stop = 2.6, 1.45, .22, swingUpRail + .22 + .03
	x := centre + float32(w.motion[0])
	c.Line(centre-stop, pivot, centre+stop, pivot, .025, Faint)
	c.Line(centre, pivot-.06, centre, pivot+.06, .025, Faint)
	c.Rect(centre-stop-.06, pivot-.16, .06, .32, Wall)
	c.Rect(centre+stop, pivot-.16, .06, .32, Wall)
	c.Polygon(swingUpGoal, Prize)
	if push := float32(w.force); push != 0 { // an arrow behind the cart
		side := float32(math.Copysign(1, w.force))
		from, to := x-side*(half+.06)-.4*push, x-side*(half+.06)
		drawRod(c, from, pivot+.06, to, pivot+.06, .03, Past)
		drawRod(c, to-side*.06, pivot, to, pivot+.06, .03, Past)
		drawRod(c, to-side*.06, pivot+.12, to, pivot+.06, .03, Past)
	}
	c.Rect(x-half, pivot-.13, 2*half, .26, Agent)
	tx, ty := compassPoint(x, pivot, 1, w.motion[1])
	drawRod(c, x, pivot, tx, ty, .09, Strong)
	c.Circle(x, pivot, .022, Ground)
}
