package envs

import (
	"encoding/binary"
	"math"

	"impalab/envs/world"
)

// Acrobot is two links on a bar with a motor only between them, like a gymnast who can bend but not grip (Sutton and
// Barto, 2018, example 11.3). Gymnasium's constants and its one Runge-Kutta step of 0.2 s for each action.
//
// Each link has 1 m, 1 kg, a centre of mass at 0.5 m, and a moment of inertia of 1 kg·m² about this centre. So most
// factors in the equations are 1 or ½.

const (
	acrobotG     = 9.8
	acrobotTick  = .2
	acrobotSpin1 = 4 * math.Pi // rad/s: velocities are clipped to ±
	acrobotSpin2 = 9 * math.Pi
	acrobotSteps = 500
)

var acrobotSpec = Spec{
	Name:  "acrobot",
	Title: "Acrobot",
	Summary: "Two links hang from a bar, and only the joint between them has a motor: swing the free end above the " +
		"line, −1 for every step until then.",
	Source:  "Gymnasium, Acrobot-v1",
	Obs:     []int{6}, // cosine and sine of the first angle, of the second, both angular velocities (rad/s)
	Actions: []string{"left", "rest", "right"},
	Limit:   acrobotSteps,
	Random:  -499,
	Solved:  -100,
	View:    [2]float32{4.6, 4.6},
	Rate:    15,
}

// acrobot's angles are counter-clockwise: the first from hanging down, the second from the first link's direction.
type acrobot struct {
	motion [4]float64 // both angles, both angular velocities
	steps  int
	luck   *world.Luck // not a part of the state
}

func (*acrobot) Levels() *[3]world.Level { return &world.Levels }
func (*acrobot) ChallengeLevel(int) int  { return 0 }
func (w *acrobot) Perturb(u *world.Luck) { w.luck = u }

func (w *acrobot) Spec() *Spec { return &acrobotSpec }

func (w *acrobot) Reset(r *Rand) {
	*w = acrobot{luck: w.luck}
	for i := range w.motion {
		w.motion[i] = .2*r.Float64() - .1
	}
}

func (w *acrobot) Step(_ *Rand, action int) Outcome {
	if action < 0 || action > 2 {
		panic("envs: acrobot has actions 0 to 2")
	}
	m1, m2, torque := w.luck.Mass(0), w.luck.Mass(1), float64(action-1)*w.luck.Strength(0)
	m := rungeKutta(w.motion, acrobotTick, func(m [4]float64) [4]float64 { return acrobotMotion(m, m1, m2, torque) })
	w.motion = [4]float64{
		wrapAngle(m[0]),
		wrapAngle(m[1]),
		min(max(m[2], -acrobotSpin1), acrobotSpin1),
		min(max(m[3], -acrobotSpin2), acrobotSpin2),
	}
	w.steps++
	// The end is higher than one link above the bar.
	switch {
	case -math.Cos(w.motion[0])-math.Cos(w.motion[1]+w.motion[0]) > 1:
		return Outcome{Reward: 0, End: Terminated}
	case w.steps >= acrobotSteps:
		return Outcome{Reward: -1, End: Truncated}
	}
	return Outcome{Reward: -1}
}

// acrobotMotion is the time derivative of the motion of links with masses m1 and m2 under a torque at the joint: the
// book's equations. A link's moment of inertia is as many kg·m² as its mass is kg.
func acrobotMotion(m [4]float64, m1, m2, torque float64) [4]float64 {
	θ1, θ2, ω1, ω2 := m[0], m[1], m[2], m[3]
	sin2, cos2 := math.Sincos(θ2)
	// d₁ = m₁ℓc₁² + m₂(ℓ₁² + ℓc₂² + 2ℓ₁ℓc₂ cos θ₂) + I₁ + I₂
	d1 := .25*m1 + m2*(1+.25+cos2) + m1 + m2
	// d₂ = m₂(ℓc₂² + ℓ₁ℓc₂ cos θ₂) + I₂
	d2 := m2*(.25+.5*cos2) + m2
	// φ₂ = m₂ℓc₂g cos(θ₁ + θ₂ − π/2)
	φ2 := m2 * .5 * acrobotG * math.Sin(θ1+θ2)
	// φ₁ = −m₂ℓ₁ℓc₂ω₂² sin θ₂ − 2m₂ℓ₁ℓc₂ω₁ω₂ sin θ₂ + (m₁ℓc₁ + m₂ℓ₁)g cos(θ₁ − π/2) + φ₂
	φ1 := -.5*m2*(ω2*ω2)*sin2 - m2*ω2*ω1*sin2 + 1.5*acrobotG*((.5*m1+m2)/1.5)*math.Sin(θ1) + φ2
	// ω₂' = (τ + d₂/d₁ φ₁ − m₂ℓ₁ℓc₂ω₁² sin θ₂ − φ₂) / (m₂ℓc₂² + I₂ − d₂²/d₁)
	α2 := (torque + d2/d1*φ1 - .5*m2*(ω1*ω1)*sin2 - φ2) / (.25*m2 + m2 - d2*d2/d1)
	// ω₁' = −(d₂ω₂' + φ₁)/d₁
	return [4]float64{ω1, ω2, -(d2*α2 + φ1) / d1, α2}
}

func (w *acrobot) Observe(obs []float32) {
	_ = obs[5]
	for i, angle := range w.motion[:2] {
		sin, cos := math.Sincos(angle)
		obs[2*i], obs[2*i+1] = float32(cos), float32(sin)
		obs[4+i] = float32(w.motion[2+i])
	}
}

func (w *acrobot) State(dst []byte) []byte {
	dst = world.Begin(dst, world.One, &acrobotSpec)
	for _, x := range w.motion {
		dst = world.AppendFloat(dst, x)
	}
	return binary.LittleEndian.AppendUint32(dst, uint32(w.steps))
}

func (w *acrobot) SetState(src []byte) error {
	b := world.Open(src, world.One, &acrobotSpec)
	next := acrobot{
		motion: [4]float64{b.Within(stateLimit), b.Within(stateLimit), b.Within(acrobotSpin1), b.Within(acrobotSpin2)},
		steps:  b.Below(acrobotSteps + 1),
		luck:   w.luck,
	}
	if err := b.Close(); err != nil {
		return err
	}
	*w = next
	return nil
}

func (w *acrobot) Draw(c Canvas) {
	const x, y, width = 2.3, 2.3, .17
	drawArc(c, x, y, 2, 0, 2*math.Pi, .02, Faint)
	for at := float32(.15); at < 4.5; at += .25 { // the line to swing above
		c.Line(at, y-1, at+.15, y-1, .03, Prize)
	}
	ax, ay := compassPoint(x, y, 1, math.Pi-w.motion[0])
	bx, by := compassPoint(ax, ay, 1, math.Pi-w.motion[0]-w.motion[1])
	drawRod(c, x, y, ax, ay, width, Strong)
	drawRod(c, ax, ay, bx, by, width, Agent)
	for _, joint := range [...][2]float32{{x, y}, {ax, ay}} {
		c.Circle(joint[0], joint[1], .055, Ground)
	}
	c.Circle(bx, by, .04, Ground)
}
