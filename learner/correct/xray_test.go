package correct

import (
	"math"
	"testing"
)

func TestCutShareIsTheWeightThatTruncationTakesAway(t *testing.T) {
	ratio := []float64{0.5, 1, 1.5, 4} // 7 in all
	for _, c := range []struct{ bar, alpha, want float64 }{
		{0, 1, 1}, {1, 1, 3.5 / 7}, {1, 0.5, 1.75 / 7}, {4, 1, 0}, {inf, 1, 0}, {1, 0, 0},
	} {
		cut := Truncation[float64]{RhoBar: c.bar, LeakRho: c.alpha}
		left := 0.0
		for _, is := range ratio {
			left += cut.Rho(is)
		}
		if got := CutShare(ratio, c.bar, c.alpha); math.Abs(got-c.want) > 1e-12 || math.Abs(got-(7-left)/7) > 1e-12 {
			t.Errorf("ρ̄ %v, α %v: %v is cut, want %v; %v of 7 is left", c.bar, c.alpha, got, c.want, left)
		}
	}
	// Many ratios slightly above ρ̄ lose almost no weight.
	if got := CutShare([]float64{1.0001, 1.0002, 1.0001, 0.9999}, 1, 1); got > 2e-4 {
		t.Errorf("%v is cut of ratios that are 1 but for rounding", got)
	}
	for _, none := range [][]float64{nil, {0, 0}} {
		if got := CutShare(none, 1, 1); got != 0 {
			t.Errorf("%v: %v is cut", none, got)
		}
	}
	if got := CutShare([]float64{inf, math.MaxFloat64}, math.MaxFloat64/2, 1); got != 0.5 {
		t.Errorf("an infinite ratio counts as the greatest number, so half is cut, not %g", got)
	}
	if got := CutShare([]float64{inf, 1}, 1, 1); !(got > 0.999 && got <= 1) {
		t.Errorf("of an infinite ratio %v is cut", got)
	}
}

func TestEffectiveSample(t *testing.T) {
	for _, c := range []struct {
		rho  []float64
		want float64
	}{
		{[]float64{2, 2, 2, 2}, 1},
		{[]float64{1, 0, 0, 0}, 0.25},
		{[]float64{3, 1}, 0.8}, // 16 / (2·10)
		{[]float64{inf, 1, 1, 1}, 0.25},
		{[]float64{inf, math.MaxFloat64}, 1}, // infinity counts as the largest number
		{[]float64{1e200, 1e200}, 1},
		{[]float64{0, 0}, 0},
		{nil, 0},
	} {
		if got := EffectiveSample(c.rho); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%v: %v, want %v", c.rho, got, c.want)
		}
	}
}

func TestRatioHistogram(t *testing.T) {
	bins := make([]uint32, 4) // log₂ from −2 to 2: [¼,½) [½,1) [1,2) [2,4)
	RatioHistogram(bins, []float64{0, 0.1, 0.25, 0.49, 0.5, 1, 1.99, 2, 4, inf, inf - inf}, -2, 2)
	if want := [4]uint32{4, 1, 2, 3}; [4]uint32(bins) != want {
		t.Errorf("%v, want %v", bins, want)
	}
	finer := make([]uint32, 8) // halves: [¼,.35) … [2.8,4)
	RatioHistogram(finer, []float64{0.25, 0.36, 0.51, 0.75, 1.1, 1.5, 2.1, 3}, -2, 2)
	if want := [8]uint32{1, 1, 1, 1, 1, 1, 1, 1}; [8]uint32(finer) != want {
		t.Errorf("%v, want %v", finer, want)
	}
}
