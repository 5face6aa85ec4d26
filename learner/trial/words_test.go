package trial

import (
	"math"
	"testing"
)

func TestFiguresAreShort(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.00", -0.314159: "-0.31", 9.34: "9.34", 9.999: "10.0", 95.31: "95.3", 99.96: "100", 481.6: "482", 9684: "9684",
		10_749: "10.7k", 107_300: "107k", 1_521_800: "1.52M", math.Inf(1): "never",
	} {
		if got := short(Number(v)); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
