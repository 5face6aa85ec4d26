package rooms

import "impalab/envs/world"

// LaserTag is laser tag, after lasertag_three_opponents_small, against rivals that follow a script. They wander. A
// rival that sees the agent stops, turns to it, aims with a bright visor and fires. A tagged body is moved elsewhere.
var LaserTag = Task{
	name:  "rooms-lasertag",
	title: "Rooms: laser tag",
	summary: "Tag three rivals before they tag you: 1 for a tag, −1 for being tagged; a rival whose visor shines white " +
		"is about to fire.",
	ticks:  1800,
	random: [8]float32{-3.77, -3.77, -3.77, -3.77, -3.77, -3.77, -3.77, -3.77},
	solved: 12,
	theme:  arenaTheme,
	build:  buildLaserTag,
	tick:   tickLaserTag,
}

const (
	tagRivals = 3
	tagAway   = 4 * fixOne
	tagWidth  = fixOne * 28 / 100 // half of the width that a shot hits near by; far away it is tagSpread of the distance,
	tagSpread = 10                // a tenth: half a step's turn, so that every rival in sight can be aimed at
	gunCycle  = 16                // ticks from shot to shot
	gunFlash  = 4                 // of which its flash is seen
	aimTicks  = 48                // a rival aims before it fires
	rivalSees = 7 * fixOne
)

func buildLaserTag(w *room, r *world.Rand) {
	w.blank(13, true)
	w.pillars(r, 150, 110)
	w.decorate(r, 30)
	w.enter(r, 0, 0, 0)
	w.rival = tagRivals
	for i := range w.rival {
		w.rivals[i] = w.somewhere(r, w.eye.x, w.eye.y, tagAway)
	}
}

// The eye's wait is the rest of the gun's cycle; a rival's is the time that it has aimed.
func tickLaserTag(w *room, r *world.Rand, action int) (reward float32, over bool) {
	if w.eye.wait > 0 {
		w.eye.wait--
	}
	if action == actionFire && w.eye.wait == 0 {
		w.eye.wait = gunCycle
		if i := w.target(); i >= 0 {
			w.rivals[i] = w.somewhere(r, w.eye.x, w.eye.y, tagAway)
			reward++
		}
	}
	for i := range w.rival {
		if w.script(&w.rivals[i], r) {
			reward--
			w.enter(r, w.eye.x, w.eye.y, tagAway)
		}
	}
	return reward, false
}

// target is the nearest rival in the line of fire, −1 if none is.
func (w *room) target() int {
	best, nearest := -1, farthest
	for i := range w.rival {
		b := &w.rivals[i]
		ahead, right := w.eye.toward(b.x, b.y)
		if ahead > 0 && ahead < nearest && fixAbs(right) < max(tagWidth, ahead/tagSpread) &&
			w.sees(w.eye.x, w.eye.y, b.x, b.y) {
			best, nearest = i, ahead
		}
	}
	return best
}

// script is one tick of a rival; it reports whether the agent was tagged.
func (w *room) script(b *body, r *world.Rand) bool {
	if !b.near(w.eye.x, w.eye.y, rivalSees) || !w.sees(b.x, b.y, w.eye.x, w.eye.y) {
		b.wait = 0
		if r.IntN(160) == 0 || !b.walk(&w.roomMap, 1, 0) {
			b.heading = r.IntN(roomTurn/swing) * swing
		}
		return false
	}
	ahead, right := b.toward(w.eye.x, w.eye.y)
	if ahead <= 0 || fixAbs(right) > ahead/8 { // turns at a third of the agent's speed
		way := 3
		if right < 0 {
			way = -3
		}
		b.heading = (b.heading + way) & (roomTurn - 1)
		return false
	}
	if b.wait++; b.wait < aimTicks {
		return false
	}
	b.wait = 0
	return r.IntN(2) == 0 // every other shot misses
}

// aim paints the gun and its target.
func (w *room) aim(f *roomFrame) {
	f.paintFront(thingCross, 0, 0, 12)
	gun := thingGun
	if w.eye.wait > gunCycle-gunFlash {
		gun = thingFlash
	}
	f.paintFront(gun, 0, 34, 50)
}
