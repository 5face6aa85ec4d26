package chart

import (
	"math"
	"slices"
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
	if x+14+wide > f.w || f.onWords(b) > 0 {
		return
	}
	f.taken = append(f.taken, b)
	for i, line := range l.Words {
		f.text(class, start, x+14, y+19*float64(i)-3, line)
	}
}
