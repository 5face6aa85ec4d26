package envs

// MidGame is a board worth a picture, for tests outside the package.
func MidGame(name string) World {
	switch name {
	case "breakout":
		w := breakoutOn(rightUp, "1 ##########", "2 ##.#######", "3 #...##.#.#", "5 .....o....", "9 ......=...")
		w.oldX, w.oldY = 4, 6
		return w
	case "asterix":
		return asterixOn("1 ..>.......", "2 .......(..", "3 ....>.....", "4 .)........", "5 .....A.<..", "6 ........<.",
			"7 ...<......", "8 ......)...")
	case "freeway":
		w := freewayOn("1 ..>.......", "2 .......<..", "3 ...<......", "4 .....>....", "5 ....A...<.", "6 .>........",
			"7 ......<...", "8 ........>.")
		for i, speed := range []int8{1, 2, 5, 3, 4, 1, 5, 2} {
			w.cars[i].speed *= speed
			w.cars[i].speed /= 3
		}
		return w
	case "seaquest":
		w := seaOn("1 ..>.....>.", "2 .......(..", "2 .+........", "3 ..d.......", "4 .....}.-..", "5 ........<.",
			"6 ..).*.....", "7 ......b...", "8 ...<......")
		w.oxygen, w.divers = 134, 3
		return w
	case "space-invaders":
		return invadersOn("1 .XXXXXX...", "2 .XXXX.X...", "3 .X.XX.X...", "4 .X..X.....", "5 .....'....", "6 ..*.......",
			"7 .......*..", "8 .....'....", "9 .....A....")
	}
	// The others look like themselves after a few steps of any kind.
	w, err := New(name)
	if err != nil {
		panic(err)
	}
	r := NewRand(7, 0)
	w.Reset(&r)
	for range 12 {
		if w.Step(&r, r.IntN(len(w.Spec().Actions))).End != Running {
			w.Reset(&r)
		}
	}
	return w
}
