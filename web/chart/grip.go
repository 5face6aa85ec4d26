package chart

import (
	"math"
	"strconv"

	"impalab/learner/telemetry"
)

// On the histogram of ratios, ρ̄ and c̄ can be dragged. ρ̄'s grip is above c̄'s, because their lines may coincide.

// grip is the handle of a clip.
type grip struct {
	key, class string
	x, y       float64
}

func ratioScale(w float64) scale {
	return scale{telemetry.RatioLogLo, telemetry.RatioLogHi, barsAside, w - barsAside}
}

func (r *Ratios) grips(w, h float64) (list []grip) {
	x, high := ratioScale(w), h-barsFoot-barsTop
	if r.ByRho {
		list = append(list, grip{"rho", "cut", x.inside(math.Log2(r.RhoBar)), barsTop + high*0.3})
	}
	if r.ByC {
		list = append(list, grip{"c", "truth", x.inside(math.Log2(r.CBar)), barsTop + high*0.7})
	}
	return list
}

// Grip returns the key of the clip at a point of the chart, or "". If two lines coincide, it takes the nearer grip.
func (r *Ratios) Grip(px, py, w, h float64) (key string) {
	const reach = 14.0 // pixels to each side of a line
	best := math.Inf(1)
	for _, g := range r.grips(w, h) {
		across, down := math.Abs(px-g.x), math.Abs(py-g.y)
		if far := across + down; across <= reach && far < best {
			key, best = g.key, far
		}
	}
	return key
}

// RatioLimit returns the clip at a place of the chart, with two figures; ∞ at its right edge.
func RatioLimit(px, w float64) float64 {
	x := ratioScale(w)
	share := x.share(px)
	if share == 1 {
		return math.Inf(1)
	}
	v := math.Exp2(x.lo + share*(x.hi-x.lo))
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64)
	return v
}
