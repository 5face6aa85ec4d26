package bodies

import (
	"fmt"
	"math"

	"impalab/envs/world"
)

// Cheetah has the sizes, mass, springs, dampers, motors, joint ranges and reward of the DeepMind Control Suite's
// cheetah (suite/cheetah.xml and cheetah.py), with five differences. The mechanics and the springs of contacts are our
// own. A control step takes 20 ms instead of 10 ms, so 1000 of them take 20 s. A bone ends at the next joint; the
// suite's bones are a little longer. The back foot turns by up to 50° instead of 230°. The front hip turns back by
// 40°, as Gymnasium's does; the suite prints .40°, which looks like a slip.
var Cheetah = ready(&Task{
	name: "cheetah", title: "Cheetah",
	source:   "after the DeepMind Control Suite's cheetah; mechanics of our own",
	plan:     cheetahPlan,
	substeps: 4, limit: 1000,
	pose: func(w *creature, r *world.Rand) { w.stand(r, make([]float64, 6), .1) },
	reward: func(w *creature) float64 {
		if w.speed == 0 {
			return above(-math.Abs(w.forward()), 0, 2)
		}
		return linear(w.forward(), w.speed, w.speed, 0)
	},
	fallen: func(w *creature) bool { return w.fs[0].cos < 0 }, // on its back
	summary: func(speed float64) string {
		if speed == 0 {
			return "Stand still on four feet, two of which one sees: up to +1 a step."
		}
		return fmt.Sprintf("Run: a step pays the speed forward, +1 from %g m/s on.", speed)
	},
	moves: []move{
		{"rest", nil},
		{"back leg back", map[string]float32{"back hip": -1, "back knee": 1}},
		{"back leg forward", map[string]float32{"back hip": 1, "back knee": -1}},
		{"front leg back", map[string]float32{"front hip": -1, "front knee": -1}},
		{"front leg forward", map[string]float32{"front hip": 1, "front knee": 1}},
		{"stretch", map[string]float32{"back hip": -1, "front hip": 1}},
		{"draw in", map[string]float32{"back hip": 1, "front hip": -1}},
		{"push off", map[string]float32{"back hip": -1, "back knee": 1, "back ankle": -1}},
	},
	speed: 10, fall: 0,
	figures: []figure{
		{10, 0, 16.9, 600},
		{10, 1, 16.9, 600},
	},
	view: [2]float32{3.2, 1.5},
	head: vec{.73, .19},
})

var cheetahPlan = plan{
	name: "cheetah", density: 660, step: .005, // 14 kg, as the suite has it
	links: []link{
		{name: "torso", parent: -1, bones: []bone{
			{vec{-.5, 0}, vec{.5, 0}, .046, both}, {vec{.5, 0}, vec{.73, .19}, .046, far}}},
		{name: "back hip", joint: vec{-.5, 0}, bones: cheetahBone(vec{.16, -.25}),
			low: -60, high: 30, motor: 120, damper: 6, spring: 240, rotor: .1},
		{name: "back knee", parent: 1, joint: vec{.16, -.25}, bones: cheetahBone(vec{-.28, -.14}),
			low: -50, high: 50, motor: 90, damper: 4.5, spring: 180, rotor: .1},
		{name: "back ankle", parent: 2, joint: vec{-.28, -.14}, bones: cheetahBone(vec{.05, -.18}),
			low: -50, high: 50, motor: 60, damper: 3, spring: 120, rotor: .1},
		{name: "front hip", joint: vec{.5, 0}, bones: cheetahBone(vec{-.14, -.24}),
			low: -40, high: 57, motor: 90, damper: 4.5, spring: 180, rotor: .1},
		{name: "front knee", parent: 4, joint: vec{-.14, -.24}, bones: cheetahBone(vec{.13, -.18}),
			low: -50, high: 70, motor: 60, damper: 3, spring: 120, rotor: .1},
		{name: "front ankle", parent: 5, joint: vec{.13, -.18}, bones: cheetahBone(vec{.08, -.11}),
			low: -28, high: 28, motor: 30, damper: 1.5, spring: 60, rotor: .1},
	},
	// Friction 1: MuJoCo takes the larger of the body's, .4, and the floor's, which the suite leaves at 1.
	ground: ground{spring: 3e4, damper: 600, soft: .002, friction: 1, creep: .005},
	stop:   stop{spring: 400, damper: 4},
}

func cheetahBone(to vec) []bone { return []bone{{vec{}, to, .046, far}} }
