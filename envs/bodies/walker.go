package bodies

import (
	"fmt"
	"math"

	"impalab/envs/world"
)

// Walker has the sizes, density, joints, motors, friction and reward of the DeepMind Control Suite's planar walker
// (suite/walker.xml and walker.py), and its 1000 control steps of 25 ms. The differences: the mechanics and the
// springs of contacts are our own. An episode starts upright with noise instead of in any pose. The option fall lets a
// fall end it.
var Walker = ready(&Task{
	name: "walker", title: "Walker",
	source:   "after the DeepMind Control Suite's walker; mechanics of our own",
	plan:     walkerPlan,
	substeps: 5, limit: 1000,
	pose: func(w *creature, r *world.Rand) { w.stand(r, []float64{6, -12, 6, 6, -12, 6}, .1) },
	reward: func(w *creature) float64 {
		stand := (float64(3*above(w.tall(), 1.2, .6)) + (1+w.fs[0].cos)/2) / 4
		if w.speed == 0 {
			return stand
		}
		return float64(stand * forward(linear(w.forward(), w.speed, w.speed/2, .5)))
	},
	fallen: func(w *creature) bool { return w.tall() < .8 || math.Abs(w.m.angle[0]) > 1 }, // Gymnasium's Walker2d
	summary: func(speed float64) string {
		if speed == 0 {
			return "Stand upright on two legs: up to +1 a step."
		}
		return fmt.Sprintf("Stay upright on two legs and move forward at %g m/s: up to +1 a step.", speed)
	},
	moves: []move{
		{"rest", nil},
		{"right leg forward", map[string]float32{"right hip": 1, "left hip": -1}},
		{"left leg forward", map[string]float32{"right hip": -1, "left hip": 1}},
		{"bend right leg", map[string]float32{"right hip": .5, "right knee": -1}},
		{"bend left leg", map[string]float32{"left hip": .5, "left knee": -1}},
		{"stretch both legs", map[string]float32{"right knee": 1, "left knee": 1, "right ankle": -1, "left ankle": -1}},
		{"lean forward", map[string]float32{"right hip": 1, "left hip": 1}},
		{"lean back", map[string]float32{"right hip": -1, "left hip": -1}},
	},
	speed: 1, fall: 1,
	figures: []figure{
		{1, 1, 3.29, 800},
		{1, 0, 41.9, 850},
		{0, 1, 12.4, 850},
		{0, 0, 149, 850},
		{8, 1, 2.22, 600},
		{8, 0, 27.1, 600},
	},
	view: [2]float32{3.2, 1.9},
	head: vec{0, .3},
})

var walkerPlan = plan{
	name: "walker", density: 1000, step: .005,
	links: []link{
		{name: "torso", parent: -1, bones: []bone{{vec{0, -.3}, vec{0, .3}, .07, both}}},
		walkerThigh("right hip"), walkerShin("right knee", 1), walkerFoot("right ankle", 2),
		walkerThigh("left hip"), walkerShin("left knee", 4), walkerFoot("left ankle", 5),
	},
	// The weight rests 1 to 3 mm deep, and a quarter of the body on a point is damped about critically.
	ground: ground{spring: 5e4, damper: 1000, soft: .002, friction: .7, creep: .005},
	stop:   stop{spring: 400, damper: 4},
}

func walkerThigh(name string) link {
	return link{name: name, joint: vec{0, -.3}, bones: []bone{{vec{0, 0}, vec{0, -.45}, .05, far}},
		low: -20, high: 100, motor: 100, damper: .1, rotor: .01}
}

func walkerShin(name string, thigh int) link {
	return link{name: name, parent: thigh, joint: vec{0, -.45}, bones: []bone{{vec{0, 0}, vec{0, -.5}, .04, neither}},
		low: -150, high: 0, motor: 50, damper: .1, rotor: .01}
}

func walkerFoot(name string, shin int) link {
	return link{name: name, parent: shin, joint: vec{0, -.5}, bones: []bone{{vec{-.04, 0}, vec{.16, 0}, .05, both}},
		low: -45, high: 45, motor: 20, damper: .1, rotor: .01}
}
