package chart

import (
	"math"
	"strconv"

	"impalab/web/wire"
)

// The belt is the slider of the policy lag and a picture of the queue that the lag makes. The actors stand at its left
// end, the learners' lens is its thumb, and one pose for each update waits between them.

// Lags are the stops of the belt.
var Lags = [...]int{0, 1, 2, 4, 8, 16, 32, 64}

// Stop returns the index of the stop at a lag, or of the nearest below it.
func Stop(lag int) (stop int) {
	for i, l := range Lags {
		if l <= lag {
			stop = i
		}
	}
	return stop
}

// Belt is the data of the picture: a lane for each learner.
type Belt struct {
	Lag   int
	Lanes []BeltLane
	Plea  string // on an empty track; ""
}

// BeltLane is one learner's.
type BeltLane struct {
	Class  string      // of the learner: its colour
	Figure Figure      // of the agent and of its steps
	Lean   float32     // of the actor now, in radians clockwise from upright
	Symbol string      // that the actor wrote last; "": none
	Lies   bool        // the actor has fallen
	Whole  bool        // the learner counts every step in full
	Poses  []wire.Pose // the newest first
	Moves  int         // places by which they have just moved
}

// Figure is what a belt draws of an agent.
type Figure uint8

// An agent is a stick on a cart, a body's trunk on two legs, or a tile with a symbol.
const (
	OnCart Figure = iota
	Trunk
	Tile
)

// beltSize has the measures of a belt, in pixels.
type beltSize struct {
	left, right  float64 // ends of the track
	first, apart float64 // base of the first lane, and from lane to lane
	stick, lens  float64 // length of a stick, width of the lens
	cart         float64 // of the actor
	phone        bool
}

func beltSizeOf(w float64) beltSize {
	if w < 600 {
		return beltSize{58, w - 26, 31, 31, 19, 44, 22, true}
	}
	return beltSize{74, w - 30, 37, 36, 23, 48, 26, false}
}

// BeltHeight returns the height of a belt from its width and its number of lanes.
func BeltHeight(w float64, lanes int) float64 {
	s := beltSizeOf(w)
	return s.first + s.apart*float64(lanes-1) + 32
}

// stop is the place of a stop on the track.
func (s *beltSize) stop(i int) float64 {
	return s.left + (s.right-s.left)*float64(i)/float64(len(Lags)-1)
}

// BeltEach returns the room of a pose on a belt of a width, in pixels.
func BeltEach(lag int, w float64) float64 {
	s := beltSizeOf(w)
	return (s.stop(Stop(lag)) - s.lens/2 - s.left) / math.Max(1, float64(lag))
}

// DrawBelt draws the belt. The age of a pose is its place, so one gradient colours all of them.
func DrawBelt(b *Belt, w float64) string {
	s, size := &svg{}, beltSizeOf(w)
	foot := size.first + size.apart*float64(len(b.Lanes)-1)
	if b.Lag > 0 {
		s.WriteString(`<linearGradient id="age" gradientUnits="userSpaceOnUse" y1="0" y2="0" x1="`)
		s.at(size.left)
		s.WriteString(`" x2="`)
		s.at(size.right)
		s.WriteString(`"><stop class="fresh"/><stop class="aged" offset="1"/></linearGradient>`)
	}
	lens := size.stop(Stop(b.Lag))
	room := lens - size.lens/2 - size.left
	for i := range b.Lanes {
		lane, y := &b.Lanes[i], size.first+size.apart*float64(i)
		s.line("track", size.left, y, size.right, y)
		s.actor(lane, &size, y)
		s.begin("g", "waiting "+lane.Class, "")
		s.WriteString(` data-moves="` + strconv.Itoa(min(lane.Moves, 9)) + `">`)
		s.waiting(lane, &size, b.Lag, room, y)
		s.WriteString("</g>")
	}
	for i, lag := range Lags {
		class := "label"
		if i == Stop(b.Lag) {
			class = "label here"
		}
		s.line("tick", size.stop(i), foot+11, size.stop(i), foot+14)
		s.text(class, middle, size.stop(i), foot+27, strconv.Itoa(lag))
	}
	now := "act now"
	if size.phone {
		now = "now"
	}
	s.text("label", start, size.cart/2-5, foot+27, now)
	if b.Plea != "" {
		s.text("plea", start, lens+size.lens/2+10, size.first+5, b.Plea)
	}
	s.lens(b, &size, lens, foot)
	return s.String()
}

// lens draws the lens with the two poses that are studied.
func (s *svg) lens(b *Belt, size *beltSize, x, foot float64) {
	top := size.first - size.stick - 13
	s.begin("rect", "lens", "x y width height rx", x-size.lens/2, top, size.lens, foot+8-top, size.lens/2)
	s.WriteString("/>")
	for i := range b.Lanes {
		lane, y := &b.Lanes[i], size.first+size.apart*float64(i)
		s.begin("g", "studied "+lane.Class, "")
		s.WriteByte('>')
		class := "pose cart"
		if b.Lag == 0 {
			class = "own cart"
		}
		if lane.Figure == OnCart {
			s.rect(class, x-9, y-5, 18, 5)
		}
		switch {
		case b.Lag == 0 && lane.Figure == Tile:
			s.symbol("own tile", x, y-5, lane.Symbol)
		case b.Lag == 0:
			x0, y0 := x, y-5
			x1, y1 := tip(x0, y0, size.stick-2, lane.Lean)
			if lane.Figure == Trunk {
				b := stood(x, y-2, .78*size.lens, lane.Lean, false)
				x0, y0, x1, y1 = b.x0, b.y0, b.x1, b.y1
			}
			s.begin("line", "own", "x1 y1 x2 y2 stroke-width", x0, y0, x1, y1, 4)
			s.WriteString("/>")
		case b.Lag < len(lane.Poses):
			waits := queue{lane: lane, width: 6, each: size.lens, long: size.stick - 2}
			waits.pose(&lane.Poses[b.Lag], x, y-6)
			waits.draw(s, "pose")
		}
		s.WriteString("</g>")
	}
}
