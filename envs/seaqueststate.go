package envs

import (
	"encoding/binary"
	"slices"

	"impalab/envs/world"
)

// The parts of Seaquest that are not rules: the lists of swimmers, their planes, state and drawing.

// swimmer is a fish, a submarine, a diver or a bullet.
type swimmer struct {
	x, y   int8
	right  bool
	timer  int8 // steps until it moves; bullets have none
	reload int8 // steps until it shoots; submarines only
}

func (s *swimmer) way() int8 {
	if s.right {
		return 1
	}
	return -1
}

func (s *swimmer) move() { s.x += s.way() }

// shoal is a list in the order of arrival. It keeps its memory, and its order decides which of them is met first.
type shoal []swimmer

// maxShoal is twice the largest number in a game: an enemy a step that lives for thirty.
const maxShoal = 64

func newShoal() shoal { return make(shoal, 0, maxShoal) }

// add drops a thing without a free slot. That takes a foreign board that was full from the start.
func (l *shoal) add(s swimmer) {
	if len(*l) < maxShoal {
		*l = append(*l, s)
	}
}

// remove removes swimmer i. (MinAtar removes the first swimmer that equals it. Equal swimmers have the same future, so
// the game is the same.)
func (l *shoal) remove(i int) { *l = slices.Delete(*l, i, i+1) }

// removeAt removes the first swimmer of a cell and reports whether there was one.
func (l *shoal) removeAt(x, y int8) bool {
	for i, s := range *l {
		if s.x == x && s.y == y {
			l.remove(i)
			return true
		}
	}
	return false
}

// against reports whether something in the row of e swims the other way.
func (l shoal) against(e swimmer) bool {
	for _, s := range l {
		if s.y == e.y && s.right != e.right {
			return true
		}
	}
	return false
}

// mark shows a list in a plane and, where it has one, its trail behind it.
func (l shoal) mark(obs []float32, plane int, trail bool) {
	for i := range l {
		s := &l[i]
		markIn(obs, seaPlanes, plane, s.x, s.y)
		if trail {
			markIn(obs, seaPlanes, 3, s.x-s.way(), s.y)
		}
	}
}

func (w *seaquest) Observe(obs []float32) {
	clear(obs[:boardSide*boardSide*seaPlanes])
	mark(obs, seaPlanes, 0, w.x, w.y)
	mark(obs, seaPlanes, 1, w.back(), w.y)
	w.shots.mark(obs, 2, false)
	w.bombs.mark(obs, 4, false)
	w.fish.mark(obs, 5, true)
	w.subs.mark(obs, 6, true)
	for x := range w.gauge() {
		mark(obs, seaPlanes, 7, x, boardSide-1)
	}
	for x := range int8(max(w.divers, 0)) {
		mark(obs, seaPlanes, 8, boardSide-2-x, boardSide-1)
	}
	w.swimmers.mark(obs, 9, true)
}

// back is the column of the submarine's other end; it is always on the board, since facing a side is moving there.
func (w *seaquest) back() int8 {
	if w.right {
		return w.x - 1
	}
	return w.x + 1
}

func (w *seaquest) State(dst []byte) []byte {
	dst = w.state(dst, &seaquestSpec)
	dst = append(dst, byte(w.x), byte(w.y), asByte(w.right), asByte(w.surface), byte(w.shotTimer),
		byte(w.spawnTimer), byte(w.spawnSpeed), byte(w.moveSpeed), byte(w.diverTimer), byte(w.ramps))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(w.oxygen+1)) // from −1
	dst = binary.LittleEndian.AppendUint32(dst, uint32(fullCrew-w.divers))
	for _, l := range [...]shoal{w.shots, w.bombs, w.fish, w.subs, w.swimmers} {
		dst = append(dst, byte(len(l)))
		for _, s := range l {
			dst = append(dst, byte(s.x), byte(s.y), asByte(s.right), byte(s.timer), byte(s.reload))
		}
	}
	return dst
}

func (w *seaquest) SetState(src []byte) error {
	b, next := w.open(src, &seaquestSpec)
	sea := sea{
		x: b.Small(0, boardSide-1), y: b.Small(0, seaFloor), right: b.Flag(), surface: b.Flag(),
		shotTimer:  b.Small(0, playerReload),
		spawnTimer: b.Small(0, seaSpawn), spawnSpeed: b.Small(1, seaSpawn),
		moveSpeed: b.Small(seaMoveFast, seaMove), diverTimer: b.Small(0, diverSpawn), ramps: b.Small(0, seaSpawn),
		oxygen: int16(b.Below(fullOxygen+2)) - 1,
		divers: fullCrew - int32(b.Below(1<<30)),
		shots:  readShoal(&b, 0, 0, 0), bombs: readShoal(&b, 1, 0, 0),
		fish: readShoal(&b, 1, seaMove, 0), subs: readShoal(&b, 1, seaMove, enemyReload),
		swimmers: readShoal(&b, 1, diverMove, 0),
	}
	if sea.right && sea.x == 0 || !sea.right && sea.x == boardSide-1 {
		b.Fail("holds a submarine that hangs over the edge")
	}
	if err := b.Close(); err != nil {
		return err
	}
	*w = seaquest{next, sea}
	return nil
}

// readShoal reads a list of swimmers of rows top..seaFloor with timers up to those given.
func readShoal(b *world.Blob, top, timer, reload int) shoal {
	l := newShoal()
	for range b.Small(0, maxShoal) {
		l = append(l, swimmer{b.Small(0, boardSide-1), b.Small(top, seaFloor), b.Flag(), b.Small(0, timer),
			b.Small(0, reload)})
	}
	return l
}

func (w *seaquest) Draw(c Canvas) {
	floor(c, boardSide, boardSide)
	for x := float32(0); x < boardSide; x++ { // the surface, in small waves
		c.Line(x, .64, x+.5, .52, .05, Wall)
		c.Line(x+.5, .52, x+1, .64, .05, Wall)
	}
	w.drawGauges(c)
	for i := range w.swimmers {
		x, y, d := w.swimmers[i].middle()
		wake(c, x-d*.04, y+.04, d, .1)
		c.Circle(x+d*.26, y-.04, .15, Prize) // head first, arms ahead, fins behind
		bar(c, x-.3, y-.06, .6, .2, Prize)
		c.Line(x+d*.1, y+.1, x+d*.42, y+.26, .07, Prize)
		w.shape(c, Prize, x-d*.24, y+.04, x-d*.46, y-.12, x-d*.46, y+.2)
	}
	for i := range w.fish {
		x, y, d := w.fish[i].middle()
		wake(c, x, y, d, .2)
		w.shape(c, Harm, x-d*.08, y, x-d*.42, y-.24, x-d*.42, y+.24)
		w.shape(c, Harm, x+d*.4, y, x+d*.08, y-.26, x-d*.26, y, x+d*.08, y+.26)
		c.Circle(x+d*.06, y, .24, Harm)
		c.Circle(x+d*.16, y-.06, .06, Ground)
	}
	for i := range w.subs {
		x, y, d := w.subs[i].middle()
		wake(c, x-d*.06, y+.04, d, .2)
		rounded(c, x-.12, y-.36, .24, .3, .08, Harm)
		bar(c, x-.42, y-.18, .84, .44, Harm)
		c.Circle(x+d*.18, y+.04, .08, Ground)
		c.Line(x-d*.46, y-.14, x-d*.46, y+.22, .07, Harm)
	}
	for i := range w.shots {
		x, y, _ := w.shots[i].middle()
		bar(c, x-.3, y-.07, .6, .14, Agent)
	}
	for i := range w.bombs {
		x, y, d := w.bombs[i].middle()
		w.shape(c, Harm, x+d*.34, y, x, y-.14, x-d*.34, y, x, y+.14)
	}
	w.drawSubmarine(c)
}

func (s *swimmer) middle() (x, y, d float32) {
	return float32(s.x) + .5, float32(s.y) + .5, float32(s.way())
}

// drawSubmarine covers both of its cells.
func (w *seaquest) drawSubmarine(c Canvas) {
	y, d := float32(w.y)+.5, way(w.right)
	x := (float32(w.x)+float32(w.back()))/2 + .5
	rounded(c, x+d*.12-.2, y-.42, .4, .4, .1, Agent)
	c.Line(x+d*.2, y-.46, x+d*.2, y-.3, .08, Agent)
	bar(c, x-.86, y-.2, 1.72, .56, Agent)
	for i := float32(0); i < 3; i++ {
		c.Circle(x+d*(.5-.36*i), y+.06, .1, Ground)
	}
	c.Line(x-d*.92, y-.16, x-d*.92, y+.32, .08, Agent)
}

// drawGauges shows the oxygen as a bar and the crew as six places.
func (w *seaquest) drawGauges(c Canvas) {
	const top, full = boardSide - 1, boardSide - .6
	c.Rect(0, top, boardSide, 1, Ground)
	c.Line(0, top, boardSide, top, .04, Wall)
	bar(c, .3, top+.2, full, .24, Faint)
	if share := float32(max(w.oxygen, 0)) / fullOxygen; share > 0 {
		ink := Agent
		if share < .25 {
			ink = Harm // time to go up
		}
		bar(c, .3, top+.2, max(full*share, .24), .24, ink)
	}
	for i := range int32(fullCrew) {
		ink := Faint
		if i < w.divers {
			ink = Prize
		}
		c.Circle(.42+.36*float32(i), top+.72, .13, ink)
	}
}
