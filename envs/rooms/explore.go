package rooms

import "impalab/envs/world"

// Explore is after explore_goal_locations_small. The goal keeps its place for an episode, the eye does not: an
// agent that remembers the maze comes back faster each time.
var Explore = Task{
	name:  "rooms-explore",
	title: "Rooms: explore goal locations",
	summary: "Find the green goal in a maze that is new each episode: 1 each time; you are then put elsewhere, the goal " +
		"stays.",
	ticks:  2400,
	random: [8]float32{.134, .168, .191, .201, .220, .227, .221, .225},
	solved: 7,
	theme:  mazeTheme,
	build:  buildExplore,
	tick:   tickExplore,
}

const exploreAway = 2 * fixOne // of a start from the goal

func buildExplore(w *room, r *world.Rand) {
	w.blank(9, false)
	w.maze(r, 45)
	w.decorate(r, 50)
	x, y := w.anywhere(r)
	w.add(thing{picture: thingGoal, mark: markGoal, x: x, y: y, size: fixOne * 9 / 10, ink: world.Prize})
	w.enter(r, x, y, exploreAway)
}

func tickExplore(w *room, r *world.Rand, _ int) (reward float32, over bool) {
	goal := &w.things[0]
	if !w.eye.near(goal.x, goal.y, ballReach) {
		return 0, false
	}
	w.enter(r, goal.x, goal.y, exploreAway)
	return 1, false
}
