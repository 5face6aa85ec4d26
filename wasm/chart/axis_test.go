package chart

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestTicksAreRoundAndInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e6, 1e6).Draw(t, "lo")
		hi := lo + rapid.Float64Range(1e-3, 1e6).Draw(t, "wide")
		at := ticks(lo, hi, 4)
		labels := tickLabels(at)
		if len(at) < 2 || len(at) > 9 {
			t.Fatalf("%d ticks in [%v, %v]", len(at), lo, hi)
		}
		for i, v := range at {
			if v < lo-1e-6*(hi-lo) || v > hi+1e-6*(hi-lo) {
				t.Fatalf("tick %v outside [%v, %v]", v, lo, hi)
			}
			if i > 0 && labels[i] == labels[i-1] && math.Abs(v) < 1e4 {
				t.Fatalf("two ticks read %q", labels[i])
			}
		}
	})
}
