package chart

import "math"

// DrawDots draws a histogram of a few answers: a dot for each, stacked in columns from the left. A line marks one
// column; −1 marks none.
func DrawDots(columns []int, marked int, w, h float64) string {
	var s svg
	most := 1
	for _, n := range columns {
		most = max(most, n)
	}
	each := w / float64(max(len(columns), 1))
	pitch := 12.0
	for math.Floor(h/pitch)*math.Floor(each/pitch) < float64(most) && pitch > 1 {
		pitch--
	}
	rows := int(h / pitch)
	for i, n := range columns {
		left := each * float64(i)
		s.line("axis", left+1, h, left+each-1, h)
		if i == marked {
			s.line("truth", left+each/2, 0, left+each/2, h)
		}
		stacks := float64((n + rows - 1) / rows)
		for k := range n {
			x := left + each/2 + pitch*(float64(k/rows)-(stacks-1)/2)
			s.circle("dot", x, h-pitch*(float64(k%rows)+.5), pitch*.4)
		}
	}
	return s.String()
}
