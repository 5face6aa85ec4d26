package chart

import (
	"cmp"
	"math"
	"slices"

	"impalab/web/number"
	"impalab/web/wire"
)

// DrawGauge draws where the values go in a finite world: V^μ, V^π, the exact destination between them, and the
// network's value. Exact values are ticks, and the network is a dot. The scale goes from the world's worst policy to
// its best.
func DrawGauge(g *wire.Gauge, w, h float64) string {
	var s svg
	points := []gaugePoint{
		{float64(g.Behaviour), "mu", "V", "μ", false},
		{float64(g.Target), "pi", "V", "π", false},
		{float64(g.Implied), "corrected", "destination", "", false},
		{float64(g.Learned), "truth", "you", "", true},
	}
	points = slices.DeleteFunc(points, func(p gaugePoint) bool { return math.IsNaN(p.v) || math.IsInf(p.v, 0) })
	lo, hi := gaugeRange(float64(g.Worst), float64(g.Best), points)
	x := scale{lo, hi, gaugeAside, w - gaugeAside}
	const y = 32.0
	at := func(v float64) float64 { return min(max(x.at(v), 8), w-8) } // values outside the scale are drawn at its edge
	s.line("axis", 8, y, w-8, y)
	marks, labels := Ticks(lo, hi, 5)
	for i, label := range labels {
		s.line("tick", x.at(marks[i]), y-3, x.at(marks[i]), y+3)
		s.text("label", middle, x.at(marks[i]), y+16, label)
	}
	for _, p := range points {
		if !p.now {
			s.line("line "+p.class, at(p.v), y-11, at(p.v), y+11)
		}
	}
	for _, p := range points {
		if p.now {
			s.circle("mark "+p.class, at(p.v), y, 5)
		}
	}
	// Exact values have their names above the line, the network below it. Neighbours move apart.
	var above []gaugePoint
	for _, p := range points {
		if p.now {
			value := "you " + number.Figures(p.v)
			s.text("label "+p.class, middle, inside(at(p.v), wide(value), w), h-6, value)
		} else {
			above = append(above, p)
		}
	}
	slices.SortFunc(above, func(a, b gaugePoint) int { return cmp.Compare(a.v, b.v) })
	centres, widths := make([]float64, len(above)), make([]float64, len(above))
	for i, p := range above {
		centres[i], widths[i] = at(p.v), wide(p.words+p.raised)+6
	}
	spread(centres, widths, 2, w-2)
	for i, p := range above {
		s.raised("label "+p.class, middle, centres[i], 13, p.words, p.raised)
	}
	return s.String()
}

const gaugeAside = 24.0 // pixels beside the scale

// gaugeRange returns the range from the worst policy's value to the best one's. If these are unknown or equal, the
// range contains all points and is at least a tenth of their size.
func gaugeRange(worst, best float64, points []gaugePoint) (lo, hi float64) {
	if best-worst > 1e-6*max(math.Abs(worst), math.Abs(best)) && best-worst < math.Inf(1) {
		return worst, best
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, p := range points {
		lo, hi = min(lo, p.v), max(hi, p.v)
	}
	if lo > hi {
		return 0, 1
	}
	least := max(max(math.Abs(lo), math.Abs(hi))/10, 1e-6)
	if short := least - (hi - lo); short > 0 {
		lo, hi = lo-short/2, hi+short/2
	}
	return lo, hi
}

type gaugePoint struct {
	v                    float64
	class, words, raised string
	now                  bool
}

// raised writes a symbol with its policy as a superscript.
func (s *svg) raised(class string, a anchor, x, y float64, words, raised string) {
	if raised == "" {
		s.text(class, a, x, y, words)
		return
	}
	s.open(class, a, x, y)
	s.WriteString(`<tspan class="symbol">`)
	s.escape(words)
	s.WriteString(`</tspan><tspan class="symbol" dy="-4">`)
	s.escape(raised)
	s.WriteString("</tspan></text>")
}

// inside keeps a centred text within the chart.
func inside(centre, width, w float64) float64 {
	return max(width/2+2, min(w-width/2-2, centre))
}

// spread moves sorted labels apart until none covers its neighbour, first forward within the edges, then back.
func spread(centres, sizes []float64, edge, last float64) {
	for i := range centres {
		centres[i] = max(centres[i], edge+sizes[i]/2)
		edge = centres[i] + sizes[i]/2
	}
	edge = last
	for i := len(centres) - 1; i >= 0; i-- {
		centres[i] = min(centres[i], edge-sizes[i]/2)
		edge = centres[i] - sizes[i]/2
	}
}
