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

// seeds draws them in a colour. over is the class of the middle line.
func (f *frame) seeds(s *Seeds, tone, over string) {
	for _, one := range s.Lines {
		f.line("line seed "+tone, one, valueOf)
	}
	var area, middle pen
	shown := s.Middle
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
