package envs

import (
	"encoding/binary"
	"math"

	"impalab/envs/world"
)

// Reacher is the two-link arm of the DeepMind Control Suite (Tassa and others, 2018), "easy": its sizes, masses,
// damping, motors, start, time limit (20 s of 0.02 s each) and reward. The mechanics are written out here and not
// MuJoCo's: thin rods, one semi-implicit step for each action. Two angles are observed by sine and cosine, and
// lengths are in links, so that all inputs are of one size.

const (
	linkLength   = .12  // metres; both of them
	armMass      = .042 // kg, a rod of one link
	handMass     = .036 // kg, a rod of 0.1 m
	fingerMass   = .004 // kg, at the hand's end, one link from the wrist
	jointDamping = .01  // N·m·s
	reacherPower = .05  // N·m at a control of 1
	reacherTick  = .02  // seconds
	wristEnd     = 160 * math.Pi / 180
	fingerRadius = .01 / linkLength
	targetRadius = .05 / linkLength
	targetNear   = .05 / linkLength // from the shoulder
	targetFar    = .2 / linkLength
	reacherSteps = 1000
	armInertia   = armMass * linkLength * linkLength / 3               // about the shoulder
	handInertia  = handMass*.1*.1/3 + fingerMass*linkLength*linkLength // about the wrist
	// the hand as a point at the wrist, about the shoulder
	handCarried = (handMass + fingerMass) * linkLength * linkLength
	handLever   = linkLength * (handMass*.1/2 + fingerMass*linkLength) // its first moment about the wrist, times a link

	// Five times the speed that the motors reach; at a few hundred, steps of this length diverge.
	reacherSpin = 30 // rad/s
)

var reacherSpec = Spec{
	Name:    "reacher",
	Title:   "Reacher",
	Summary: "Bring the finger of a two-link arm to the target and keep it there: +1 for every step in which they touch.",
	Source:  "DeepMind Control Suite, reacher easy; mechanics written out in this file",
	// Cosine and sine of the shoulder's angle, of the wrist's; from finger to target, x and y (links); both angular
	// velocities (rad/s).
	Obs:      []int{8},
	Actions:  []string{"shoulder left", "wrist left", "rest", "wrist right", "shoulder right"},
	Controls: []Control{{Name: "shoulder", Low: -1, High: 1}, {Name: "wrist", Low: -1, High: 1}},
	Settings: [][]float32{{-1, 0}, {0, -1}, {0, 0}, {0, 1}, {1, 0}},
	Limit:    reacherSteps,
	Random:   55.5,
	Solved:   900, // of 1000: two seconds to get there, and no slip after
	View:     [2]float32{5, 5},
	Rate:     50,
}

type reacher struct {
	shoulder, wrist float64 // clockwise: from up, from the arm's direction
	ω1, ω2          float64 // their velocities, rad/s
	x, y            float64 // of the target from the shoulder, y down: links
	steps           int
	luck            *world.Luck // not a part of the state
}

func (*reacher) Levels() *[3]world.Level { return &world.Levels }
func (*reacher) ChallengeLevel(int) int  { return 0 }
func (w *reacher) Perturb(u *world.Luck) { w.luck = u }

func (w *reacher) Spec() *Spec { return &reacherSpec }

func (w *reacher) Reset(r *Rand) {
	*w = reacher{
		shoulder: math.Pi * (2*r.Float64() - 1),
		wrist:    wristEnd * (2*r.Float64() - 1),
		luck:     w.luck,
	}
	sin, cos := math.Sincos(2 * math.Pi * r.Float64())
	distance := targetNear + (targetFar-targetNear)*r.Float64()
	w.x, w.y = distance*sin, -distance*cos
}

func (w *reacher) Step(r *Rand, action int) Outcome { return w.Drive(r, reacherSpec.Setting(action)) }

func (w *reacher) Drive(_ *Rand, controls []float32) Outcome {
	_ = controls[1]
	τ1 := reacherPower * reacherSpec.Controls[0].Clip(controls[0]) * w.luck.Strength(0)
	τ2 := reacherPower * reacherSpec.Controls[1].Clip(controls[1]) * w.luck.Strength(1)
	w.rotate(τ1, τ2)
	if math.Abs(w.wrist) > wristEnd {
		w.wrist = math.Copysign(wristEnd, w.wrist)
		if w.wrist*w.ω2 > 0 { // the stop takes the wrist's speed, and the arm's momentum about the shoulder stays
			m11, m12, _ := w.inertia()
			w.ω1 += m12 / m11 * w.ω2
			w.ω2 = 0
		}
	}
	w.steps++

	var out Outcome
	if dx, dy := w.away(); dx*dx+dy*dy <= (targetRadius+fingerRadius)*(targetRadius+fingerRadius) {
		out.Reward = 1
	}
	if w.steps >= reacherSteps {
		out.End = Truncated
	}
	return out
}

// inertia is the mass matrix M, whose two other entries are equal.
func (w *reacher) inertia() (m11, m12, m22 float64) {
	cos := math.Cos(w.wrist)
	arm, hand := w.luck.Mass(0), w.luck.Mass(1)
	m22 = handInertia * hand
	m11 = armInertia + handCarried + handInertia + armInertia*(arm-1) + (handCarried+handInertia)*(hand-1) +
		2*handLever*hand*cos
	return m11, m22 + handLever*hand*cos, m22
}

// rotate is one free step: M ω' = τ − D ω − C, with the damping taken at the end: (M + D dt) Δω = (τ − D ω − C) dt.
func (w *reacher) rotate(τ1, τ2 float64) {
	m11, m12, m22 := w.inertia()
	c := handLever * w.luck.Mass(1) * math.Sin(w.wrist)
	damping := jointDamping * w.luck.Friction()
	f1 := (τ1 - damping*w.ω1 + c*w.ω2*(2*w.ω1+w.ω2)) * reacherTick
	f2 := (τ2 - damping*w.ω2 - c*w.ω1*w.ω1) * reacherTick
	soft := jointDamping * reacherTick * w.luck.Friction()
	a, d := m11+soft, m22+soft
	det := a*d - m12*m12
	w.ω1 += (d*f1 - m12*f2) / det
	w.ω2 += (a*f2 - m12*f1) / det
	w.shoulder = wrapAngle(w.shoulder + w.ω1*reacherTick)
	w.wrist += w.ω2 * reacherTick
}

// away is the way from the finger to the target, in links.
func (w *reacher) away() (x, y float64) {
	sin1, cos1 := math.Sincos(w.shoulder)
	sin2, cos2 := math.Sincos(w.shoulder + w.wrist)
	return w.x - (sin1 + sin2), w.y + (cos1 + cos2)
}

func (w *reacher) Observe(obs []float32) {
	_ = obs[7]
	for i, angle := range [...]float64{w.shoulder, w.wrist} {
		sin, cos := math.Sincos(angle)
		obs[2*i], obs[2*i+1] = float32(cos), float32(sin)
	}
	x, y := w.away()
	obs[4], obs[5], obs[6], obs[7] = float32(x), float32(y), float32(w.ω1), float32(w.ω2)
}

func (w *reacher) State(dst []byte) []byte {
	dst = world.Begin(dst, world.One, &reacherSpec)
	for _, x := range [...]float64{w.shoulder, w.wrist, w.ω1, w.ω2, w.x, w.y} {
		dst = world.AppendFloat(dst, x)
	}
	return binary.LittleEndian.AppendUint32(dst, uint32(w.steps))
}

func (w *reacher) SetState(src []byte) error {
	b := world.Open(src, world.One, &reacherSpec)
	next := reacher{
		shoulder: b.Within(stateLimit),
		wrist:    b.Within(wristEnd),
		ω1:       b.Within(reacherSpin),
		ω2:       b.Within(reacherSpin),
		x:        b.Within(targetFar),
		y:        b.Within(targetFar),
		steps:    b.Below(reacherSteps + 1),
		luck:     w.luck,
	}
	if err := b.Close(); err != nil {
		return err
	}
	*w = next
	return nil
}

func (w *reacher) Draw(c Canvas) {
	const x, y, width = 2.5, 2.5, .2
	drawArc(c, x, y, 2, 0, 2*math.Pi, .02, Faint) // as far as the finger gets
	c.Circle(x+float32(w.x), y+float32(w.y), targetRadius, Prize)
	c.Circle(x+float32(w.x), y+float32(w.y), .9*targetRadius, Ground)
	c.Circle(x+float32(w.x), y+float32(w.y), .15*targetRadius, Prize)
	ax, ay := compassPoint(x, y, 1, w.shoulder)
	bx, by := compassPoint(ax, ay, 1, w.shoulder+w.wrist)
	drawRod(c, ax, ay, bx, by, .7*width, Agent)
	drawRod(c, x, y, ax, ay, width, Agent)
	for _, joint := range [...][2]float32{{x, y}, {ax, ay}} {
		c.Circle(joint[0], joint[1], .05, Ground)
	}
	c.Circle(bx, by, fingerRadius, Strong)
}
