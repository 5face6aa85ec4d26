package envs

import "math/bits"

// Asterix is MinAtar's game of reading speed and direction: eight lanes, in each at most one thing on its way,
// which is either gold or the end.

const (
	asterixPlanes = 4
	asterixLanes  = 8   // lane i is row i+1
	asterixSpawn  = 10  // steps between things, at first
	asterixMove   = 5   // steps between their moves, at first
	asterixRamp   = 100 // steps until the game gets faster
)

var asterixSpec = minAtarSpec("asterix", "Asterix",
	"Collect the gold and keep away from the enemies that cross the field: +1 for each piece of gold.", asterixPlanes, .52,
	19)

type asterix struct {
	minAtar
	asterixBoard
}

type asterixBoard struct {
	x, y                   int8
	taken, gold, right     uint8 // bit i: lane i holds something; it is gold; it moves right
	at                     [asterixLanes]int8
	spawnTimer, spawnSpeed int8
	moveTimer, moveSpeed   int8
	rampTimer, ramps       int8
}

func newAsterix() World { return &asterix{minAtar: newMinAtar()} }

func (w *asterix) Spec() *Spec { return &asterixSpec }

func (w *asterix) Reset(*Rand) {
	w.over = false
	w.asterixBoard = asterixBoard{
		x: 5, y: 5,
		spawnTimer: asterixSpawn, spawnSpeed: asterixSpawn,
		moveTimer: asterixMove, moveSpeed: asterixMove,
		rampTimer: asterixRamp,
	}
}

func (w *asterix) Step(r *Rand, action int) Outcome {
	action = w.choose(r, action)
	if w.over {
		return Outcome{End: Terminated}
	}
	if w.spawnTimer == 0 {
		w.spawn(r)
		w.spawnTimer = w.spawnSpeed
	}
	switch action {
	case actLeft:
		w.x = max(w.x-1, 0)
	case actRight:
		w.x = min(w.x+1, boardSide-1)
	case actUp:
		w.y = max(w.y-1, 1)
	case actDown:
		w.y = min(w.y+1, asterixLanes)
	}
	reward := w.meet()
	if w.moveTimer == 0 {
		w.moveTimer = w.moveSpeed
		w.moveAll()
		reward += w.meet()
	}
	w.spawnTimer--
	w.moveTimer--
	if w.ramp && (w.spawnSpeed > 1 || w.moveSpeed > 1) {
		w.getFaster()
	}
	return w.outcome(reward)
}

// spawn draws a side and a kind always, and a lane where one is free.
func (w *asterix) spawn(r *Rand) {
	fromLeft := r.Float64() < .5
	gold := r.Float64() < 1.0/3
	free := ^w.taken
	if free == 0 {
		return
	}
	for range r.IntN(bits.OnesCount8(free)) {
		free &= free - 1
	}
	lane := free & -free
	i := bits.TrailingZeros8(lane)
	w.taken |= lane
	w.gold &^= lane
	w.right &^= lane
	w.at[i] = boardSide - 1
	if gold {
		w.gold |= lane
	}
	if fromLeft {
		w.right |= lane
		w.at[i] = 0
	}
}

// meet applies the effect of the thing in the player's lane and place: only that thing can be there.
func (w *asterix) meet() float32 {
	lane := uint8(1) << uint(w.y-1)
	if w.taken&lane == 0 || w.at[w.y-1] != w.x {
		return 0
	}
	if w.gold&lane == 0 {
		w.over = true
		return 0
	}
	w.taken &^= lane
	return 1
}

func (w *asterix) moveAll() {
	for lanes := w.taken; lanes != 0; lanes &= lanes - 1 {
		i := bits.TrailingZeros8(lanes)
		w.at[i] += int8(w.right>>i&1)*2 - 1
		if !inside(w.at[i]) {
			w.taken &^= 1 << i
		}
	}
}

// getFaster lets things come sooner every time the ramp's timer is used up, and move sooner every second time.
func (w *asterix) getFaster() {
	if w.rampTimer >= 0 {
		w.rampTimer--
		return
	}
	if w.moveSpeed > 1 && w.ramps%2 == 1 {
		w.moveSpeed--
	}
	if w.spawnSpeed > 1 {
		w.spawnSpeed--
	}
	w.ramps++
	w.rampTimer = asterixRamp
}

func (w *asterix) Observe(obs []float32) {
	clear(obs[:boardSide*boardSide*asterixPlanes])
	mark(obs, asterixPlanes, 0, w.x, w.y)
	for lanes := w.taken; lanes != 0; lanes &= lanes - 1 {
		i := bits.TrailingZeros8(lanes)
		x, row := w.at[i], int8(i+1)
		mark(obs, asterixPlanes, 1+2*int(w.gold>>i&1), x, row)       // enemy 1, gold 3
		markIn(obs, asterixPlanes, 2, x+1-2*int8(w.right>>i&1), row) // the trail is behind it
	}
}

func (w *asterix) State(dst []byte) []byte {
	dst = w.state(dst, &asterixSpec)
	dst = append(dst, byte(w.x), byte(w.y), w.taken, w.gold, w.right)
	for _, x := range w.at {
		dst = append(dst, byte(x))
	}
	return append(dst, byte(w.spawnTimer), byte(w.spawnSpeed), byte(w.moveTimer), byte(w.moveSpeed), byte(w.rampTimer),
		byte(w.ramps))
}

func (w *asterix) SetState(src []byte) error {
	b, next := w.open(src, &asterixSpec)
	board := asterixBoard{x: b.Small(0, boardSide-1), y: b.Small(1, asterixLanes), taken: b.Byte(), gold: b.Byte(),
		right: b.Byte()}
	for i := range board.at {
		if board.taken>>i&1 == 1 {
			board.at[i] = b.Small(0, boardSide-1)
		} else {
			board.at[i] = b.Small(-1, boardSide) // where it was when it left
		}
	}
	board.spawnTimer, board.spawnSpeed = b.Small(0, asterixSpawn), b.Small(1, asterixSpawn)
	board.moveTimer, board.moveSpeed = b.Small(0, asterixMove), b.Small(1, asterixMove)
	board.rampTimer, board.ramps = b.Small(-1, asterixRamp), b.Small(0, asterixSpawn)
	if err := b.Close(); err != nil {
		return err
	}
	*w = asterix{next, board}
	return nil
}

func (w *asterix) Draw(c Canvas) {
	floor(c, boardSide, boardSide)
	c.Rect(0, 0, boardSide, 1, Faint) // nothing ever happens in the first row and the last
	c.Rect(0, boardSide-1, boardSide, 1, Faint)
	for lanes := w.taken; lanes != 0; lanes &= lanes - 1 {
		i := bits.TrailingZeros8(lanes)
		x, y, d := float32(w.at[i])+.5, float32(i)+1.5, way(w.right>>i&1 == 1)
		wake(c, x, y, d, .35)
		if w.gold>>i&1 == 1 {
			w.shape(c, Prize, x, y-.36, x+.36, y, x, y+.36, x-.36, y) // a gem
			w.shape(c, Ground, x, y-.2, x+.2, y, x, y+.2, x-.2, y)
			w.shape(c, Prize, x, y-.12, x+.12, y, x, y+.12, x-.12, y)
		} else {
			w.shape(c, Harm, x+d*.42, y, x-d*.36, y-.38, x-d*.14, y)
			w.shape(c, Harm, x+d*.42, y, x-d*.36, y+.38, x-d*.14, y)
		}
	}
	x, y := float32(w.x)+.5, float32(w.y)+.5
	c.Circle(x, y, .36, Agent)
	c.Circle(x, y, .14, Ground)
}
