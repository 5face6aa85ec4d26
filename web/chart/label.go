package chart

import (
	"math"
	"sort"
)

// Labels inside a chart stand where they cover neither curves nor each other. What is in their way is known in pixels.

type point struct{ x, y float64 }

// box is a label's, from its upper left corner to its lower right one.
type box struct{ from, to point }

// obstacles are what labels keep clear of.
type obstacles struct {
	curves []trail
	boxes  []box
	spots  []spot // that are looked at, in memory used again for the next label
}

// trail is a curve from left to right, with the heights between which each chunk of its pieces runs.
type trail struct {
	points []point
	reach  []scale // from the highest to the lowest
}

const chunk = 32 // pieces of a curve that are looked at, or passed over, together

// avoid adds a curve to what labels keep clear of.
func (o *obstacles) avoid(points []point) {
	t := trail{points: points}
	for i := 0; i+1 < len(points); i += chunk {
		r := scale{from: points[i].y, to: points[i].y}
		for _, p := range points[i+1 : min(i+1+chunk, len(points))] {
			r.from, r.to = min(r.from, p.y), max(r.to, p.y)
		}
		t.reach = append(t.reach, r)
	}
	o.curves = append(o.curves, t)
}

// covers is how much a label would cover there, in pieces of curves and labels; 0: nothing. It counts to most only.
func (o *obstacles) covers(b box, most int) (n int) {
	for _, one := range o.boxes {
		if one.from.x < b.to.x && b.from.x < one.to.x && one.from.y < b.to.y && b.from.y < one.to.y {
			n += 10
		}
	}
	for _, t := range o.curves {
		curve := t.points
		i := max(1, sort.Search(len(curve), func(i int) bool { return curve[i].x >= b.from.x }))
		for i < len(curve) && curve[i-1].x <= b.to.x && n < most {
			k := (i - 1) / chunk
			next := min(len(curve), (k+1)*chunk+1)
			if r := t.reach[k]; r.from >= b.to.y || r.to <= b.from.y {
				i = next
				continue
			}
			for ; i < next && curve[i-1].x <= b.to.x && n < most; i++ {
				if b.cuts(curve[i-1], curve[i]) {
					n++
				}
			}
		}
	}
	return n
}

// cuts reports whether a piece of a curve, from left to right, goes through a label.
func (b box) cuts(p, q point) bool {
	lo, hi := max(p.x, b.from.x), min(q.x, b.to.x)
	if lo > hi {
		return false
	}
	low, high := min(p.y, q.y), max(p.y, q.y)
	if q.x > p.x { // what of it lies above and below the label
		slope := (q.y - p.y) / (q.x - p.x)
		from, to := p.y+slope*(lo-p.x), p.y+slope*(hi-p.x)
		low, high = min(from, to), max(from, to)
	}
	return low < b.to.y && high > b.from.y
}

// spot is a place for a text, and what speaks against it.
type spot struct {
	box
	cost   float64
	layout int // of the label's
	order  int // in which it was thought of
}

// before reports whether a spot is looked at earlier: the cheaper one, and of two that cost the same the older one.
func (s *spot) before(other *spot) bool {
	return s.cost < other.cost || s.cost == other.cost && s.order < other.order
}

// sink restores the order of a heap of spots, the next one on top, below place i. Nearly always one of the first is
// free, so that to sort all of them would be in vain.
func sink(spots []spot, i int) {
	for {
		first := 2*i + 1
		if first >= len(spots) {
			return
		}
		if first+1 < len(spots) && spots[first+1].before(&spots[first]) {
			first++
		}
		if spots[i].before(&spots[first]) {
			return
		}
		spots[i], spots[first] = spots[first], spots[i]
		i = first
	}
}

// label is a text that stands near a point.
type label struct {
	at       point
	gap      float64 // from the point
	layouts  [][]string
	width    func(string) float64
	line     float64 // height of one
	within   box
	farthest float64 // from the point
	cost     func(spot) float64
}

// apart is how far a point is from a label.
func (b *box) apart(p point) float64 {
	return math.Hypot(max(b.from.x-p.x, 0, p.x-b.to.x), max(b.from.y-p.y, 0, p.y-b.to.y))
}

// place chooses the cheapest spot at which a label covers nothing, else the one where it covers least: beside its
// point, or on a grid around it, so that it does not tremble while curves grow. It is false in a chart too small.
func (o *obstacles) place(l *label) (best spot, ok bool) {
	const grid = 12.0
	spots := o.spots[:0]
	defer func() { o.spots = spots }()
	least := math.MaxInt
	try := func() {
		for i := len(spots)/2 - 1; i >= 0; i-- {
			sink(spots, i)
		}
		for len(spots) > 0 && least > 0 {
			if n := o.covers(spots[0].box, least); n < least {
				best, least = spots[0], n
			}
			last := len(spots) - 1
			spots[0] = spots[last]
			spots = spots[:last]
			sink(spots, 0)
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
	try() // where there is room beside the point nothing else is looked at
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

// add adds a spot with its upper left corner at x and y, if it lies within bounds and neither too near nor too far.
func (l *label) add(spots *[]spot, layout int, size point, x, y float64) {
	s := spot{box: box{point{x, y}, point{x + size.x, y + size.y}}, layout: layout, order: len(*spots)}
	if x < l.within.from.x || y < l.within.from.y || s.to.x > l.within.to.x || s.to.y > l.within.to.y {
		return
	}
	if far := s.apart(l.at); far >= l.gap-0.5 && far <= l.farthest {
		s.cost = far + l.cost(s)
		*spots = append(*spots, s)
	}
}

// broken is a text in lines of a width at most; a longer word has a line to itself.
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
