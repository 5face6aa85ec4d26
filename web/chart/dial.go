package chart

import "math"

// Dial is a setting along the axis and what follows from it above: the hand stands on the axis and can be dragged.

// XY is a point.
type XY struct{ X, Y float64 }

// DialLine is one curve over the axis.
type DialLine struct {
	Points []XY
	Class  string
	Words  string  // at its right end…
	Left   bool    // …or at its left one
	Below  bool    // the words stand under it
	Dot    float64 // where it is at the hand…
	Marked bool    // …if that is marked
}

// Dial is the whole chart. Its axes begin at 0.
type Dial struct {
	Key, Symbol string  // what the hand turns; "": there is none
	At          float64 // where it stands; beyond the axis: at its end
	Right, Top  float64
	Over        string // what stands above
	Lines       []DialLine
	Bars        []XY // one at each whole number, in the place of lines
}

// The room around a dial's axes.
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

// Place is what the hand says at a place.
func (d *Dial) Place(px, w float64) float64 {
	x, _ := d.scales(w, 100)
	return min(max(0, (px-x.from)/(x.to-x.from)*d.Right), d.Right)
}

// DrawDial draws it on w by h pixels.
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
