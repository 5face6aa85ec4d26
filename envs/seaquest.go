package envs

// Seaquest is MinAtar's richest game: shoot or avoid the swimmers, take divers aboard, and be back at the surface
// before the oxygen is used up. The rescue of six pays for the remaining oxygen.

const (
	seaPlanes    = 10
	seaFloor     = 8 // the lowest row the submarine reaches; the gauges are below
	fullOxygen   = 200
	gaugeCells   = 10
	fullCrew     = 6
	seaSpawn     = 20 // steps between enemies, at first
	seaMove      = 5  // steps an enemy waits between its moves, at first
	seaMoveFast  = 2  // and at last
	diverSpawn   = 30
	diverMove    = 5
	playerReload = 5
	enemyReload  = 10
)

var seaquestSpec = minAtarSpec("seaquest", "Seaquest",
	"Shoot fish and submarines, and bring divers up before the oxygen ends: +1 for each hit, up to +10 for a rescue of "+
		"six.",
	seaPlanes, .09, 15.5)

type seaquest struct {
	minAtar
	sea
}

type sea struct {
	x, y                   int8 // the submarine's front
	right, surface         bool // it faces right; it has not dived since it was last filled up
	oxygen                 int16
	divers                 int32 // aboard; below 0 after a rescue
	shotTimer              int8
	spawnTimer, spawnSpeed int8
	moveSpeed              int8
	diverTimer, ramps      int8
	shots, bombs           shoal // the player's bullets and the enemies'
	fish, subs, swimmers   shoal // swimmers are the divers to pick up
}

func newSea() sea {
	return sea{shots: newShoal(), bombs: newShoal(), fish: newShoal(), subs: newShoal(), swimmers: newShoal()}
}

func newSeaquest() World { return &seaquest{newMinAtar(), newSea()} }

func (w *seaquest) Spec() *Spec { return &seaquestSpec }

func (w *seaquest) Reset(*Rand) {
	w.over = false
	w.sea = sea{
		x: 5, surface: true, oxygen: fullOxygen,
		spawnTimer: seaSpawn, spawnSpeed: seaSpawn, moveSpeed: seaMove, diverTimer: diverSpawn,
		shots: w.shots[:0], bombs: w.bombs[:0], fish: w.fish[:0], subs: w.subs[:0], swimmers: w.swimmers[:0],
	}
}

// Step keeps MinAtar's order: it decides which collisions happen.
func (w *seaquest) Step(r *Rand, action int) Outcome {
	action = w.choose(r, action)
	if w.over {
		return Outcome{End: Terminated}
	}
	if w.spawnTimer == 0 {
		w.spawnEnemy(r)
		w.spawnTimer = w.spawnSpeed
	}
	if w.diverTimer == 0 {
		w.spawnDiver(r)
		w.diverTimer = diverSpawn
	}
	w.steer(action)
	reward := w.moveShots()
	w.moveDivers()
	reward += w.moveEnemies(&w.subs, true)
	w.moveBombs()
	reward += w.moveEnemies(&w.fish, false)
	tickDown(&w.spawnTimer)
	tickDown(&w.diverTimer)
	tickDown(&w.shotTimer)
	return w.outcome(reward + w.settleDepth())
}

// spawnEnemy draws a side, a kind and a row always; nothing may swim against the others of its row.
func (w *seaquest) spawnEnemy(r *Rand) {
	e := enterFrom(r)
	sub := r.Float64() < 1.0/3
	e.y = int8(1 + r.IntN(seaFloor))
	e.timer = w.moveSpeed
	if w.subs.against(e) || w.fish.against(e) {
		return
	}
	if sub {
		e.reload = enemyReload
		w.subs.add(e)
	} else {
		w.fish.add(e)
	}
}

func (w *seaquest) spawnDiver(r *Rand) {
	d := enterFrom(r)
	d.y = int8(1 + r.IntN(seaFloor))
	d.timer = diverMove
	w.swimmers.add(d)
}

// enterFrom draws a side and puts something there that swims to the other.
func enterFrom(r *Rand) swimmer {
	if r.Float64() < .5 {
		return swimmer{x: 0, right: true}
	}
	return swimmer{x: boardSide - 1}
}

func (w *seaquest) steer(action int) {
	switch action {
	case actFire:
		if w.shotTimer == 0 {
			w.shots.add(swimmer{x: w.x, y: w.y, right: w.right})
			w.shotTimer = playerReload
		}
	case actLeft:
		w.x, w.right = max(w.x-1, 0), false
	case actRight:
		w.x, w.right = min(w.x+1, boardSide-1), true
	case actUp:
		w.y = max(w.y-1, 0)
	case actDown:
		w.y = min(w.y+1, seaFloor)
	}
}

func (w *seaquest) touches(s swimmer) bool { return s.x == w.x && s.y == w.y }

// moveShots lets each of the player's bullets hit one enemy of its cell, fish before submarines.
func (w *seaquest) moveShots() (reward float32) {
	for i := len(w.shots) - 1; i >= 0; i-- {
		s := &w.shots[i]
		s.move()
		switch {
		case !inside(s.x):
			w.shots.remove(i)
		case w.fish.removeAt(s.x, s.y) || w.subs.removeAt(s.x, s.y):
			w.shots.remove(i)
			reward++
		}
	}
	return reward
}

func (w *seaquest) moveDivers() {
	for i := len(w.swimmers) - 1; i >= 0; i-- {
		d := &w.swimmers[i]
		switch {
		case w.touches(*d) && w.divers < fullCrew:
			w.divers++
			w.swimmers.remove(i)
		case d.timer > 0:
			d.timer--
		default:
			d.timer = diverMove
			d.move()
			if !inside(d.x) {
				w.swimmers.remove(i)
			} else if w.touches(*d) && w.divers < fullCrew {
				w.divers++
				w.swimmers.remove(i)
			}
		}
	}
}

// moveEnemies moves fish, or submarines, which also shoot.
func (w *seaquest) moveEnemies(list *shoal, shoot bool) (reward float32) {
	for i := len(*list) - 1; i >= 0; i-- {
		e, gone := &(*list)[i], false
		if w.touches(*e) {
			w.over = true
		}
		if e.timer > 0 {
			e.timer--
		} else {
			e.timer = w.moveSpeed
			e.move()
			switch {
			case !inside(e.x):
				gone = true
			case w.touches(*e):
				w.over = true
			case w.shots.removeAt(e.x, e.y):
				gone = true
				reward++
			}
		}
		switch {
		case !shoot:
		case e.reload > 0:
			e.reload--
		default: // also when it has just gone: its last shot stays
			e.reload = enemyReload
			w.bombs.add(swimmer{x: e.x, y: e.y, right: e.right})
		}
		if gone {
			list.remove(i)
		}
	}
	return reward
}

func (w *seaquest) moveBombs() {
	for i := len(w.bombs) - 1; i >= 0; i-- {
		b := &w.bombs[i]
		if w.touches(*b) {
			w.over = true
		}
		b.move()
		if !inside(b.x) {
			w.bombs.remove(i)
		} else if w.touches(*b) {
			w.over = true
		}
	}
}

// settleDepth applies the rules of depth. Surfacing costs a diver, even after the rescue of six that has just emptied
// the boat: the count is then −1, and the next time the boat may surface with none.
func (w *seaquest) settleDepth() (reward float32) {
	if w.oxygen <= 0 {
		w.over = true
	}
	switch {
	case w.y > 0:
		w.oxygen--
		w.surface = false
		return 0
	case w.surface:
		return 0
	case w.divers == 0:
		w.over = true
		return 0
	}
	w.surface = true
	if w.divers == fullCrew {
		w.divers = 0
		reward = float32(w.gauge())
	}
	w.oxygen = fullOxygen
	w.divers--
	if w.ramp && (w.spawnSpeed > 1 || w.moveSpeed > seaMoveFast) {
		if w.moveSpeed > seaMoveFast && w.ramps%2 == 1 {
			w.moveSpeed--
		}
		if w.spawnSpeed > 1 {
			w.spawnSpeed--
		}
		w.ramps++
	}
	return reward
}

// gauge is how many cells of the gauge the oxygen fills.
func (w *seaquest) gauge() int8 { return int8(max(w.oxygen, 0) * gaugeCells / fullOxygen) }
