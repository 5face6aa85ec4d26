package trial

import (
	"math"
	"testing"
)

func TestCurvesMeetOnlyWhereEverySeedHasAReturn(t *testing.T) {
	nan := math.NaN()
	points := Together([]Curve{{Budget: 200, At: []float64{nan, 2, 4}}, {Budget: 200, At: []float64{1, 4, 6, 8}}})
	if len(points) != 2 || points[0].Step != 2 || points[0].Mean != 3 || points[1].Mean != 5 {
		t.Errorf("the mean is %+v", points)
	}
	if points[0].High != 4 || points[0].Low != 2 {
		t.Errorf("the interval is %+v", points[0])
	}
}
