package learned

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestPackedParametersAreRoundedToTwelveBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		theta := rapid.SliceOf(rapid.Float32Range(-1e6, 1e6)).Draw(t, "θ")
		got, err := Unpack(Pack(theta), len(theta))
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range theta {
			if off := math.Abs(float64(got[i] - x)); off > math.Abs(float64(x))/4096+1e-37 {
				t.Fatalf("%v comes back as %v", x, got[i])
			}
		}
		again, err := Unpack(Pack(got), len(got))
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if math.Float32bits(again[i]) != math.Float32bits(got[i]) {
				t.Fatalf("%v, packed a second time, is %v", got[i], again[i])
			}
		}
	})
}

func TestParametersOfAnotherNumberAreRefused(t *testing.T) {
	packed := Pack([]float32{1, 2, 3})
	for _, n := range []int{0, 2, 4} {
		if _, err := Unpack(packed, n); err == nil {
			t.Errorf("3 parameters are taken for %d", n)
		}
	}
	if _, err := Unpack(packed[:len(packed)-9], 3); err == nil {
		t.Error("half a file is taken")
	}
}
