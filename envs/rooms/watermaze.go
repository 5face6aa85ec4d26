package rooms

import "impalab/envs/world"

// WaterMaze is the water maze, after rooms_watermaze and Morris (1981). The platform is under the water and invisible
// until a body is on it. Then it rises and stays visible for a moment, long enough to look around and remember the
// place, and the search begins again from elsewhere.
var WaterMaze = Task{
	name:  "rooms-watermaze",
	title: "Rooms: water maze",
	summary: "Find the platform under the water: 1 each time; you are then put elsewhere, the platform stays for the " +
		"episode.",
	ticks:  2400,
	random: [8]float32{.171, .231, .281, .322, .368, .372, .393, .430},
	solved: 7,
	theme:  poolTheme,
	build:  buildWaterMaze,
	tick:   tickWaterMaze,
}

const (
	padReach  = fixOne / 2
	padRest   = 24 // ticks it stays in sight
	waterAway = 2 * fixOne
)

func buildWaterMaze(w *room, r *world.Rand) {
	w.blank(9, true)
	w.pillars(r, 60, 100)
	w.decorate(r, 90)
	x, y := w.anywhere(r)
	w.add(thing{mark: markPad, x: x, y: y, ink: world.Prize})
	w.enter(r, x, y, waterAway)
}

// The eye's wait is the rest of the pause.
func tickWaterMaze(w *room, r *world.Rand, _ int) (reward float32, over bool) {
	pad := &w.things[0]
	switch {
	case w.eye.wait > 1:
		w.eye.wait--
	case w.eye.wait == 1:
		w.enter(r, pad.x, pad.y, waterAway) // which begins with no wait
	case w.eye.near(pad.x, pad.y, padReach):
		w.eye.wait = padRest
		reward = 1
	}
	w.settle()
	return reward, false
}
