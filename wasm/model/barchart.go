package model

import (
	"math"
	"strconv"

	"impalab/learner/correct"
	"impalab/learner/telemetry"
)

// The histogram of ratios: how far π has moved from μ on the actions taken.

const (
	barsTop   = 20.0
	barsFoot  = 18.0
	barsAside = 8.0
)

type barRevision struct {
	xray       any
	rho, c     float64
	correction string
}

// clips tells whether the correction in force cuts ratios at ρ̄ and at c̄.
func (m *Model) clips() (rho, c bool) {
	row, err := correct.LookupCorrection(m.force.Correction)
	if err != nil || row.Leak == correct.LeakFull {
		return false, false
	}
	return !row.NStep || row.Weight == correct.WeightIS, !row.NStep
}

// ratioChart is the histogram of log₂ π/μ with ρ̄ and c̄ drawn in. What ρ̄ cuts off stands behind its line, in the colour
// of what is cut.
func ratioChart(m *Model, w, h float64) string {
	var s svg
	x := scale{telemetry.RatioLogLo, telemetry.RatioLogHi, barsAside, w - barsAside}
	foot := h - barsFoot
	byRho, byC := m.clips()
	if m.XRay != nil {
		counts := m.XRay.Ratios[:min(len(m.XRay.Ratios), telemetry.RatioBins)]
		limit := math.Inf(1)
		if byRho {
			limit = m.force.RhoBar
		}
		cut := cutMass(counts, limit, m.XRay.ClippedRho)
		pixels := (foot - barsTop) / tallest(counts)
		for i, n := range counts {
			from, wide := x.at(ratioBin(i))+0.5, x.at(ratioBin(i+1))-x.at(ratioBin(i))-1
			kept := float64(n) - cut[i]
			if kept > 0 {
				s.rect("bar corrected", from, foot-kept*pixels, wide, kept*pixels)
			}
			if cut[i] > 0 {
				s.rect("bar cut", from, foot-float64(n)*pixels, wide, cut[i]*pixels)
			}
		}
	} else {
		s.text("label", middle, w/2, (barsTop+foot)/2+4, "waiting for the first update")
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
	// ρ̄ says its name to the right of its line and c̄ to the left: they may stand at the same place.
	if byC {
		bound(&s, x, m.force.CBar, foot, "line truth", "c̄", end)
	}
	if byRho {
		bound(&s, x, m.force.RhoBar, foot, "line cut", "ρ̄", start)
	}
	return s.String()
}

// ratioBin is where bucket i begins, as log₂ of the ratio.
func ratioBin(i int) float64 {
	return telemetry.RatioLogLo + float64(i)*(telemetry.RatioLogHi-telemetry.RatioLogLo)/telemetry.RatioBins
}

// cutMass is how many of each bucket's steps lie above limit: none or all, except in the bucket the limit falls into.
// There share, the exact share of all steps above the limit, decides: on-policy all ratios are 1, and ρ̄ = 1 cuts none.
func cutMass(counts []uint32, limit float64, share float32) (cut [telemetry.RatioBins]float64) {
	log, total, above, in := math.Log2(limit), 0.0, 0.0, -1
	for i, n := range counts {
		total += float64(n)
		switch {
		case ratioBin(i) > log:
			cut[i] = float64(n)
			above += cut[i]
		case log < ratioBin(i+1):
			in = i
		}
	}
	if in >= 0 && finite(share) {
		cut[in] = min(float64(counts[in]), max(0, math.Round(float64(share)*total)-above))
	}
	return cut
}

// bound draws a clip of the ratio; beyond the chart it stands at the edge and says where it is.
func bound(s *svg, x scale, v, foot float64, class, symbol string, side anchor) {
	log := math.Log2(v)
	at := x.at(min(max(log, x.lo), x.hi))
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
	if words != "" && symbol == "c̄" { // at the edge both stand on one side: c̄ below
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
