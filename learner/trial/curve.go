package trial

import (
	"math"

	"impalab/learner"
	"impalab/learner/stats"
)

// CurvePoints is the number of points in a curve: a person sees hardly more.
const CurvePoints = 200

// Curve is a run's mean return of the last hundred episodes, at equal distances of its budget; NaN before the first.
type Curve struct {
	Budget uint64
	At     []float64
	Poses  []int16 // of the newest policy that was looked at, as learner.Poses returns them; nil: not asked for

	looks bool
}

const (
	eachLook  = CurvePoints / 10 // points from one look at the policy to the next
	poseCount = 24
)

// record adds to the hooks of a run that the curve follows.
func (c *Curve) record(hooks learner.Hooks) learner.Hooks {
	return first(hooks, func(l *learner.Learner) error {
		before := len(c.At)
		c.reach(l, l.Return100())
		if (before+eachLook-1)/eachLook < (len(c.At)+eachLook-1)/eachLook {
			c.samplePoses(l)
		}
		return nil
	})
}

// samplePoses takes the poses of the present policy, if they are asked for.
func (c *Curve) samplePoses(l *learner.Learner) {
	if c.looks {
		c.Poses = l.Poses(poseCount)
	}
}

// reach fills the points up to the run's step: with NaN before the snapshot that a run continues from.
func (c *Curve) reach(l *learner.Learner, mean float64) {
	for c.Budget > 0 && len(c.At) < CurvePoints && l.Steps() >= c.Budget*uint64(len(c.At)+1)/CurvePoints {
		c.At = append(c.At, mean)
	}
}

// repeatLast repeats the last return of a run that diverged, until its budget.
func (c *Curve) repeatLast(mean float64) {
	for c.Budget > 0 && len(c.At) < CurvePoints {
		c.At = append(c.At, mean)
	}
}

// Step returns the step of point i.
func (c *Curve) Step(i int) float64 { return float64(c.Budget) * float64(i+1) / CurvePoints }

// Point is the interquartile mean of several curves at a step, with its interval over seeds.
type Point struct{ Step, Mean, Low, High float64 }

// Together returns a point wherever every curve has a return. The interval is over seeds, not over episodes.
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
		mean, low, high := Interval(values, stats.InterquartileMean)
		points = append(points, Point{curves[0].Step(i), mean, low, high})
	}
	return points
}
