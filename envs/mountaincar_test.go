package envs

import "testing"

// A car set down behind the flag on its way back has not arrived (Gymnasium's condition v ≥ 0).
func TestMountainCarArrivesForwards(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want End
	}{{-.02, Running}, {.02, Terminated}} {
		for _, w := range []World{
			&mountainCar{hillCar{x: .55, v: c.v}},
			&mountainCarContinuous{hillCar{x: .55, v: c.v}},
		} {
			if out := w.Step(nil, 1); out.End != c.want {
				t.Errorf("%s at %v with speed %v: %v, want end %v", w.Spec().Name, .55, c.v, out, c.want)
			}
		}
	}
}
