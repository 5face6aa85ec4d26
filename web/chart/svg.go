// Package chart draws the page's charts: functions from data to the inside of an SVG, which remember nothing. Look at
// DrawRatios first, the plainest; time.go has what the charts over time share, and curve.go how a run of any length
// fits into bounded memory.
package chart

import (
	"math"
	"strconv"
	"strings"
)

// svg builds the inside of an inline chart. It gives classes only: the page's style sheet decides colours and
// weights, so that a chart follows the theme without being drawn again.
type svg struct{ strings.Builder }

// at writes a coordinate with one decimal; callers keep what is not finite away.
func (s *svg) at(v float64) {
	tenths := math.Round(v * 10)
	if math.Abs(tenths) > 1e15 {
		s.WriteString(strconv.FormatFloat(tenths/10, 'f', -1, 64))
		return
	}
	// whole numbers are written several times as fast, and a curve has thousands
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

func (s *svg) attr(name string, v float64) {
	s.WriteByte(' ')
	s.WriteString(name)
	s.WriteString(`="`)
	s.at(v)
	s.WriteByte('"')
}

func (s *svg) class(class string) {
	s.WriteString(` class="`)
	s.WriteString(class)
	s.WriteByte('"')
}

func (s *svg) line(class string, x0, y0, x1, y1 float64) {
	s.WriteString("<line")
	s.class(class)
	s.attr("x1", x0)
	s.attr("y1", y0)
	s.attr("x2", x1)
	s.attr("y2", y1)
	s.WriteString("/>")
}

func (s *svg) rect(class string, x, y, w, h float64) {
	s.WriteString("<rect")
	s.class(class)
	s.attr("x", x)
	s.attr("y", y)
	s.attr("width", w)
	s.attr("height", h)
	s.WriteString("/>")
}

// faded is a rect whose colour thins with its opacity, on either theme.
func (s *svg) faded(class string, opacity, x, y, w, h float64) {
	s.WriteString("<rect")
	s.class(class)
	s.WriteString(` fill-opacity="`)
	s.WriteString(strconv.FormatFloat(opacity, 'f', 2, 64))
	s.WriteByte('"')
	s.attr("x", x)
	s.attr("y", y)
	s.attr("width", w)
	s.attr("height", h)
	s.WriteString("/>")
}

func (s *svg) circle(class string, x, y, r float64) {
	s.WriteString("<circle")
	s.class(class)
	s.attr("cx", x)
	s.attr("cy", y)
	s.attr("r", r)
	s.WriteString("/>")
}

// path draws the commands a caller wrote with at; empty paths leave nothing.
func (s *svg) path(class, d string) {
	if d == "" {
		return
	}
	s.WriteString("<path")
	s.class(class)
	s.WriteString(` d="`)
	s.WriteString(d)
	s.WriteString(`"/>`)
}

// anchor is where a text's x stands in it.
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
	s.WriteString("<text")
	s.class(class)
	s.attr("x", x)
	s.attr("y", y)
	if a != start {
		s.WriteString(` text-anchor="` + string(a) + `"`)
	}
	s.WriteByte('>')
}

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func (s *svg) escape(text string) { s.WriteString(markup.Replace(text)) }

// wide is about how much room a label takes; labels are set in 13 pixels.
func wide(text string) float64 {
	w := 0.0
	for _, r := range text {
		switch {
		case r >= 0x300 && r <= 0x36F: // a bar over the letter before
		case r == ' ' || r == '.' || r == '\u2009':
			w += 3.8
		default:
			w += 7.4
		}
	}
	return w
}
