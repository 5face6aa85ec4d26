package envs

import (
	"math/bits"

	"impalab/envs/world"
)

// MinAtar (Young and Tian, 2019) keeps the decisions of five Atari games and drops their pictures. It has a board of 10
// × 10 cells, with one plane of zeros and ones for each kind of thing, and six actions. Random parts make a memorised
// sequence of moves worthless. This file has the common parts of the games: the sticky action, the header of
// their state, their planes, and their shapes. The rules are written from a description of them in words. The recorded
// games that exist check them; small boards in the tests check rule by rule.

const (
	boardSide   = 10
	stickyUsual = .1
)

// The actions of every game, in MinAtar's order; a game ignores the actions that it does not use.
var minAtarActions = []string{"noop", "left", "up", "right", "down", "fire"}

const (
	actLeft = 1 + iota
	actUp
	actRight
	actDown
	actFire
)

func minAtarSpec(name, title, summary string, channels int, random, solved float32) Spec {
	return Spec{
		Name:    name,
		Title:   title,
		Summary: summary,
		Source:  "Young and Tian (2019), MinAtar; sticky actions 0.1, difficulty ramping",
		Obs:     []int{boardSide, boardSide, channels},
		Actions: minAtarActions,
		Random:  random,
		Solved:  solved, // AC(λ = 0.8) after 5 M steps, read off the paper's figure
		View:    [2]float32{boardSide, boardSide},
		Rate:    12,
	}
}

// minAtar is the state of every game besides its board.
type minAtar struct {
	sticky float64 // probability that the action before is carried out in the place of the one chosen
	ramp   bool    // the game gets faster over time
	last   uint8   // the action carried out last; a reset does not forget it
	over   bool    // nothing follows until a reset

	pen [12]float32 // corners of the shape being drawn; no part of the state
}

func newMinAtar() minAtar { return minAtar{sticky: stickyUsual, ramp: true} }

// choose returns the action to carry out. It draws exactly once, so games with other probabilities use chance in the
// same way.
func (m *minAtar) choose(r *Rand, action int) int {
	if uint(action) >= uint(len(minAtarActions)) {
		panic("envs: a MinAtar game has actions 0 to 5")
	}
	if r.Float64() >= m.sticky {
		m.last = uint8(action)
	}
	return int(m.last)
}

// outcome returns the outcome of a step after the board has moved.
func (m *minAtar) outcome(reward float32) Outcome {
	if m.over {
		return Outcome{Reward: reward, End: Terminated}
	}
	return Outcome{Reward: reward}
}

func (m *minAtar) state(dst []byte, spec *Spec) []byte {
	return append(world.Begin(dst, world.One, spec), m.last, asByte(m.over))
}

// open reads the output of state into a copy of m.
func (m *minAtar) open(src []byte, spec *Spec) (world.Blob, minAtar) {
	b, next := world.Open(src, world.One, spec), *m
	next.last = uint8(b.Small(0, len(minAtarActions)-1))
	next.over = b.Flag()
	return b, next
}

func asByte(yes bool) byte {
	if yes {
		return 1
	}
	return 0
}

// tickDown takes one from a timer that has not run out.
func tickDown[T int8 | uint8](timer *T) {
	if *timer > 0 {
		*timer--
	}
}

func inside(x int8) bool { return uint8(x) < boardSide }

// cells is a set of cells: bit x of row y.
type cells [boardSide]uint16

const fullRow = 1<<boardSide - 1

func (s *cells) has(x, y int8) bool { return s[y]>>uint(x)&1 == 1 }

func (s *cells) append(dst []byte) []byte {
	for _, row := range s {
		dst = append(dst, byte(row), byte(row>>8))
	}
	return dst
}

func readCells(b *world.Blob) (s cells) {
	for y := range s {
		s[y] = uint16(b.Byte()) | uint16(b.Byte())<<8
		if s[y] > fullRow {
			b.Fail("holds a cell that is not on the board")
			return cells{}
		}
	}
	return s
}

// mark sets one cell of one plane of an observation.
func mark(obs []float32, channels, channel int, x, y int8) {
	obs[(int(y)*boardSide+int(x))*channels+channel] = 1
}

// markIn is mark for cells that may lie outside the board.
func markIn(obs []float32, channels, channel int, x, y int8) {
	if inside(x) {
		mark(obs, channels, channel, x, y)
	}
}

func (s *cells) mark(obs []float32, channels, channel int) {
	for y, row := range s {
		for ; row != 0; row &= row - 1 {
			obs[(y*boardSide+bits.TrailingZeros16(row))*channels+channel] = 1
		}
	}
}

// The shapes. An ink is the meaning of a thing, so its outline must show its kind and its direction.

// rounded is a rectangle with corners of radius r.
func rounded(c Canvas, x, y, w, h, r float32, ink Ink) {
	c.Rect(x+r, y, w-2*r, h, ink)
	c.Rect(x, y+r, r, h-2*r, ink)
	c.Rect(x+w-r, y+r, r, h-2*r, ink)
	c.Circle(x+r, y+r, r, ink)
	c.Circle(x+w-r, y+r, r, ink)
	c.Circle(x+r, y+h-r, r, ink)
	c.Circle(x+w-r, y+h-r, r, ink)
}

// shape is a convex polygon of up to six corners.
func (m *minAtar) shape(c Canvas, ink Ink, xy ...float32) {
	n := copy(m.pen[:], xy)
	c.Polygon(m.pen[:n], ink)
}

// wake is the water, dust or wind behind a thing at (x, y) that moves to the side of way, −1 or 1; it begins half
// a cell behind the middle and is cut off at the edge of the board.
func wake(c Canvas, x, y, way, length float32) {
	for i, dy := range [...]float32{-.14, .14, 0} {
		reach := length
		if i == 2 {
			reach *= 1.4
		}
		from, to := x-way*.5, min(max(x-way*(.5+reach), 0), boardSide)
		if (from-to)*way > 0 {
			c.Line(from, y+dy, to, y+dy, .05, Wall)
		}
	}
}

// way is the direction of motion as a number to draw with.
func way(right bool) float32 {
	if right {
		return 1
	}
	return -1
}
