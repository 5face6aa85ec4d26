package rooms

import (
	"testing"

	"impalab/envs/world"
)

// roomBot plays the rooms by script and knows the map: it shows that a solved room is possible.
type roomBot struct {
	w    *room
	far  [roomSide * roomSide]int // steps from each cell to the target, −1: no way
	list [roomSide * roomSide]int
}

// flood fills far from a cell, around the bad things if avoid says so.
func (b *roomBot) flood(x, y int, avoid bool) {
	w := b.w
	for i := range b.far {
		b.far[i] = -1
	}
	if avoid {
		for i := range w.count {
			if t := &w.things[i]; w.has(i) && t.mark == markBad {
				b.far[w.at(t.x>>16, t.y>>16)] = 1 << 20
			}
		}
	}
	b.list[0] = w.at(x>>16, y>>16)
	b.far[b.list[0]] = 0
	for n, k := 1, 0; k < n; k++ {
		at := b.list[k]
		for _, step := range sideStep {
			next := at + step[1]*w.side + step[0]
			if w.solid[next] == cellOpen && b.far[next] < 0 {
				b.far[next] = b.far[at] + 1
				b.list[n] = next
				n++
			}
		}
	}
}

// approach is the action that leads to a place.
func (b *roomBot) approach(x, y int, avoid bool) int {
	b.flood(x, y, avoid)
	w := b.w
	here := w.at(w.eye.x>>16, w.eye.y>>16)
	if d := b.far[here]; d > 0 && d < 1<<20 {
		for _, step := range sideStep {
			next := here + step[1]*w.side + step[0]
			if b.far[next] == d-1 && d > 1 {
				x, y = roomMiddle(next%w.side), roomMiddle(next/w.side)
				break
			}
		}
	} else if d != 0 && avoid {
		return b.approach(x, y, false)
	}
	return steer(w.eye.toward(x, y))
}

func steer(ahead, right int) int {
	const forward, left, rightward, forwardLeft, forwardRight = 0, 4, 5, 6, 7
	side := fixAbs(right)
	switch {
	case ahead > 0 && side < ahead/6:
		return forward
	case ahead > 0 && side < ahead/2 && right < 0:
		return forwardLeft
	case ahead > 0 && side < ahead/2:
		return forwardRight
	case right < 0:
		return left
	}
	return rightward
}

func (b *roomBot) act() int {
	w := b.w
	if w.rival > 0 {
		return b.hunt()
	}
	best, target := 1<<30, -1
	for i := range w.count {
		t := &w.things[i]
		if !w.has(i) || t.mark == markBad {
			continue
		}
		if t.mark != markGood { // in the order of the list
			target = i
			break
		}
		b.flood(t.x, t.y, true)
		d := b.far[w.at(w.eye.x>>16, w.eye.y>>16)]
		if d < 0 {
			d = 1 << 20 // bad things are all around it
		}
		if d < best {
			best, target = d, i
		}
	}
	t := &w.things[target]
	return b.approach(t.x, t.y, true)
}

func (b *roomBot) hunt() int {
	w := b.w
	best, prey := 1<<30, &w.rivals[0]
	for i := range w.rival {
		r := &w.rivals[i]
		if d := fixAbs(r.x-w.eye.x) + fixAbs(r.y-w.eye.y); d < best {
			best, prey = d, r
		}
	}
	if w.target() >= 0 && w.eye.wait < w.repeat {
		return actionFire
	}
	if w.sees(w.eye.x, w.eye.y, prey.x, prey.y) {
		return steer(w.eye.toward(prey.x, prey.y))
	}
	return b.approach(prey.x, prey.y, false)
}

// Solved is well above chance and within reach: a script that knows the map, but walks and shoots as anybody must,
// is above it.
func TestRoomsCanBeSolved(t *testing.T) {
	for _, task := range roomTasks {
		const episodes = 40
		spec, w := usualRoom(task)
		bot := roomBot{w: w}
		r := world.NewRand(3, 0)
		total, steps := float32(0), 0
		for range episodes {
			w.Reset(&r)
			for {
				out := w.Step(&r, bot.act())
				steps++
				total += out.Reward
				if out.End != world.Running {
					break
				}
			}
		}
		mean := total / episodes
		t.Logf("%s: the script returns %.2f in %d steps, chance %.2f, solved is %v", task.name, mean, steps/episodes,
			spec.Random, task.solved)
		if mean < task.solved {
			t.Errorf("%s: the script returns %.2f, solved is %v", task.name, mean, task.solved)
		}
	}
}
