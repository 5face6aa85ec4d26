// Package chart draws the charts: functions from data to the inside of an SVG, which keep no state. Start with
// DrawRatios, the simplest. frame.go has the parts that charts over time share. curve.go stores a run of any length in
// bounded memory.
package chart

import (
	"math"
	"strconv"
	"strings"
)

// svg builds the inside of an SVG. It writes classes and no colours: the style sheet decides them, so a change of theme
// needs no new drawing.
type svg struct{ strings.Builder }

// at writes a coordinate with one decimal. The coordinate must be finite.
func (s *svg) at(v float64) {
	tenths := math.Round(v * 10)
	if math.Abs(tenths) > 1e15 {
		s.WriteString(strconv.FormatFloat(tenths/10, 'f', -1, 64))
		return
	}
	// Integers are several times faster, and a curve has thousands of coordinates.
	var digits [24]byte
	n := int64(tenths)
	b := digits[:0]
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, n/10, 10)
	if d := n % 10; d != 0 {
		b = append(b, '.', byte('0'+d))
	}
	s.Write(b)
}

// begin opens an element. The names of its coordinates have spaces between them.
func (s *svg) begin(element, class, names string, v ...float64) {
	s.WriteString("<" + element + ` class="` + class + `"`)
	for i := range v {
		name, rest, _ := strings.Cut(names, " ")
		names = rest
		s.WriteString(" " + name + `="`)
		s.at(v[i])
		s.WriteByte('"')
	}
}

func (s *svg) line(class string, x0, y0, x1, y1 float64) {
	s.begin("line", class, "x1 y1 x2 y2", x0, y0, x1, y1)
	s.WriteString("/>")
}

func (s *svg) rect(class string, x, y, w, h float64) {
	s.begin("rect", class, "x y width height", x, y, w, h)
	s.WriteString("/>")
}

// faded is a rect with an opacity.
func (s *svg) faded(class string, opacity, x, y, w, h float64) {
	s.begin("rect", class, "x y width height", x, y, w, h)
	s.WriteString(` fill-opacity="` + strconv.FormatFloat(opacity, 'f', 2, 64) + `"/>`)
}

func (s *svg) circle(class string, x, y, r float64) {
	s.begin("circle", class, "cx cy r", x, y, r)
	s.WriteString("/>")
}

// path draws the commands of a path, unless there are none.
func (s *svg) path(class, d string) {
	if d == "" {
		return
	}
	s.begin("path", class, "")
	s.WriteString(` d="` + d + `"/>`)
}

// pen writes the commands of a path from point to point.
type pen struct {
	svg
	down bool
}

// to goes to a point, with a line if the pen is down.
func (p *pen) to(x, y float64) {
	command := byte('M')
	if p.down {
		command = 'L'
	}
	p.WriteByte(command)
	p.at(x)
	p.WriteByte(' ')
	p.at(y)
	p.down = true
}

// anchor is the side of a text that stands at its x.
type anchor string

const (
	start  anchor = "start"
	middle anchor = "middle"
	end    anchor = "end"
)

func (s *svg) text(class string, a anchor, x, y float64, text string) {
	s.open(class, a, x, y)
	s.escape(text)
	s.WriteString("</text>")
}

// named writes a symbol in its serif italic, then words.
func (s *svg) named(class string, a anchor, x, y float64, symbol, words string) {
	s.open(class, a, x, y)
	s.WriteString(`<tspan class="symbol">`)
	s.escape(symbol)
	s.WriteString("</tspan>")
	s.escape(words)
	s.WriteString("</text>")
}

func (s *svg) open(class string, a anchor, x, y float64) {
	s.begin("text", class, "x y", x, y)
	if a != start {
		s.WriteString(` text-anchor="` + string(a) + `"`)
	}
	s.WriteByte('>')
}

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func (s *svg) escape(text string) { s.WriteString(markup.Replace(text)) }

// wide estimates the width of a label. Labels are set in 13 pixels.
func wide(text string) float64 {
	w := 0.0
	for _, r := range text {
		switch {
		case r >= 0x300 && r <= 0x36F: // a bar over the previous letter
		case r == ' ' || r == '.' || r == '\u2009':
			w += 3.8
		default:
			w += 7.4
		}
	}
	return w
}
