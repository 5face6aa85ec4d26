package bodies

import (
	"fmt"
	"math"

	"impalab/envs/world"
)

// Humanoid is the DeepMind Control Suite's humanoid (suite/humanoid.xml and humanoid.py) seen from the side: head,
// torso, pelvis, two arms and two legs. Heights, lengths of limbs, motors, springs, dampers, friction and reward are
// the suite's. So are the ranges of the joints that turn in the plane. The differences: other joints are left out. One
// capsule stands for each part of the trunk, so masses are only near the suite's. An arm hangs in the plane and has
// one joint, at the shoulder. An episode starts upright, with noise. The option fall lets a fall end it.
var Humanoid = ready(&Task{
	name: "humanoid", title: "Humanoid, planar",
	source:   "after the DeepMind Control Suite's humanoid, seen from the side; mechanics of our own",
	plan:     humanoidPlan,
	substeps: 5, limit: 1000, // 25 ms and 25 s: the suite's
	pose: func(w *creature, r *world.Rand) {
		w.stand(r, []float64{0, 6, -12, 6, 6, -12, 6, 0, 20, 0, 20}, .05)
	},
	reward: func(w *creature) float64 {
		_, head := w.body.position(&w.m, &w.fs, 0, w.task.head)
		ground, _ := w.land.height(w.m.x)
		stand := above(head-ground, 1.4, .35) * linear(w.fs[0].cos, .9, 1.9, 0)
		if w.speed == 0 {
			still := above(-math.Abs(w.forward()), 0, 2)
			return float64(float64(stand*w.effortless()) * still)
		}
		move := forward(linear(w.forward(), w.speed, w.speed, 0))
		return float64(float64(stand*w.effortless()) * move)
	},
	fallen: func(w *creature) bool { return w.tall() < .9 || w.fs[0].cos < .5 },
	summary: func(speed float64) string {
		if speed == 0 {
			return "Stand upright and still, without much effort: up to +1 a step."
		}
		return fmt.Sprintf("Walk upright at %g m/s without much effort: up to +1 a step.", speed)
	},
	moves: []move{
		{"rest", nil},
		{"right leg forward", map[string]float32{"right hip": 1, "left hip": -1}},
		{"left leg forward", map[string]float32{"right hip": -1, "left hip": 1}},
		{"bend right leg", map[string]float32{"right hip": .5, "right knee": -1}},
		{"bend left leg", map[string]float32{"left hip": .5, "left knee": -1}},
		{"stretch both legs", map[string]float32{"right knee": 1, "left knee": 1, "right ankle": -1, "left ankle": -1}},
		{"bow", map[string]float32{"waist": 1}},
		{"straighten", map[string]float32{"waist": -1}},
	},
	speed: 1, fall: 1,
	figures: []figure{
		{1, 1, 3.56, 600},
		{1, 0, 4, 600},
		{0, 1, 14, 700},
		{0, 0, 14.7, 700},
	},
	view: [2]float32{3.2, 2.1},
	head: humanoidHead,
})

var humanoidHead = vec{0, .19}

var humanoidPlan = plan{
	name: "humanoid", density: 1000, step: .005,
	links: []link{
		{name: "torso", parent: -1, bones: []bone{
			{vec{0, -.12}, vec{0, .06}, .09, neither}, {vec{0, .12}, humanoidHead, .09, far}}},
		// The suite's abdomen turns −75° to 30° about the other side.
		{name: "waist", joint: vec{-.01, -.195}, bones: []bone{{vec{0, -.04}, vec{-.01, -.23}, .1, far}},
			low: -30, high: 75, motor: 40, damper: 5, spring: 10, rotor: .01},
		humanoidThigh("right hip"), humanoidShin("right knee", 2), humanoidFoot("right ankle", 3),
		humanoidThigh("left hip"), humanoidShin("left knee", 5), humanoidFoot("left ankle", 6),
		humanoidArm("right shoulder"), humanoidForearm("right elbow", 8),
		humanoidArm("left shoulder"), humanoidForearm("left elbow", 10),
	},
	// Friction 1: MuJoCo takes the larger of the body's, .7, and the floor's, which the suite leaves at 1.
	ground: ground{spring: 5e4, damper: 1000, soft: .002, friction: 1, creep: .005},
	stop:   stop{spring: 400, damper: 4},
}

func humanoidThigh(name string) link {
	return link{name: name, parent: 1, joint: vec{0, -.27}, bones: []bone{{vec{}, vec{0, -.34}, .06, neither}},
		low: -20, high: 110, motor: 120, damper: 5, spring: 20, rotor: .01}
}

func humanoidShin(name string, thigh int) link {
	return link{name: name, parent: thigh, joint: vec{0, -.383}, bones: []bone{{vec{0, -.02}, vec{0, -.32}, .049, near}},
		low: -160, high: 2, motor: 80, damper: .2, spring: 1, rotor: .01}
}

func humanoidFoot(name string, shin int) link {
	return link{name: name, parent: shin, joint: vec{0, -.33},
		bones: []bone{{vec{-.07, -.08}, vec{.14, -.08}, .036, both}}, // as heavy as the suite's two of radius .027
		low:   -50, high: 50, motor: 20, damper: .2, spring: 6, rotor: .01}
}

func humanoidArm(name string) link {
	return link{name: name, joint: vec{0, .06}, bones: []bone{{vec{}, vec{0, -.28}, .04, neither}},
		low: -85, high: 60, motor: 20, damper: .2, spring: 1, rotor: .01}
}

func humanoidForearm(name string, arm int) link {
	return link{name: name, parent: arm, joint: vec{0, -.31}, bones: []bone{{vec{0, -.02}, vec{0, -.3}, .031, far}},
		low: -50, high: 90, motor: 40, damper: .2, rotor: .01}
}
