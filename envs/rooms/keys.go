package rooms

import "impalab/envs/world"

// Keys is keys and doors, after rooms_keys_doors_puzzle. A hall has three closed rooms around it. The key to the first
// lies in the hall, the key to the second in the first, and so on; the goal is in the last.
var Keys = Task{
	name:  "rooms-keys-doors",
	title: "Rooms: keys and doors",
	summary: "Open each door with the key of its colour and reach the goal behind the last: 1 for a key, 1 for a door, " +
		"4 for the goal, which ends the episode.",
	ticks:  2400,
	random: [8]float32{.297, .414, .512, .601, .676, .739, .789, .844},
	solved: 9,
	theme:  houseTheme,
	build:  buildKeys,
	tick:   tickKeys,
}

const (
	keysDoors = 3
	doorReach = fixOne * 85 / 100
	hallFrom  = 4 // cells of the hall, both ways
	hallTo    = 8
)

func buildKeys(w *room, r *world.Rand) {
	w.blank(13, false)
	w.carve(hallFrom, hallFrom, hallTo, hallTo)
	sides, colours := [4]int{0, 1, 2, 3}, [4]int{0, 1, 2, 3}
	shuffle(r, &sides)
	shuffle(r, &colours)
	w.decorate(r, 40)
	w.eye = body{roomMiddle(r.IntN(3) + 5), roomMiddle(r.IntN(3) + 5), r.IntN(roomTurn/swing) * swing, 0}
	x0, y0, x1, y1 := hallFrom, hallFrom, hallTo, hallTo
	for i := range keysDoors {
		colour := uint8(colours[i])
		t := thing{picture: thingKey + colour, mark: markKey, colour: colour, size: fixOne * 6 / 10, ink: world.Past}
		w.lay(r, t, x0, y0, x1, y1)
		x0, y0, x1, y1 = w.annex(sides[i], colour)
	}
	w.lay(r, thing{picture: thingGoal, mark: markGoal, size: fixOne * 9 / 10, ink: world.Prize}, x0, y0, x1, y1)
}

func shuffle(r *world.Rand, list *[4]int) {
	for i := 3; i > 0; i-- {
		j := r.IntN(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

func (m *roomMap) carve(x0, y0, x1, y1 int) {
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			m.solid[m.at(x, y)] = cellOpen
		}
	}
}

// annex opens a room on one side of the hall, five cells wide and two deep, and hangs a door of a colour before it.
func (w *room) annex(side int, colour uint8) (x0, y0, x1, y1 int) {
	const centre = (hallFrom + hallTo) / 2
	out := sideStep[side]
	x0, y0 = centre+4*out[0]-2*out[1]*out[1], centre+4*out[1]-2*out[0]*out[0]
	x1, y1 = centre+5*out[0]+2*out[1]*out[1], centre+5*out[1]+2*out[0]*out[0]
	x0, x1, y0, y1 = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
	w.carve(x0, y0, x1, y1)
	x, y := centre+3*out[0], centre+3*out[1]
	i := w.at(x, y)
	w.solid[i] = cellDoor
	for k := range w.face[i] {
		w.face[i][k] = pictureDoor + colour
	}
	w.add(thing{mark: markDoor, colour: colour, x: roomMiddle(x), y: roomMiddle(y)})
	return x0, y0, x1, y1
}

// lay puts a thing into some cell of a room, not where the eye or another thing is.
func (w *room) lay(r *world.Rand, t thing, x0, y0, x1, y1 int) {
	for t.x == 0 || !w.lonely(t.x, t.y) {
		t.x, t.y = roomMiddle(x0+r.IntN(x1-x0+1)), roomMiddle(y0+r.IntN(y1-y0+1))
	}
	w.add(t)
}

func tickKeys(w *room, _ *world.Rand, _ int) (reward float32, over bool) {
	for i := range w.count {
		t := &w.things[i]
		if !w.has(i) {
			continue
		}
		switch t.mark {
		case markKey:
			if w.eye.near(t.x, t.y, ballReach) {
				w.collect(i)
				reward++
			}
		case markDoor: // its key was put just before it
			if !w.has(i-1) && w.eye.near(t.x, t.y, doorReach) {
				w.collect(i)
				w.settle()
				reward++
			}
		case markGoal:
			if w.eye.near(t.x, t.y, ballReach) {
				w.collect(i)
				return reward + 4, true
			}
		}
	}
	return reward, false
}

// hasKey reports whether thing i is a key that was taken and has not been used.
func (w *room) hasKey(i int) bool {
	return w.things[i].mark == markKey && !w.has(i) && w.has(i+1)
}
