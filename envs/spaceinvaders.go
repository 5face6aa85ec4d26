package envs

import "math/bits"

// Space invaders is MinAtar's game of aim: the swarm moves as one, faster with every alien that is shot, and every
// wave begins a little faster than the one before. Nothing in it is left to chance but the action that sticks.

const (
	invadersPlanes   = 6
	invadersFast     = 6 // no wave begins faster than this many steps between moves
	invadersInterval = 12
	invadersShot     = 10 // steps between shots of the swarm
	cannonShot       = 5  // steps between shots of the cannon
	cannonRow        = boardSide - 1
)

var invadersSpec = minAtarSpec("space-invaders", "Space invaders",
	"Shoot the swarm before it lands or shoots the cannon: +1 for each alien.", invadersPlanes, 2.78, 185)

// A wave begins as four rows of six.
var wave = cells{0xFC, 0xFC, 0xFC, 0xFC}

type invaders struct {
	minAtar
	invadersBoard
}

type invadersBoard struct {
	aliens, shots, bombs cells // bombs fall, shots rise
	x                    int8  // the cannon
	right                bool  // the swarm moves right
	shotTimer            int8
	moveTimer, interval  int8 // steps between moves, as long as so many aliens are left
	bombTimer            int8
}

func newInvaders() World { return &invaders{minAtar: newMinAtar()} }

func (w *invaders) Spec() *Spec { return &invadersSpec }

func (w *invaders) Reset(*Rand) {
	w.over = false
	w.invadersBoard = invadersBoard{
		aliens: wave, x: 5,
		moveTimer: invadersInterval, interval: invadersInterval,
		bombTimer: invadersShot,
	}
}

func (w *invaders) Step(r *Rand, action int) Outcome {
	action = w.choose(r, action)
	if w.over {
		return Outcome{End: Terminated}
	}
	switch {
	case action == actFire && w.shotTimer == 0:
		w.shots[cannonRow] |= 1 << uint(w.x)
		w.shotTimer = cannonShot
	case action == actLeft:
		w.x = max(w.x-1, 0)
	case action == actRight:
		w.x = min(w.x+1, boardSide-1)
	}
	copy(w.shots[:], w.shots[1:])
	w.shots[boardSide-1] = 0
	copy(w.bombs[1:], w.bombs[:])
	w.bombs[0] = 0
	w.over = w.bombs.has(w.x, cannonRow) || w.aliens.has(w.x, cannonRow)
	if w.moveTimer == 0 {
		w.march()
	}
	if w.bombTimer == 0 {
		w.bombTimer = invadersShot
		w.bomb()
	}
	reward := w.collide()
	tickDown(&w.shotTimer)
	w.moveTimer--
	w.bombTimer--
	if w.aliens == (cells{}) {
		if w.ramp && w.interval > invadersFast {
			w.interval--
		}
		w.aliens = wave
	}
	return w.outcome(float32(reward))
}

// march moves the swarm one cell: on, or down where it touches the wall.
func (w *invaders) march() {
	count, columns := 0, uint16(0)
	for _, row := range w.aliens {
		count += bits.OnesCount16(row)
		columns |= row
	}
	w.moveTimer = min(int8(count), w.interval)
	switch {
	case w.right && columns>>(boardSide-1)&1 == 1, !w.right && columns&1 == 1:
		w.right = !w.right
		lowest := w.aliens[boardSide-1]
		w.over = w.over || lowest != 0
		copy(w.aliens[1:], w.aliens[:])
		w.aliens[0] = lowest // they leave below and come back above; the game is over by then
	case w.right:
		for y := range w.aliens {
			w.aliens[y] <<= 1
		}
	default:
		for y := range w.aliens {
			w.aliens[y] >>= 1
		}
	}
	w.over = w.over || w.aliens.has(w.x, cannonRow)
}

// bomb lets the lowest alien of the column nearest to the cannon shoot, of two as near the one on the left.
func (w *invaders) bomb() {
	columns := uint16(0)
	for _, row := range w.aliens {
		columns |= row
	}
	for distance := range int8(boardSide) {
		for _, x := range [...]int8{w.x - distance, w.x + distance} {
			if !inside(x) || columns>>uint(x)&1 == 0 {
				continue
			}
			for y := boardSide - 1; y >= 0; y-- {
				if w.aliens.has(x, int8(y)) {
					w.bombs[y] |= 1 << uint(x)
					return
				}
			}
		}
	}
}

// collide takes away the aliens that were shot, and the shots, and counts them.
func (w *invaders) collide() int {
	count := 0
	for y := range w.aliens {
		both := w.aliens[y] & w.shots[y]
		w.aliens[y] &^= both
		w.shots[y] &^= both
		count += bits.OnesCount16(both)
	}
	return count
}

func (w *invaders) Observe(obs []float32) {
	clear(obs[:boardSide*boardSide*invadersPlanes])
	mark(obs, invadersPlanes, 0, w.x, cannonRow)
	heading := 2
	if w.right {
		heading = 3
	}
	for y, row := range w.aliens {
		for ; row != 0; row &= row - 1 {
			at := (y*boardSide + bits.TrailingZeros16(row)) * invadersPlanes
			obs[at+1], obs[at+heading] = 1, 1
		}
	}
	w.shots.mark(obs, invadersPlanes, 4)
	w.bombs.mark(obs, invadersPlanes, 5)
}

func (w *invaders) State(dst []byte) []byte {
	dst = w.state(dst, &invadersSpec)
	dst = w.aliens.append(dst)
	dst = w.shots.append(dst)
	dst = w.bombs.append(dst)
	return append(dst, byte(w.x), asByte(w.right), byte(w.shotTimer), byte(w.moveTimer), byte(w.interval),
		byte(w.bombTimer))
}

func (w *invaders) SetState(src []byte) error {
	b, next := w.open(src, &invadersSpec)
	board := invadersBoard{
		aliens: readCells(&b), shots: readCells(&b), bombs: readCells(&b),
		x: b.Small(0, boardSide-1), right: b.Flag(),
		shotTimer: b.Small(0, cannonShot),
		moveTimer: b.Small(0, invadersInterval), interval: b.Small(invadersFast, invadersInterval),
		bombTimer: b.Small(0, invadersShot),
	}
	if board.aliens == (cells{}) {
		b.Fail("holds a board without aliens")
	}
	if err := b.Close(); err != nil {
		return err
	}
	*w = invaders{next, board}
	return nil
}

func (w *invaders) Draw(c Canvas) {
	floor(c, boardSide, boardSide)
	c.Rect(0, boardSide-.06, boardSide, .06, Wall)
	d := way(w.right)
	for y, row := range w.aliens {
		for ; row != 0; row &= row - 1 {
			drawAlien(c, float32(bits.TrailingZeros16(row))+.5, float32(y)+.5, d)
		}
	}
	for y := range w.shots {
		for row := w.shots[y]; row != 0; row &= row - 1 {
			x := float32(bits.TrailingZeros16(row)) + .5
			rounded(c, x-.07, float32(y)+.2, .14, .6, .07, Agent)
		}
		for row := w.bombs[y]; row != 0; row &= row - 1 {
			x, top := float32(bits.TrailingZeros16(row))+.5, float32(y)
			c.Line(x-.12, top+.12, x+.12, top+.38, .1, Harm) // a bolt
			c.Line(x+.12, top+.38, x-.12, top+.62, .1, Harm)
			c.Line(x-.12, top+.62, x+.12, top+.88, .1, Harm)
			c.Circle(x+.12, top+.38, .05, Harm)
			c.Circle(x-.12, top+.62, .05, Harm)
		}
	}
	x := float32(w.x)
	rounded(c, x+.04, cannonRow+.5, .92, .42, .12, Agent)
	rounded(c, x+.3, cannonRow+.28, .4, .4, .1, Agent)
	rounded(c, x+.42, cannonRow+.06, .16, .5, .06, Agent)
}

// drawAlien looks where it marches.
func drawAlien(c Canvas, x, y, d float32) {
	rounded(c, x-.36, y-.26, .72, .42, .14, Harm)
	for _, side := range [...]float32{-1, 1} {
		c.Line(x+side*.2, y+.1, x+side*.32, y+.36, .1, Harm)
		c.Line(x+side*.16, y-.2, x+side*.26, y-.4, .08, Harm)
		c.Circle(x+side*.15, y-.06, .1, Ground)
		c.Circle(x+side*.15+d*.04, y-.06, .055, Strong)
	}
}
