package correct

import (
	"math"
	"testing"
)

func TestShareAbove(t *testing.T) {
	ratio := []float32{0.5, 1, 1.5, 4}
	for bar, want := range map[float32]float64{0: 1, 1: 0.5, 4: 0, float32(inf): 0} {
		if got := ShareAbove(ratio, bar); got != want {
			t.Errorf("above %v: %v, want %v", bar, got, want)
		}
	}
	if got := ShareAbove([]float32{0, 1}, 0); got != 0.5 {
		t.Errorf("of 0 and 1 the share above 0 is %v", got)
	}
	if ShareAbove([]float32{}, 1) != 0 {
		t.Error("an empty batch is cut")
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
