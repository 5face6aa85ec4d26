package envs

import "testing"

const freewayRunes = "A#12345"

// freewayOn returns a game on a board of 'A' chicken, '>' '<' cars of speed 3 that are about to move. Cars that are not
// drawn are out of the way in column 7 of their rows, slow and just moved, and are not compared.
func freewayOn(board ...string) *freeway {
	w := &freeway{freewayBoard: freewayBoard{left: freewaySteps}}
	for i := range w.cars {
		w.cars[i] = vehicle{7, 5, 5}
	}
	each(board, func(x, y int8, rune byte) {
		switch rune {
		case 'A':
			w.row = y
		case '>':
			w.cars[y-1] = vehicle{x, 3, 0}
		case '<':
			w.cars[y-1] = vehicle{x, -3, 0}
		}
	})
	return w
}

// eight repeats a draw for every car.
func eight(kind string, values ...any) (d goldenDraw) {
	d = append(goldenDraw{kind}, values[:len(values)-1]...)
	for range 8 {
		d = append(d, values[len(values)-1])
	}
	return d
}

func TestFreewayDrawsSizesThenDirections(t *testing.T) {
	w := newFreeway()
	r := Rand{Recorded: newRecorded([]goldenDraw{
		{"i", 1., 6., 1., 2., 3., 4., 5., 1., 2., 3.},
		{"u", .1, .6, .1, .6, .1, .6, .1, .6},
	})}
	w.Reset(&r)
	is(t, "the draws taken", r.Recorded.Read, 16)
	sees(t, w, freewayRunes,
		"1 #1........", "2 #........2", "3 #3........", "4 #........4", "5 #5........", "6 #........1", "7 #2........",
		"8 #........3",
		"9 ....A.....")
	for i, c := range w.(*freeway).cars {
		is(t, "a timer", c.timer, max(c.speed, -c.speed))
		is(t, "a direction", c.speed > 0, i%2 == 1)
	}
}

func TestTheChickenMovesEveryThirdStep(t *testing.T) {
	w := newFreeway().(*freeway)
	r := NewRand(1, 0)
	w.Reset(&r)
	for i, row := range []int8{9, 9, 9, 8, 8, 8, 7} {
		act(t, w, actUp)
		is(t, "the row after step "+string(rune('0'+i)), w.row, row)
	}
}

func TestAStepIntoTheWallCostsTheWait(t *testing.T) {
	w := freewayOn("9 ....A.....")
	act(t, w, actDown)
	is(t, "the row", w.row, 9)
	is(t, "the wait", w.wait, freewayWait-1)
	act(t, w, actLeft)
	is(t, "the wait, after an action that means nothing here", w.wait, freewayWait-2)
}

func TestACrossingPaysAndDrawsNewSpeeds(t *testing.T) {
	w := freewayOn("1 ..>.A.....")
	wants(t, act(t, w, actUp, eight("i", 1., 6., 2.), eight("u", .2)), 1, Running)
	is(t, "the row", w.row, 9)
	for i, c := range w.cars {
		x := int8(7)
		if i == 0 {
			x = 2 // it was about to move, and begins to wait
		}
		is(t, "a car", c, vehicle{x, -2, 1})
	}
}

func TestWhoWalksIntoACarGoesBack(t *testing.T) {
	w := freewayOn("3 ....<.....", "4 ....A.....")
	w.cars[2].timer = 2 // it does not move
	wants(t, act(t, w, actUp), 0, Running)
	is(t, "the row", w.row, 9)
	is(t, "the car's timer", w.cars[2].timer, 1)
}

func TestACarThatArrivesSendsTheChickenBack(t *testing.T) {
	w := freewayOn("3 ...>A.....")
	wants(t, act(t, w, 0), 0, Running)
	is(t, "the row", w.row, 9)
	is(t, "the car", w.cars[2], vehicle{4, 3, 3})
	w = freewayOn("3 ....A>....")
	act(t, w, 0)
	is(t, "the row, the car being past", w.row, 3)
}

func TestCarsComeInAgainAtTheOtherEnd(t *testing.T) {
	w := freewayOn("1 <.........", "2 .........>", "9 ....A.....")
	act(t, w, 0)
	is(t, "the car to the left", w.cars[0], vehicle{9, -3, 3})
	is(t, "the car to the right", w.cars[1], vehicle{0, 3, 3})
	for i := range w.cars {
		w.cars[i].speed = 5
	}
	w.cars[0].speed, w.cars[1].speed = -3, 3
	sees(t, w, freewayRunes, "1 3........#", "2 #........3",
		"3 ......5#..", "4 ......5#..", "5 ......5#..", "6 ......5#..", "7 ......5#..", "8 ......5#..", "9 ....A.....")
}

func TestFreewayLasts2501Steps(t *testing.T) {
	w := newFreeway()
	r := NewRand(1, 0)
	w.Reset(&r)
	for range 2500 {
		wants(t, w.Step(&r, 0), 0, Running)
	}
	wants(t, w.Step(&r, 0), 0, Terminated)
}
