package rooms

import (
	"hash/fnv"
	"math"
	"math/bits"
	"slices"
	"testing"

	"impalab/envs/world"
)

var roomTasks = []*Task{&WaterMaze, &Keys, &LaserTag, &Explore, &Collect}

func newRoom(task *Task, seed uint64) *room {
	_, w := usualRoom(task)
	w.buildEpisode(seed)
	return w
}

// usualRoom is a copy with every option at its usual value.
func usualRoom(task *Task) (*world.Spec, *room) {
	values := make([]float64, len(options))
	for i, o := range options {
		values[i] = o.Usual
	}
	spec, fresh := task.Sized(values)
	return spec, fresh().(*room)
}

func TestEveryOpenCellCanBeReached(t *testing.T) {
	for _, task := range roomTasks {
		w := newRoom(task, 0)
		bot := roomBot{w: w}
		for seed := range uint64(500) {
			w.buildEpisode(seed)
			w.gone = 1<<w.count - 1
			w.settle() // all doors open
			bot.flood(w.eye.x, w.eye.y, false)
			for i, solid := range w.solid[:w.side*w.side] {
				if solid == cellOpen && bot.far[i] < 0 {
					t.Fatalf("%s, seed %d: no way to cell %d", task.name, seed, i)
				}
			}
		}
	}
}

// A wall that is just some rows high begins in the middle of a row and ends in the middle of another.
func TestAWallIsPaintedAtEveryDistance(t *testing.T) {
	w := newRoom(&LaserTag, 0)
	for _, size := range [][2]int{{16, 12}, {48, 36}, {96, 72}, {128, 96}} {
		l := newLens(size[0], size[1])
		f := newFrame(l)
		f.setTheme(w.task.theme())
		for rows := 1; rows <= 4*l.tall; rows++ {
			for distance := max(nearest, l.focal/rows-2); distance <= l.focal/rows+2; distance++ {
				f.wall(&w.roomMap, 0, distance, 0, 0, 0, 0, 0)
			}
		}
	}
}

// Even where every pillar leans on its neighbour.
func TestLeaningPillarsCloseNothingOff(t *testing.T) {
	w := newRoom(&LaserTag, 0)
	bot := roomBot{w: w}
	for seed := range uint64(500) {
		r := world.NewRand(seed, 0)
		w.blank(roomSide, true)
		w.pillars(&r, 256, 256)
		bot.flood(roomMiddle(1), roomMiddle(1), false)
		for i, solid := range w.solid {
			if solid == cellOpen && bot.far[i] < 0 {
				t.Fatalf("seed %d: no way to cell %d", seed, i)
			}
		}
	}
}

func TestEpisodesBeginWithRoomToMove(t *testing.T) {
	for _, task := range roomTasks {
		w := newRoom(task, 0)
		for seed := range uint64(500) {
			w.buildEpisode(seed)
			for i := range w.count {
				thing := &w.things[i]
				if thing.mark != markDoor && !w.fits(thing.x, thing.y) || w.eye.near(thing.x, thing.y, ballReach) {
					t.Fatalf("%s, seed %d: thing %d is in a wall or at the eye", task.name, seed, i)
				}
			}
			if !w.fits(w.eye.x, w.eye.y) {
				t.Fatalf("%s, seed %d: the eye is in a wall", task.name, seed)
			}
		}
	}
}

// No sine lies so near the middle of two whole numbers that another machine's last digit could round it otherwise.
func TestSinesRoundTheSameEverywhere(t *testing.T) {
	for i := range roomTurn {
		s := fixOne * math.Sin(2*math.Pi*float64(i)/roomTurn)
		if _, part := math.Modf(math.Abs(s)); math.Abs(part-.5) < 1e-6 {
			t.Errorf("heading %d: %v", i, s)
		}
		if got := float64(roomSines[i]); math.Abs(got-s) > .51 {
			t.Errorf("heading %d: %v, want %v", i, got, s)
		}
	}
}

func TestAPlainWallIsAsHighAsItIsNear(t *testing.T) {
	w := newRoom(&Collect, 1)
	w.blank(11, true)
	for cells := 1; cells < 9; cells++ {
		f := newFrame(showLens)
		x := 10<<16 - cells<<16 // the east wall begins at 10
		f.cast(&w.roomMap, hallTheme(), x, roomMiddle(5), 0)
		if middle := f.depth[showWide/2]; fixAbs(middle-cells<<16) > 40 {
			t.Errorf("%d cells away: %v of a cell", cells, float64(middle)/fixOne)
		}
		for column := 1; column < showWide; column++ { // straight walls look straight
			if f.lens.slope[column] > -fixOne/4 && f.lens.slope[column] < fixOne/4 &&
				fixAbs(f.depth[column]-f.depth[showWide/2]) > 40 {
				t.Errorf("%d cells away: column %d stands %v away", cells, column, float64(f.depth[column])/fixOne)
			}
		}
		want := float64(showWide) / 2 / (float64(lensHalf) / fixOne) / float64(cells)
		top := w.topRow(f)
		if got := float64(showTall - 2*top); math.Abs(got-math.Min(want, showTall)) > 2 {
			t.Errorf("%d cells away: %v rows high, want %v", cells, got, want)
		}
	}
}

// topRow paints the middle column's wall again to learn where it begins.
func (w *room) topRow(f *roomFrame) int {
	return f.wall(&w.roomMap, showWide/2, f.depth[showWide/2], w.at(10, 5), 2, fixOne, 10<<16, roomMiddle(5))
}

func TestWallsHideWhatIsBehindThem(t *testing.T) {
	w := newRoom(&Explore, 1)
	w.blank(9, true)
	w.eye = body{x: roomMiddle(2), y: roomMiddle(4)}
	w.things[0].x, w.things[0].y = roomMiddle(6), roomMiddle(4)
	seen := func() []uint32 {
		w.render(w.frame)
		return slices.Clone(w.frame.texel)
	}
	without := func() []uint32 {
		w.gone = 1
		defer func() { w.gone = 0 }()
		return seen()
	}
	if slices.Equal(seen(), without()) {
		t.Error("a goal in the open is not seen")
	}
	w.solid[w.at(4, 4)] = cellWall
	if !slices.Equal(seen(), without()) {
		t.Error("a goal shines through a wall")
	}
	w.solid[w.at(4, 4)] = cellOpen
	w.eye.heading = roomTurn / 2
	if !slices.Equal(seen(), without()) {
		t.Error("a goal behind the eye is seen")
	}
}

func TestWhoRunsIntoAWallSlidesAlongIt(t *testing.T) {
	w := newRoom(&Collect, 1)
	w.blank(11, true)
	b := body{x: 10<<16 - bodyHalf - 1, y: roomMiddle(5), heading: roomTurn / 8}
	x, y := b.x, b.y
	if b.walk(&w.roomMap, 1, 0) || b.x != x || b.y-y < stride*7/10-2 || b.y-y > stride*8/10 {
		t.Errorf("moved (%d, %d) of a stride of %d", b.x-x, b.y-y, stride)
	}
}

func TestActionsMoveAsTheyAreCalled(t *testing.T) {
	w := newRoom(&Collect, 1)
	w.blank(11, true)
	for action, want := range [][3]int{ // on the map, north is up: ahead −y; the heading grows clockwise
		{0, -stride, 0}, {0, stride, 0}, {-stride, 0, 0}, {stride, 0, 0}, {0, 0, -swing}, {0, 0, swing},
	} {
		b := body{x: roomMiddle(5), y: roomMiddle(5), heading: roomTurn * 3 / 4}
		b.act(&w.roomMap, action)
		if got := [3]int{b.x - roomMiddle(5), b.y - roomMiddle(5), b.heading - roomTurn*3/4}; fixAbs(got[0]-want[0]) > 1 ||
			fixAbs(got[1]-want[1]) > 1 || got[2] != want[2] {
			t.Errorf("%s moves by %v, want %v", roomActions[action], got, want)
		}
	}
}

func TestAKeyOpensTheDoorOfItsColourOnly(t *testing.T) {
	w := newRoom(&Keys, 4)
	r := world.NewRand(1, 0)
	for door := 1; door < 6; door += 2 {
		d := &w.things[door]
		if w.things[door-1].mark != markKey || d.mark != markDoor || w.things[door-1].colour != d.colour {
			t.Fatalf("things %d and %d are no key and its door", door-1, door)
		}
		stand := body{x: d.x + (roomMiddle(6)-d.x)/4, y: d.y + (roomMiddle(6)-d.y)/4}
		w.eye = stand
		if reward, _ := tickKeys(w, &r, 0); reward != 0 || w.open(d.x, d.y) {
			t.Errorf("door %d opens without a key", door)
		}
		w.eye = body{x: w.things[door-1].x, y: w.things[door-1].y}
		if reward, over := tickKeys(w, &r, 0); reward != 1 || over || !w.hasKey(door-1) {
			t.Errorf("key %d pays %v", door-1, reward)
		}
		for other := door + 2; other < 6; other += 2 {
			o := &w.things[other]
			w.eye = body{x: o.x + (roomMiddle(6)-o.x)/4, y: o.y + (roomMiddle(6)-o.y)/4}
			if reward, _ := tickKeys(w, &r, 0); reward != 0 || w.open(o.x, o.y) {
				t.Errorf("key %d opens door %d", door-1, other)
			}
		}
		w.eye = stand
		if reward, over := tickKeys(w, &r, 0); reward != 1 || over || !w.open(d.x, d.y) || w.hasKey(door-1) {
			t.Errorf("door %d pays %v", door, reward)
		}
	}
	w.eye = body{x: w.things[6].x, y: w.things[6].y}
	if reward, over := tickKeys(w, &r, 0); reward != 4 || !over {
		t.Errorf("the goal pays %v, over %v", reward, over)
	}
}

func TestThePlatformIsSeenOnlyByWhoStandsOnIt(t *testing.T) {
	w := newRoom(&WaterMaze, 2)
	r := world.NewRand(1, 0)
	pad := w.things[0]
	w.render(w.frame)
	before := slices.Clone(w.frame.texel)
	x, y := w.anywhere(&r)
	w.things[0].x, w.things[0].y = x, y
	w.settle()
	if w.render(w.frame); !slices.Equal(before, w.frame.texel) {
		t.Error("the view tells where the platform is")
	}
	w.things[0] = pad
	at := w.at(pad.x>>16, pad.y>>16)
	w.eye = body{x: pad.x, y: pad.y}
	for i := range padRest {
		want := float32(0)
		if i == 0 {
			want = 1
		}
		if reward, over := tickWaterMaze(w, &r, 0); reward != want || over || w.floor[at] != picturePad {
			t.Fatalf("tick %d on the platform pays %v, floor %d", i, reward, w.floor[at])
		}
	}
	tickWaterMaze(w, &r, 0)
	if w.eye.near(pad.x, pad.y, waterAway) || w.floor[at] == picturePad || w.things[0] != pad {
		t.Error("after the rest the search does not begin again from elsewhere")
	}
}

func TestAShotHitsWhatIsInSightAndInLine(t *testing.T) {
	for _, c := range []struct {
		says   string
		x, y   int // cell of the rival
		wall   bool
		reward float32
	}{
		{"ahead", 9, 6, false, 1}, {"behind a wall", 9, 6, true, 0}, {"behind the back", 1, 6, false, 0},
		{"aside", 9, 7, false, 0},
	} {
		w := newRoom(&LaserTag, 1)
		r := world.NewRand(1, 0)
		w.blank(13, true)
		w.rival = 1
		w.eye = body{x: roomMiddle(3), y: roomMiddle(6)}
		w.rivals[0] = body{x: roomMiddle(c.x), y: roomMiddle(c.y), heading: roomTurn / 4}
		if c.wall {
			w.solid[w.at(6, 6)] = cellWall
		}
		if reward, _ := tickLaserTag(w, &r, actionFire); reward != c.reward {
			t.Errorf("a rival %s: %v", c.says, reward)
		}
		if reward, _ := tickLaserTag(w, &r, actionFire); reward != 0 || w.eye.wait != gunCycle-1 {
			t.Errorf("a rival %s: the gun fires again at once", c.says)
		}
	}
}

// The fourth channel says the words, and they say which balls pay.
func TestTheInstructionIsTrueAndCanBeRead(t *testing.T) {
	for i, a := range roomColourName {
		full := fnv.New32a()
		full.Write([]byte(a))
		if h := full.Sum32(); wordHash(a) != (h^h>>16)&0xFFFF {
			t.Errorf("%s: %#x is not its folded hash", a, wordHash(a))
		}
		for _, b := range roomColourName[:i] {
			if d := bits.OnesCount32(wordHash(a) ^ wordHash(b)); d < 4 {
				t.Errorf("%s and %s differ in %d stripes", a, b, d)
			}
		}
	}
	spec, fresh := Collect.Sized([]float64{13, 37, 4})
	w := fresh().(*room)
	obs := make([]float32, spec.Size())
	for seed := range uint64(50) {
		w.buildEpisode(seed)
		w.Observe(obs)
		for row := range 13 {
			for column := range 37 {
				want := float32(wordHash(w.words[row*4/13]) >> (column * 16 / 37) & 1)
				if got := obs[4*(row*37+column)+3]; got != want {
					t.Fatalf("row %d, column %d of %v: %v, want %v", row, column, w.words, got, want)
				}
			}
		}
		r := world.NewRand(1, 0)
		for i := range w.count {
			thing := &w.things[i]
			w.eye = body{x: thing.x, y: thing.y}
			name := roomColourName[thing.picture-thingBall]
			reward, _ := tickCollect(w, &r, 0)
			if w.words[0] != "collect" || w.words[2] != "avoid" || reward == 1 != (name == w.words[1]) ||
				reward == -1 != (name == w.words[3]) {
				t.Fatalf("%v: a ball of %s pays %v", w.words, name, reward)
			}
		}
	}
}

// Whole numbers all the way: these are the pixels on every machine.
func TestPixelsAreTheSameEverywhere(t *testing.T) {
	want := []uint32{0x6afe64ca, 0x4fcb9a20, 0xb29ac9ce, 0x9a84ee0a, 0x5dabd696}
	var got []uint32
	for _, task := range roomTasks {
		w := newRoom(task, 7)
		bot, r := roomBot{w: w}, world.NewRand(7, 0)
		sum := fnv.New32a()
		for range 60 {
			w.Step(&r, bot.act())
			w.render(w.frame)
			for _, c := range w.frame.texel {
				sum.Write([]byte{byte(c), byte(c >> 8), byte(c >> 16)})
			}
		}
		got = append(got, sum.Sum32())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%#x, want %#x", got, want)
	}
}
