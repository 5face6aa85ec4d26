package trial

import (
	"math"

	"impalab/learner"
)

// CurvePoints is how many points a curve has: about as many as one can see.
const CurvePoints = 200

// Curve is a run's mean return of the last hundred episodes, at equal distances of its budget; NaN before the first.
type Curve struct {
	Budget uint64
	At     []float64
}

// record takes a point each time the run has come so far; hooks are the run's own.
func (c *Curve) record(hooks learner.Hooks) learner.Hooks {
	before := hooks.Between
	hooks.Between = func(l *learner.Learner) error {
		c.reach(l)
		if before != nil {
			return before(l)
		}
		return nil
	}
	return hooks
}

// reach fills the points up to where the run is.
func (c *Curve) reach(l *learner.Learner) {
	for len(c.At) < CurvePoints && l.Steps() >= c.Budget*uint64(len(c.At)+1)/CurvePoints {
		c.At = append(c.At, l.Return100())
	}
}

// pass leaves out what came before a run that goes on from a snapshot.
func (c *Curve) pass(l *learner.Learner) {
	for c.Budget > 0 && len(c.At) < CurvePoints && l.Steps() >= c.Budget*uint64(len(c.At)+1)/CurvePoints {
		c.At = append(c.At, math.NaN())
	}
}

// Step is how far the run was at point i.
func (c *Curve) Step(i int) float64 { return float64(c.Budget) * float64(i+1) / CurvePoints }

// Point is what several curves say together at a step: the interquartile mean over seeds and its interval.
type Point struct{ Step, Mean, Low, High float64 }

// Together has a point wherever every curve has a return. Over seeds, never over episodes.
func Together(curves []Curve) (points []Point) {
	for i := range CurvePoints {
		var values []float64
		for _, c := range curves {
			if i < len(c.At) && !math.IsNaN(c.At[i]) {
				values = append(values, c.At[i])
			}
		}
		if len(values) < len(curves) {
			continue
		}
		mean, low, high := Interval(values, InterquartileMean)
		points = append(points, Point{curves[0].Step(i), mean, low, high})
	}
	return points
}
