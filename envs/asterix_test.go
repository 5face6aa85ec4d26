package envs

import "testing"

const asterixRunes = "AE,G"

// asterixOn is a game on a board of 'A' player, '>' '<' enemies, ')' '(' gold; nothing is due soon.
func asterixOn(board ...string) *asterix {
	w := &asterix{minAtar: minAtar{ramp: true}}
	w.Reset(nil)
	each(board, func(x, y int8, rune byte) {
		if rune == 'A' {
			w.x, w.y = x, y
			return
		}
		lane := uint8(1) << (y - 1)
		w.taken |= lane
		w.at[y-1] = x
		if rune == ')' || rune == '(' {
			w.gold |= lane
		}
		if rune == ')' || rune == '>' {
			w.right |= lane
		}
	})
	return w
}

func TestAsterixBeginsAlone(t *testing.T) {
	w := newAsterix()
	w.Reset(&Rand{Recorded: newRecorded(nil)}) // draws nothing
	sees(t, w, asterixRunes, "5 .....A....")
	for range asterixSpawn {
		act(t, w, 0)
	}
	sees(t, w, asterixRunes, "5 .....A....")
	act(t, w, 0, goldenDraw{"u", .4}, goldenDraw{"u", .5}, goldenDraw{"i", 0., 8., 2.})
	sees(t, w, asterixRunes, "3 ,E........", "5 .....A....") // its first move was due in the same step
}

func TestASpawnFillsAFreeLane(t *testing.T) {
	w := asterixOn("1 >.........", "3 .....>....", "5 .....A....")
	w.spawnTimer = 0
	act(t, w, 0, goldenDraw{"u", .5}, goldenDraw{"u", .33}, goldenDraw{"i", 0., 6., 1.})
	sees(t, w, asterixRunes, "1 E.........", "3 ....,E....", "4 .........G", "5 .....A....")
}

func TestAFullFieldSpawnsNothingButDraws(t *testing.T) {
	w := asterixOn("1 >.........", "2 >.........", "3 >.........", "4 >.........", "5 >....A....", "6 >.........",
		"7 >.........", "8 >.........")
	w.spawnTimer = 0
	act(t, w, 0, goldenDraw{"u", .9}, goldenDraw{"u", .9})
	is(t, "the lanes that move right", w.right, 0xFF)
	is(t, "the spawn's timer", w.spawnTimer, asterixSpawn-1)
}

func TestAsterixStaysInItsRows(t *testing.T) {
	w := asterixOn("1 A.........")
	act(t, w, actUp)
	act(t, w, actLeft)
	sees(t, w, asterixRunes, "1 A.........")
	w = asterixOn("8 .........A")
	act(t, w, actDown)
	act(t, w, actRight)
	sees(t, w, asterixRunes, "8 .........A")
}

func TestGoldIsTakenAndAnEnemyEndsTheGame(t *testing.T) {
	w := asterixOn("4 .....)....", "5 .....A....")
	wants(t, act(t, w, actUp), 1, Running)
	sees(t, w, asterixRunes, "4 .....A....")

	w = asterixOn("5 ....<A....")
	wants(t, act(t, w, actLeft), 0, Terminated)
	sees(t, w, asterixRunes, "5 ....A,....")
}

func TestThingsMeetThePlayerWhenTheyMove(t *testing.T) {
	w := asterixOn("5 ....)A....")
	w.moveTimer = 0
	wants(t, act(t, w, 0), 1, Running)
	sees(t, w, asterixRunes, "5 .....A....")

	w = asterixOn("5 .....A<...")
	w.moveTimer = 0
	wants(t, act(t, w, 0), 0, Terminated)
}

func TestThingsLeaveAtTheEdge(t *testing.T) {
	w := asterixOn("1 <.........", "2 .........)", "5 .....A....")
	w.moveTimer = 0
	act(t, w, 0)
	sees(t, w, asterixRunes, "5 .....A....")
	is(t, "the move's timer", w.moveTimer, asterixMove-1)
}

func TestAsterixGetsFasterByTurns(t *testing.T) {
	w := asterixOn("5 .....A....")
	ramp := func(spawn, move int8) {
		t.Helper()
		w.rampTimer, w.spawnTimer, w.moveTimer = -1, 5, 5
		act(t, w, 0)
		is(t, "the spawn's speed", w.spawnSpeed, spawn)
		is(t, "the moves' speed", w.moveSpeed, move)
		is(t, "the ramp's timer", w.rampTimer, asterixRamp)
	}
	ramp(9, 5)
	ramp(8, 4)
	ramp(7, 4)
	w.spawnSpeed = 1
	ramp(1, 3)
	w.moveSpeed, w.rampTimer = 1, 7
	act(t, w, 0)
	is(t, "the ramp's timer, with nothing left to do", w.rampTimer, 7)
	w.moveSpeed, w.ramp = 2, false
	act(t, w, 0)
	is(t, "the ramp's timer, without a ramp", w.rampTimer, 7)
}
