package chart

import (
	"math"
	"strconv"
)

// LagReturns are the returns of a correction at a few lags, beside those of no correction.
type LagReturns struct {
	At, None []Level // at the same lags; a mean of NaN is not measured
	Lags     []int
	Most     float64 // top of the axis, which begins at 0
	Own      bool    // At is of no correction: there is nothing beside it
}

// DrawLagReturns draws the inside of an SVG without a viewBox: lines in a stretched part, dots and intervals at places
// in percent.
func DrawLagReturns(r LagReturns) string {
	var s svg
	x := func(i int) float64 { return 4 + 92*float64(i)/float64(len(r.At)-1) }
	y := func(v float64) float64 { return 92 - 86*min(1, max(0, v/r.Most)) }
	line := func(of []Level) string {
		var p pen
		for i, at := range of {
			if p.down = p.down && i > 0 && !math.IsNaN(of[i-1].Mean); !math.IsNaN(at.Mean) {
				p.to(x(i), y(at.Mean))
			}
		}
		return p.String()
	}
	tone := "pi"
	if r.Own {
		tone = "ink"
	}
	s.WriteString(`<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" aria-hidden="true">`)
	s.line("base", 0, 92, 100, 92)
	if !r.Own {
		for i := range r.At[1:] {
			a, b, c, d := r.At[i], r.At[i+1], r.None[i+1], r.None[i]
			if v := a.Mean + b.Mean + c.Mean + d.Mean; math.IsNaN(v) {
				continue
			}
			var p pen
			p.to(x(i), y(a.Mean))
			p.to(x(i+1), y(b.Mean))
			p.to(x(i+1), y(c.Mean))
			p.to(x(i), y(d.Mean))
			s.path("lake", p.String()+"Z")
		}
		s.path("none", line(r.None))
	}
	s.path("line "+tone, line(r.At))
	s.WriteString("</svg>")
	percent := func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) + "%" }
	for i, at := range r.At {
		if math.IsNaN(at.Mean) {
			continue
		}
		place := percent(x(i))
		s.WriteString(`<line class="interval ` + tone + `" x1="` + place + `" x2="` + place + `" y1="` + percent(y(at.Low)) +
			`" y2="` + percent(y(at.High)) + `"/><circle class="dot ` + tone + `" cx="` + place + `" cy="` +
			percent(y(at.Mean)) + `" r="4" data-lag="` + strconv.Itoa(r.Lags[i]) + `"/>`)
	}
	return s.String()
}
