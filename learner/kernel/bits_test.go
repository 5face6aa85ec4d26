package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestBitsComeBackAndNothingElseIsTakenForOne(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 31, 32, 33, 64, 1000} {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(random.IntN(2))
		}
		words, twin, back := make([]float32, n/32+1), make([]float32, n/32+1), make([]float32, n)
		if !PackBits(words, x) {
			t.Fatalf("%d bits are refused", n)
		}
		packBitsGo(twin, x, n/32)
		for i := range n / 32 {
			if math.Float32bits(words[i]) != math.Float32bits(twin[i]) {
				t.Fatalf("%d bits: word %d is %#x, in Go %#x", n, i, math.Float32bits(words[i]), math.Float32bits(twin[i]))
			}
		}
		if UnpackBits(back, words); !slices.Equal(back, x) {
			t.Fatalf("%d bits come back otherwise", n)
		}
		for range 40 {
			if n == 0 {
				break
			}
			at := random.IntN(n)
			for _, odd := range []uint32{1 << 31, 1, one | 1, one | 1<<31, 0x40000000, 0x7fc00000, one >> 1, 1 << 29} {
				was := x[at]
				x[at] = math.Float32frombits(odd)
				if PackBits(words, x) || n >= 32 && at < n/32*32 && packBitsGo(twin, x, n/32) {
					t.Fatalf("%g at %d of %d is taken for a bit", x[at], at, n)
				}
				x[at] = was
			}
		}
	}
}
