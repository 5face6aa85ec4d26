package main

import (
	"fmt"
	"math"
	"testing"
)

func TestTheInterquartileMeanLeavesTheOuterQuartersOut(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{7}, 7},
		{[]float64{1, 2, 6}, 3},                            // a quarter of three is none
		{[]float64{1000, 2, 4, -1000}, 3},                  // one at each end
		{[]float64{8, 1, 7, 2, 6, 3, 5, 4}, 4.5},           // two at each end
		{[]float64{-99, 1, 2, 3, 4, 5, 6, 7, 99, 99}, 4.5}, // two at each end of ten
	} {
		name := fmt.Sprint(c.values)
		if got := interquartileMean(c.values); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}

func TestTheIntervalHoldsItsMeanAndNarrowsWithMoreSeeds(t *testing.T) {
	spread := func(n int) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64((i*37)%100) + 100
		}
		return values
	}
	width := math.Inf(1)
	for _, n := range []int{8, 32, 100} {
		mean, low, high := interval(spread(n))
		if !(low < mean && mean < high) {
			t.Errorf("%d seeds: %g is not within (%g, %g)", n, mean, low, high)
		}
		if high-low >= width {
			t.Errorf("%d seeds: width %g, no narrower than %g", n, high-low, width)
		}
		width = high - low
	}
}

func TestTheIntervalIsTheSameEachTimeAndLeavesItsInputAlone(t *testing.T) {
	values := []float64{3, 1, 2, 9, 5}
	_, low, high := interval(values)
	_, again, same := interval(values)
	if low != again || high != same {
		t.Errorf("(%g, %g), then (%g, %g)", low, high, again, same)
	}
	if fmt.Sprint(values) != "[3 1 2 9 5]" {
		t.Errorf("the values were reordered: %v", values)
	}
}

func TestTheIntervalCoversTheTruthAboutAsOftenAsItSays(t *testing.T) {
	// Means of uniform draws from a counter: 60 experiments of 24 seeds each, truth 0.5.
	state := uint64(1)
	uniform := func() float64 {
		state = state*6364136223846793005 + 1442695040888963407
		return float64(state>>11) / (1 << 53)
	}
	covered := 0
	const experiments = 60
	for range experiments {
		values := make([]float64, 24)
		for i := range values {
			values[i] = uniform()
		}
		if _, low, high := interval(values); low <= 0.5 && 0.5 <= high {
			covered++
		}
	}
	if covered < experiments*85/100 { // 95 % nominal; the percentile bootstrap is a little short at 24
		t.Errorf("the truth was inside %d of %d times", covered, experiments)
	}
}

func TestEqualSeedsLeaveNoDoubt(t *testing.T) {
	mean, low, high := interval([]float64{5, 5, 5, 5})
	if mean != 5 || low != 5 || high != 5 {
		t.Errorf("%g (%g, %g)", mean, low, high)
	}
}

func TestSeedsAreReadAsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"7":            "[7]",
		"11-14":        "[11 12 13 14]",
		"3, 1,8-9":     "[3 1 8 9]",
		"4294967295":   "[4294967295]",
		"0-0":          "[0]",
		"":             "error",
		"1,":           "error",
		"-3":           "error",
		"4294967296":   "error",
		"1-2-3":        "error",
		"9-8":          "error",
		"2,2":          "error",
		"1-10000,0":    "error",
		"0-4294967295": "error",
	} {
		seeds, err := parseSeeds(text)
		got := fmt.Sprint(seeds)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q: %.60s, want %s", text, got, want)
		}
	}
}
