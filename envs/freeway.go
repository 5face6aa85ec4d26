package envs

// Freeway is MinAtar's game of patience: eight cars of different speeds, a road to cross again and again for a fixed
// time, and no reward at all on the way.

const (
	freewayPlanes = 7
	freewayCars   = 8 // car i drives in row i+1
	freewayColumn = 4 // of the chicken
	freewayWait   = 3 // steps between its moves
	freewaySteps  = 2500
	carSlowest    = 5 // a car of speed s moves every s+1 steps: a larger number is slower
)

var freewaySpec = minAtarSpec("freeway", "Freeway",
	"Lead the chicken across eight lanes of cars as often as time allows: +1 for each crossing. "+
		"The episode ends after 2 500 steps, by MinAtar's rule, and the observation does not show the time.", freewayPlanes,
	.127, 47.5)

type freeway struct {
	minAtar
	freewayBoard
}

type freewayBoard struct {
	row, wait int8
	left      int16 // steps left, −1 when time is up
	cars      [freewayCars]vehicle
}

type vehicle struct {
	x, speed, timer int8 // speed is signed: positive drives right
}

func newFreeway() World { return &freeway{minAtar: newMinAtar()} }

func (w *freeway) Spec() *Spec { return &freewaySpec }

func (w *freeway) Reset(r *Rand) {
	w.over = false
	w.freewayBoard = freewayBoard{row: boardSide - 1, wait: freewayWait, left: freewaySteps}
	w.drawSpeeds(r)
}

// drawSpeeds draws all sizes, then all directions. The cars stay where they are.
func (w *freeway) drawSpeeds(r *Rand) {
	for i := range w.cars {
		w.cars[i].speed = int8(1 + r.IntN(carSlowest))
	}
	for i := range w.cars {
		car := &w.cars[i]
		car.timer = car.speed
		if r.Float64() < .5 {
			car.speed = -car.speed
		}
	}
}

func (w *freeway) Step(r *Rand, action int) Outcome {
	action = w.choose(r, action)
	if w.over {
		return Outcome{End: Terminated}
	}
	if w.wait == 0 {
		switch action {
		case actUp:
			w.row, w.wait = max(w.row-1, 0), freewayWait
		case actDown:
			w.row, w.wait = min(w.row+1, boardSide-1), freewayWait
		}
	}
	reward := float32(0)
	if w.row == 0 {
		reward = 1
		w.drawSpeeds(r)
		w.row = boardSide - 1
	}
	for i := range w.cars {
		car := &w.cars[i]
		w.hit(i)
		if car.timer > 0 {
			car.timer--
			continue
		}
		car.timer = max(car.speed, -car.speed)
		car.x = around(car.x + car.way())
		w.hit(i)
	}
	tickDown(&w.wait)
	w.left--
	w.over = w.left < 0
	return w.outcome(reward)
}

// hit sends the chicken back to where it began if car i is on it.
func (w *freeway) hit(i int) {
	if w.cars[i].x == freewayColumn && int(w.row) == i+1 {
		w.row = boardSide - 1
	}
}

func (c *vehicle) way() int8 {
	if c.speed > 0 {
		return 1
	}
	return -1
}

// around brings a column one off the board in again at the other end.
func around(x int8) int8 {
	switch x {
	case -1:
		return boardSide - 1
	case boardSide:
		return 0
	}
	return x
}

func (w *freeway) Observe(obs []float32) {
	clear(obs[:boardSide*boardSide*freewayPlanes])
	mark(obs, freewayPlanes, 0, freewayColumn, w.row)
	for i := range w.cars {
		car, row := &w.cars[i], int8(i+1)
		mark(obs, freewayPlanes, 1, car.x, row)
		// The plane says how fast, the cell behind the car where from.
		mark(obs, freewayPlanes, 1+int(max(car.speed, -car.speed)), around(car.x-car.way()), row)
	}
}

func (w *freeway) State(dst []byte) []byte {
	dst = w.state(dst, &freewaySpec)
	dst = append(dst, byte(w.row), byte(w.wait), byte(w.left), byte(w.left>>8))
	for _, car := range w.cars {
		dst = append(dst, byte(car.x), byte(car.speed), byte(car.timer))
	}
	return dst
}

func (w *freeway) SetState(src []byte) error {
	b, next := w.open(src, &freewaySpec)
	board := freewayBoard{row: b.Small(0, boardSide-1), wait: b.Small(0, freewayWait)}
	board.left = int16(uint16(b.Byte()) | uint16(b.Byte())<<8)
	if board.left > freewaySteps || board.left < -1 || (board.left < 0) != next.over {
		b.Fail("holds a time that is not the game's")
	}
	for i := range board.cars {
		board.cars[i] = vehicle{b.Small(0, boardSide-1), b.Small(-carSlowest, carSlowest), b.Small(0, carSlowest)}
		if board.cars[i].speed == 0 {
			b.Fail("holds a car that stands")
		}
	}
	if err := b.Close(); err != nil {
		return err
	}
	*w = freeway{next, board}
	return nil
}

func (w *freeway) Draw(c Canvas) {
	c.Rect(0, 0, boardSide, boardSide, Ground)
	c.Rect(0, 0, boardSide, 1, Faint) // the pavements
	c.Rect(0, boardSide-1, boardSide, 1, Faint)
	c.Rect(0, .94, boardSide, .06, Prize) // over this edge it is paid
	c.Rect(0, boardSide-1, boardSide, .06, Wall)
	for lane := float32(2); lane <= freewayCars; lane++ {
		for x := float32(.2); x < boardSide; x++ {
			c.Line(x, lane, x+.6, lane, .03, Wall)
		}
	}
	for i := range w.cars {
		car := &w.cars[i]
		x, y, d := float32(car.x)+.5, float32(i)+1.5, float32(car.way())
		size := max(car.speed, -car.speed)
		wake(c, x, y, d, .15*float32(carSlowest+1-size)) // the faster, the longer
		for _, wheel := range [...]float32{-.24, .24} {
			rounded(c, x+wheel-.1, y-.34, .2, .68, .06, Strong)
		}
		rounded(c, x-.42, y-.26, .84, .52, .14, Harm)
		rounded(c, x+d*.1-.08, y-.19, .16, .38, .05, Ground) // its windscreen
	}
	x, y := float32(freewayColumn)+.5, float32(w.row)+.5
	w.shape(c, Past, x-.11, y-.26, x+.11, y-.26, x, y-.48)   // the beak points up the road
	w.shape(c, Agent, x-.18, y-.1, x-.44, y+.3, x-.1, y+.34) // the wings
	w.shape(c, Agent, x+.18, y-.1, x+.44, y+.3, x+.1, y+.34)
	c.Circle(x, y+.12, .28, Agent)
	c.Circle(x, y-.18, .18, Agent)
	c.Circle(x-.08, y-.22, .05, Ground)
	c.Circle(x+.08, y-.22, .05, Ground)
	w.shape(c, Past, x-.1, y+.38, x+.1, y+.38, x+.16, y+.48, x-.16, y+.48) // its feet
}
