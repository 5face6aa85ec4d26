package chart

import "math"

// Dial is a chart of functions of a setting. The setting's handle on the axis can be dragged.

// XY is a point.
type XY struct{ X, Y float64 }

// DialLine is one curve over the axis.
type DialLine struct {
	Points []XY
	Class  string
	Words  string  // at its right end
	Left   bool    // at its left end instead
	Below  bool    // under the line
	Dot    float64 // height of a dot at the handle
	Marked bool    // whether the dot is drawn
}

// Dial is the data of the chart. Its axes start at 0.
type Dial struct {
	Key, Symbol string  // key and symbol of the setting; "": no handle
	At          float64 // value of the setting; a value beyond the axis is drawn at its end
	Right, Top  float64
	Over        string // words above the chart
	Lines       []DialLine
	Bars        []XY // bars at whole numbers, in place of lines
}

// Margins of a dial.
const (
	dialLeft  = 40.0
	dialRight = 14.0
	dialAbove = 26.0
	dialBelow = 47.0
)

func (d *Dial) scales(w, h float64) (x, y scale) {
	if d.Bars != nil {
		return scale{-0.6, d.Right + 0.6, dialLeft, w - dialRight}, scale{0, d.Top, h - dialBelow, dialAbove}
	}
	return scale{0, d.Right, dialLeft, w - dialRight}, scale{0, d.Top, h - dialBelow, dialAbove}
}

// Value returns the value at a pixel of the axis of a dial w pixels wide.
func (d *Dial) Value(px, w float64) float64 {
	x, _ := d.scales(w, 100)
	return x.share(px) * d.Right
}

// DrawDial draws a dial on w by h pixels.
func DrawDial(d *Dial, w, h float64) string {
	var s svg
	x, y := d.scales(w, h)
	s.text("label ink", start, 0, 14, d.Over)
	marks, labels := Ticks(0, d.Top, 4)
	for i, label := range labels {
		s.line("axis", x.from, y.at(marks[i]), x.to, y.at(marks[i]))
		s.text("label", end, x.from-6, y.at(marks[i])+4, label)
	}
	marks, labels = Ticks(0, d.Right, 5)
	for i, label := range labels {
		s.text("label", middle, x.at(marks[i]), y.from+16, label)
	}
	for _, b := range d.Bars {
		top := y.at(min(b.Y, d.Top))
		half := min(8, (x.to-x.from)/d.Right/3)
		s.rect("bar corrected", x.at(b.X)-half, top, 2*half, y.from-top)
	}
	for _, l := range d.Lines {
		var path pen
		for _, p := range l.Points {
			path.to(x.at(p.X), y.at(min(p.Y, d.Top)))
		}
		s.path(l.Class, path.String())
	}
	at := x.at(min(d.At, d.Right))
	if d.Key != "" {
		s.line("tick", at, dialAbove, at, y.from)
	}
	for _, l := range d.Lines {
		if last := len(l.Points) - 1; l.Words != "" && last >= 0 {
			at := y.at(min(l.Points[last].Y, d.Top)) - 5
			if l.Below {
				at += 18
			}
			if l.Left {
				s.text("label halo", start, x.from+4, at, l.Words)
				continue
			}
			s.text("label halo", end, x.to, at, l.Words)
		}
	}
	if d.Key == "" {
		return s.String()
	}
	for _, l := range d.Lines {
		if l.Marked && !math.IsNaN(l.Dot) {
			s.circle("solid corrected", at, y.at(min(l.Dot, d.Top)), 6)
		}
	}
	s.WriteString(`<g data-handle="` + d.Key + `">`)
	s.rect("grip", at-16, y.from+21, 32, 26)
	s.text("symbol", middle, at, y.from+40, d.Symbol)
	s.WriteString("</g>")
	return s.String()
}
