package chart

import (
	"math"
	"strconv"
)

// The pictures of a weight c against the ratio w of a step: its curve, and a strip with a tick for each step of a
// batch. Both axes are logarithmic, so full importance weight is a straight diagonal. A picture is stretched to its
// place: it is WeightWide by WeightHigh, and a strip WeightWide by StripHigh.
const (
	WeightWide, WeightHigh, StripHigh = 400., 100., 12.

	weightMost             = 10. // both axes end at 10 and 1/10
	weightTop, weightFloor = 6., 93.
	weightLow              = 80. // where 1/10 is
)

// WeightX returns the place of a ratio.
func WeightX(ratio float64) float64 { return WeightWide * (1 + decades(ratio)) / 2 }

// WeightY returns the place of a weight. The weight 0 has a place of its own, below all others.
func WeightY(weight float64) float64 {
	if weight == 0 {
		return weightFloor
	}
	return weightLow - (weightLow-weightTop)*(1+decades(weight))/2
}

// decades is log₁₀, from −1 to 1.
func decades(v float64) float64 { return min(1, max(-1, math.Log10(v)/math.Log10(weightMost))) }

// Weighed is a ratio and its weight.
type Weighed struct{ Ratio, Weight float64 }

// WeightPath returns the curve of a weight as the commands of a path. Two neighbours of the same ratio are a jump.
func WeightPath(curve []Weighed) string {
	var p pen
	for i, at := range curve {
		x, y := WeightX(at.Ratio), WeightY(at.Weight)
		if i > 0 && i+1 < len(curve) && straight(curve[i-1], at, curve[i+1]) {
			continue
		}
		p.to(x, y)
	}
	return p.String()
}

// straight reports whether a point adds nothing to the line between its neighbours.
func straight(before, at, after Weighed) bool {
	x0, x1, x2 := WeightX(before.Ratio), WeightX(at.Ratio), WeightX(after.Ratio)
	y0, y1, y2 := WeightY(before.Weight), WeightY(at.Weight), WeightY(after.Weight)
	return math.Abs((y1-y0)*(x2-x0)-(y2-y0)*(x1-x0)) < 0.002*WeightWide
}

// Fate says what a weight makes of a step.
type Fate byte

// The fates of a step, as StripPaths takes them.
const (
	FateLikely  Fate = 'l' // counts as much as π would have played it: c = w
	FatePressed Fate = 'p' // counts less
	FateLouder  Fate = 'u' // counts more
	FateOut     Fate = 'o' // does not count
	FateNone    Fate = '-' // the weight does not look at its ratio
)

// FateOf returns the fate of a step.
func FateOf(ratio, weight float64) Fate {
	switch {
	case weight == 0:
		return FateOut
	case math.Abs(weight-ratio) <= 1e-6*ratio:
		return FateLikely
	case weight < ratio:
		return FatePressed
	}
	return FateLouder
}

// ticks are the strokes of a fate in a strip, below its place. Their shapes differ without colour.
var ticks = map[Fate][]string{FateLikely: {"0v12"}, FatePressed: {"6v6"}, FateLouder: {"0v6"}, FateOut: {"0v3", "9v3"},
	FateNone: {"0v12"}}

// Strokes returns the strokes of one step in a strip: each is a height and a line down from there.
func (f Fate) Strokes() []string { return ticks[f] }

// StripPath returns the ticks of the steps of one fate, as the commands of a path. At has the place of each step.
func StripPath(at []float64, fates string, fate Fate) string {
	var s svg
	for i, x := range at {
		if Fate(fates[i]) != fate {
			continue
		}
		for _, stroke := range ticks[fate] {
			s.WriteByte('M')
			s.at(x)
			s.WriteString(" " + stroke)
		}
	}
	return s.String()
}

// BelievedPath returns a line for each step, from its place on the diagonal to the weight 1: the error of believing it.
func BelievedPath(at []float64) string {
	var s svg
	for _, x := range at {
		s.WriteByte('M')
		s.at(x)
		s.WriteByte(' ')
		s.at(diagonal(x))
		s.WriteString("V" + strconv.FormatFloat(WeightY(1), 'f', -1, 64))
	}
	return s.String()
}

// DotPath returns a dot for each step at its place on the diagonal.
func DotPath(at []float64) string {
	var s svg
	for _, x := range at {
		s.WriteByte('M')
		s.at(x)
		s.WriteByte(' ')
		s.at(diagonal(x))
		s.WriteString("h0")
	}
	return s.String()
}

// diagonal is the height of the full importance weight at a place.
func diagonal(x float64) float64 { return weightLow - (weightLow-weightTop)*x/WeightWide }
