package chart

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"impalab/web/number"
)

// Destination is where the values of a fixed policy go: three exact values and the learned one.
type Destination struct {
	Behaviour, Implied, Target, Learned float64
	Low, High                           float64   // ends of the ruler
	Rho                                 string    // that leads to Implied
	Was                                 []float64 // earlier values of Learned, the oldest first
	Leads                               []Lead    // of the scale of ρ̄, from V^μ to V^π; nil: no scale
}

// Lead is a ρ̄, as people write it, and the value it leads to.
type Lead struct {
	Rho string
	V   float64
}

const (
	rulerAside = 20.0 // pixels beside the ruler
	rulerHigh  = 16.0 // of its trough
	roomyRuler = 480  // pixels from which flags have words
)

func (d *Destination) scale(w float64) scale { return scale{d.Low, d.High, rulerAside, w - rulerAside} }

// Value returns the value at a place of the ruler, in pixels from its left.
func (d *Destination) Value(x, w float64) float64 {
	return d.Low + (d.High-d.Low)*(x-rulerAside)/(w-2*rulerAside)
}

// flag is an exact value on the ruler.
type flag struct {
	v                  float64
	tone, upper, words string
	x                  float64 // of its words
}

// DrawDestination draws a ruler with the values, and below it where each ρ̄ leads.
func DrawDestination(d *Destination, w, h float64) string {
	var s svg
	x, roomy := d.scale(w), w >= roomyRuler
	y := math.Round(86 + max(0, .4*(h-200)))
	s.rect("trough", rulerAside, y, w-2*rulerAside, rulerHigh)
	s.rect("between", x.at(min(d.Behaviour, d.Target)), y, math.Abs(x.at(d.Target)-x.at(d.Behaviour)), rulerHigh)
	d.drawTicks(&s, x, y)
	for _, f := range d.flags(x, w, roomy) {
		if roomy {
			s.text("words "+f.tone, middle, f.x, y-70, f.words)
		}
		s.begin("text", "symbol "+f.tone, "x y", f.x, y-48)
		s.WriteString(` text-anchor="middle">V<tspan dy="-5" font-size="14px">`)
		s.escape(f.upper)
		s.WriteString("</tspan></text>")
		s.text("figure "+f.tone, middle, f.x, y-29, unled(f.v, 3))
		s.stroke("flag "+f.tone, XY{f.x, y - 24}, XY{x.at(f.v), y - 10}, XY{x.at(f.v), y + rulerHigh})
	}
	for i, v := range d.Was {
		s.begin("line", "was", "x1 y1 x2 y2", x.at(v), y, x.at(v), y+rulerHigh)
		s.WriteString(` opacity="` + strconv.FormatFloat(.12+.05*float64(i), 'f', 2, 64) + `"/>`)
	}
	d.drawNow(&s, x, y, w)
	if foot := y + 82 + max(0, .1*(h-200)); d.Leads != nil && foot+24 < h {
		d.drawLeads(&s, x, foot, roomy)
	}
	return s.String()
}

// drawTicks draws a tick at each half unit, and a label at each unit.
func (d *Destination) drawTicks(s *svg, x scale, y float64) {
	span, unit := d.High-d.Low, .1
	if span > 2 {
		unit = math.Ceil(span / 10)
	}
	for i := range 1 + int(math.Round(2*span/unit)) {
		v, long := d.Low+float64(i)*unit/2, 4.0
		if i%2 == 0 {
			long = 7
			label := "0"
			if math.Abs(v) >= 5e-7 {
				label = strings.Replace(unled(v, 1), number.Minus, "-", 1)
			}
			s.text("label", middle, x.at(v), y+36, label)
		}
		s.line("tick", x.at(v), y+rulerHigh, x.at(v), y+rulerHigh+long)
	}
}

// flags returns the exact values in order. Flags whose words would touch move apart; a slanted line leads from each to
// its value.
func (d *Destination) flags(x scale, w float64, roomy bool) []flag {
	flags := []flag{{v: d.Behaviour, tone: "mu", upper: "μ", words: "acting policy"},
		{v: d.Implied, tone: "corrected", upper: "π ρ̄", words: "ρ̄ = " + d.Rho + " leads here"},
		{v: d.Target, tone: "pi", upper: "π", words: "the policy you asked about"}}
	slices.SortStableFunc(flags, func(a, b flag) int { return cmp.Compare(a.v, b.v) })
	centres, sizes := make([]float64, len(flags)), make([]float64, len(flags))
	for i, f := range flags {
		centres[i], sizes[i] = x.at(f.v), 62
		if roomy {
			sizes[i] = max(52, letters(f.words)) + 10
		}
	}
	spread(centres, sizes, 0, w)
	for i := range flags {
		flags[i].x = centres[i]
	}
	return flags
}

// drawNow draws the learned value.
func (d *Destination) drawNow(s *svg, x scale, y, w float64) {
	now, says := x.at(d.Learned), "now "+unled(d.Learned, 3)
	half := letters(says)*.6 + 8
	box := min(max(now, half), w-half)
	s.begin("path", "now", "")
	s.WriteString(` d="M`)
	s.at(now - 1.5)
	s.WriteByte(' ')
	s.at(y - 2)
	s.WriteString(`h3v18l8 13h-19l8 -13z"/>`)
	s.begin("rect", "now", "x y width height rx", box-half, y+28, 2*half, 24, 4)
	s.WriteString("/>")
	s.text("says", middle, box, y+45, says)
}

// drawLeads draws where each ρ̄ leads. Labels that would touch are left out, the ends never.
func (d *Destination) drawLeads(s *svg, x scale, y float64, roomy bool) {
	last := len(d.Leads) - 1
	first, end := d.Leads[0], d.Leads[last]
	s.line("scale corrected", x.at(first.V), y, x.at(end.V), y)
	taken := []float64{x.at(first.V), x.at(end.V)}
	for i, of := range slices.Concat([]Lead{first, end}, d.Leads[1:last]) {
		at := x.at(of.V)
		s.line("scale corrected", at, y-5, at, y+5)
		if i > 1 && slices.ContainsFunc(taken, func(other float64) bool { return math.Abs(other-at) < 30 }) {
			continue
		}
		taken = append(taken, at)
		s.text("value corrected", middle, at, y+24, of.Rho)
	}
	name := "ρ̄ ="
	if roomy {
		name = "with ρ̄ ="
	}
	s.text("label", "end", x.at(first.V)-12, y+4, name)
	s.begin("circle", "ring corrected", "cx cy r", x.at(d.Implied), y, 8)
	s.WriteString(` data-part="ring"/>`)
}

// letters estimates the width of words whose bars stand beside their letters.
func letters(words string) float64 { return 7.4 * float64(len([]rune(words))) }

// unled writes a number without the zero before its point.
func unled(v float64, decimals int) string {
	text := number.Fixed(v, decimals)
	sign := ""
	if rest, negative := strings.CutPrefix(text, number.Minus); negative {
		sign, text = number.Minus, rest
	}
	return sign + strings.TrimPrefix(text, "0")
}

// stroke draws a line through points.
func (s *svg) stroke(class string, points ...XY) {
	var p pen
	for _, at := range points {
		p.to(at.X, at.Y)
	}
	s.path(class, p.String())
}
