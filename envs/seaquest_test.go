package envs

import "testing"

// front, back, shots, bombs, fish, subs, divers; trails and gauges have tests of their own
const seaRunes = "Aa- *FS  D"

// seaOn is a game on a board of '}' '{' player facing right or left, '>' '<' fish, ')' '(' submarines, 'd' 'b' divers
// to the right or left, '-' '=' the player's bullets, '*' '+' the enemies'. Whatever swims is about to move;
// submarines have just shot, and nothing new is due.
func seaOn(board ...string) *seaquest {
	w := newSeaquest().(*seaquest)
	w.Reset(nil)
	each(board, func(x, y int8, rune byte) {
		s := swimmer{x: x, y: y}
		switch rune {
		case '}', '>', ')', 'd', '-', '*':
			s.right = true
		}
		switch rune {
		case '{', '}':
			w.x, w.y, w.right, w.surface = x, y, s.right, y == 0
		case '<', '>':
			w.fish.add(s)
		case '(', ')':
			s.reload = enemyReload
			w.subs.add(s)
		case 'b', 'd':
			w.swimmers.add(s)
		case '=', '-':
			w.shots.add(s)
		case '+', '*':
			w.bombs.add(s)
		}
	})
	return w
}

func TestSeaquestBeginsAtTheSurface(t *testing.T) {
	w := newSeaquest()
	w.Reset(&Rand{Recorded: newRecorded(nil)}) // draws nothing
	sees(t, w, "Aa-,*FSOVD", "0 .....Aa...", "9 OOOOOOOOOO")
	for range 10 {
		wants(t, act(t, w, 0), 0, Running) // it need not dive
	}
}

func TestAnEnemyEntersFromASide(t *testing.T) {
	w := seaOn("5 ....{.....")
	w.spawnTimer, w.spawnSpeed = 0, 7
	act(t, w, 0, goldenDraw{"u", .49}, goldenDraw{"u", .34}, goldenDraw{"i", 1., 9., 3.})
	sees(t, w, seaRunes, "3 F.........", "5 ....Aa....")
	is(t, "the fish", w.fish[0], swimmer{x: 0, y: 3, right: true, timer: seaMove - 1})
	is(t, "the spawn's timer", w.spawnTimer, 7-1)
	w.spawnTimer, w.moveSpeed = 0, 3
	act(t, w, 0, goldenDraw{"u", .5}, goldenDraw{"u", .33}, goldenDraw{"i", 1., 9., 8.})
	is(t, "the submarine", w.subs[0], swimmer{x: 9, y: 8, timer: 3 - 1, reload: enemyReload - 1})
}

func TestNothingEntersAgainstTheTraffic(t *testing.T) {
	for _, board := range []string{"3 .....<....", "3 .....(...."} {
		w := seaOn("5 ....{.....", board)
		w.spawnTimer = 0
		act(t, w, 0, goldenDraw{"u", .1}, goldenDraw{"u", .9}, goldenDraw{"i", 1., 9., 3.})
		is(t, "the number of enemies", len(w.fish)+len(w.subs), 1)
		is(t, "the spawn's timer", w.spawnTimer, seaSpawn-1)
		w.spawnTimer = 0
		act(t, w, 0, goldenDraw{"u", .6}, goldenDraw{"u", .9}, goldenDraw{"i", 1., 9., 3.})
		is(t, "the number of enemies, one going along", len(w.fish)+len(w.subs), 2)
	}
	w := seaOn("5 ....{.....", "3 .....b....")
	w.spawnTimer = 0
	act(t, w, 0, goldenDraw{"u", .1}, goldenDraw{"u", .9}, goldenDraw{"i", 1., 9., 3.})
	is(t, "the number of fish, divers being no traffic", len(w.fish), 1)
}

func TestADiverEntersFromASide(t *testing.T) {
	w := seaOn("5 ....{.....")
	w.diverTimer = 0
	act(t, w, 0, goldenDraw{"u", .5}, goldenDraw{"i", 1., 9., 1.})
	is(t, "the diver", w.swimmers[0], swimmer{x: 9, y: 1, timer: diverMove - 1})
	is(t, "the divers' timer", w.diverTimer, diverSpawn-1)
}

func TestTheEnemyIsDrawnBeforeTheDiver(t *testing.T) {
	w := seaOn("5 ....{.....")
	w.spawnTimer, w.diverTimer = 0, 0
	act(t, w, 0, goldenDraw{"u", .1}, goldenDraw{"u", .9}, goldenDraw{"i", 1., 9., 2.}, goldenDraw{"u", .9},
		goldenDraw{"i", 1., 9., 7.})
	sees(t, w, seaRunes, "2 F.........", "5 ....Aa....", "7 .........D")
}

func TestTheSubmarineFacesWhereItMoves(t *testing.T) {
	w := seaOn("5 .{........")
	act(t, w, actLeft)
	act(t, w, actLeft)
	sees(t, w, seaRunes, "5 Aa........")
	act(t, w, actRight)
	sees(t, w, seaRunes, "5 aA........")
	act(t, w, actUp)
	act(t, w, actUp)
	act(t, w, actDown)
	sees(t, w, seaRunes, "4 aA........")
	w = seaOn("8 ........}.")
	act(t, w, actRight)
	act(t, w, actRight)
	act(t, w, actDown)
	sees(t, w, seaRunes, "8 ........aA")
	act(t, w, actLeft)
	sees(t, w, seaRunes, "8 ........Aa")
}

func TestABulletFliesFromTheBowInTheStepItIsFired(t *testing.T) {
	w := seaOn("5 ...}......")
	act(t, w, actFire)
	sees(t, w, seaRunes, "5 ..aA-.....")
	is(t, "the timer", w.shotTimer, playerReload-1)
	for range playerReload - 1 {
		act(t, w, actFire) // too early
	}
	sees(t, w, seaRunes, "5 ..aA....-.")
	act(t, w, actFire)
	sees(t, w, seaRunes, "5 ..aA-....-")
	act(t, w, 0)
	sees(t, w, seaRunes, "5 ..aA.-....") // the first left the board
}

func TestABulletTakesTheOldestFishOfItsCellThenASubmarine(t *testing.T) {
	w := seaOn("3 ....-.....", "3 .....>....", "3 .....>....", "3 .....)....", "5 ....{.....")
	w.fish[0].timer, w.fish[1].timer, w.subs[0].timer = 4, 3, 2 // nothing else moves
	wants(t, act(t, w, 0), 1, Running)
	is(t, "the fish left over", w.fish[0].timer, 3-1)
	is(t, "the bullets left over", len(w.shots), 0)
	for _, left := range []int{0, 0} {
		w.shots.add(swimmer{x: 4, y: 3, right: true})
		wants(t, act(t, w, 0), 1, Running)
		is(t, "the fish left over", len(w.fish), left)
	}
	is(t, "the submarines left over", len(w.subs), 0)
}

func TestABulletContinuesOverAnEnemyThatItDidNotReach(t *testing.T) {
	w := seaOn("3 ....-<....", "5 ....{.....")
	wants(t, act(t, w, 0), 1, Running) // the bullet moves first
	w = seaOn("3 ....>-....", "5 ....{.....")
	wants(t, act(t, w, 0), 0, Running)
	sees(t, w, seaRunes, "3 .....F-...", "5 ....Aa....")
}

func TestAnEnemyMaySwimIntoABullet(t *testing.T) {
	for _, board := range []string{"3 ....=.<...", "3 ....=.(..."} {
		w := seaOn(board, "5 ....{.....")
		w.shots[0].right = true // both reach column 5
		wants(t, act(t, w, 0), 1, Running)
		sees(t, w, seaRunes, "5 ....Aa....")
	}
}

func TestADiverBoardsOnlyWhileFewerThanSixAreAboard(t *testing.T) {
	w := seaOn("5 ....{.....", "5 ....d.....")
	w.divers = 5
	act(t, w, 0)
	sees(t, w, seaRunes, "5 ....Aa....")
	is(t, "the divers aboard", w.divers, 6)

	w = seaOn("5 ....{.....", "5 ....d.....")
	w.divers = 6
	act(t, w, 0)
	sees(t, w, seaRunes, "5 ....Aa....") // it swam on, hidden by the stern
	is(t, "the diver", w.swimmers[0], swimmer{x: 5, y: 5, right: true, timer: diverMove})
	is(t, "the divers aboard", w.divers, 6)
}

func TestADiverMayAlsoSwimAboard(t *testing.T) {
	w := seaOn("5 ...d{.....")
	act(t, w, 0)
	is(t, "the divers aboard", w.divers, 1)
	is(t, "the divers in the water", len(w.swimmers), 0)
	w = seaOn("5 ...d{.....")
	w.divers = 6
	act(t, w, 0)
	is(t, "the divers aboard", w.divers, 6)
	is(t, "the divers in the water", len(w.swimmers), 1)
}

func TestADiverWaitsItsTimeAndLeavesAtTheEdge(t *testing.T) {
	w := seaOn("3 b........d", "5 ....{.....")
	w.swimmers[1].timer = 1
	act(t, w, 0)
	sees(t, w, seaRunes, "3 .........D", "5 ....Aa....")
	act(t, w, 0)
	sees(t, w, seaRunes, "5 ....Aa....")
}

func TestAnEnemyOnTheSubmarineEndsTheGame(t *testing.T) {
	for _, c := range []struct {
		end   End
		board []string
	}{
		{Terminated, []string{"5 ....{.....", "5 ....>....."}}, // there already, though it swims on
		{Terminated, []string{"5 ....{.....", "5 ....(....."}},
		{Terminated, []string{"5 ...>{....."}}, // arriving
		{Terminated, []string{"5 ...){....."}},
		{Running, []string{"5 ....{<...."}}, // the stern is not hit
	} {
		w := seaOn(c.board...)
		if c.end == Running {
			w.fish[0].timer = 1
		}
		wants(t, act(t, w, 0), 0, c.end)
	}
}

func TestAnEnemyMovesWhenItsTimerIsZeroAndTakesThePresentSpeed(t *testing.T) {
	w := seaOn("3 ....>.....", "4 ....(.....", "6 >.........", "8 {.........")
	w.moveSpeed, w.fish[1].timer = 3, 2
	act(t, w, 0)
	sees(t, w, seaRunes, "3 .....F....", "4 ...S......", "6 F.........", "8 Aa........")
	is(t, "the fish's timer", w.fish[0].timer, 3)
	is(t, "the submarine's timer", w.subs[0].timer, 3)
	is(t, "the waiting fish's timer", w.fish[1].timer, 1)
}

func TestEnemiesLeaveAtTheEdge(t *testing.T) {
	w := seaOn("3 <.........", "4 .........)", "5 ....{.....")
	act(t, w, 0)
	sees(t, w, seaRunes, "5 ....Aa....")
}

func TestASubmarineShootsFromWhereItHasMoved(t *testing.T) {
	w := seaOn("3 ....).....", "5 ....{.....")
	w.subs[0].reload = 0
	act(t, w, 0)
	// It moved to column 5, the bullet appeared there and flew on.
	sees(t, w, seaRunes, "3 .....S*...", "5 ....Aa....")
	is(t, "the submarine", w.subs[0], swimmer{x: 5, y: 3, right: true, timer: seaMove, reload: enemyReload})
	act(t, w, 0)
	is(t, "the submarine", w.subs[0], swimmer{x: 5, y: 3, right: true, timer: seaMove - 1, reload: enemyReload - 1})
}

func TestASubmarineThatWasJustShotStillShoots(t *testing.T) {
	w := seaOn("3 ...-.(....", "5 ....{.....")
	w.subs[0].reload = 0
	wants(t, act(t, w, 0), 1, Running)
	sees(t, w, seaRunes, "3 ...*......", "5 ....Aa....")

	w = seaOn("3 (.........", "5 ....{.....")
	w.subs[0].reload = 0
	act(t, w, 0) // its bullet leaves the board with it
	sees(t, w, seaRunes, "5 ....Aa....")
	is(t, "the bullets", len(w.bombs), 0)
}

func TestFishDoNotShoot(t *testing.T) {
	w := seaOn("3 ....>.....", "5 ....{.....")
	for range 3 * enemyReload {
		act(t, w, actFire)
		w.spawnTimer, w.diverTimer = 9, 9
	}
	is(t, "the bullets", len(w.bombs), 0)
}

func TestABombMovesEveryStepAndEndsTheGame(t *testing.T) {
	w := seaOn("5 *...{.....")
	for range 3 {
		wants(t, act(t, w, 0), 0, Running)
	}
	wants(t, act(t, w, 0), 0, Terminated)

	w = seaOn("5 ....{.....", "5 ....*.....") // there already
	wants(t, act(t, w, 0), 0, Terminated)

	w = seaOn("3 +........*", "5 ....{.....")
	act(t, w, 0)
	sees(t, w, seaRunes, "5 ....Aa....")
}

func TestTheDeepCostsOxygen(t *testing.T) {
	w := seaOn("0 ....{.....")
	act(t, w, 0)
	is(t, "the oxygen at the surface", w.oxygen, fullOxygen)
	act(t, w, actDown)
	is(t, "the oxygen below", w.oxygen, fullOxygen-1)
	is(t, "surface", w.surface, false)
}

func TestNoOxygenEndsTheGame(t *testing.T) {
	w := seaOn("5 ....{.....")
	w.oxygen = 1
	wants(t, act(t, w, 0), 0, Running)
	wants(t, act(t, w, 0), 0, Terminated)
}

func TestSurfacingWithoutADiverEndsTheGame(t *testing.T) {
	w := seaOn("1 ....{.....")
	wants(t, act(t, w, actUp), 0, Terminated)
}

func TestSurfacingFillsTheOxygenForADiver(t *testing.T) {
	w := seaOn("1 ....{.....")
	w.divers, w.oxygen = 3, 60
	wants(t, act(t, w, actUp), 0, Running)
	is(t, "the divers aboard", w.divers, 2)
	is(t, "the oxygen", w.oxygen, fullOxygen)
	is(t, "surface", w.surface, true)
	act(t, w, 0)
	is(t, "the divers aboard, having stayed up", w.divers, 2)
}

func TestARescueOfSixPaysForTheOxygenLeft(t *testing.T) {
	for oxygen, reward := range map[int16]float32{200: 10, 199: 9, 101: 5, 99: 4, 19: 0} {
		w := seaOn("1 ....{.....")
		w.divers, w.oxygen = 6, oxygen
		wants(t, act(t, w, actUp), reward, Running)
		is(t, "the divers aboard", w.divers, -1)
		act(t, w, actDown)
		wants(t, act(t, w, actUp), 0, Running) // with a count below zero
		is(t, "the divers aboard", w.divers, -2)
	}
}

func TestARescueAndAHitInOneStepPayBoth(t *testing.T) {
	w := seaOn("1 ....{.....", "3 ....-.....", "3 .....>....")
	w.divers = 6
	wants(t, act(t, w, actUp), 11, Running)
}

func TestSeaquestGetsFasterWithEverySurfacing(t *testing.T) {
	w := seaOn("1 ....{.....")
	surface := func(spawn, move int8) {
		t.Helper()
		w.y, w.surface, w.divers = 1, false, 3
		act(t, w, actUp)
		is(t, "the spawn's speed", w.spawnSpeed, spawn)
		is(t, "the moves' speed", w.moveSpeed, move)
		w.spawnTimer, w.diverTimer = 9, 9
	}
	surface(19, 5)
	surface(18, 4)
	surface(17, 4)
	surface(16, 3)
	w.spawnSpeed = 1
	surface(1, 3)
	surface(1, 2)
	ramps := w.ramps
	surface(1, 2)
	is(t, "the ramps, with nothing left to do", w.ramps, ramps)
	w.spawnSpeed, w.ramps = 5, 1
	surface(4, 2)
	w.ramp = false
	surface(4, 2)
}

func TestTheGaugesFillTheLastRow(t *testing.T) {
	w := seaOn("5 ....{.....")
	w.oxygen = 81
	act(t, w, 0)
	sees(t, w, "       O  ", "9 OOOO......")
	act(t, w, 0)
	sees(t, w, "       O  ", "9 OOO.......")
	sees(t, w, "        V ")
	w.divers = 4
	sees(t, w, "        V ", "9 .....VVVV.")
	w.divers = -2
	sees(t, w, "        V ")
}

func TestTrailsAreBehindWhatSwimsAndEndAtTheEdge(t *testing.T) {
	w := seaOn("1 >.......<.", "2 ..(.......", "3 .........(", "4 .d........", "6 -..*......", "8 ....{.....")
	sees(t, w, "   ,      ", "1 .........,", "2 ...,......", "4 ,.........")
}

// At its fastest the sea holds an enemy a step for some thirty steps: a list has room for all of them.
func TestNoShoalOverflows(t *testing.T) {
	w := seaOn("8 {.........")
	w.spawnSpeed, w.moveSpeed = 1, seaMoveFast
	r, most := NewRand(1, 0), 0
	for range 200_000 {
		w.over, w.oxygen = false, fullOxygen
		w.Step(&r, 0)
		most = max(most, len(w.fish)+len(w.subs), len(w.bombs), len(w.shots), len(w.swimmers))
	}
	if most > maxShoal/2 || most < maxShoal/4 {
		t.Errorf("at most %d together; there is room for %d", most, maxShoal)
	}
}
