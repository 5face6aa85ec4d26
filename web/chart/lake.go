package chart

import (
	"math"
	"slices"
	"strconv"
)

// Lake is the area between a corrected and an uncorrected curve, where the corrected curve is higher: the gain
// from the correction.
type Lake struct {
	Over, Under *Curve
	From        uint64   // the first step at which the runs may differ
	Words       []string // lines beside it; none: no room
	At          uint64   // where they begin, halfway up; 0: at its newest end
	Within      bool     // they stand in the area
}

// lake fills the area, column by column of the upper curve.
func (f *frame) lake(l *Lake) {
	if l == nil {
		return
	}
	var d pen
	var lows []XY
	flush := func() {
		if len(lows) > 1 {
			for _, low := range slices.Backward(lows) {
				d.to(low.X, low.Y)
			}
			d.WriteByte('Z')
			f.path("lake", d.String())
		}
		d, lows = pen{}, lows[:0]
	}
	columns := f.columns(l.Over)
	for i := range columns {
		c := &columns[i]
		over, under := c.Value.Last, l.Under.At(c.Step)
		if c.Step < l.From || !finite(over) || !finite(under) || over < under {
			flush()
			continue
		}
		x := f.x.at(float64(c.Step))
		d.to(x, f.y.at(float64(over)))
		lows = append(lows, XY{x, f.y.at(float64(under))})
	}
	flush()
}

// lakeWords writes the words of a lake where they cover no other words.
func (f *frame) lakeWords(l *Lake) {
	if l == nil {
		return
	}
	columns := f.columns(l.Over)
	if len(columns) == 0 {
		return
	}
	last := &columns[len(columns)-1]
	over, under := last.Value.Last, l.Under.At(last.Step)
	if len(l.Words) == 0 || !finite(over) || !finite(under) {
		return
	}
	x, y := f.x.at(float64(last.Step)), f.y.at(float64(over+under)/2)
	class := "note worth halo"
	if l.Within {
		class = "note worth halo within"
	}
	if l.At > 0 {
		x, y = f.x.at(float64(l.At)), (f.y.from+f.y.to)/2
	}
	wide := 0.0
	for _, line := range l.Words {
		wide = math.Max(wide, 8*float64(len([]rune(line))))
	}
	b := box{x + 10, y - 18, x + 18 + wide, y + 19*float64(len(l.Words)-1) + 5}
	if x+14+wide > f.w || f.wet(nil, b.left, b.right, b.top, b.foot) > 0 {
		return
	}
	f.taken = append(f.taken, b)
	for i, line := range l.Words {
		f.text(class, start, x+14, y+19*float64(i)-3, line)
	}
}

// box is a part of a chart, in pixels.
type box struct{ left, top, right, foot float64 }

// wet returns how much of a box lies in a lake or on other words.
func (f *frame) wet(l *Lake, left, right, top, foot float64) (n int) {
	for _, b := range f.taken {
		if b.right > left && b.left < right && b.foot > top && b.top < foot {
			n += 1000
		}
	}
	if l == nil {
		return n
	}
	columns := f.columns(l.Over)
	for i := range columns {
		c := &columns[i]
		x, under := f.x.at(float64(c.Step)), l.Under.At(c.Step)
		if c.Step >= l.From && x >= left && x <= right && under < c.Value.Last &&
			f.y.at(float64(c.Value.Last)) < foot && f.y.at(float64(under)) > top {
			n++
		}
	}
	return n
}

// Numeral is the number of a step of a story, above the chart at its moment.
type Numeral struct {
	Step  uint64
	N     int
	Class string // "past", "now", "fell" or "next"
	Words string // beside it; ""
	Tone  string // class of the words
}

const (
	numeralRadius = 9.0
	numeralApart  = 20.0 // a numeral nearer to a later one is left out
)

// numerals draws the numerals, and the words of each on the side that has room.
func (f *frame) numerals(list []Numeral) {
	y := f.y.to - 14
	next := math.Inf(1)
	left := make([]bool, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		x := f.x.at(float64(list[i].Step))
		left[i] = next-x < numeralApart
		if !left[i] {
			next = x
		}
	}
	until := 0.0 // of the words and discs so far
	for i := range list {
		n, x := &list[i], f.x.at(float64(list[i].Step))
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
					after = f.x.at(float64(list[k].Step)) - numeralRadius
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
func (f *frame) cursor(step uint64, lines []Line) {
	if step == 0 {
		return
	}
	x := f.x.at(float64(step))
	f.svg.line("cursor", x, f.y.to-4, x, f.y.from)
	for i := range lines {
		if v := lines[i].Curve.At(step); finite(v) && lines[i].Sign != "" {
			y := f.y.at(float64(v))
			f.svg.circle("at "+lines[i].Class, x, y, 4)
			f.text("label halo ink", start, x+8, math.Max(y-6, f.y.to+12), strconv.Itoa(int(math.Round(float64(v)))))
		}
	}
}
