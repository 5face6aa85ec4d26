package chart

import (
	"math"
	"strconv"
)

// Numeral is the number of a step of a story, above the chart at its moment.
type Numeral struct {
	Step  uint64
	N     int
	Class string // "past", "now", "fell" or "next"
	Words string // beside it; ""
	Tone  string // class of the words
	Aside bool   // near a later one it stands left of its moment, and is not left out
}

const (
	numeralRadius = 9.0
	numeralApart  = 20.0 // a numeral nearer to a later one is left out
)

// numerals draws the numerals, and the words of each on the side that has room.
func (f *frame) numerals(list []Numeral) {
	y := f.y.to - 14
	next := math.Inf(1)
	left, at := make([]bool, len(list)), make([]float64, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		at[i] = f.x.at(float64(list[i].Step))
		if left[i] = next-at[i] < numeralApart; left[i] && list[i].Aside {
			at[i], left[i] = next-numeralApart, false
		}
		if !left[i] {
			next = at[i]
		}
	}
	until := 0.0 // of the words and discs so far
	for i := range list {
		n, x := &list[i], at[i]
		if left[i] || x > f.x.to {
			continue
		}
		if n.Class == "next" {
			f.svg.line("coming", x, y+numeralRadius, x, f.y.from)
		}
		f.begin("g", "numeral "+n.Class, "")
		f.WriteString(` data-numeral="` + strconv.FormatUint(n.Step, 10) + `">`)
		f.svg.circle("disc", x, y, numeralRadius)
		f.text("figure", middle, x, y+4.5, strconv.Itoa(n.N))
		f.WriteString("</g>")
		if n.Words != "" {
			after := f.w
			for k := i + 1; k < len(list); k++ {
				if !left[k] {
					after = at[k] - numeralRadius
					break
				}
			}
			room := wide(n.Words) + 8
			switch {
			case x-numeralRadius-room > until:
				f.text("label halo "+n.Tone, end, x-14, y+4.5, n.Words)
			case x+numeralRadius+room < after:
				f.text("label halo "+n.Tone, start, x+14, y+4.5, n.Words)
				until = x + numeralRadius + room
			}
		}
		until = math.Max(until, x+numeralRadius)
	}
}

// cursor draws a line at a step that is held, with the values of the lines there.
func (f *frame) cursor(step uint64, lines []Line, figure func(float64) string) {
	if step == 0 {
		return
	}
	x := f.x.at(float64(step))
	f.svg.line("cursor", x, f.y.to-4, x, f.y.from)
	for i := range lines {
		if v := lines[i].Curve.At(step); finite(v) && lines[i].Sign != "" {
			y := f.y.at(float64(v))
			f.svg.circle("at "+lines[i].Class, x, y, 4)
			f.text("label halo ink", start, x+8, math.Max(y-6, f.y.to+12), figure(float64(v)))
		}
	}
}
