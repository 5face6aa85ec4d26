package chart

import (
	"math"

	"impalab/web/wire"
)

// The stick figures on the belt: the agent, and the steps that wait.

// actor draws the cart of a lane as it stands now.
func (s *svg) actor(lane *BeltLane, size *beltSize, y float64) {
	x := size.cart/2 + 8
	s.begin("g", "actor "+lane.Class, "")
	s.WriteByte('>')
	if lane.Figure == Tile {
		class := "own tile"
		if lane.Lies {
			class = "own tile lies"
		}
		s.symbol(class, x, y-5, lane.Symbol)
		s.WriteString("</g>")
		return
	}
	if lane.Figure == OnCart {
		s.rect("cart", x-size.cart/2, y-9, size.cart, 8)
		s.circle("wheel", x-size.cart/4, y, 2.6)
		s.circle("wheel", x+size.cart/4, y, 2.6)
	}
	class, lean := "pole", lane.Lean
	if lane.Lies {
		class = "pole lies"
	}
	if lane.Figure == Trunk {
		if lane.Lies {
			lean = math.Pi
		}
		b := stood(x, y-2, size.stick, lean, true)
		s.line(class, b.x0, b.y0, b.x1, b.y1)
		for _, l := range b.legs {
			s.line("leg", l[0], l[1], l[2], l[3])
		}
		s.WriteString("</g>")
		return
	}
	if lane.Lies {
		lean = float32(math.Copysign(lying/2, float64(lean)))
	}
	x1, y1 := tip(x, y-8, size.stick+2, lean)
	s.line(class, x, y-8, x1, y1)
	s.WriteString("</g>")
}

// A tile on the belt is a square whose foot is as high as a cart's.
const (
	tileSide = 18.0
	tileLine = 5.0 // from the foot up to the line of its symbol
)

// symbol draws a tile around x with a symbol; "": it is empty.
func (s *svg) symbol(class string, x, foot float64, symbol string) {
	s.rect(class, x-tileSide/2, foot-tileSide, tileSide, tileSide)
	if symbol != "" {
		s.text("symbol", middle, x, foot-tileLine, symbol)
	}
}

// lying is the angle of a pole whose tip lies on the floor, in radians.
const lying = 99 * math.Pi / 180

// tip is the end of a stick at twice its true angle.
func tip(x, y, long float64, lean float32) (float64, float64) {
	if !finite(lean) {
		lean = 0
	}
	sin, cos := math.Sincos(math.Max(-2, math.Min(2, 2*float64(lean))))
	return x + long*sin, y - long*cos
}

// trunk is a body on the belt: the line of its trunk, and its two legs if it is on them.
type trunk struct {
	x0, y0, x1, y1 float64
	legs           [][4]float64
}

// stood is a body whose feet are at (x, y), with a trunk of a length that leans from the horizontal, clockwise. A trunk
// that is more than a right angle off lies on the ground.
func stood(x, y, long float64, lean float32, legs bool) (t trunk) {
	const flat = math.Pi / 2
	if !finite(lean) {
		lean = 0
	}
	off := math.Abs(math.Remainder(float64(lean), 2*math.Pi))
	high, sin, cos := .5*long, 0., 1.
	if off > flat {
		high, legs = .1*long, false
	} else {
		sin, cos = math.Sincos(math.Remainder(float64(lean), 2*math.Pi))
		if !legs {
			high = .35 * long
		}
	}
	dx, dy := long/2*cos, long/2*sin
	t.x0, t.y0, t.x1, t.y1 = x-dx, y-high-dy, x+dx, y-high+dy
	if legs {
		for _, side := range [...]float64{-.7, .7} {
			t.legs = append(t.legs, [4]float64{x + side*dx, y - high + side*dy, x + side*dx, y})
		}
	}
	return t
}

// sticks gathers sticks by their width, in pixels, so that each width is one path.
type sticks struct {
	widths []float64
	pens   []*pen
}

func (k *sticks) add(x, y, x1, y1, width float64) {
	width = math.Max(.5, math.Round(2*width)/2)
	at := -1
	for i, have := range k.widths {
		if have == width {
			at = i
		}
	}
	if at < 0 {
		at = len(k.widths)
		k.widths, k.pens = append(k.widths, width), append(k.pens, &pen{})
	}
	k.pens[at].down = false
	k.pens[at].to(x, y)
	k.pens[at].to(x1, y1)
}

func (k *sticks) draw(s *svg, class string) {
	for i := range k.pens {
		s.begin("path", class, "stroke-width", k.widths[i])
		s.WriteString(` d="` + k.pens[i].String() + `"/>`)
	}
}

// stickWidth returns the width of a stick where each pose has so much room, in pixels.
func stickWidth(each float64) float64 {
	switch {
	case each > 26:
		return 6
	case each >= 9:
		return 5
	case each >= 5:
		return 2.5
	}
	return 1.5
}

// waiting draws the poses between the actor and the lens.
func (s *svg) waiting(lane *BeltLane, size *beltSize, lag int, room, y float64) {
	if lag == 0 {
		return
	}
	waits := queue{lane: lane, each: room / float64(lag), long: size.stick}
	waits.width = stickWidth(waits.each)
	var carts, empty pen
	for k := range lag {
		x := size.left + (float64(k)+.5)*waits.each
		if k >= len(lane.Poses) {
			empty.down = false
			empty.to(x, y-1)
			empty.to(x, y-1-size.stick)
			continue
		}
		if waits.each > 26 && lane.Figure == OnCart {
			carts.box(x-7, y-4, 14, 4)
		}
		waits.pose(&lane.Poses[k], x, y-2)
	}
	s.path("pose cart", carts.String())
	s.path("pose empty", empty.String())
	class := "pose"
	if waits.each < roomy {
		class = "pose faint"
	}
	waits.draw(s, class)
}

// queue gathers the poses of a lane.
type queue struct {
	lane                  *BeltLane
	width, each, long     float64 // of a stick, the room of a pose, the length of a stick
	outline, hollow, fill sticks
	tiles, full           pen
}

// roomy is the room of a pose from which outlines are told apart, in pixels.
const roomy = 9

// pose adds one pose: an outline, filled in proportion to the weight that the step should have. A learner that corrects
// uses this weight, and its outline shrinks to it. Where the room between two poses is too small for outlines, the
// weight is the width of the fill. A tile is filled from below on either lane.
func (q *queue) pose(p *wire.Pose, x, y float64) {
	const line = 1.2
	lane, width := q.lane, q.width
	room := q.each >= roomy
	weight := float64(p.Weight)
	if !(weight < 1) {
		weight = 1
	}
	weight = math.Max(weight, 0)
	if lane.Figure == Tile {
		side := math.Min(tileSide, .8*q.each)
		high := math.Min(tileSide, q.long)
		q.tiles.box(x-side/2, y-high, side, high)
		q.full.box(x-side/2, y-high*weight, side, high*weight)
		return
	}
	if !lane.Whole {
		width *= .4 + .6*weight
	}
	x1, y1 := tip(x, y, q.long, p.Lean)
	if lane.Figure == Trunk {
		b := stood(x, y, math.Min(q.long, .78*q.each), p.Lean, q.each >= 18)
		x, y, x1, y1 = b.x0, b.y0, b.x1, b.y1
		for _, l := range b.legs {
			q.outline.add(l[0], l[1], l[2], l[3], width/3)
		}
	}
	q.outline.add(x, y, x1, y1, width)
	switch {
	case !room:
		if weight > .02 {
			share := weight
			if !lane.Whole {
				share = 1
			}
			q.fill.add(x, y, x1, y1, width*share)
		}
	case lane.Whole && weight < .98:
		q.hollow.add(x, y, x1, y1, width-2*line)
		if weight > .02 {
			q.fill.add(x, y, x+(x1-x)*weight, y+(y1-y)*weight, width-2*line)
		}
	}
}

// draw draws the poses. Class is of their outlines.
func (q *queue) draw(s *svg, class string) {
	q.outline.draw(s, class)
	q.hollow.draw(s, "hollow")
	q.fill.draw(s, "pose fill")
	s.path("pose tile", q.tiles.String())
	s.path("pose fill tile", q.full.String())
}

// box adds a rectangle.
func (p *pen) box(x, y, w, h float64) {
	p.down = false
	p.to(x, y)
	p.to(x+w, y)
	p.to(x+w, y+h)
	p.to(x, y+h)
	p.WriteByte('Z')
}
