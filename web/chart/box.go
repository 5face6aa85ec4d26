package chart

// box is a part of a chart, in pixels.
type box struct{ left, top, right, foot float64 }

// onWords counts the words with a fixed place that lie in a box.
func (f *frame) onWords(b box) (n int) {
	for _, t := range f.taken {
		if t.right > b.left && t.left < b.right && t.foot > b.top && t.top < b.foot {
			n++
		}
	}
	return n
}

// onMarks counts the lines of changes that cross a box.
func (f *frame) onMarks(b box) (n int) {
	for i := range f.time.Marks {
		if x := f.x.at(float64(f.time.Marks[i].Step)); x > b.left-2 && x < b.right+2 {
			n++
		}
	}
	return n
}

// inLake counts the columns of a lake that lie in a box.
func (f *frame) inLake(l *Lake, b box) (n int) {
	if l == nil {
		return 0
	}
	for _, c := range f.columns(l.Over) {
		x, under := f.x.at(float64(c.Step)), l.Under.At(c.Step)
		if c.Step >= l.From && x >= b.left && x <= b.right && under < c.Value.Last &&
			f.y.at(float64(c.Value.Last)) < b.foot && f.y.at(float64(under)) > b.top {
			n++
		}
	}
	return n
}

// crossings counts the line segments that lie in a box. A segment leads from one column to the next.
func (f *frame) crossings(lines []Line, b box) (n int) {
	for i := range lines {
		last := nothing
		for _, c := range f.columns(lines[i].Curve) {
			x, piece := f.x.at(float64(c.Step)), c.Value
			piece.Add(last.Last)
			last = c.Value
			if b.left <= x && x <= b.right && f.y.at(float64(piece.High)) <= b.foot && f.y.at(float64(piece.Low)) >= b.top {
				n++
			}
		}
	}
	return n
}
