package exercise

// The run of an answer, as pages show it.

import (
	"maps"
	"math"
	"slices"

	"impalab/envs"
	"impalab/web/chart"
	"impalab/web/number"
)

// Shown is a run and its chart.
type Shown struct {
	Chart   string        `json:"chart" doc:"Inside of an SVG, 100 by 100: the mean return of the last hundred episodes over the run's steps; empty before the first."`
	Low     string        `json:"low" doc:"The return at the bottom of the chart."`
	High    string        `json:"high" doc:"The return at the top of the chart."`
	Says    string        `json:"says" doc:"The chart in words."`
	Steps   uint64        `json:"steps" doc:"Of the whole run."`
	Score   string        `json:"score" doc:"The newest return of the chart; empty before the first."`
	Fell    string        `json:"fell" doc:"The highest return and the newest, if the run lies on the floor; else empty."`
	Poses   []int16       `json:"poses" doc:"Of the newest policy, every second step: the cart's place in hundredths of its half of the track, and the lean of its stick in milliradians, in turn; null where the world has no stick."`
	Differs []KeyAndValue `json:"differs" doc:"Settings that differ from the start."`

	low, high float64 // of the chart
}

// KeyAndValue is a setting.
type KeyAndValue struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// CurvePoints is the number of points in a run's chart, at equal distances of its budget.
const CurvePoints = 50

// fallenShort is the mean length of episodes below which a stick lies on the floor.
const fallenShort = 60

// chartTop is the distance of a chart's highest and lowest value from its edges, of 100.
const chartTop = 5

// Curve is a run's mean return of the last hundred episodes.
type Curve struct {
	Budget uint64    // steps of the whole run
	Steps  uint64    // so far
	At     []float64 // up to CurvePoints, at equal distances of the budget; NaN before the first episode
}

// Reach appends the points that a run has reached after so many steps.
func (c *Curve) Reach(steps uint64, mean float64) {
	c.Steps = steps
	for len(c.At) < CurvePoints && steps >= c.step(len(c.At)) {
		c.At = append(c.At, mean)
	}
}

// step returns the step of point i.
func (c *Curve) step(i int) uint64 { return c.Budget * uint64(i+1) / CurvePoints }

// Show returns a run with changed settings in a world. poses are of its newest policy, as learner.Poses returns them.
func Show(settings map[string]string, world string, c *Curve, poses []int16) *Shown {
	s := &Shown{Steps: c.Budget, Poses: poses, Differs: []KeyAndValue{}}
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		s.Differs = append(s.Differs, KeyAndValue{key, settings[key]})
	}
	s.draw(c, world)
	return s
}

// draw draws the curve. The range of a world is the same for all its runs: from the return of a random policy, or from
// 0 where that is lower, to the solved one, and wider for a curve outside.
func (s *Shown) draw(c *Curve, world string) {
	low, high, last, best := math.Inf(1), math.Inf(-1), math.NaN(), math.Inf(-1)
	if spec, _, err := envs.Describe(world); err == nil {
		low, high = min(0, float64(spec.Random)), float64(spec.Solved)
	}
	line := &chart.Curve{}
	for i, y := range c.At {
		if !math.IsNaN(y) {
			line.Add(c.step(i), float32(y))
			low, high, last, best = min(low, y), max(high, y), y, max(best, y)
		}
	}
	if math.IsNaN(last) {
		return
	}
	lines := []chart.Line{{Curve: line, Class: "return"}}
	s.Chart = chart.DrawLane(&chart.Time{Steps: c.Budget}, lines, low, high, 100, 100)
	s.Score = number.Score(last)
	if s.Poses != nil && last < fallenShort && last < best/2 {
		s.Fell = number.Fixed(best, 0) + " → " + number.Fixed(last, 0)
	}
	s.low, s.high = low, high
	s.Low, s.High = number.Figures(low), number.Figures(high)
	s.Says = "Mean return of the last hundred episodes, now " + number.Figures(last) + ", after " +
		number.Count(c.Steps) + " steps"
}

// Place returns the place of a return in the chart, in hundredths from the top; -1: it is outside.
func (s *Shown) Place(y float64) float64 {
	if s.Chart == "" || y < s.low || y > s.high {
		return -1
	}
	return math.Round(chartTop + (100-2*chartTop)*(s.high-y)/(s.high-s.low))
}
