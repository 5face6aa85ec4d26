package model

import (
	"math"
	"strconv"

	"impalab/learner/correct"
	"impalab/learner/telemetry"
)

// The two histograms of the X-ray: how far π has moved from μ, and how old the data is.

const (
	barsTop   = 20.0
	barsFoot  = 18.0
	barsAside = 8.0
)

type barRises struct {
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

// ratioChart is the histogram of log₂ π/μ with ρ̄ and c̄ drawn in. What ρ̄ cuts off is in the colour of what is cut,
// with a pattern of its own: it stands behind the line.
func ratioChart(m *Model, w, h float64) string {
	var s svg
	x := scale{telemetry.RatioLogLo, telemetry.RatioLogHi, barsAside, w - barsAside}
	foot := h - barsFoot
	byRho, byC := m.clips()
	cut := math.Inf(1)
	if byRho {
		cut = math.Log2(m.force.RhoBar) // ρ̄ = 0 cuts everything, ∞ nothing
	}
	if m.XRay != nil {
		const binWidth = (telemetry.RatioLogHi - telemetry.RatioLogLo) / telemetry.RatioBins
		counts := m.XRay.Ratios
		if len(counts) > telemetry.RatioBins {
			counts = counts[:telemetry.RatioBins]
		}
		tall := tallest(counts)
		for i, n := range counts {
			if n == 0 {
				continue
			}
			lo := telemetry.RatioLogLo + float64(i)*binWidth
			hi := lo + binWidth
			y := foot - (foot-barsTop)*float64(n)/tall
			from, to, split := x.at(lo)+0.5, x.at(hi)-0.5, x.at(min(max(cut, lo), hi))
			if left := min(split, to) - from; left > 0 && cut > lo {
				s.rect("bar corrected", from, y, left, foot-y)
			}
			if right := to - max(split, from); right > 0 && cut < hi {
				s.rect("bar cut", max(split, from), y, right, foot-y)
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

// ageChart is the histogram of how many updates old the data of a batch is; older is darker.
func ageChart(m *Model, w, h float64) string {
	var s svg
	foot := h - barsFoot
	s.line("tick", barsAside, foot, w-barsAside, foot)
	if m.XRay == nil {
		s.text("label", middle, w/2, foot/2+4, "waiting for the first update")
		return s.String()
	}
	oldest := 0.0
	if finite(m.XRay.AgeMax) && m.XRay.AgeMax > 0 {
		oldest = math.Round(min(float64(m.XRay.AgeMax), 1e9))
	}
	ages := ageBars(m.XRay.Ages, oldest)
	x := scale{0, float64(max(len(ages), 8)), barsAside, w - barsAside} // a few ages do not fill the chart
	tall := tallest(m.XRay.Ages)
	for i, b := range ages {
		y := foot - (foot-8)*float64(b.count)/tall
		s.faded("bar age", 0.35+0.65*b.age/max(oldest, 1), x.at(float64(i))+1, y, x.at(float64(i)+1)-x.at(float64(i))-2, foot-y)
	}
	last := -math.MaxFloat64
	for i, b := range ages {
		label := strconv.Itoa(int(math.Round(b.age)))
		if i == 0 {
			label = "0"
		}
		px := x.at(float64(i) + 0.5)
		if i == 0 || px-wide(label)/2 > last+14 {
			s.text("label", middle, px, h-4, label)
			last = px + wide(label)/2
		}
	}
	if unit := "updates old"; last+14+wide(unit) < x.to {
		s.text("label", end, x.to, h-4, unit)
	}
	return s.String()
}

type ageBar struct {
	age   float64 // the oldest of its bucket
	count uint32
}

// ageBars undoes the buckets, in which age a lies at a·n/(oldest+1): one bar for each age while they all fit, else
// one for each bucket.
func ageBars(counts []uint32, oldest float64) []ageBar {
	n := len(counts)
	if ages := int(oldest) + 1; ages <= n {
		out := make([]ageBar, ages)
		for age := range out {
			out[age] = ageBar{float64(age), counts[age*n/ages]}
		}
		return out
	}
	out := make([]ageBar, n)
	for i := range out {
		out[i] = ageBar{math.Ceil(float64(i) * (oldest + 1) / float64(n)), counts[i]}
	}
	return out
}

func tallest(counts []uint32) float64 {
	most := uint32(1)
	for _, n := range counts {
		most = max(most, n)
	}
	return float64(most)
}
