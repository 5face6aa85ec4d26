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
	var area pen
	shown := f.within(line)
	for _, m := range shown {
		area.to(f.x.at(float64(m.Step)), f.y.at(m.High))
	}
	for _, m := range slices.Backward(shown) {
		area.to(f.x.at(float64(m.Step)), f.y.at(m.Low))
	}
	f.path("area "+tone, area.String())
	f.middleLine(line, over)
}

// middleLine draws a middle line in class over, without its interval.
func (f *frame) middleLine(line []Middle, over string) {
	var along pen
	for _, m := range f.within(line) {
		along.to(f.x.at(float64(m.Step)), f.y.at(m.Mean))
	}
	f.path(over, along.String())
}

// within returns a middle line up to the end of the axis.
func (f *frame) within(line []Middle) []Middle {
	for len(line) > 0 && line[len(line)-1].Step > f.time.Steps {
		line = line[:len(line)-1]
	}
	return line
}
