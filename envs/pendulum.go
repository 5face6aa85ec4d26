package envs

import (
	"encoding/binary"
	"math"

	"impalab/envs/world"
)

// Pendulum is the smallest task with a control of real numbers: the motor is too weak to lift the rod, so it must be
// swung. Gymnasium's constants, its order of operations and its float64 state.

const (
	pendulumG     = 10.0 // m/s²; the rod has 1 m and 1 kg
	pendulumTick  = .05  // seconds
	pendulumSpin  = 8.0  // rad/s: velocities are clipped to ±
	pendulumPower = 2.0  // N·m
	pendulumSteps = 200
)

var pendulumSpec = Spec{
	Name:  "pendulum",
	Title: "Pendulum",
	Summary: "Swing a rod up with a motor too weak to lift it, and hold it there: each step costs its angle, its speed " +
		"and the torque.",
	Source:   "Gymnasium, Pendulum-v1",
	Obs:      []int{3}, // cosine and sine of the angle from upright, angular velocity (rad/s)
	Actions:  []string{"left", "rest", "right"},
	Controls: []Control{{Name: "torque", Low: -pendulumPower, High: pendulumPower}},
	Settings: [][]float32{{-pendulumPower}, {0}, {pendulumPower}},
	Limit:    pendulumSteps,
	Random:   -1226,
	Solved:   -250,
	View:     [2]float32{3, 3},
	Rate:     20,
}

type pendulum struct {
	angle, omega float64 // from upright, clockwise, never wrapped: rad, rad/s
	torque       float64 // of the last step, for the picture
	steps        int
	luck         *world.Luck // not a part of the state
}

func (*pendulum) Levels() *[3]world.Level { return &world.Levels }
func (*pendulum) ChallengeLevel(int) int  { return 0 }
func (w *pendulum) Perturb(u *world.Luck) { w.luck = u }

func (w *pendulum) Spec() *Spec { return &pendulumSpec }

func (w *pendulum) Reset(r *Rand) {
	*w = pendulum{
		angle: math.Pi * (2*r.Float64() - 1),
		omega: 2*r.Float64() - 1,
		luck:  w.luck,
	}
}

func (w *pendulum) Step(r *Rand, action int) Outcome { return w.Drive(r, pendulumSpec.Setting(action)) }

func (w *pendulum) Drive(_ *Rand, controls []float32) Outcome {
	u := pendulumSpec.Controls[0].Clip(controls[0])
	// The cost is of the state before the step: θ² + 0.1 ω² + 0.001 u².
	θ := wrapAngle(w.angle)
	cost := θ*θ + .1*(w.omega*w.omega) + .001*(u*u)
	// ω' = 3g/2l sin θ + 3/ml² u; the angle moves with the velocity after this step.
	motor := 3 * w.luck.Strength(0) / w.luck.Mass(0)
	w.omega += (3*pendulumG/2*math.Sin(w.angle) + motor*u) * pendulumTick
	w.omega = min(max(w.omega, -pendulumSpin), pendulumSpin)
	w.angle += w.omega * pendulumTick
	w.torque = u
	w.steps++

	out := Outcome{Reward: float32(-cost)}
	if w.steps >= pendulumSteps {
		out.End = Truncated
	}
	return out
}

func (w *pendulum) Observe(obs []float32) {
	_ = obs[2]
	sin, cos := math.Sincos(w.angle)
	obs[0], obs[1], obs[2] = float32(cos), float32(sin), float32(w.omega)
}

func (w *pendulum) State(dst []byte) []byte {
	dst = world.Begin(dst, world.One, &pendulumSpec)
	for _, x := range [...]float64{w.angle, w.omega, w.torque} {
		dst = world.AppendFloat(dst, x)
	}
	return binary.LittleEndian.AppendUint32(dst, uint32(w.steps))
}

func (w *pendulum) SetState(src []byte) error {
	b := world.Open(src, world.One, &pendulumSpec)
	next := pendulum{
		angle:  b.Within(stateLimit),
		omega:  b.Within(pendulumSpin),
		torque: b.Within(pendulumPower),
		steps:  b.Below(pendulumSteps + 1),
		luck:   w.luck,
	}
	if err := b.Close(); err != nil {
		return err
	}
	*w = next
	return nil
}

// pendulumGoal points to where the rod's end should be.
var pendulumGoal = []float32{1.5, .33, 1.42, .18, 1.58, .18}

func (w *pendulum) Draw(c Canvas) {
	const x, y, length = 1.5, 1.5, 1.1
	drawArc(c, x, y, length, 0, 2*math.Pi, .015, Faint)
	for i := range 12 {
		ax, ay := compassPoint(x, y, length-.04, float64(i)*math.Pi/6)
		bx, by := compassPoint(x, y, length+.04, float64(i)*math.Pi/6)
		c.Line(ax, ay, bx, by, .015, Faint)
	}
	c.Polygon(pendulumGoal, Prize)
	tx, ty := compassPoint(x, y, length-.1, w.angle)
	drawRod(c, x, y, tx, ty, .2, Agent)
	c.Circle(x, y, .07, Ground)
	c.Circle(x, y, .045, Strong)
	drawTurn(c, x, y, .3, w.torque*.6, .025, Strong)
}
