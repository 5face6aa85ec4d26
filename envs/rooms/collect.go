package rooms

import "impalab/envs/world"

// Collect is collect and avoid, after seekavoid_arena_01, with the good colour told in words, as in the language tasks
// of DMLab-30. Without reading the instruction the best is to try a ball and see.
var Collect = Task{
	name:  "rooms-collect",
	title: "Rooms: collect and avoid",
	summary: "Collect the balls of the colour that the instruction names, avoid the others: 1 for a good ball, −1 for a " +
		"bad one; over when no good one is left.",
	ticks:  1800,
	random: [8]float32{}, // 0: nothing it does depends on the colours
	solved: 6.5,
	theme:  hallTheme,
	words:  true,
	build:  buildCollect,
	tick:   tickCollect,
}

const (
	collectEach = 8 // balls of each colour
	ballReach   = fixOne * 45 / 100
)

func buildCollect(w *room, r *world.Rand) {
	w.blank(11, true)
	w.pillars(r, 70, 0)
	w.decorate(r, 40)
	good := r.IntN(roomColours)
	bad := (good + 1 + r.IntN(roomColours-1)) % roomColours
	w.words = [roomWords]string{"collect", roomColourName[good], "avoid", roomColourName[bad]}
	w.enter(r, 0, 0, 0)
	for i := range 2 * collectEach {
		t := thing{picture: thingBall, mark: markGood, size: fixOne * 7 / 10, ink: world.Prize}
		if i%2 == 1 {
			t.mark, t.ink = markBad, world.Harm
			t.picture += uint8(bad)
		} else {
			t.picture += uint8(good)
		}
		for t.x == 0 || !w.lonely(t.x, t.y) {
			t.x, t.y = w.anywhere(r)
		}
		w.add(t)
	}
}

// lonely reports whether a cell holds neither the eye nor a thing.
func (w *room) lonely(x, y int) bool {
	for i := range w.count {
		if w.things[i].x == x && w.things[i].y == y {
			return false
		}
	}
	return !w.eye.near(x, y, fixOne/2)
}

func tickCollect(w *room, _ *world.Rand, _ int) (reward float32, over bool) {
	left := 0
	for i := range w.count {
		t := &w.things[i]
		switch {
		case !w.has(i):
			continue
		case !w.eye.near(t.x, t.y, ballReach):
			if t.mark == markGood {
				left++
			}
		case t.mark == markGood:
			w.collect(i)
			reward++
		default:
			w.collect(i)
			reward--
		}
	}
	return reward, left == 0
}
