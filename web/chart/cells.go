package chart

import (
	"math"

	"impalab/web/wire"
)

// DrawCells draws an observation as pixel control sees it: a grey square for each cell, and in it a square as large as
// the reach of the agent's actions there. A cell whose reach is most is full. A row has so many columns.
func DrawCells(cells []wire.Cell, columns int, most float32, w, h float64) string {
	if len(cells) == 0 || columns < 1 {
		return ""
	}
	var s svg
	rows := (len(cells) + columns - 1) / columns
	side := math.Min(w/float64(columns), h/float64(rows))
	left, top := (w-side*float64(columns))/2, (h-side*float64(rows))/2
	const gap = 0.5
	for i, c := range cells {
		x, y := left+side*float64(i%columns), top+side*float64(i/columns)
		s.faded("light", math.Min(1, math.Max(0, float64(c.Light))), x+gap, y+gap, side-2*gap, side-2*gap)
		if share := float64(c.Reach / most); share > 0 && finite(c.Reach) {
			in := (side - 2*gap) * math.Sqrt(math.Min(1, share)) // its area is the share
			s.rect("reach", x+(side-in)/2, y+(side-in)/2, in, in)
		}
	}
	return s.String()
}
