package chart

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Labels inside a chart stand where they cover neither curves nor each other. All sizes are pixels.

type point struct{ x, y float64 }

// box is a rectangle, from its upper left corner to its lower right one.
type box struct{ from, to point }

// obstacles are what labels keep clear of. A curve goes from left to right.
type obstacles struct {
	curves [][]point
	boxes  []box
}

func (o *obstacles) avoid(curve []point) { o.curves = append(o.curves, curve) }

// covers counts the pieces of curves and the labels that a box would cover. It stops counting at most.
func (o *obstacles) covers(b box, most int) (n int) {
	for _, one := range o.boxes {
		if one.from.x < b.to.x && b.from.x < one.to.x && one.from.y < b.to.y && b.from.y < one.to.y {
			n += 10
		}
	}
	for _, curve := range o.curves {
		i := max(1, sort.Search(len(curve), func(i int) bool { return curve[i].x >= b.from.x }))
		for ; i < len(curve) && curve[i-1].x <= b.to.x && n < most; i++ {
			if b.cuts(curve[i-1], curve[i]) {
				n++
			}
		}
	}
	return n
}

// cuts reports whether the line from p to q, which goes right, crosses the box.
func (b box) cuts(p, q point) bool {
	lo, hi := max(p.x, b.from.x), min(q.x, b.to.x)
	if lo > hi {
		return false
	}
	low, high := min(p.y, q.y), max(p.y, q.y)
	if high <= b.from.y || low >= b.to.y {
		return false
	}
	if q.x > p.x { // only the part above or below the box counts
		slope := (q.y - p.y) / (q.x - p.x)
		from, to := p.y+slope*(lo-p.x), p.y+slope*(hi-p.x)
		low, high = min(from, to), max(from, to)
	}
	return low < b.to.y && high > b.from.y
}

// spot is a place for a text, with its cost.
type spot struct {
	box
	cost   float64
	layout int // number of the label's layout
}

// label is a text near a point.
type label struct {
	at       point
	gap      float64 // from the point
	layouts  [][]string
	width    func(string) float64
	line     float64 // height of a line
	within   box
	farthest float64 // from the point
	cost     func(spot) float64
}

// apart returns the distance of a point from the box.
func (b *box) apart(p point) float64 {
	return math.Hypot(max(b.from.x-p.x, 0, p.x-b.to.x), max(b.from.y-p.y, 0, p.y-b.to.y))
}

// place returns the cheapest spot where a label covers nothing, or where it covers least. It tries spots beside the
// point first, then a grid around it, so that the label does not tremble while curves grow. ok is false if the chart is
// too small.
func (o *obstacles) place(l *label) (best spot, ok bool) {
	const grid = 12.0
	var spots []spot
	least := math.MaxInt
	try := func() {
		slices.SortStableFunc(spots, func(a, b spot) int { return cmp.Compare(a.cost, b.cost) })
		for i := 0; i < len(spots) && least > 0; i++ {
			if n := o.covers(spots[i].box, least); n < least {
				best, least = spots[i], n
			}
		}
		spots = spots[:0]
	}
	sizes := make([]point, len(l.layouts))
	for i, lines := range l.layouts {
		for _, one := range lines {
			sizes[i].x = max(sizes[i].x, l.width(one))
		}
		sizes[i].y = l.line * float64(len(lines))
		l.add(&spots, i, sizes[i], l.at.x+l.gap, l.at.y-sizes[i].y/2)
	}
	try()
	for i := 0; i < len(sizes) && least > 0; i++ {
		w, h := sizes[i].x, sizes[i].y
		l.add(&spots, i, sizes[i], l.at.x-l.gap-w, l.at.y-h/2)
		left, right := max(l.within.from.x, l.at.x-l.farthest-w), min(l.within.to.x-w, l.at.x+l.farthest)
		top, foot := max(l.within.from.y, l.at.y-l.farthest-h), min(l.within.to.y-h, l.at.y+l.farthest)
		for x := grid * math.Ceil(left/grid); x <= right; x += grid {
			for y := grid * math.Ceil(top/grid); y <= foot; y += grid {
				l.add(&spots, i, sizes[i], x, y)
			}
		}
	}
	try()
	if least < math.MaxInt {
		o.boxes = append(o.boxes, best.box)
	}
	return best, least < math.MaxInt
}

// add adds a spot with its upper left corner at x and y, if the label allows it.
func (l *label) add(spots *[]spot, layout int, size point, x, y float64) {
	s := spot{box: box{point{x, y}, point{x + size.x, y + size.y}}, layout: layout}
	if x < l.within.from.x || y < l.within.from.y || s.to.x > l.within.to.x || s.to.y > l.within.to.y {
		return
	}
	if far := s.apart(l.at); far >= l.gap-0.5 && far <= l.farthest {
		s.cost = far + l.cost(s)
		*spots = append(*spots, s)
	}
}

// broken breaks words into lines of a width. A word that is wider has a line of its own.
func broken(words []string, most float64, width func(string) float64) (lines []string) {
	for _, word := range words {
		if n := len(lines); n > 0 && width(lines[n-1]+" "+word) <= most {
			lines[n-1] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}
