package chart

import (
	"math"
	"slices"
)

// Seeds are runs of one configuration over seeds, with their statistics over seeds, never over episodes.
type Seeds struct {
	Lines  []*Curve
	Middle []Middle
}

// Middle is the interquartile mean of the seeds at a step, with its interval.
type Middle struct {
	Step            uint64
	Mean, Low, High float64
	N               int // number of seeds
}

// DrawSeeds draws a thin line for each seed, the interquartile mean, and its interval as a band.
func DrawSeeds(t *Time, s *Seeds, w, h float64) string {
	f := newFrame(t, w, h, 8, marginFoot)
	f.see(s.Lines...)
	f.seeMiddle(s.Middle)
	none := math.IsInf(f.y.lo, 1)
	f.y.lo, f.y.hi = padRange(f.y.lo, f.y.hi)
	f.grid(none, "no episodes yet", levels)
	f.seeds(s, "pi", "line hand pi")
	if !none {
		f.levels(levels)
	}
	return f.String()
}

// seeMiddle extends the range to the intervals of a middle line.
func (f *frame) seeMiddle(line []Middle) {
	for _, m := range line {
		f.y.extend(Span{float32(m.Low), float32(m.High), float32(m.High)})
	}
}

// seeds draws them in a colour. over is the class of the middle line.
func (f *frame) seeds(s *Seeds, tone, over string) {
	for _, one := range s.Lines {
		f.line("line seed "+tone, one, valueOf)
	}
	f.middle(s.Middle, tone, over)
}

// middle draws a middle line in class over, and its interval as a band in a tone.
func (f *frame) middle(line []Middle, tone, over string) {
	var area, middle pen
	shown := line
	for len(shown) > 0 && shown[len(shown)-1].Step > f.time.Steps {
		shown = shown[:len(shown)-1]
	}
	for _, m := range shown {
		area.to(f.x.at(float64(m.Step)), f.y.at(m.High))
		middle.to(f.x.at(float64(m.Step)), f.y.at(m.Mean))
	}
	for _, m := range slices.Backward(shown) {
		area.to(f.x.at(float64(m.Step)), f.y.at(m.Low))
	}
	f.path("area "+tone, area.String())
	f.path(over, middle.String())
}
