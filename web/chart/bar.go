package chart

import (
	"math"
	"strconv"

	"impalab/learner/telemetry"
	"impalab/web/number"
)

// The histogram of ratios shows how far π has moved from μ on the actions taken.

const (
	barsTop   = 20.0
	barsFoot  = 18.0
	barsAside = 8.0
)

// Ratios are the ratios of a batch and the clips of the correction in force.
type Ratios struct {
	Counts       []uint32 // by telemetry.RatioBins; nil before the first update
	RhoBar, CBar float64
	ByRho, ByC   bool    // whether the correction truncates there
	CutByRho     float32 // share of the batch's weight that ρ̄ removes; NaN: estimated from the bars
	Grips        bool    // ρ̄ and c̄ can be dragged

	Low, High RatioBound // of a form since 2025
	Outside   bool       // steps outside of them are left out, whatever their advantage
}

// RatioBound is a limit of the ratio. One without words is not drawn.
type RatioBound struct {
	At    float64
	Words string
}

// DrawRatios draws the histogram of log₂ π/μ with ρ̄ and c̄. The part of a bar that ρ̄ removes has a colour of its own.
func DrawRatios(r *Ratios, w, h float64) string {
	var s svg
	x := ratioScale(w)
	foot := h - barsFoot
	if r.Counts != nil {
		counts := r.Counts[:min(len(r.Counts), telemetry.RatioBins)]
		limit := math.Inf(1)
		if r.ByRho {
			limit = r.RhoBar
		}
		cut := cutOf(counts, limit, r.CutByRho)
		if r.Outside {
			cut = r.outside()
		}
		pixels := (foot - barsTop) / tallest(counts)
		for i, n := range counts {
			from, wide := x.at(ratioBin(i))+0.5, x.at(ratioBin(i+1))-x.at(ratioBin(i))-1
			lost := float64(n) * cut[i]
			if kept := float64(n) - lost; kept > 0 {
				s.rect("bar corrected", from, foot-kept*pixels, wide, kept*pixels)
			}
			if lost > 0 {
				s.rect("bar cut", from, foot-float64(n)*pixels, wide, lost*pixels)
			}
		}
	} else {
		s.text("label", middle, w/2, (barsTop+foot)/2+4, "no update yet")
	}
	s.line("tick", x.from, foot, x.to, foot)
	for _, t := range [...]struct {
		at    float64
		label string
	}{{-5, "1⁄32"}, {-3, "⅛"}, {-1, "½"}, {0, "1"}, {1, "2"}, {3, "8"}, {5, "32"}} {
		a, px := middle, x.at(t.at)
		switch t.at {
		case telemetry.RatioLogLo:
			a = start
		case telemetry.RatioLogHi:
			a = end
		}
		s.line("tick", px, foot, px, foot+3)
		s.text("label", a, px, h-4, t.label)
	}
	if r.Grips {
		for _, g := range r.grips(w, h) {
			s.circle("grip "+g.class, g.x, g.y, 6)
		}
	}
	for _, b := range [...]struct {
		RatioBound
		side anchor
	}{{r.Low, end}, {r.High, start}} {
		if b.Words != "" && b.At > 0 {
			bound(&s, x, b.At, foot, "line cut", b.Words, b.side)
		}
	}
	// ρ̄ has its name to the right of its line and c̄ to the left, because the lines may coincide.
	if r.ByC {
		bound(&s, x, r.CBar, foot, "line truth", "c̄", end)
	}
	if r.ByRho {
		bound(&s, x, r.RhoBar, foot, "line cut", "ρ̄", start)
	}
	return s.String()
}

// RatioRows returns the bars as rows: the range of ratios and the number of steps. It omits empty bars.
func RatioRows(counts []uint32) (rows [][]string) {
	for i, n := range counts[:min(len(counts), telemetry.RatioBins)] {
		if n > 0 {
			rows = append(rows, []string{number.Figures(math.Exp2(ratioBin(i))), number.Figures(math.Exp2(ratioBin(i + 1))),
				strconv.FormatUint(uint64(n), 10)})
		}
	}
	return rows
}

// ratioBin returns the start of bucket i, as log₂ of the ratio.
func ratioBin(i int) float64 {
	return telemetry.RatioLogLo + float64(i)*(telemetry.RatioLogHi-telemetry.RatioLogLo)/telemetry.RatioBins
}

// cutOf returns the share (w − limit)₊/w of its weight that each bucket loses at a limit. It scales the shares so that
// the batch loses exact in total, because a bucket does not say whether its ratios are 1.0001 or 1.1.
func cutOf(counts []uint32, limit float64, exact float32) (share [telemetry.RatioBins]float64) {
	weight, cut := 0.0, 0.0
	for i, n := range counts {
		w := math.Exp2((ratioBin(i) + ratioBin(i+1)) / 2)
		share[i] = max(0, 1-limit/w)
		weight += float64(n) * w
		cut += float64(n) * w * share[i]
	}
	if !finite(exact) { // while ρ̄ is dragged, exact is unknown
		return share
	}
	if exact <= 0 || cut == 0 {
		return [telemetry.RatioBins]float64{}
	}
	for i := range share {
		share[i] = min(1, share[i]*float64(exact)*weight/cut)
	}
	return share
}

// outside returns the share of each bucket that lies outside of the bounds.
func (r *Ratios) outside() (share [telemetry.RatioBins]float64) {
	low, high := math.Log2(r.Low.At), math.Log2(r.High.At)
	for i := range share {
		from, to := ratioBin(i), ratioBin(i+1)
		within := max(0, min(to, high)-max(from, low))
		share[i] = 1 - within/(to-from)
	}
	return share
}

// bound draws a clip of the ratio. A clip outside the chart is drawn at the edge, with its value.
func bound(s *svg, x scale, v, foot float64, class, symbol string, side anchor) {
	log := math.Log2(v)
	at := x.inside(log)
	words := ""
	switch {
	case math.IsInf(v, 1):
		words = " = ∞"
	case log < x.lo || log > x.hi:
		words = " = " + strconv.FormatFloat(v, 'g', 3, 64)
	}
	gap := 4.0
	room := wide(symbol+words) + gap
	if side == end && at-room < x.from-barsAside {
		side = start
	} else if side == start && at+room > x.to+barsAside {
		side = end
	}
	s.line(class, at, 4, at, foot)
	if side == end {
		gap = -gap
	}
	y := 12.0
	if words != "" && symbol == "c̄" { // at the edge both names stand on one side, c̄ below
		y = 25
	}
	s.named("label", side, at+gap, y, symbol, words)
}

func tallest(counts []uint32) float64 {
	most := uint32(1)
	for _, n := range counts {
		most = max(most, n)
	}
	return float64(most)
}
