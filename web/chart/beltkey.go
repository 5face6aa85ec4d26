package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"impalab/web/number"
	"impalab/web/wire"
)

// The key below the belt: how much an old step counts.

// DrawKey draws three of the steps on a belt with their weights: the largest weight, a middle one and the smallest.
// Without three known weights it draws three steps that count in full, as on fresh data.
func DrawKey(b *Belt) string {
	var known []wire.Pose
	figure := OnCart
	for i := range b.Lanes {
		figure = b.Lanes[i].Figure
		for _, p := range b.Lanes[i].Poses[:min(b.Lag, len(b.Lanes[i].Poses))] {
			if finite(p.Weight) {
				known = append(known, p)
			}
		}
	}
	s := &svg{}
	if len(known) < 3 {
		known = []wire.Pose{{Weight: 1}, {Weight: 1}, {Weight: 1}}
	}
	slices.SortFunc(known, func(a, b wire.Pose) int { return cmp.Compare(b.Weight, a.Weight) })
	most, least := known[0], known[len(known)-1]
	for i, p := range []wire.Pose{most, nearestTo(known, (most.Weight+least.Weight)/2), least} {
		x, beside := 18+keyWide*float64(i), 18.
		three := queue{lane: &BeltLane{Whole: true, Figure: figure}, width: 7, each: keyWide, long: 40}
		switch figure {
		case Trunk:
			x, three.long, beside = x+2, 32, 24
		case OnCart:
			s.rect("cart", x-13, 50, 26, 7)
		}
		three.pose(&p, x, 50)
		three.draw(s, "pose")
		s.text("count", start, x+beside, 38, "× "+weightText(p.Weight))
		s.text("label", start, max(0, x-16), 76, habit(p.Weight))
	}
	return s.String()
}

const keyWide = 96 // pixels of each step

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
