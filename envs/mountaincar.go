package envs

import (
	"encoding/binary"
	"math"

	"impalab/envs/world"
)

// MountainCar is the task in which the way to the goal begins with driving away from it (Moore, 1990): the engine
// cannot climb the hill, so the car must rock. Both of Gymnasium's forms are here, with its constants and its order of
// operations. They share the hill and differ in the engine, the place of the flag and the reward. The state is float64
// in both; Gymnasium rounds the state of the second one to float32 after every step.

const (
	hillLeft   = -1.2 // a wall that takes all speed
	hillRight  = .6
	carSpeed   = .07   // per step, either way
	hillPull   = .0025 // of gravity, times cos 3x
	carSteps   = 200
	carFlag    = .5
	carEngine  = .001
	carSteps2  = 999 // the second form's
	carFlag2   = .45
	carEngine2 = .0015
)

var mountainCarSpec = Spec{
	Name:    "mountain-car",
	Title:   "Mountain car",
	Summary: "Rock a weak car out of its valley to the flag: −1 for every step until it is there.",
	Source:  "Gymnasium, MountainCar-v0",
	Obs:     []int{2}, // position, velocity per step
	Actions: []string{"left", "rest", "right"},
	Limit:   carSteps,
	Random:  -200,
	Solved:  -110,
	View:    [2]float32{1.9, 1.3},
	Rate:    30,
}

var mountainCarContinuousSpec = Spec{
	Name:  "mountain-car-continuous",
	Title: "Mountain car, throttle",
	Summary: "Rock a weak car out of its valley to the flag: +100 there, less a tenth of the squared throttle at every " +
		"step.",
	Source:   "Gymnasium, MountainCarContinuous-v0",
	Obs:      []int{2}, // position, velocity per step
	Actions:  []string{"left", "rest", "right"},
	Controls: []Control{{Name: "throttle", Low: -1, High: 1}},
	Settings: [][]float32{{-1}, {0}, {1}},
	Limit:    carSteps2,
	Random:   -61.4,
	Solved:   90,
	View:     [2]float32{1.9, 1.3},
	Rate:     30,
}

// hillCar is the car on the hill, and its throttle in the last step, for the picture.
type hillCar struct {
	x, v, throttle float64
	steps          int
	luck           *world.Luck // not a part of the state
}

func (*hillCar) Levels() *[3]world.Level { return &world.Levels }
func (*hillCar) ChallengeLevel(int) int  { return 0 }

// Perturb: a heavier car has the same pull of gravity and less of its engine's.
func (w *hillCar) Perturb(u *world.Luck) {
	u.Units = hillUnits
	w.luck = u
}

var hillUnits = []float32{.5, .02}

func (w *hillCar) Reset(r *Rand) { *w = hillCar{x: .2*r.Float64() - .6, luck: w.luck} }

// move is one step with the engine's push; it reports whether the car is at the flag, and not on its way down again.
func (w *hillCar) move(throttle, engine, flag float64) bool {
	w.throttle = throttle
	w.steps++
	// v' = v + push − 0.0025 cos 3x; the position moves with the velocity after this step.
	engine *= w.luck.Strength(0) / w.luck.Mass(0)
	w.v += throttle*engine - hillPull*math.Cos(3*w.x)
	w.v = min(max(w.v, -carSpeed), carSpeed)
	w.x = min(max(w.x+w.v, hillLeft), hillRight)
	if w.x == hillLeft && w.v < 0 {
		w.v = 0
	}
	return w.x >= flag && w.v >= 0
}

func (w *hillCar) Observe(obs []float32) {
	_ = obs[1]
	obs[0], obs[1] = float32(w.x), float32(w.v)
}

func (w *hillCar) state(dst []byte, spec *Spec) []byte {
	dst = world.Begin(dst, world.One, spec)
	for _, x := range [...]float64{w.x, w.v, w.throttle} {
		dst = world.AppendFloat(dst, x)
	}
	return binary.LittleEndian.AppendUint32(dst, uint32(w.steps))
}

func (w *hillCar) setState(src []byte, spec *Spec) error {
	b := world.Open(src, world.One, spec)
	next := hillCar{
		x:        b.Within(-hillLeft),
		v:        b.Within(carSpeed),
		throttle: b.Within(1),
		steps:    b.Below(spec.Limit + 1),
		luck:     w.luck,
	}
	if next.x > hillRight {
		b.Fail("has the car behind the hill")
	}
	if err := b.Close(); err != nil {
		return err
	}
	*w = next
	return nil
}

// mountainCar has three named actions.
type mountainCar struct{ hillCar }

func (w *mountainCar) Spec() *Spec               { return &mountainCarSpec }
func (w *mountainCar) State(dst []byte) []byte   { return w.state(dst, &mountainCarSpec) }
func (w *mountainCar) SetState(src []byte) error { return w.setState(src, &mountainCarSpec) }
func (w *mountainCar) Draw(c Canvas)             { w.draw(c, carFlag) }

func (w *mountainCar) Step(_ *Rand, action int) Outcome {
	if action < 0 || action > 2 {
		panic("envs: mountain-car has actions 0 to 2")
	}
	switch there := w.move(float64(action-1), carEngine, carFlag); {
	case there:
		return Outcome{Reward: -1, End: Terminated}
	case w.steps >= carSteps:
		return Outcome{Reward: -1, End: Truncated}
	}
	return Outcome{Reward: -1}
}

// mountainCarContinuous has a throttle.
type mountainCarContinuous struct{ hillCar }

func (w *mountainCarContinuous) Spec() *Spec { return &mountainCarContinuousSpec }
func (w *mountainCarContinuous) State(dst []byte) []byte {
	return w.state(dst, &mountainCarContinuousSpec)
}
func (w *mountainCarContinuous) SetState(src []byte) error {
	return w.setState(src, &mountainCarContinuousSpec)
}
func (w *mountainCarContinuous) Draw(c Canvas) { w.draw(c, carFlag2) }

func (w *mountainCarContinuous) Step(r *Rand, action int) Outcome {
	return w.Drive(r, mountainCarContinuousSpec.Setting(action))
}

func (w *mountainCarContinuous) Drive(_ *Rand, controls []float32) Outcome {
	u := mountainCarContinuousSpec.Controls[0].Clip(controls[0])
	// The price is of the number before it is clipped, as in Gymnasium. Beyond 1000 it is the price of 1000, so it
	// stays finite.
	asked := min(max(float64(controls[0]), -1000), 1000)
	reward := -.1 * (asked * asked)
	switch there := w.move(u, carEngine2, carFlag2); {
	case there:
		return Outcome{Reward: float32(reward + 100), End: Terminated}
	case w.steps >= carSteps2:
		return Outcome{Reward: float32(reward), End: Truncated}
	}
	return Outcome{Reward: float32(reward)}
}

// hillHeight is Gymnasium's picture of the hill, y up. (The car's equations have their own slope, cos 3x, which is
// its derivative but for a factor.)
func hillHeight(x float64) float64 { return .45*math.Sin(3*x) + .55 }

// hillPoint is where x lies in the view, lift above the ground along the hill's normal, along it by shift.
func hillPoint(x, shift, lift float64) (float32, float32) {
	slope := 1.35 * math.Cos(3*x)
	n := math.Sqrt(1 + slope*slope)
	return float32(x + 1.25 + (shift-lift*slope)/n), float32(1.2 - hillHeight(x) - (lift+shift*slope)/n)
}

// hill is the ground in upright strips, four corners each, the first two of them on the surface.
var hill = func() (strips []float32) {
	const n = 60
	for i := range n {
		x0, y0 := hillPoint(hillLeft+(hillRight-hillLeft)*float64(i)/n, 0, 0)
		x1, y1 := hillPoint(hillLeft+(hillRight-hillLeft)*float64(i+1)/n, 0, 0)
		strips = append(strips, x0, y0, x1, y1, x1, 1.3, x0, 1.3)
	}
	return strips
}()

func (w *hillCar) draw(c Canvas, flag float64) {
	for i := 0; i < len(hill); i += 8 {
		c.Polygon(hill[i:i+8], Ground)
	}
	for i := 0; i < len(hill); i += 8 {
		drawRod(c, hill[i], hill[i+1], hill[i+2], hill[i+3], .012, Wall)
	}
	// The wall at the left end, the flag at the goal.
	x0, y0 := hillPoint(hillLeft, 0, 0)
	drawRod(c, x0-.01, y0, x0-.01, y0-.12, .02, Wall)
	x0, y0 = hillPoint(flag, 0, 0)
	c.Line(x0, y0, x0, y0-.16, .01, Strong)
	c.Rect(x0, y0-.16, .085, .055, Prize)

	at := func(shift, lift float64) (float32, float32) { return hillPoint(w.x, shift, lift) }
	line := func(shift0, lift0, shift1, lift1 float64, width float32, ink Ink) {
		ax, ay := at(shift0, lift0)
		bx, by := at(shift1, lift1)
		drawRod(c, ax, ay, bx, by, width, ink)
	}
	line(-.07, .06, .07, .06, .055, Agent) // body
	line(-.03, .1, .03, .1, .045, Agent)   // cabin
	for _, shift := range [...]float64{-.055, .055} {
		x, y := at(shift, .028)
		c.Circle(x, y, .028, Strong)
		c.Circle(x, y, .011, Ground)
	}
	if w.throttle != 0 { // exhaust, behind the car
		behind := -math.Copysign(1, w.throttle)
		for i := range 3 {
			x, y := at(behind*(.125+.035*float64(i)), .05+.007*float64(i))
			c.Circle(x, y, float32((.014-.003*float64(i))*math.Sqrt(math.Abs(w.throttle))), Past)
		}
	}
}
