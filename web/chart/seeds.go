package chart

import "math"

// Seeds are runs of one configuration over seeds, and what they say together: over seeds, never over episodes.
type Seeds struct {
	Lines  []*Curve
	Middle []Middle
}

// Middle is what the seeds say at a step: their interquartile mean and the ends of its interval.
type Middle struct {
	Step            uint64
	Mean, Low, High float64
	N               int // of so many seeds
}

// DrawSeeds is a thin line for each seed, the band of the interval, and the interquartile mean over them.
func DrawSeeds(t *Time, s *Seeds, w, h float64) string {
	f := newFrame(t, w, h, 8, marginFoot)
	f.see(s.Lines...)
	f.seeMiddle(s)
	none := math.IsInf(f.y.lo, 1)
	f.y.lo, f.y.hi = room(f.y.lo, f.y.hi)
	f.grid(none, "no episodes yet", levels)
	f.seeds(s, "pi", "line hand pi")
	if !none {
		f.levels(levels)
	}
	return f.String()
}

func (f *frame) seeMiddle(s *Seeds) {
	for _, m := range s.Middle {
		f.y.lo, f.y.hi = min(f.y.lo, m.Low), max(f.y.hi, m.High)
	}
}

// seeds draws them in a colour, with a class for the line in the middle.
func (f *frame) seeds(s *Seeds, tone, over string) {
	for _, one := range s.Lines {
		f.line("line seed "+tone, one, valueOf)
	}
	var area, middle svg
	shown := s.Middle
	for len(shown) > 0 && shown[len(shown)-1].Step > f.time.Steps {
		shown = shown[:len(shown)-1]
	}
	for i, m := range shown {
		pen := byte('L')
		if i == 0 {
			pen = 'M'
		}
		f.to(&area, pen, m.Step, m.High)
		f.to(&middle, pen, m.Step, m.Mean)
	}
	for i := len(shown) - 1; i >= 0; i-- {
		f.to(&area, 'L', shown[i].Step, shown[i].Low)
	}
	f.path("area "+tone, area.String())
	f.path(over, middle.String())
}

// to adds a command to a path.
func (f *frame) to(d *svg, pen byte, step uint64, v float64) {
	d.WriteByte(pen)
	d.at(f.x.at(float64(step)))
	d.WriteByte(' ')
	d.at(f.y.at(v))
}
