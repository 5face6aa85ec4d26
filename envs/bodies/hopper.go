package bodies

import (
	"fmt"
	"math"

	"impalab/envs/world"
)

// Hopper has the sizes of Gymnasium's Hopper (assets/hopper.xml): torso, thigh, shin, foot. Motors, joint ranges,
// friction and reward are our own. The reward is made of the DeepMind Control Suite's tolerances. The suite's hopper
// pays standing·hopping, which is 0 for standing still; if a fall ends the episode, some agents then learn a single
// leap. So here a sixth of the reward is for standing, as in the suite's walker. The height is the torso's centre
// above the ground.
var Hopper = ready(&Task{
	name: "hopper", title: "Hopper",
	source:   "after Gymnasium's Hopper and the DeepMind Control Suite's rewards; mechanics of our own",
	plan:     hopperPlan,
	substeps: 4, limit: 1000, // 20 ms and 20 s: the suite's hopper
	pose: func(w *creature, r *world.Rand) { w.stand(r, []float64{23, -46, 23}, .05) },
	reward: func(w *creature) float64 {
		stand := above(w.tall(), .9, .45) // 1.21 m with a straight leg
		if w.speed == 0 {
			return float64(stand * w.effortless())
		}
		return float64(stand * forward(linear(w.forward(), w.speed, w.speed/2, .5)))
	},
	fallen: func(w *creature) bool { return w.tall() < .7 || math.Abs(w.m.angle[0]) > .8 },
	summary: func(speed float64) string {
		if speed == 0 {
			return "Stand on one leg without much effort: up to +1 a step."
		}
		return fmt.Sprintf("Hop forward on one leg at %g m/s: up to +1 a step.", speed)
	},
	moves: []move{
		{"rest", nil},
		{"bend", map[string]float32{"hip": .5, "knee": -1}},
		{"stretch", map[string]float32{"hip": -.5, "knee": 1, "ankle": -1}},
		{"leg forward", map[string]float32{"hip": 1}},
		{"leg back", map[string]float32{"hip": -1}},
		{"toe down", map[string]float32{"ankle": -1}},
		{"toe up", map[string]float32{"ankle": 1}},
	},
	speed: 2, fall: 1,
	figures: []figure{
		{2, 1, 2.32, 500},
		{2, 0, 7.2, 600},
		{0, 1, 11.8, 800},
		{0, 0, 35.4, 800},
	},
	view: [2]float32{3.2, 1.9},
	head: vec{0, .2},
})

var hopperPlan = plan{
	name: "hopper", density: 1000, step: .005,
	links: []link{
		{name: "torso", parent: -1, bones: []bone{{vec{0, -.2}, vec{0, .2}, .05, both}}},
		{name: "hip", joint: vec{0, -.2}, bones: []bone{{vec{}, vec{0, -.45}, .05, far}},
			low: -30, high: 120, motor: 100, damper: 1, rotor: .1},
		{name: "knee", parent: 1, joint: vec{0, -.45}, bones: []bone{{vec{}, vec{0, -.5}, .04, neither}},
			low: -150, high: 0, motor: 100, damper: 1, rotor: .1},
		{name: "ankle", parent: 2, joint: vec{0, -.5}, bones: []bone{{vec{-.13, 0}, vec{.26, 0}, .06, both}},
			low: -45, high: 45, motor: 60, damper: 1, rotor: .1},
	},
	ground: ground{spring: 5e4, damper: 1000, soft: .002, friction: .9, creep: .005},
	stop:   stop{spring: 400, damper: 4},
}
