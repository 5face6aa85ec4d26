package envs

import "testing"

const invadersRunes = "A   '*" // cannon, shots and bombs; aliens by a test of their own
const swarmRunes = "AX  '*"

// invadersOn is a game on a board of 'A' cannon, 'X' aliens, ”' shots, '*' bombs; the swarm neither moves nor shoots.
func invadersOn(board ...string) *invaders {
	w := &invaders{minAtar: minAtar{ramp: true}}
	w.Reset(nil)
	w.aliens = cells{}
	each(board, func(x, y int8, rune byte) {
		switch rune {
		case 'A':
			w.x = x
		case 'X':
			w.aliens[y] |= 1 << x
		case '\'':
			w.shots[y] |= 1 << x
		case '*':
			w.bombs[y] |= 1 << x
		}
	})
	return w
}

func TestInvadersBeginAsFourRowsOfSix(t *testing.T) {
	w := newInvaders()
	w.Reset(&Rand{Recorded: newRecorded(nil)}) // draws nothing
	sees(t, w, swarmRunes, "0 ..XXXXXX..", "1 ..XXXXXX..", "2 ..XXXXXX..", "3 ..XXXXXX..", "9 .....A....")
	for range invadersInterval {
		act(t, w, 0)
	}
	sees(t, w, " X    ", "0 ..XXXXXX..", "1 ..XXXXXX..", "2 ..XXXXXX..", "3 ..XXXXXX..")
	act(t, w, 0)
	sees(t, w, " X    ", "0 .XXXXXX...", "1 .XXXXXX...", "2 .XXXXXX...", "3 .XXXXXX...")
}

func TestTheSwarmsDirectionIsAPlane(t *testing.T) {
	w := invadersOn("2 ...X......", "9 .....A....")
	sees(t, w, " X    ", "2 ...X......")
	sees(t, w, "  L   ", "2 ...L......")
	sees(t, w, "   R  ")
	w.right = true
	sees(t, w, "  L   ")
	sees(t, w, "   R  ", "2 ...R......")
}

func TestAFreshShotIsInTheEighthRow(t *testing.T) {
	w := invadersOn("0 X....'....", "9 .....A....")
	act(t, w, actFire)
	sees(t, w, swarmRunes, "0 X.........", "8 .....'....", "9 .....A....")
	is(t, "the timer", w.shotTimer, cannonShot-1)
	for range cannonShot - 1 {
		act(t, w, actFire) // too early
	}
	sees(t, w, swarmRunes, "0 X.........", "4 .....'....", "9 .....A....")
	act(t, w, actFire)
	sees(t, w, swarmRunes, "0 X.........", "3 .....'....", "8 .....'....", "9 .....A....")
}

func TestTheCannonStopsAtTheWalls(t *testing.T) {
	w := invadersOn("0 X.........", "9 A.........")
	act(t, w, actLeft)
	is(t, "the cannon", w.x, 0)
	w.x = 9
	act(t, w, actRight)
	is(t, "the cannon", w.x, 9)
}

func TestBombsFallAndEndTheGameWhereTheyMeetTheCannon(t *testing.T) {
	w := invadersOn("0 X.........", "8 ....**....", "9 .*...A....")
	wants(t, act(t, w, actLeft), 0, Terminated)
	sees(t, w, invadersRunes, "9 ....A*....")

	w = invadersOn("0 X......*..", "8 .....*....", "9 .....A....")
	wants(t, act(t, w, actRight), 0, Running)
	sees(t, w, invadersRunes, "1 .......*..", "9 .....*A...")

	w = invadersOn("0 X.........", "9 ....*A....") // it vanishes before the cannon gets there
	wants(t, act(t, w, actLeft), 0, Running)
	sees(t, w, invadersRunes, "9 ....A.....")
}

func TestTheCannonMustNotTouchAnAlien(t *testing.T) {
	w := invadersOn("9 ....XA....")
	wants(t, act(t, w, actLeft), 0, Terminated)
	w = invadersOn("9 .....AX...") // the swarm moves left
	w.moveTimer = 0
	wants(t, act(t, w, 0), 0, Terminated)
	w = invadersOn("9 .....AX...")
	wants(t, act(t, w, 0), 0, Running)
}

func TestTheSwarmTurnsAtTheWallAndComesDown(t *testing.T) {
	w := invadersOn("0 X.........", "1 ..XX......", "9 .....A....")
	w.moveTimer = 0
	act(t, w, 0)
	sees(t, w, swarmRunes, "1 X.........", "2 ..XX......", "9 .....A....")
	is(t, "right", w.right, true)
	is(t, "the move's timer, set to the number of aliens", w.moveTimer, 3-1)
	w.moveTimer = 0
	act(t, w, 0)
	sees(t, w, swarmRunes, "1 .X........", "2 ...XX.....", "9 .....A....")

	w = invadersOn("0 X........X", "9 .....A....") // only the wall ahead counts
	w.right, w.moveTimer = true, 0
	act(t, w, 0)
	sees(t, w, swarmRunes, "1 X........X", "9 .....A....")
	is(t, "right", w.right, false)
}

func TestAFullSwarmMovesAtItsInterval(t *testing.T) {
	w := newInvaders().(*invaders)
	w.Reset(nil)
	w.moveTimer, w.interval = 0, 9
	act(t, w, 0)
	is(t, "the move's timer", w.moveTimer, 9-1)
}

func TestTheSwarmHasWonWhenItLeavesBelow(t *testing.T) {
	w := invadersOn("3 X.........", "9 .X...A....")
	w.moveTimer = 0
	wants(t, act(t, w, 0), 0, Terminated)
	sees(t, w, swarmRunes, "0 .X........", "4 X.........", "9 .....A....")
	w = invadersOn("3 ..X.......", "9 .X...A....") // no wall, no end
	w.moveTimer = 0
	wants(t, act(t, w, 0), 0, Running)
}

func TestTheNearestColumnShootsItsLowestAlien(t *testing.T) {
	w := invadersOn("1 ..X.X..XX.", "3 ..X....X..", "9 .....A....")
	w.bombTimer = 0
	act(t, w, 0)
	sees(t, w, invadersRunes, "1 ....*.....", "9 .....A....")
	is(t, "its timer", w.bombTimer, invadersShot-1)

	w = invadersOn("1 ...X...X..", "9 .....A....") // of two as near, the one on the left
	w.bombTimer = 0
	act(t, w, 0)
	sees(t, w, invadersRunes, "1 ...*......", "9 .....A....")

	w = invadersOn("1 .....X....", "2 .....X....", "9 .....A....")
	w.bombTimer = 0
	act(t, w, 0)
	sees(t, w, invadersRunes, "2 .....*....", "9 .....A....")
}

func TestShotAliensVanishWithTheShots(t *testing.T) {
	w := invadersOn("2 ..XXX.....", "3 ..'.'.....", "6 .....'....", "9 .....A....")
	wants(t, act(t, w, 0), 2, Running)
	sees(t, w, swarmRunes, "2 ...X......", "5 .....'....", "9 .....A....")
}

func TestASwarmMayWalkIntoAShotAndStillShoot(t *testing.T) {
	w := invadersOn("2 ...X......", "3 ..'.......", "9 ..A.......")
	w.moveTimer, w.bombTimer = 0, 0
	wants(t, act(t, w, 0), 1, Running)
	sees(t, w, invadersRunes, "2 ..*.......", "9 ..A.......")
}

func TestTheNextWaveIsFaster(t *testing.T) {
	w := invadersOn("2 ...X......", "3 ...'......", "9 .....A....")
	w.right, w.moveTimer, w.bombTimer = true, 4, 7
	wants(t, act(t, w, 0), 1, Running)
	is(t, "the swarm", w.aliens, wave)
	is(t, "the interval", w.interval, invadersInterval-1)
	is(t, "right, as before", w.right, true)
	is(t, "the move's timer", w.moveTimer, 3)
	is(t, "the bombs' timer", w.bombTimer, 6)

	for _, c := range []struct {
		interval, want int8
		ramp           bool
	}{{7, 6, true}, {6, 6, true}, {9, 9, false}} {
		w := invadersOn("2 ...X......", "3 ...'......", "9 .....A....")
		w.interval, w.ramp = c.interval, c.ramp
		act(t, w, 0)
		is(t, "the interval", w.interval, c.want)
	}
}
