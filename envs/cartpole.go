package envs

import (
	"encoding/binary"
	"math"

	"impalab/envs/world"
)

// CartPole is the best-known control task (Barto, Sutton and Anderson, 1983), with Gymnasium's
// constants, its order of operations and its float64 state, so that trajectories agree to the last digits.

const (
	gravity    = 9.8
	cartMass   = 1.0
	poleMass   = .1
	halfPole   = .5   // metres
	push       = 10.0 // newtons
	tick       = .02  // seconds
	trackEnd   = 2.4  // metres from the centre
	poleEnd    = 12 * 2 * math.Pi / 360
	poleSteps  = 500
	stateLimit = 1000 // no reachable state comes near: keeps foreign blobs finite
)

var cartPoleSpec = Spec{
	Name:    "cartpole",
	Title:   "CartPole",
	Summary: "Push the cart left or right so that the pole stays up: +1 for every step it does.",
	Source:  "Gymnasium, CartPole-v1",
	Obs:     []int{4}, // position (m), velocity (m/s), angle (rad), angular velocity (rad/s)
	Actions: []string{"left", "right"},
	Limit:   poleSteps,
	Random:  22.2,
	Solved:  475,
	View:    [2]float32{6, 3},
	Rate:    50,
}

type cartPole struct {
	x, v         float64 // of the cart: m, m/s
	angle, omega float64 // of the pole from upright, clockwise: rad, rad/s
	steps        int
	longer       float64 // of half the pole, by perturbation: m
	luck         *world.Luck
}

// Levels: the first has the pole's length alone, as the Real-World RL suite's cartpole.
func (*cartPole) Levels() *[3]world.Level {
	return &[3]world.Level{{}, world.Levels[1], world.Levels[2]}
}

// ChallengeLevel: the suite perturbs the length alone.
func (*cartPole) ChallengeLevel(int) int { return 1 }

// Perturb makes the pole .3 to 3 times as long. The luck is not a part of the state: the perturbing layer keeps it.
func (w *cartPole) Perturb(u *world.Luck) {
	u.Units = cartPoleUnits
	w.luck, w.longer = u, halfPole*(.3+2.7*u.X-1)
}

var cartPoleUnits = []float32{1, 1, .1, 1}

func (w *cartPole) Spec() *Spec { return &cartPoleSpec }

func (w *cartPole) Reset(r *Rand) {
	*w = cartPole{
		x:     .1*r.Float64() - .05,
		v:     .1*r.Float64() - .05,
		angle: .1*r.Float64() - .05,
		omega: .1*r.Float64() - .05,

		longer: w.longer,
		luck:   w.luck,
	}
}

func (w *cartPole) Step(_ *Rand, action int) Outcome {
	force := push
	switch action {
	case 0:
		force = -push
	case 1:
	default:
		panic("envs: cartpole has actions 0 and 1")
	}
	force *= w.luck.Strength(0)
	half := halfPole + w.longer
	cart, pole := cartMass*w.luck.Mass(0), poleMass*w.luck.Mass(1)
	whole, moment := cart+pole, pole*half
	sin, cos := math.Sincos(w.angle)
	// Florian (2007), without friction.
	a := (force + moment*(w.omega*w.omega)*sin) / whole
	alpha := (gravity*sin - cos*a) / (half * (4.0/3 - pole*(cos*cos)/whole))
	accel := a - moment*alpha*cos/whole
	// Euler: positions move with the velocities before this step.
	w.x += tick * w.v
	w.v += tick * accel
	w.angle += tick * w.omega
	w.omega += tick * alpha
	w.steps++

	switch {
	case math.Abs(w.x) > trackEnd || math.Abs(w.angle) > poleEnd:
		return Outcome{Reward: 1, End: Terminated}
	case w.steps >= poleSteps:
		return Outcome{Reward: 1, End: Truncated}
	}
	return Outcome{Reward: 1}
}

func (w *cartPole) Observe(obs []float32) {
	_ = obs[3]
	obs[0], obs[1], obs[2], obs[3] = float32(w.x), float32(w.v), float32(w.angle), float32(w.omega)
}

func (w *cartPole) State(dst []byte) []byte {
	dst = world.Begin(dst, world.One, &cartPoleSpec)
	for _, x := range [...]float64{w.x, w.v, w.angle, w.omega} {
		dst = world.AppendFloat(dst, x)
	}
	return binary.LittleEndian.AppendUint32(dst, uint32(w.steps))
}

func (w *cartPole) SetState(src []byte) error {
	b := world.Open(src, world.One, &cartPoleSpec)
	next := cartPole{
		x:     b.Within(stateLimit),
		v:     b.Within(stateLimit),
		angle: b.Within(stateLimit),
		omega: b.Within(stateLimit),
		steps: b.Below(poleSteps + 1),

		longer: w.longer,
		luck:   w.luck,
	}
	if err := b.Close(); err != nil {
		return err
	}
	*w = next
	return nil
}

func (w *cartPole) Draw(c Canvas) {
	const centre, rail, pivot = 3, 2.5, 2.2
	length := min(1.8*float32(1+w.longer/halfPole), 2) // the pole is longer than its metre: only the angle matters
	x := centre + float32(w.x)
	c.Line(centre-trackEnd, rail, centre+trackEnd, rail, .02, Faint)
	for _, end := range [...]float32{centre - trackEnd, centre, centre + trackEnd} {
		c.Line(end, rail-.1, end, rail+.1, .02, Faint)
	}
	pole := func(angle float64, length, width float32, ink Ink) {
		sin, cos := math.Sincos(angle)
		tx, ty := x+length*float32(sin), pivot-length*float32(cos)
		c.Line(x, pivot, tx, ty, width, ink)
		c.Circle(tx, ty, width/2, ink)
	}
	pole(-poleEnd, length+.15, .015, Faint) // the pole must stay between these
	pole(poleEnd, length+.15, .015, Faint)
	c.Rect(x-.4, pivot-.1, .8, .28, Agent)
	c.Circle(x-.22, rail-.1, .1, Strong)
	c.Circle(x+.22, rail-.1, .1, Strong)
	pole(w.angle, length, .1, Strong)
	c.Circle(x, pivot, .05, Strong)
	c.Circle(x, pivot, .028, Ground)
}
