package chart

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// plainCovers counts every piece of every curve, one by one.
func plainCovers(o *obstacles, b box) (n int) {
	for _, curve := range o.curves {
		for i := 1; i < len(curve); i++ {
			if p, q := curve[i-1], curve[i]; q.x >= b.from.x && p.x <= b.to.x && b.cuts(p, q) {
				n++
			}
		}
	}
	for _, one := range o.boxes {
		if one.from.x < b.to.x && b.from.x < one.to.x && one.from.y < b.to.y && b.from.y < one.to.y {
			n += 10
		}
	}
	return n
}

// wandering is a curve that goes up and down, from left to right, at times straight up.
func wandering(r *rand.Rand, n int, w, h float64) (points []point) {
	p := point{0, h * r.Float64()}
	for range n {
		points = append(points, p)
		p.x += w / float64(n) * 2 * float64(r.IntN(2))
		p.y = min(h, max(0, p.y+12*r.NormFloat64()))
	}
	return points
}

// A label stands where it covers least, and of the spots that cover as little at the cheapest: as it comes out when
// every spot is counted in full and all of them are sorted.
func TestALabelStandsAtTheCheapestSpotThatCoversLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	covering := 0
	for i := range 300 {
		var o obstacles
		w, h := 80+800*r.Float64(), 60+200*r.Float64()
		for range 1 + r.IntN(5) {
			o.avoid(wandering(r, 1+r.IntN(400), w, h))
		}
		for range r.IntN(3) {
			at := point{w * r.Float64(), h * r.Float64()}
			o.boxes = append(o.boxes, box{at, point{at.x + 60, at.y + 18}})
		}
		l := label{at: point{w * r.Float64(), h * r.Float64()}, gap: 12, layouts: [][]string{{"no correction"},
			{"no", "correction"}},
			width: wide, line: 18, within: box{to: point{w, h}}, farthest: 40 + 200*r.Float64()}
		var spots []spot // all that place asks what they cost
		l.cost = func(s spot) float64 {
			more := math.Floor(8 * s.from.y / h)
			spots = append(spots, spot{box: s.box, cost: s.apart(l.at) + more})
			return more
		}
		got, ok := o.place(&l)
		if ok {
			o.boxes = o.boxes[:len(o.boxes)-1]
		}
		if ok != (len(spots) > 0) {
			t.Fatalf("chart %d: %d spots, and a label is placed: %v", i, len(spots), ok)
		}
		if !ok {
			continue
		}
		beside := func(s *spot) bool { return s.from.x == l.at.x+l.gap && s.from.y+s.to.y == 2*l.at.y }
		slices.SortStableFunc(spots, func(a, b spot) int {
			if beside(&a) != beside(&b) { // the room beside the point comes first
				return map[bool]int{true: -1, false: 1}[beside(&a)]
			}
			return cmp.Compare(a.cost, b.cost)
		})
		want := spots[0]
		for k := range spots[1:] {
			if plainCovers(&o, spots[k+1].box) < plainCovers(&o, want.box) {
				want = spots[k+1]
			}
		}
		if plainCovers(&o, want.box) > 0 {
			covering++
		}
		if got.box != want.box {
			t.Fatalf("chart %d: the label stands at %v, not at %v", i, got.box, want.box)
		}
	}
	if covering == 0 {
		t.Error("no chart was too full for its label")
	}
}

// BenchmarkStory draws the chart of the first page at the end of a long story, as it is drawn ten times a second.
func BenchmarkStory(b *testing.B) {
	for _, size := range [...]struct {
		name string
		w, h float64
	}{{"laptop", 984, 230}, {"phone", 366, 262}} {
		b.Run(size.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			var stories []*Story
			for range 16 {
				stories = append(stories, told(r))
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				DrawStory(stories[i%len(stories)], size.w, size.h)
			}
		})
	}
}
