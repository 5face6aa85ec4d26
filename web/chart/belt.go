package chart

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"impalab/web/number"
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
	Class string      // of the learner: its colour
	Lean  float32     // of the actor now, in radians clockwise from upright
	Lies  bool        // the actor has fallen
	Bare  bool        // the stick is a body's trunk, without a cart
	Whole bool        // the learner counts every step in full
	Poses []wire.Pose // the newest first
	Moves int         // places by which they have just moved
}

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

// BeltHeight returns the height of a belt of a width with so many lanes.
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

// actor draws the cart of a lane as it stands now.
func (s *svg) actor(lane *BeltLane, size *beltSize, y float64) {
	x := size.cart/2 + 8
	s.begin("g", "actor "+lane.Class, "")
	s.WriteByte('>')
	if !lane.Bare {
		s.rect("cart", x-size.cart/2, y-9, size.cart, 8)
		s.circle("wheel", x-size.cart/4, y, 2.6)
		s.circle("wheel", x+size.cart/4, y, 2.6)
	}
	class, lean := "pole", lane.Lean
	if lane.Lies {
		class = "pole lies"
		lean = float32(math.Copysign(lying/2, float64(lean)))
	}
	x1, y1 := tip(x, y-8, size.stick+2, lean)
	s.line(class, x, y-8, x1, y1)
	s.WriteString("</g>")
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
	each := room / float64(lag)
	width := stickWidth(each)
	var outline, hollow, fill sticks
	var carts, empty pen
	for k := range lag {
		x := size.left + (float64(k)+.5)*each
		if k >= len(lane.Poses) {
			empty.down = false
			empty.to(x, y-1)
			empty.to(x, y-1-size.stick)
			continue
		}
		if each > 26 && !lane.Bare {
			carts.box(x-7, y-4, 14, 4)
		}
		p := &lane.Poses[k]
		pose(lane, p, width, each >= 9, x, y-2, size.stick, &outline, &hollow, &fill)
	}
	s.path("pose cart", carts.String())
	s.path("pose empty", empty.String())
	if each >= 9 {
		outline.draw(s, "pose")
	} else {
		outline.draw(s, "pose faint")
	}
	hollow.draw(s, "hollow")
	fill.draw(s, "pose fill")
}

// pose adds one pose: an outline, filled in proportion to the weight that the step should have. A learner that corrects
// uses this weight, and its outline shrinks to it. Without room for outlines, the weight is the width of the fill.
func pose(lane *BeltLane, p *wire.Pose, width float64, room bool, x, y, long float64, outline, hollow, fill *sticks) {
	const line = 1.2
	weight := float64(p.Weight)
	if !(weight < 1) {
		weight = 1
	}
	weight = math.Max(weight, 0)
	if !lane.Whole {
		width *= .4 + .6*weight
	}
	x1, y1 := tip(x, y, long, p.Lean)
	outline.add(x, y, x1, y1, width)
	switch {
	case !room:
		if weight > .02 {
			share := weight
			if !lane.Whole {
				share = 1
			}
			fill.add(x, y, x1, y1, width*share)
		}
	case lane.Whole && weight < .98:
		hollow.add(x, y, x1, y1, width-2*line)
		if weight > .02 {
			fill.add(x, y, x+(x1-x)*weight, y+(y1-y)*weight, width-2*line)
		}
	}
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
		if !lane.Bare {
			s.rect(class, x-9, y-5, 18, 5)
		}
		switch {
		case b.Lag == 0:
			x1, y1 := tip(x, y-5, size.stick-2, lane.Lean)
			s.begin("line", "own", "x1 y1 x2 y2 stroke-width", x, y-5, x1, y1, 4)
			s.WriteString("/>")
		case b.Lag < len(lane.Poses):
			var outline, hollow, fill sticks
			pose(lane, &lane.Poses[b.Lag], 6, true, x, y-6, size.stick-2, &outline, &hollow, &fill)
			outline.draw(s, "pose")
			hollow.draw(s, "hollow")
			fill.draw(s, "pose fill")
		}
		s.WriteString("</g>")
	}
}

// DrawKey draws three of the steps on a belt with their weights: the largest weight, a middle one and the smallest.
func DrawKey(b *Belt) string {
	var known []wire.Pose
	for i := range b.Lanes {
		for _, p := range b.Lanes[i].Poses[:min(b.Lag, len(b.Lanes[i].Poses))] {
			if finite(p.Weight) {
				known = append(known, p)
			}
		}
	}
	s := &svg{}
	if len(known) < 3 {
		return ""
	}
	slices.SortFunc(known, func(a, b wire.Pose) int { return cmp.Compare(b.Weight, a.Weight) })
	most, least := known[0], known[len(known)-1]
	for i, p := range []wire.Pose{most, nearestTo(known, (most.Weight+least.Weight)/2), least} {
		x := 18 + 96*float64(i)
		var outline, hollow, fill sticks
		pose(&BeltLane{Whole: true}, &p, 7, true, x, 50, 40, &outline, &hollow, &fill)
		s.rect("cart", x-13, 50, 26, 7)
		outline.draw(s, "pose")
		hollow.draw(s, "hollow")
		fill.draw(s, "pose fill")
		s.text("count", start, x+18, 38, "× "+weightText(p.Weight))
		s.text("label", start, max(0, x-16), 76, habit(p.Weight))
	}
	return s.String()
}

// weightText writes a weight from 0 to 1 in two digits: "1", ".67", "0".
func weightText(weight float32) string {
	text := strings.TrimRight(number.Fixed(float64(weight), 2), "0")
	return cmp.Or(strings.TrimPrefix(strings.TrimSuffix(text, "."), "0"), "0")
}

// nearestTo returns the step whose weight is nearest to weight.
func nearestTo(known []wire.Pose, weight float32) wire.Pose {
	return slices.MinFunc(known, func(a, b wire.Pose) int {
		return cmp.Compare(math.Abs(float64(a.Weight-weight)), math.Abs(float64(b.Weight-weight)))
	})
}

// habit says in words whether the learner would still act like that.
func habit(weight float32) string {
	switch {
	case weight >= .9:
		return "still would"
	case weight >= .5:
		return "less likely"
	case weight >= .2:
		return "hardly"
	}
	return "no longer"
}
