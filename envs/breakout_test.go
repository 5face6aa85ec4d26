package envs

import "testing"

const breakoutRunes = "=o,#"

// breakoutOn is a game on a board of '=' paddle, 'o' ball, '#' bricks.
func breakoutOn(way uint8, board ...string) *breakout {
	w := &breakout{breakoutBoard: breakoutBoard{way: way}}
	each(board, func(x, y int8, rune byte) {
		switch rune {
		case '=':
			w.paddle = x
		case 'o':
			w.x, w.y, w.oldX, w.oldY = x, y, x, y
		case '#':
			w.bricks |= brickAt(x, y)
		}
	})
	return w
}

func TestBreakoutBeginsInACorner(t *testing.T) {
	w := newBreakout()
	for side, row := range []string{"3 o#########", "3 #########o"} {
		r := Rand{Recorded: newRecorded([]goldenDraw{{"i", 0., 2., float64(side)}})}
		w.Reset(&r)
		sees(t, w, breakoutRunes, "1 ##########", "2 ##########", row, "9 ....=.....")
	}
	act(t, w, 0)
	sees(t, w, breakoutRunes, "1 ##########", "2 ##########", "3 #########,", "4 ........o.", "9 ....=.....")
}

func TestTheBallTurnsAtWallAndCeiling(t *testing.T) {
	w := breakoutOn(leftDown, "5 o.........", "9 ....=.....")
	act(t, w, 0)
	sees(t, w, breakoutRunes, "5 ,.........", "6 o.........", "9 ....=.....")
	is(t, "its way", w.way, rightDown)

	w = breakoutOn(rightUp, "0 ...o......", "9 ....=.....")
	act(t, w, 0)
	sees(t, w, breakoutRunes, "0 ...,o.....", "9 ....=.....")
	is(t, "its way", w.way, rightDown)

	w = breakoutOn(rightUp, "0 .........o", "9 ....=.....")
	act(t, w, 0)
	is(t, "its way out of a corner", w.way, leftDown)
}

func TestAHitBrickGoesAndTheBallTurns(t *testing.T) {
	w := breakoutOn(rightUp, "3 ...####...", "4 ...o......", "9 ....=.....")
	wants(t, act(t, w, 0), 1, Running)
	sees(t, w, breakoutRunes, "3 ...#.##...", "4 ...,o.....", "9 ....=.....")
	is(t, "its way", w.way, rightDown)
}

func TestTheBallGoesThroughASecondBrickUntilItFliesFree(t *testing.T) {
	w := breakoutOn(leftDown, "1 ....o.....", "2 ...#......", "3 ..#.......", "9 ........=.")
	w.strike = true
	wants(t, act(t, w, 0), 0, Running)
	sees(t, w, breakoutRunes, "1 ....,.....", "2 ...o......", "3 ..#.......", "9 ........=.")
	is(t, "the brick below the ball", w.bricks&brickAt(3, 2) != 0, true)
	wants(t, act(t, w, 0), 0, Running)
	is(t, "still through", w.strike, true)
	wants(t, act(t, w, 0), 0, Running)
	is(t, "flying free", w.strike, false)
}

func TestThePaddleMovesFirst(t *testing.T) {
	w := breakoutOn(rightDown, "1 #.........", "8 ....o.....", "9 ...=......")
	wants(t, act(t, w, actRight), 0, Running)
	sees(t, w, breakoutRunes, "1 #.........", "8 ....,o....", "9 ....=.....")
	is(t, "its way", w.way, rightUp)
}

func TestTheEdgeOfThePaddleSendsTheBallBack(t *testing.T) {
	w := breakoutOn(rightDown, "1 #.........", "8 ....o.....", "9 .....=....")
	wants(t, act(t, w, 0), 0, Running)
	sees(t, w, breakoutRunes, "1 #.........", "8 ....,o....", "9 .....=....")
	is(t, "its way", w.way, leftUp)
}

func TestAMissedBallEndsTheGame(t *testing.T) {
	w := breakoutOn(rightDown, "1 #.........", "8 ....o.....", "9 ...=......")
	wants(t, act(t, w, actUp), 0, Terminated)
	sees(t, w, breakoutRunes, "1 #.........", "8 ....,.....", "9 ...=.o....")
}

func TestTheWallIsRebuiltWhenTheBallComesDown(t *testing.T) {
	w := breakoutOn(rightDown, "7 ...o......", "9 ....=.....")
	act(t, w, 0)
	is(t, "the bricks before", w.bricks, 0)
	wants(t, act(t, w, 0), 0, Running)
	sees(t, w, breakoutRunes, "1 ##########", "2 ##########", "3 ##########", "8 ....,o....", "9 ....=.....")
}

func TestThePaddleStopsAtTheWalls(t *testing.T) {
	w := breakoutOn(rightUp, "7 ...o......", "9 =.........")
	act(t, w, actLeft)
	is(t, "the paddle", w.paddle, 0)
	w.paddle = 9
	act(t, w, actRight)
	is(t, "the paddle", w.paddle, 9)
}
