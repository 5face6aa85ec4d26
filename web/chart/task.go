package chart

import "impalab/web/number"

// Task is one world of a suite.
type Task struct {
	Title   string
	Score   float64 // capped and normalised; NaN before the first episode ends
	Watched bool
}

// DrawTasks draws a bar for each task of a suite: its capped normalised score, from a random policy at 0 to the
// reference at 1. A dot marks the watched task.
func DrawTasks(tasks []Task, w, h float64) string {
	var s svg
	const names, figures, top = 130, 48, 4
	foot := h - barsFoot
	x := scale{0, 1, names, w - figures}
	each := (foot - top) / float64(len(tasks))
	for k, t := range tasks {
		y := top + (float64(k)+0.5)*each
		if t.Watched {
			s.circle("dot", 6, y, 3.5)
		}
		s.text("label", start, 14, y+4, t.Title)
		s.line("tick", x.from, y, x.to, y)
		text := number.None
		if score := t.Score; finite(float32(score)) {
			text = number.Fixed(score, 2)
			if score > 0 {
				s.rect("bar pi", x.from, y-each/4, x.at(score)-x.from, each/2)
			}
		}
		s.text("label", end, w-4, y+4, text)
	}
	for _, end := range [...]struct {
		at    float64
		words string
	}{{0, "random"}, {1, "reference"}} {
		s.line("tick", x.at(end.at), top, x.at(end.at), foot)
		s.text("label", middle, x.at(end.at), h-4, end.words)
	}
	return s.String()
}
