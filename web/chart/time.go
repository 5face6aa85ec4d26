package chart

import (
	"math"

	"impalab/learner/hyper"
)

// The charts over time are the return, the lanes below it and the tape. They share one axis, so a step stands at the
// same place in all of them.

// Time is the axis of all charts over time.
type Time struct {
	From  uint64 // start of the axis
	Steps uint64 // end of the axis
	Until uint64 // end of the curves; 0: where the axis ends
	Marks []Mark
	Value func(row *hyper.Row, text string) string // writes a setting's value for people
}

// across returns the scale of the axis.
func (t *Time) across(w float64) scale {
	return scale{float64(t.From), float64(max(t.Steps, t.From+1)), 0, w}
}

// Share returns the place of a step on the axis, from 0 to 1.
func (t *Time) Share(step uint64) float64 { return max(0, min(1, t.across(1).at(float64(step)))) }

// Step returns the step at a share of the axis.
func (t *Time) Step(share float64) uint64 {
	x := t.across(1)
	return uint64(math.Round(x.lo + min(1, max(0, share))*(x.hi-x.lo)))
}

// Line is a curve in a chart. Its class names its run and its quantity for the style sheet.
type Line struct {
	*Curve
	Class string
	Bound string // class of the bound of its values; "": no bound
	Sign  string // a letter that names its run; ""
	Name  string // written above its end in a chart that stands alone; ""

	// Behind lines do not set the chart's range. They are drawn only inside it.
	Behind bool
}
