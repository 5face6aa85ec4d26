package envs

import (
	"encoding/binary"
	"math/bits"
)

// Breakout is the first of MinAtar's games to try: the ball moves, a paddle in its way sends it back, and the worth of
// an action shows about ten steps later.

const (
	breakoutPlanes = 4
	paddleRow      = boardSide - 1
	brickTop       = 1                    // bricks fill this row and the two below
	allBricks      = 1<<(3*boardSide) - 1 // bit boardSide·(row − brickTop) + column
)

var breakoutSpec = minAtarSpec("breakout", "Breakout",
	"Keep the ball in play with the paddle: +1 for each brick it breaks.", breakoutPlanes, .52, 17.5)

// The four ways of the ball. ^1 turns left and right around, ^3 up and down, ^2 both.
const (
	leftUp = iota
	rightUp
	rightDown
	leftDown
)

type breakout struct {
	minAtar
	breakoutBoard
}

type breakoutBoard struct {
	x, y       int8 // the ball
	oldX, oldY int8 // where it was: its trail
	way        uint8
	paddle     int8
	bricks     uint32
	strike     bool // it broke a brick and has not flown free since: it goes through the next
}

func newBreakout() World { return &breakout{minAtar: newMinAtar()} }

func (w *breakout) Spec() *Spec { return &breakoutSpec }

func (w *breakout) Reset(r *Rand) {
	w.over = false
	w.breakoutBoard = breakoutBoard{y: 3, oldY: 3, way: rightDown, paddle: 4, bricks: allBricks}
	if r.IntN(2) == 1 {
		w.x, w.oldX, w.way = 9, 9, leftDown
	}
}

func (w *breakout) Step(r *Rand, action int) Outcome {
	action = w.choose(r, action)
	if w.over {
		return Outcome{End: Terminated}
	}
	switch action {
	case actLeft:
		w.paddle = max(w.paddle-1, 0)
	case actRight:
		w.paddle = min(w.paddle+1, boardSide-1)
	}
	w.oldX, w.oldY = w.x, w.y
	x, y := w.x-1, w.y+1
	if w.way == rightUp || w.way == rightDown {
		x += 2
	}
	if w.way < rightDown {
		y -= 2
	}
	if !inside(x) {
		x = min(max(x, 0), boardSide-1)
		w.way ^= 1
	}
	reward, inBrick := float32(0), false
	switch brick := brickAt(x, y); {
	case y < 0:
		y = 0
		w.way ^= 3
	case w.bricks&brick != 0:
		inBrick = true
		if !w.strike {
			reward, w.strike = 1, true
			w.bricks &^= brick
			y = w.oldY
			w.way ^= 3
		}
	case y == paddleRow:
		if w.bricks == 0 {
			w.bricks = allBricks
		}
		switch w.paddle {
		case w.oldX:
			w.way ^= 3
			y = w.oldY
		case x: // hit on its edge: the ball goes back where it came from
			w.way ^= 2
			y = w.oldY
		default:
			w.over = true
		}
	}
	if !inBrick {
		w.strike = false
	}
	w.x, w.y = x, y
	return w.outcome(reward)
}

// brickAt is the bit of the brick in a cell, 0 where none can be.
func brickAt(x, y int8) uint32 {
	if y < brickTop || y >= brickTop+3 {
		return 0
	}
	return 1 << uint((y-brickTop)*boardSide+x)
}

func (w *breakout) Observe(obs []float32) {
	clear(obs[:boardSide*boardSide*breakoutPlanes])
	mark(obs, breakoutPlanes, 0, w.paddle, paddleRow)
	mark(obs, breakoutPlanes, 1, w.x, w.y)
	mark(obs, breakoutPlanes, 2, w.oldX, w.oldY)
	for b := w.bricks; b != 0; b &= b - 1 {
		obs[(brickTop*boardSide+bits.TrailingZeros32(b))*breakoutPlanes+3] = 1
	}
}

func (w *breakout) State(dst []byte) []byte {
	dst = w.state(dst, &breakoutSpec)
	dst = append(dst, byte(w.x), byte(w.y), byte(w.oldX), byte(w.oldY), w.way, byte(w.paddle), asByte(w.strike))
	return binary.LittleEndian.AppendUint32(dst, w.bricks)
}

func (w *breakout) SetState(src []byte) error {
	b, next := w.open(src, &breakoutSpec)
	lowest := paddleRow - 1
	if next.over {
		lowest = paddleRow // the ball that was missed
	}
	board := breakoutBoard{
		x: b.Small(0, boardSide-1), y: b.Small(0, lowest),
		oldX: b.Small(0, boardSide-1), oldY: b.Small(0, lowest),
		way:    uint8(b.Small(leftUp, leftDown)),
		paddle: b.Small(0, boardSide-1),
		strike: b.Flag(),
		bricks: uint32(b.Below(allBricks + 1)),
	}
	if err := b.Close(); err != nil {
		return err
	}
	*w = breakout{next, board}
	return nil
}

func (w *breakout) Draw(c Canvas) {
	const gap = .05
	floor(c, boardSide, boardSide)
	c.Rect(0, boardSide-.06, boardSide, .06, Harm) // the ball must not get here
	for b := w.bricks; b != 0; b &= b - 1 {
		i := bits.TrailingZeros32(b)
		rounded(c, float32(i%boardSide)+gap, float32(brickTop+i/boardSide)+gap, 1-2*gap, 1-2*gap, .12, Prize)
	}
	fromX, fromY := float32(w.oldX)+.5, float32(w.oldY)+.5
	dx, dy := float32(w.x-w.oldX), float32(w.y-w.oldY)
	for i := float32(0); i < 4; i++ {
		c.Circle(fromX+dx*i/4, fromY+dy*i/4, .08+.035*i, Past)
	}
	bar(c, float32(w.paddle)+.04, paddleRow+.3, .92, .34, Agent)
	ink := Strong
	if w.over {
		ink = Harm
	}
	c.Circle(fromX+dx, fromY+dy, .27, ink)
}
